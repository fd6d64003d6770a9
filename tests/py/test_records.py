"""Records through the buffer protocol: every one that NumPy lends comes back as the same dtype, at the same place."""

import ctypes
import functools
import gc
import os
import random
import sys

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import address
from rounds import are_enough, rounds_of, seed_of

SCALE = {"full": 10, "long": 100}.get(os.environ.get("SV_TEST_SCALE"), 1)


def without_titles(dtype):
    """The same fields at the same places; a text has no room for titles."""
    if dtype.subdtype is not None:
        return np.dtype((without_titles(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None:
        return dtype
    fields = [dtype.fields[name] for name in dtype.names]
    return np.dtype({"names": list(dtype.names), "formats": [without_titles(field[0]) for field in fields],
                     "offsets": [field[1] for field in fields], "itemsize": dtype.itemsize})


def strides(array):
    """Those along which there is a step to be taken."""
    return [stride for extent, stride in zip(array.shape, array.strides) if extent > 1 and array.nbytes > 0]


def check(array):
    """view -> memoryview -> NumPy, and view -> memoryview -> view -> memoryview, where no exporter has a dtype."""
    view = sv.view(array)
    lent = memoryview(view)
    assert lent.shape == array.shape and lent.itemsize == array.itemsize and strides(lent) == strides(array)
    back = np.asarray(lent)
    assert back.dtype == without_titles(array.dtype), lent.format
    assert array.size == 0 or (address(back), strides(back)) == (address(array), strides(array))
    again = sv.view(lent)
    assert again.ptr == view.ptr and again.layout == view.layout
    assert memoryview(again).format == lent.format


FIXED = [
    [("a", "f4"), ("b", "i2")],
    [("a", "i2"), ("b", "f4")],
    [("a", "i1"), ("b", "f8")],
    [("a", ">f4"), ("b", "<i2"), ("c", "?"), ("d", "c8"), ("e", ">c16"), ("f", "e")],
    [("a", "g"), ("b", "i1"), ("c", "G"), ("d", "i2")],
    [("a", "S5"), ("b", "U3"), ("c", ">U2"), ("d", "V4"), ("e", "S0"), ("f", "i1")],
    [("a", "f4", (2, 3)), ("b", "i2", (1,)), ("c", "i1", (0,)), ("d", "U2", 2)],
    [("a", [("x", "i1"), ("y", ">i8")], (2,)), ("b", [("z", [("w", "f4")])]), ("c", "i2")],
    [(("a title", "a"), "f4"), (("another", "é"), "i2")],
    [("l", "l"), ("q", "q"), ("L", ">L"), ("Q", "Q")],
    [("a b", "f4"), ("{", "i1"), ("}", "i2"), ("<", "i1")],
    {"names": ["a", "b"], "formats": ["f4", "i2"], "offsets": [3, 8], "itemsize": 21},
    {"names": ["a"], "formats": [[("x", "i1"), ("y", "f8")]], "offsets": [7], "itemsize": 40},
    np.dtype([("a", "i1"), ("b", [("x", "i1"), ("y", "f8")]), ("c", "i2")], align=True),
]


@pytest.mark.parametrize("dtype", FIXED, ids=str)
def test_records(dtype):
    dtype = np.dtype(dtype)
    bits = np.arange(12 * dtype.itemsize, dtype="u1") % 2
    array = bits.view(dtype).reshape(3, 4)
    memoryview(array)  # NumPy lends it
    for each in (array, array[1:, ::2], array.T, array[::-1], array[1, 2:3].reshape(()), array[:0]):
        check(each)


@pytest.mark.filterwarnings("ignore:A builtin ctypes")  # NumPy, of np.asarray(pairs)
def test_structures_of_ctypes():
    """They lend buffers, and have no dtype."""
    class Pair(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int32), ("y", ctypes.c_double)]

    pairs = (Pair * 3)((1, 2), (3, 4), (5, 6))
    for view in (sv.view(pairs), sv.view(pairs)[::-2], sv.view(memoryview(pairs))):
        assert np.asarray(memoryview(view)).dtype == np.asarray(pairs).dtype
    with pytest.raises(BufferError, match="no format"):
        memoryview(sv.view(pairs).view(sv.StridedLayout((2,), None, 24)))


@pytest.mark.parametrize("dtype", ["S5", "U3", ">U3", "<U1"])
def test_strings(dtype):
    check(np.array(["ab", "c", ""], dtype)[::-1])


OUT_OF_ORDER = [
    ({"names": ["a", "b"], "formats": ["f4", "i2"], "offsets": [4, 0]},
     {"names": ["b", "a"], "formats": ["i2", "f4"], "offsets": [0, 4]}),
    ({"names": ["a", "b", "c"], "formats": ["f4", "S0", ("i2", (2,))], "offsets": [7, 7, 1], "itemsize": 16},
     {"names": ["c", "b", "a"], "formats": [("i2", (2,)), "S0", "f4"], "offsets": [1, 7, 7], "itemsize": 16}),
    ([("r", {"names": ["x", "y"], "formats": [">i2", "u1"], "offsets": [1, 0]}), ("s", "i1")],
     [("r", {"names": ["y", "x"], "formats": ["u1", ">i2"], "offsets": [0, 1]}), ("s", "i1")]),
]


@pytest.mark.parametrize("dtype, told", OUT_OF_ORDER, ids=repr)
def test_fields_out_of_order_are_told_in_the_order_of_their_places(dtype, told):
    """NumPy does not lend them."""
    array = np.frombuffer(bytes(x % 2 for x in range(6 * np.dtype(dtype).itemsize)), dtype)[::-2]
    with pytest.raises(ValueError):
        memoryview(array)
    lent = memoryview(sv.view(array))
    back = np.asarray(lent)
    assert back.dtype == np.dtype(told), lent.format
    assert (address(back), back.strides) == (address(array), array.strides)
    for name in back.dtype.names:
        assert repr(back[name].tolist()) == repr(array[name].tolist()) or back[name].dtype.names
    assert sv.view(lent).dtype == np.dtype(told)


NONE = [{"names": ["a", "b"], "formats": ["f4", "i2"], "offsets": [0, 2]},
        [("a", "M8[s]"), ("b", "i2")], [("a:b", "i2")], [("a\0b", "f4"), ("c", "i2")], "M8[s]", "m8[D]"]


@pytest.mark.parametrize("dtype", NONE, ids=repr)
def test_records_that_no_text_tells(dtype):
    """Fields that share bytes, dates, names with the text's own marks."""
    view = sv.view(type("Exporter", (), {"__array_interface__": np.zeros(3, dtype).__array_interface__,
                                         "dtype": np.dtype(dtype)})())
    with pytest.raises(BufferError, match="no format"):
        memoryview(view)
    assert view.shape == (3,) and np.asarray(view.__array_interface__["typestr"])


class Draw:
    """Random dtypes and arrays."""

    NUMBERS = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "F", "D", "g", "G"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def item(self):
        choice = self.random
        kind = choice.random()
        if kind < 0.7:
            letter = choice.choice(self.NUMBERS)
            return (choice.choice("<>=") if letter not in "gG" else "=") + letter
        if kind < 0.8:
            return f"S{choice.randrange(1, 9)}"
        if kind < 0.9:
            return f"{choice.choice('<>')}U{choice.randrange(1, 5)}"
        return f"V{choice.randrange(1, 9)}"

    def shape(self):
        return tuple(self.random.randrange(1, 4) for _ in range(self.random.randrange(1, 3)))

    def record(self, depth=0):
        choice = self.random
        formats = []
        for _ in range(choice.randrange(1, 6)):
            item = self.record(depth + 1) if depth < 3 and choice.random() < 0.2 else np.dtype(self.item())
            formats.append(np.dtype((item, self.shape())) if choice.random() < 0.25 else item)
        names = [choice.choice(["a", "field", "é", "x y", "_"]) + str(i) for i in range(len(formats))]
        if choice.random() < 0.25:
            offsets, end = [], 0
            for item in formats:
                offsets.append(end + choice.randrange(4))
                end = offsets[-1] + item.itemsize
            return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end + choice.randrange(5)})
        titled = choice.random() < 0.1
        fields = [((f"title {name}", name) if titled else name, item) for name, item in zip(names, formats)]
        return np.dtype(fields, align=choice.random() < 0.4)

    def array(self, dtype):
        choice = self.random
        shape = tuple(choice.randrange(1, 5) for _ in range(choice.randrange(4)))
        size = int(np.prod(shape, dtype=int)) * dtype.itemsize
        array = np.frombuffer(bytearray(x % 2 for x in range(size)), dtype).reshape(shape)  # also good as bool and str
        steps = tuple(slice(None, None, choice.choice([1, 1, 2, -1])) for _ in shape)
        return array[steps].T if choice.random() < 0.3 else array[steps]


