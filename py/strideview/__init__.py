"""Strided array memory of every kind: view it, rearrange it, copy it.

    import strideview as sv

    source = sv.view(array)[:, ::-1].permute((2, 0, 1))  # describes, moves nothing
    target = sv.empty(source.shape, source.dtype)
    sv.copy(target, source)                              # moves every element once

view() takes whatever speaks DLPack. What comes out speaks DLPack and the
buffer protocol: np.asarray(target), torch.from_dlpack(target).

draw() shows which bytes each index of an array occupies; devices() which devices
this machine has.

lib and ffi are the whole C API by way of cffi; the headers in include/sv/ document it.
"""

from pathlib import Path

from . import _strideview
from ._draw import draw
from ._extension import load_core as _load_core
from ._strideview import ffi, lib

if lib.sv_abi_version() != lib.SV_ABI_VERSION:
    raise ImportError(f"libsv has ABI version {lib.sv_abi_version()}, strideview was built for {lib.SV_ABI_VERSION}")
_load_core(_strideview.__file__)

from ._core import (  # noqa: E402
    _C_API,  # noqa: F401  (for C: strideview.h)
    _hint,
    BoundsError,
    Buffer,
    CopyError,
    MemoryResource,
    Plan,
    ProtocolError,
    StridedLayout,
    StridedMemoryView,
    TooHardError,
    can_cast,
    copy,
    copy_batch,
    empty,
    empty_like,
    fill,
    is_unique,
    shares_memory,
    view,
)
from ._arguments import args_viewable_as_strided_memory  # noqa: E402  (needs the types)
from ._asarray import array, asarray, ascontiguousarray, asfortranarray, frombuffer  # noqa: E402
from ._axes import (  # noqa: E402
    as_strided,
    broadcast_to,
    expand_dims,
    flip,
    moveaxis,
    permute_dims,
    reshape,
    squeeze,
    swapaxes,
    transpose,
)
from ._devices import Device, Pointer, devices, pointer_query  # noqa: E402
from ._explain import Placement, explain, placement  # noqa: E402
from ._create import full, full_like, ones, ones_like, zeros, zeros_like  # noqa: E402
from ._stack import concatenate, stack  # noqa: E402
from ._rearrange import rearrange  # noqa: E402
from ._repeat import repeat  # noqa: E402
from . import memory  # noqa: E402

__version__ = ffi.string(lib.sv_version_text()).decode()

__all__ = [
    "BoundsError",
    "Buffer",
    "CopyError",
    "Device",
    "MemoryResource",
    "Placement",
    "Plan",
    "Pointer",
    "ProtocolError",
    "StridedLayout",
    "StridedMemoryView",
    "TooHardError",
    "args_viewable_as_strided_memory",
    "array",
    "as_strided",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "broadcast_to",
    "can_cast",
    "concatenate",
    "copy",
    "copy_batch",
    "devices",
    "draw",
    "empty",
    "empty_like",
    "expand_dims",
    "explain",
    "ffi",
    "fill",
    "flip",
    "frombuffer",
    "full",
    "full_like",
    "get_include",
    "is_unique",
    "lib",
    "library_path",
    "memory",
    "moveaxis",
    "ones",
    "ones_like",
    "permute_dims",
    "placement",
    "pointer_query",
    "rearrange",
    "repeat",
    "reshape",
    "shares_memory",
    "squeeze",
    "stack",
    "swapaxes",
    "transpose",
    "view",
    "zeros",
    "zeros_like",
]


def __getattr__(name: str) -> object:
    text = _hint(name)
    raise AttributeError(f"module 'strideview' has no attribute {name!r}" + (f": {text}" if text else ""))


def library_path() -> str:
    """Path of a shared library with every function of sv.h, for ctypes and other callers of C."""
    return str(_strideview.__file__)


def get_include() -> str:
    """Directory of the C headers, for extensions: strideview.h, and sv.h, which it includes."""
    package = Path(__file__).parent
    installed = package / "include"
    return str(installed if installed.exists() else package.parent.parent / "include")
