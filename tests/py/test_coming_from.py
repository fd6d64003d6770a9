"""doc/coming_from.md: both calls of each row give the same, where the other library is installed; ours runs in any case."""

import re
from pathlib import Path

import numpy as np
import pytest
from kinds import KINDS, kinds  # noqa: F401  (a fixture; before strideview)
from peers import need

DOCUMENT = (Path(__file__).parents[2] / "doc/coming_from.md").read_text()
ROW = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.M)
PEERS = {"einops": "einops", "cuda.core": "cuda.core", "dpctl": "dpctl", "RMM": "rmm", "CuVec": "cuvec", "PyTorch": "torch",
         "NumPy": "numpy"}


def rows():
    """(library, lines before the table, their call, our calls, whether ours needs a GPU) of each row."""
    for section in re.split(r"^## ", DOCUMENT, flags=re.M)[1:]:
        given = re.search(r"<!-- given -->\n```python\n(.*?)```", section, re.S)[1]
        for theirs, cell in ROW.findall(section):
            calls = cell.split("; needs a GPU")[0].split("; ")[0].split(", an error")[0]
            yield section.split("\n")[0], given, theirs, re.findall(r"`([^`]+)`", calls), "needs a GPU" in cell


ROWS = list(rows())


def result_of(given, call):
    """What a call gives, as values of NumPy and Python, and all arrays that it may have written to."""
    names = {}
    exec(given, names)
    try:
        code = compile(call, "coming_from.md", "eval")
    except SyntaxError:
        exec(call, names)
        value = None
    else:
        value = eval(code, names)
    arrays = {name: np.array(np.asarray(x)) for name, x in names.items() if name in ("a", "b", "d", "t")}
    address = names["a" if "a" in names else "t"] if {"a", "t"} & names.keys() else None
    return plain(value, address), arrays


def plain(value, base):
    """Arrays as NumPy's, an address of the operand as a word, and None for what only writes."""
    if type(value) is int and base is not None:
        pointer = base.ctypes.data if isinstance(base, np.ndarray) else base.data_ptr()
        return "address of the operand" if value == pointer else value
    if hasattr(value, "detach"):
        return value.numpy()
    if hasattr(value, "layout") or isinstance(value, np.ndarray):
        return np.asarray(value)
    return value


def without_peer(name, given):
    """The lines without the import of a library that is missing, and what is made of it."""
    return re.sub(rf"^(import|from) {re.escape(name)}.*\n", "", given, flags=re.M)


def assert_same(mine, theirs):
    if isinstance(theirs, np.ndarray) and theirs.ndim + isinstance(mine, np.ndarray):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    else:
        assert mine == (tuple(theirs) if isinstance(mine, tuple) else theirs)


@pytest.mark.parametrize("library, given, theirs, ours, on_gpu", ROWS, ids=[f"{row[0]}: {row[2]}" for row in ROWS])
def test_row(library, given, theirs, ours, on_gpu):
    assert ours
    if on_gpu and "device" in KINDS:
        pytest.skip("run below, on the fake CUDA runtime")
    if library == "PyTorch":  # its tensors are the operands of both
        need("torch")
    try:
        mine = [result_of(without_peer(PEERS[library] if library not in ("NumPy", "PyTorch") else "-", given), call)
                for call in ours]
    except (NotImplementedError, ValueError) as error:
        assert on_gpu and "CUDA" in str(error)
        pytest.skip("there is no CUDA device")
    need(PEERS[library])
    try:
        expected = result_of(given, theirs)
    except Exception:
        if not on_gpu:
            raise
        pytest.skip("the other library has no device")
    writes = re.search(r"_\(", theirs)  # what copy_() and its like answer is the array that was written
    for value, arrays in mine:
        if not writes:
            assert_same(value, expected[0])
        for name, array in expected[1].items():
            np.testing.assert_array_equal(arrays[name], array)


@pytest.mark.parametrize("library, given, theirs, ours, on_gpu", [row for row in ROWS if row[4]],
                         ids=[f"{row[0]}: {row[2]}" for row in ROWS if row[4]])
def test_rows_that_need_a_gpu(kinds, library, given, theirs, ours, on_gpu):
    """Our column alone, on the fake CUDA runtime."""
    if "device" not in KINDS:
        pytest.skip("the package was not built on the fake CUDA runtime")
    if library == "PyTorch":
        need("torch")
    for call in ours:
        result_of(without_peer(PEERS[library] if library != "PyTorch" else "-", given), call)


def test_every_library_has_rows():
    assert {row[0] for row in ROWS} == set(PEERS) and len(ROWS) > 70
    assert [row[0] for row in ROWS].count("NumPy") >= 35 <= len(re.findall(ROW, DOCUMENT))


def test_rows_that_differ_are_told():
    """The comparison itself."""
    with pytest.raises(AssertionError):
        assert_same(np.zeros(3), np.ones(3))
    with pytest.raises(AssertionError):
        assert_same(np.zeros(3, "f4"), np.zeros(3, "f8"))
    with pytest.raises(AssertionError):
        assert_same(3, 4)
