"""Functions that take an array of any library, devices by their names, and misspelt arguments."""

from __future__ import annotations

import functools
import inspect
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from . import StridedMemoryView  # the package has its types before it imports this


_KINDS_OF_MEMORY = {3: "pinned", 13: "managed"}  # by DLPack's device types
_DEVICES = ("a number, 'cpu', 'cuda', 'cuda:1', a pair such as view.device, or a device of PyTorch, JAX, CuPy or "
            "cuda.core")


def device_name(device: Any) -> int | str:
    """A device in one of two forms: "cpu", or the number of a CUDA device."""
    if isinstance(device, str):
        return _of_text(device)
    if isinstance(device, tuple):
        return _of_tuple(device)
    if hasattr(type(device), "__index__"):
        return operator.index(device)
    kind = getattr(device, "type", None)  # PyTorch's
    if isinstance(kind, str):
        number = getattr(device, "index", None)
        return device_name(kind if number is None else f"{kind}:{number}")
    if getattr(device, "platform", None) == "cpu":  # JAX's
        return "cpu"
    for name in ("device_id", "id"):  # cuda.core's, CuPy's and JAX's
        number = getattr(device, name, None)
        if isinstance(number, int):
            return number
    raise TypeError(f"a device is {_DEVICES}, not {type(device).__name__}")


@functools.lru_cache(maxsize=64)
def _of_text(device: str) -> int | str:
    found = re.fullmatch(r"cpu(?::0)?|cuda(?::([0-9]{1,9}))?", device)
    if found is None:
        raise ValueError(f"a device is {_DEVICES}, not {device!r}")
    return "cpu" if device.startswith("cpu") else int(found[1] or 0)


def _of_tuple(device: tuple[Any, ...]) -> int | str:
    """Of DLPack's device type and number, as __dlpack_device__() answers; also of what devices() lists."""
    if hasattr(device, "device"):
        device = device.device
    if len(device) != 2 or device[0] not in (1, 2, *_KINDS_OF_MEMORY):
        raise ValueError(f"a device is {_DEVICES}, not {device!r}")
    if device[0] in _KINDS_OF_MEMORY:
        kind = _KINDS_OF_MEMORY[device[0]]
        raise ValueError(f"device {device!r} is {kind} memory: pass memory='{kind}'")
    return "cpu" if device[0] == 1 else operator.index(device[1])


def device_number(device: Any) -> int:
    """The number of a CUDA device, however it is named; -1 for the host."""
    found = device_name(device)
    return -1 if isinstance(found, str) else found


def nearest(name: str, names: str) -> str | None:
    """The name, out of a text of names with blanks between them, that a misspelt one probably means; or None."""
    import difflib  # only errors need it

    found = difflib.get_close_matches(name, names.split(), 1)
    return found[0] if found else None


def takes_one(function: Any) -> bool:
    """Whether a function is to be called with one argument, since it does not take two."""
    try:
        inspect.signature(function).bind(0, 0)
    except TypeError:
        return True
    except ValueError:  # a function of C that tells no signature
        return False
    return False


class Viewable:
    """An argument that is viewed when the function knows its stream."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def view(self, stream_ptr: Any = None) -> StridedMemoryView:
        """A StridedMemoryView of the argument, for use on a stream; see strideview.view()."""
        return StridedMemoryView(self.obj, stream_ptr)

    def __repr__(self) -> str:
        return f"Viewable({self.obj!r})"


def _names(function: Callable[..., Any], indices: Iterable[int]) -> list[str]:
    """Names of the parameters with these indices, as far as a caller may use them."""
    parameters = list(inspect.signature(function).parameters.values())
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for index in indices:
        if not 0 <= index < len(places) and not (index >= 0 and any(p.kind == p.VAR_POSITIONAL for p in parameters)):
            raise ValueError(f"{function.__name__}() has no positional parameter {index}")
    given = [places[index] for index in indices if index < len(places)]
    return [p.name for p in given if p.kind == p.POSITIONAL_OR_KEYWORD]


def args_viewable_as_strided_memory(arg_indices: Iterable[int]) -> Callable[[Any], Any]:
    """Let a function take arrays of any library in the parameters with these indices.

    Inside, each is an object whose view(stream_ptr) is a StridedMemoryView:

        @args_viewable_as_strided_memory((0,))
        def scale(array, factor, stream=None):
            array = array.view(stream)

    Arguments given by name are taken too.
    """
    indices = frozenset(arg_indices)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        names = _names(function, indices)

        @functools.wraps(function)
        def wrapped(*args: Any, **keywords: Any) -> Any:
            given = [Viewable(arg) if i in indices else arg for i, arg in enumerate(args)]
            for name in names:
                if name in keywords:
                    keywords[name] = Viewable(keywords[name])
            return function(*given, **keywords)

        return wrapped

    return decorate
