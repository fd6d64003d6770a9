"""Arguments by name: what functions of C take is what their signatures say, and the texts of what they refuse."""

import inspect
import os
import re
from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from strideview import _core

ROWS = re.findall(r'^OPTION\((\w+), "(\w+)", "(.+?)", "(.+?)"\)$',
                  (Path(os.environ["srcdir"]) / "py/src/base/options.def").read_text(), re.MULTILINE)
DEFAULTS = {name: defaults.split(", ") for _, name, defaults, _ in ROWS}


BUFFER = sv.MemoryResource.host().allocate(0)  # without memory, so that none is left


def instances():
    return {sv.StridedLayout: sv.StridedLayout((2, 3), None, 4), sv.StridedMemoryView: sv.view(np.zeros((2, 3))),
            sv.Plan: sv.Plan(np.zeros(2), np.ones(2)), sv.MemoryResource: sv.MemoryResource.host(),
            sv.Buffer: BUFFER}


def functions():
    """(name, function, signature) of all that is written in C and takes arguments by name."""
    found = [(name, function) for name, function in vars(_core).items() if inspect.isbuiltin(function)]
    for type_, instance in instances().items():
        found.append((type_.__name__, type_))
        found += [(f"{type_.__name__}.{name}", getattr(instance, name)) for name in vars(type_)
                  if inspect.isbuiltin(getattr(instance, name, None))]
    for name, function in found:
        text = getattr(function, "__text_signature__", None)
        signature = inspect.signature(function) if text else None
        if signature is not None and any(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
                                         for p in signature.parameters.values()):
            yield name, function, signature


FUNCTIONS = list(functions())
NAMES = sorted({name for _, _, signature in FUNCTIONS for name in signature.parameters} | set(DEFAULTS))


def refused(function, **keywords):
    """The argument that a call names as one that the function does not have."""
    with pytest.raises(TypeError) as raised:
        function(**keywords)
    found = re.search(r"unexpected keyword argument '(\w+)'", str(raised.value))
    return found and found[1]


def test_there_are_enough():
    assert len(FUNCTIONS) > 60 and len(ROWS) == len(DEFAULTS) > 15
    assert {"copy", "empty", "Plan", "Buffer.resize", "StridedMemoryView.copy_to"} <= {name for name, _, _ in FUNCTIONS}


@pytest.mark.parametrize("owner, function, signature", [pytest.param(*row, id=row[0]) for row in FUNCTIONS])
def test_a_function_takes_what_its_signature_says_and_no_more(owner, function, signature):
    if any(p.kind == p.VAR_KEYWORD for p in signature.parameters.values()):
        pytest.skip("takes anything")
    second_form = {"layout"} if owner == "StridedMemoryView.from_buffer" else set()  # which its text describes
    for name in sorted(set(NAMES) - second_form):
        parameter = signature.parameters.get(name)
        by_name = parameter is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        assert refused(function, **{name: None, "no_such_name": 1}) == ("no_such_name" if by_name else name)


@pytest.mark.parametrize("name, defaults", DEFAULTS.items())
def test_an_option_has_one_default_in_all_signatures(name, defaults):
    shown = {repr(signature.parameters[name].default) for _, _, signature in FUNCTIONS
             if name in signature.parameters and signature.parameters[name].kind == inspect.Parameter.KEYWORD_ONLY}
    assert shown <= set(defaults), name


A, B = np.zeros((2, 3), "f4"), np.ones((2, 3), "f4")
TEXTS = [
    (lambda: sv.copy(A, B, cast="unsafe"),
     "copy() got an unexpected keyword argument 'cast'. Did you mean 'casting'?"),
    (lambda: sv.copy(A, B, non_blocking=True),
     "copy() got an unexpected keyword argument 'non_blocking'. Did you mean 'blocking'?"),
    (lambda: sv.copy(A, B, xyz=1), "copy() got an unexpected keyword argument 'xyz'"),
    (lambda: sv.copy_batch([A], [B], progress=2), "copy_batch() got an unexpected keyword argument 'progress'"),
    (lambda: sv.Plan(A, B, measured=True),
     "Plan() got an unexpected keyword argument 'measured'. Did you mean 'measure'?"),
    (lambda: sv.empty((2,), memry="host"),
     "empty() got an unexpected keyword argument 'memry'. Did you mean 'memory'?"),
    (lambda: sv.view(A).transpose(dims=(1, 0)),
     "transpose() got an unexpected keyword argument 'dims'. Did you mean 'axes'?"),
    (lambda: sv.view(A).permute(1, 0, dims=(1, 0)), "permute() got multiple values for argument 'dims'"),
    (lambda: sv.view(A).unsqueeze(dim=0), "unsqueeze() got an unexpected keyword argument 'dim'. Did you mean 'axis'?"),
    (lambda: sv.copy(A, B, dst=A), "copy() got multiple values for argument 'dst'"),
    (lambda: sv.copy(A, B, 1, stream=1), "copy() got multiple values for argument 'stream'"),
    (lambda: sv.view(A).copy_to(B, None, None, allocator=None),  # cuda.core's places
     "copy_to() got multiple values for argument 'allocator'"),
    (lambda: sv.view(A).copy_to(B, None, None, True, blocking=True),
     "copy_to() got multiple values for argument 'blocking'"),
    (lambda: sv.copy(A), "copy() missing required argument 'src'"),
    (lambda: sv.copy(A, B, None, None), "copy() takes at most 3 positional arguments (4 given)"),
    (lambda: sv.view(A).copy_to(B, None, None, None, "no"), "copy_to() takes at most 4 positional arguments (5 given)"),
    (lambda: sv.copy(A, B, stream="x"), "stream must be None, an int or an object with __cuda_stream__, not str"),
    (lambda: sv.view(A, 1.5), "stream must be None, an int or an object with __cuda_stream__, not float"),
    (lambda: sv.copy(A, B, executor=object(), threads="many"), "threads must be an int or None, not str"),
    (lambda: sv.copy(A, B, scale="abc"), "scale must be a number or a sequence of numbers, not str"),
    (lambda: sv.copy(A, B, bias=np.ones((3, 1, 2)), axis=1),
     "bias has shape (3, 1, 2): it is a number, or one for each index of one axis of dst"),
    (lambda: sv.copy(A, B, scale=[1, 2, 3], axis="x"), "axis must be an int or None, not str"),
    (lambda: sv.Plan(A, B, measure="long"), "measure must be True, False or a number of seconds, not str"),
]


@pytest.mark.parametrize("call, text", TEXTS)
def test_texts_of_what_is_refused(call, text):
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value).removeprefix("StridedMemoryView.") == text


def test_names_that_are_not_interned_are_found():
    name = "".join(["cast", "ing"])
    sv.copy(A, B.astype("f8"), **{str(name.encode(), "ascii"): "unsafe"})
    assert (A == 1).all()
