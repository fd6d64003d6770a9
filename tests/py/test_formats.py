"""Formats of the buffer protocol as NumPy and ctypes write them, and as NumPy reads them."""

import ctypes
import os
import random
import sys

import numpy as np
import pytest

import strideview as sv
from rounds import are_enough, rounds_of, seed_of
from strideview._formats import dtype_of

SCALE = {"full": 10, "long": 100}.get(os.environ.get("SV_TEST_SCALE"), 1)
OWN, OTHER = {"little": "<>", "big": "><"}[sys.byteorder]
POINTER = ctypes.sizeof(ctypes.c_void_p)


def taken(text, itemsize):
    """Whether libsv takes a buffer of one item of this format, or would if the byte order were its own."""
    memory, out = bytearray(itemsize + 1), sv.ffi.new("sv_view **")
    status = sv.lib.sv_view_from_pep3118(sv.ffi.new("char[]", text.encode()), itemsize, 0, sv.ffi.NULL, sv.ffi.NULL,
                                         sv.ffi.from_buffer(memory), itemsize, 0, sv.ffi.NULL, sv.ffi.NULL, out)
    sv.lib.sv_view_release(out[0])
    return status in (sv.lib.SV_OK, sv.lib.SV_ERROR_UNSUPPORTED)


# --- what NumPy writes ---------------------------------------------------------

class Draw:
    """Random dtypes whose arrays of arrays are nested as deep as NumPy nests them, and random texts."""

    NUMBERS = "?bBhHiIlLqQefdFD"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def dtype(self, depth=0):
        choice, kind = self.random, self.random.random()
        if kind < 0.3 and depth < 3:
            return np.dtype((self.dtype(depth + 1), tuple(choice.randrange(1, 4) for _ in range(choice.randrange(1, 3)))))
        if kind < 0.45 and depth < 3:
            return self.record(depth + 1)
        if kind < 0.6:
            return np.dtype(choice.choice(["S3", "<U2", ">U2", "V5", "g", "G"]))
        return np.dtype(choice.choice("<>") + choice.choice(self.NUMBERS))

    def record(self, depth=0):
        formats = [self.dtype(depth) for _ in range(self.random.randrange(1, 5))]
        return np.dtype([(f"f{i}", format_) for i, format_ in enumerate(formats)], align=self.random.random() < 0.3)

    def text(self, depth=0):
        """An item with modifiers in any order."""
        choice = self.random
        modifiers = [choice.choice("@=<>!^")] if choice.random() < 0.5 else []
        modifiers += [f"({','.join(str(choice.randrange(1, 4)) for _ in range(choice.randrange(1, 3)))})"
                      for _ in range(choice.choice([0, 0, 1, 2]))]
        modifiers += [str(choice.randrange(1, 5))] if choice.random() < 0.3 else []
        choice.shuffle(modifiers)
        if depth < 3 and choice.random() < 0.25:
            item = f"T{{{''.join(self.text(depth + 1) + f':n{i}:' for i in range(choice.randrange(1, 4)))}}}"
        else:
            item = choice.choice([*"?bBhHiIlLqQefdcswx", "Zf", "Zd"])
        return "".join(modifiers) + item


@pytest.mark.parametrize("part", range(6))
def test_random_records_of_numpy(part):
    nested = 0
    for number in rounds_of(100 * SCALE):
        array = np.zeros(3, Draw(seed_of(number, part)).record())
        try:
            lent = memoryview(array)
        except (ValueError, BufferError):
            continue  # NumPy does not lend it
        nested += ")(" in lent.format
        view = sv.view(lent)
        assert view.itemsize == array.itemsize and view.dtype == array.dtype, lent.format
        for name in array.dtype.names:
            part = view[name]
            assert (part.ptr, part.shape, part.layout.strides_in_bytes) == (
                array[name].__array_interface__["data"][0], array[name].shape, array[name].strides), lent.format
    assert are_enough(nested, 5 * SCALE)