@pytest.mark.parametrize("part", range(8))
def test_random_records(part):
    checked = 0
    for number in rounds_of(100 * SCALE):
        draw = Draw(seed_of(number, part))
        array = draw.array(draw.record())
        try:
            memoryview(array)
        except (ValueError, BufferError):
            continue  # NumPy does not lend it
        check(array)
        checked += 1
    assert are_enough(checked, 60 * SCALE)


def test_the_format_lives_as_long_as_the_buffer():
    """Whatever becomes of caches, and on whichever thread."""
    run_apart("""
        import functools, gc, threading
        import numpy as np, strideview as sv

        caches = [x for x in gc.get_objects() if isinstance(x, functools._lru_cache_wrapper)]

        def work(number):
            for i in range(150):
                names = [f"a_name_that_is_rather_long_{number}_{i}_{k}" for k in range(3)]
                view = sv.view(np.zeros(2, [(name, "f4") for name in names]))
                lent = [memoryview(view) for _ in range(3)]
                del view
                for cache in caches:
                    cache.cache_clear()
                gc.collect() if i % 50 == 0 else None
                ["x" * n for n in range(400)]
                for each in lent:
                    assert each.format.count(":") == 6 and all(name in each.format for name in names), each.format
                    assert np.asarray(each).dtype.names == tuple(names)

        shared = sv.view(np.zeros(2, [("shared", "f4"), ("b", "i2")]))
        def ask():
            for _ in range(300):
                assert memoryview(shared).format == "T{<f:shared:h:b:}"

        threads = [threading.Thread(target=work, args=[n]) for n in range(4)] + [threading.Thread(target=ask) for _ in "12"]
        failed = []
        threading.excepthook = failed.append
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        assert not failed, failed
        """)


