"""What lies about itself: pickles that were tampered with, exporters whose dtype is another, derived classes. Nothing of
it is believed before it was checked, and no bytes are ever taken for Python objects.

SV_TEST_SCALE=full tampers with 10,000 pickles of each kind.
"""

import io
import os
import pickle
import random

import numpy as np
import pytest

import strideview as sv
from rounds import are_enough, rounds_of, seed_of

PICKLES = 10_000 if os.environ.get("SV_TEST_SCALE") else 300

RECORD = np.dtype([("a", "<i4"), ("b", "<f4")])


# What Python itself needs for bytes, bytearrays and class methods.
ALLOWED = {"numpy": ["dtype"], "builtins": ["bytearray", "getattr"], "_codecs": ["encode"]}


class Strict(pickle.Unpickler):
    """As careful as one can be who wants views back."""

    def find_class(self, module, name):
        if module.split(".")[0] == "strideview" or name in ALLOWED.get(module.replace("__builtin__", "builtins"), ()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def read(view):
    """All ways by which NumPy or libsv looks at the items."""
    repr(view), view.dtype, view.tobytes()
    if view.size < 1000:
        view.tolist()
        try:
            repr(np.asarray(view))
            memoryview(view)
        except (BufferError, ValueError, TypeError):
            pass


# --- pickles ------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", ["O", [("a", "O")], ("O", (1,)), [("a", [("b", "O")])]], ids=str)
def test_no_pickle_makes_objects_of_bytes(dtype):
    from strideview._pickle import rebuild
    with pytest.raises(ValueError, match="nothing but bytes"):
        rebuild(b"\x41" * 8, (1,), (8,), 8, "opaque", np.dtype(dtype), True)


WRONG = [
    ((b"12345678", (1,), (8,), 8, "opaque", np.dtype("V4"), True), "nothing but bytes"),
    ((b"12345678", (1,), (8,), 8, "opaque", "S8", True), "names no dtype"),
    ((b"12345678", (1,), (8,), 8, None, None, True), "names no dtype"),
    ((b"12345678", (2,), (8,), 8, "opaque", None, True), None),
    ((b"12345678", (-1,), (8,), 8, "opaque", None, True), None),
    ((b"12345678", (2, 1 << 62), (8, 8), 8, "opaque", None, True), None),
    ((12345678, (1,), (8,), 8, "opaque", None, True), None),
]


@pytest.mark.parametrize("arguments, text", WRONG)
def test_states_of_views_are_checked(arguments, text):
    from strideview._pickle import rebuild
    with pytest.raises((ValueError, TypeError, OverflowError, BufferError), match=text):
        rebuild(*arguments)


def test_bytes_stay_read_only():
    from strideview._pickle import rebuild
    assert rebuild(b"12345678", (1,), (8,), 8, "opaque", None, False).readonly


def test_a_dtype_whose_fields_lie_outside_is_refused():
    from strideview._items import is_plain
    assert is_plain(RECORD, 8) and not is_plain(RECORD, 4)
    for change in ({"a": (np.dtype("<i4"), 6)}, {"a": (np.dtype("O"), 0)}):
        outside = np.dtype([("a", "<i4"), ("b", "<f4")])
        state = list(outside.__reduce__()[2])
        state[4] = {**state[4], **change}
        outside.__setstate__(tuple(state))
        assert not is_plain(outside, 8)


def pickled():
    records = np.zeros(5, RECORD)
    yield sv.view(np.arange(12.).reshape(3, 4)[:, ::2])
    yield sv.view(records)
    yield sv.view(np.array(["2020-01-01", "2021-01-01"], "M8[D]"))
    yield sv.view(np.array([b"one", b"two"]))
    yield sv.StridedLayout((3, 4), None, 8)
    yield sv.memory.host().allocate(32)


class Told:
    """Pickled as a function and whatever arguments."""

    def __init__(self, function, arguments):
        self.told = function, arguments

    def __reduce__(self):
        return self.told


ATOMS = [None, True, 0, 1, -1, 3, 8, 1 << 31, -(1 << 62), 1 << 63, "opaque", "uint8", "float64", "O", "", b"", b"\x41" * 8,
         bytearray(b"\x41" * 96), np.dtype("O"), np.dtype([("a", "O"), ("b", "<i4")]), np.dtype("V8"), np.dtype("S8"),
         RECORD, (), (1,), (8,), (3, 4), (0,), (-8,), (1 << 40,), sv.Buffer, sv.StridedMemoryView, "host", "device"]


def tamper(value, rng):
    """The same with one part of it replaced, left out or given twice."""
    if not isinstance(value, tuple) or not value or rng.random() < .1:
        return rng.choice(ATOMS)
    at = rng.randrange(len(value))
    part = rng.choice([(tamper(value[at], rng),)] * 8 + [(), (value[at],) * 2])
    return value[:at] + part + value[at + 1:]


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("protocol", [2, 5])
def test_tampered_pickles(number, protocol):
    function, arguments = list(pickled())[number].__reduce_ex__(protocol)[:2]
    loaded = 0
    for pickled_round in rounds_of(PICKLES):
        rng = random.Random(seed_of(pickled_round, number, protocol))
        changed = arguments
        for _ in range(rng.choice([1, 1, 2])):
            changed = tamper(changed, rng)
        try:
            made = Strict(io.BytesIO(pickle.dumps(Told(function, changed), protocol))).load()
        except (BufferError, LookupError, MemoryError, OverflowError, TypeError, ValueError, RuntimeError,
                NotImplementedError, pickle.PickleError):
            continue
        if isinstance(made, sv.StridedMemoryView):
            read(made)
        repr(made)
        loaded += 1
    assert are_enough(loaded, 0), "nothing of what was tampered with could be loaded: the test tests nothing"


# --- exporters ----------------------------------------------------------------------

class Liar:
    """Bytes by an array interface, and whatever a dtype by an attribute."""

    def __init__(self, memory, dtype):
        self.memory, self.dtype = memory, dtype
        self.__array_interface__ = memory.__array_interface__


class LiarOfBuffers(np.ndarray):
    """An array whose attribute says something else."""

    told = None

    @property
    def dtype(self):
        return self.told


def random_dtype(rng, size):
    codes = ["O", "u1", "<i4", "<f8", "V4", "V8", "S8", "M8[s]", "U2"]
    fields = [(f"f{i}", rng.choice(codes)) for i in range(rng.randint(1, 3))]
    return rng.choice([np.dtype("O"), np.dtype(rng.choice(codes)), np.dtype(fields), np.dtype((rng.choice(codes), (2,))),
                       np.dtype({"names": ["a"], "formats": [rng.choice(codes)], "offsets": [rng.randrange(4)],
                                 "itemsize": max(size, 24)})])


def test_exporters_that_lie():
    for number in rounds_of(PICKLES):
        rng = random.Random(seed_of(number))
        size = rng.choice([1, 4, 8, 16])
        memory = np.frombuffer(bytearray(b"\x41" * size * 3), f"V{size}")
        told = random_dtype(rng, size)
        if rng.random() < .5:
            exporter = Liar(memory, told)
        else:
            exporter = memory.view(LiarOfBuffers)
            exporter.told = told
        try:
            view = sv.view(exporter)
        except (BufferError, TypeError, ValueError):
            continue
        assert getattr(view.dtype, "hasobject", False) is False
        assert getattr(view.dtype, "itemsize", view.itemsize) == view.itemsize
        read(view)
        read(view.copy())


# --- recursion ----------------------------------------------------------------------

class Asking(np.ndarray):
    """Asks strideview what its dtype is, and is asked again."""

    asked = 0

    @property
    def dtype(self):
        Asking.asked += 1
        return sv.view(self).dtype


class AskingByInterface:
    def __init__(self, memory):
        self.memory = memory

    @property
    def __array_interface__(self):
        Asking.asked += 1
        sv.view(self)
        return self.memory.__array_interface__


class AskingByDlpack:
    """Has another way, which is not taken."""

    def __init__(self, memory):
        self.__array_interface__ = memory.__array_interface__

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        Asking.asked += 1
        return sv.view(self).__dlpack__(**options)


class Tired(AskingByDlpack):
    def __dlpack__(self, **options):
        raise RecursionError


def test_recursion_ends_with_its_error():
    array = np.zeros(4, RECORD)
    for exporter in (array.view(Asking), AskingByInterface(array), AskingByDlpack(np.zeros(4)), Tired(np.zeros(4))):
        Asking.asked = 0
        with pytest.raises(RecursionError):
            sv.view(exporter).dtype  # noqa: B018
        assert Asking.asked < 2000


# --- derived classes ----------------------------------------------------------------

@pytest.mark.parametrize("answer", [lambda: np.zeros(64), lambda: None, lambda: object(), lambda: sv.view(bytearray(8)).T])
def test_an_own_view_method_is_not_asked(answer):
    class View(sv.StridedMemoryView):
        def view(self, *arguments, **options):
            return answer()

    records = np.zeros(4, RECORD)
    view = View(records)
    view["a"] = 5
    assert records["a"].tolist() == [5] * 4 and view["b"].tolist() == [0] * 4
    assert np.asarray(view[["a", "b"]]).tolist() == records.tolist()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