def test_arrays_of_arrays():
    dtype = np.dtype([("foo", np.dtype((np.dtype((">i4", (3,))), (2,)))), ("b", "i1")])
    array = np.zeros(2, dtype)
    array["foo"] = np.arange(12).reshape(2, 2, 3)
    assert memoryview(array).format.startswith("T{(2)(3)")
    for view in (sv.view(array), sv.view(memoryview(array))):
        assert view.dtype == dtype and view["foo"].shape == (2, 2, 3) and view["foo"].layout.strides_in_bytes == (25, 12, 4)
        back = np.asarray(memoryview(view))  # NumPy reads no array of arrays, so it is told of one array
        assert back["foo"].tolist() == array["foo"].tolist() and back.dtype["foo"] == np.dtype((">i4", (2, 3)))


@pytest.mark.parametrize("part", range(4))
def test_random_texts_are_read_as_numpy_reads_them(part):
    internal = pytest.importorskip("numpy._core._internal" if np.__version__ >= "2" else "numpy.core._internal")
    read = 0
    for number in rounds_of(500 * SCALE):
        text = Draw(seed_of(number, part)).text()
        found = None
        try:
            found = internal._dtype_from_pep3118(text)
        except (ValueError, NotImplementedError):
            pass
        itemsize = dtype_of_any_size(text) if found is None else found.itemsize
        assert itemsize and taken(text, itemsize), text
        if found is not None:
            assert dtype_of(text, itemsize) == found, text
            read += 1
    assert are_enough(read, 100 * SCALE)


def dtype_of_any_size(text):
    """The size of which there is a dtype."""
    from strideview._formats import _Reader
    return _Reader(text).all().dtype.itemsize


@pytest.mark.parametrize("text, itemsize, expected", [
    ("(2)(3)i", 24, (np.dtype(("i4", (3,))), (2,))),
    ("2(3)>i", 24, (np.dtype((">i4", (2,))), (3,))),
    ("T{(2)(3)i:foo:}", 24, [("foo", (np.dtype(("i4", (3,))), (2,)))]),
    ("T{<i:a:<b:b:}", 8, {"names": ["a", "b"], "formats": ["i4", "i1"], "offsets": [0, 4], "itemsize": 8}),
    ("T{<i:a:<b:b:}", 7, {"names": ["a", "b"], "formats": ["i4", "i1"], "offsets": [0, 4], "itemsize": 7}),
    ("T{<h:a:}", 5, {"names": ["a"], "formats": ["i2"], "offsets": [0], "itemsize": 5}),
    ("T{i:a:b:b:}", 5, [("a", "i4"), ("b", "i1")]),  # as the struct module counts
    ("T{i:a:b:b:}", 8, {"names": ["a", "b"], "formats": ["i4", "i1"], "offsets": [0, 4], "itemsize": 8}),
    ("T{<b:a:<i:b:}", 8, None),  # padding between the fields may be missing as well
    ("T{<b:a:<i:b:}", 5, [("a", "i1"), ("b", "<i4")]),
    ("T{<i:a:<i:b:}", 4, None),
    ("3i", 16, None),
    (f"T{{{OWN}P:a:{OWN}g:b:}}", POINTER + np.dtype("g").itemsize, [("a", f"V{POINTER}"), ("b", "g")]),
])
def test_texts_and_sizes(text, itemsize, expected):
    assert taken(text, itemsize)
    found = dtype_of(text, itemsize)
    assert found == (None if expected is None else np.dtype(expected))


# --- what ctypes lends ---------------------------------------------------------

@pytest.mark.parametrize("kind", [ctypes.c_void_p, ctypes.c_longdouble, ctypes.c_char_p, ctypes.c_wchar_p,
                                  ctypes.POINTER(ctypes.c_int)])
def test_arrays_of_pointers_and_long_doubles(kind):
    view = sv.view((kind * 3)())
    assert view.shape == (3,) and view.itemsize == ctypes.sizeof(kind)
    assert kind is not ctypes.c_longdouble or view.dtype == np.dtype("g")
    assert view.tobytes() == bytes(3 * ctypes.sizeof(kind))


if __name__ == "__main__":
    import tap
    tap.main(__file__)