def test_caches_have_a_bound():
    for i in range(1000):
        memoryview(sv.view(np.zeros(2, [(f"f{i}", "i2"), ("b", "f4")])))
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)
              and (each.__module__ or "").startswith("strideview")]
    assert caches
    for cache in caches:
        information = cache.cache_info()
        assert information.maxsize is not None and information.currsize <= information.maxsize <= 4096


def test_the_store_of_dtypes_has_a_bound():
    def growth(lanes):
        before = sys.getallocatedblocks()
        for count in lanes:
            assert str(sv.empty(1, f"int8x{count}").dtype) == f"int8x{count}"
        return sys.getallocatedblocks() - before

    growth(range(2, 4000))
    assert growth(range(4000, 12000)) < 3000


def test_buffers_with_formats_of_any_length():
    """A format of more than 65,535 characters is read too."""
    array = np.zeros(2, [(f"field{i}", "f4") for i in range(8000)])
    assert sv.view(memoryview(array)).itemsize == 32000


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_int32)]


class OnlyInterface:
    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


@pytest.mark.parametrize("lend", [memoryview, OnlyInterface, lambda array: (Pair * 3).from_buffer(array)])
def test_records_are_known_by_any_protocol(lend):
    array = np.array([(1.5, 1), (2.5, 2), (3.5, 3)], [("a", "f4"), ("b", "i4")])
    view = sv.view(lend(array))
    assert view.dtype == array.dtype and view[1:].dtype == array.dtype and str(array.dtype) in repr(view)
    assert view[1].item() == (2.5, 2) and view.tolist() == array.tolist()
    assert view["a"].dtype == np.float32 and view["a"].tolist() == [1.5, 2.5, 3.5]
    assert view.copy().dtype == array.dtype and np.asarray(view).dtype == array.dtype
    view["b"][...] = 7
    view[0] = (0.5, 9)
    assert array.tolist() == [(0.5, 9), (2.5, 7), (3.5, 7)]


@pytest.mark.parametrize("make", [lambda: sv.StridedMemoryView.from_buffer(bytearray(24), (3,), itemsize=8),
                                  lambda: sv.view(memoryview(np.zeros(3, "V8"))),
                                  lambda: sv.view((ctypes.c_char * 3)())])
def test_raw_bytes_and_characters_stay_opaque(make):
    assert make().dtype == "opaque" and make()[0].item() == bytes(make().itemsize)


@pytest.mark.parametrize("dtype", [">f4", ">i2", ">u8", ">c8", ">f2"])
def test_equal_dtypes_of_the_other_byte_order_are_assigned(dtype):
    array = np.zeros((2, 3), [("a", dtype), ("b", "i4")])
    view = sv.view(array)["a"]
    for value in (np.array([7], dtype), np.array(8, dtype), np.arange(3).astype(dtype),
                  np.arange(6).astype(dtype).reshape(3, 2).T, np.arange(6).astype(dtype)[::-2]):
        view[...] = value
        assert np.array_equal(array["a"], np.broadcast_to(value, (2, 3)))
    for value in (np.ones(3, np.dtype(dtype).newbyteorder()), np.full(3, 2, dtype)):
        view[...] = value
        assert np.array_equal(array["a"], np.broadcast_to(value, (2, 3)))
    array["a"] = 0
    with pytest.raises((TypeError, BufferError)):
        view[...] = np.ones(3, "M8[s]")
    assert not array["a"].any()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
