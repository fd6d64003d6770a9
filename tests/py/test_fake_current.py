"""Calls that name no stream, on the fake CUDA runtime: they go where the producers of the arrays work."""

import ctypes
import gc

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order  # noqa: F401  (a fixture)
from peers import exchange_table

SHAPE = (32, 48)
NUMBERS = np.arange(32 * 48, dtype="f4").reshape(SHAPE)


class Memory:
    """Device memory that somebody owns; freed on its stream, as allocators of libraries do."""

    def __init__(self, device=0, kind=fake.DEVICE):
        self.shape, self.dtype = SHAPE, np.dtype("f4")
        self.device = type("Device", (), {"id": device})
        self.ptr = fake.lib.fake_allocate(kind, device, NUMBERS.nbytes)

    def __del__(self):
        fake.lib.fake_free(self.ptr)

    def interface(self, stream=None):
        return {"shape": SHAPE, "typestr": "<f4", "data": (self.ptr, False), "version": 3, "stream": stream}

    def capsule(self):
        view = sv.StridedMemoryView.from_cuda_array_interface(Cai(self), -1)
        return view.__dlpack__(stream=-1, max_version=(1, 3))


class Cai:
    """As Numba has it; stream: what it works on."""

    def __init__(self, memory, stream=None):
        self.memory, self.shape, self.device = memory, SHAPE, memory.device
        self.stream = stream

    @property
    def __cuda_array_interface__(self):
        return self.memory.interface(self.stream)


class Both(Cai):
    """As CuPy has it: both protocols, and waits for itself where another stream is told than its own."""

    asked = []

    def __dlpack__(self, *, stream, max_version=None):
        Both.asked.append(stream)
        assert stream in (self.stream, -1), "CuPy would let the stream wait"
        return self.memory.capsule()

    def __dlpack_device__(self):
        return 2, self.device.id


class Plain:
    """As JAX has it: DLPack alone, so that nobody knows its stream."""

    def __init__(self, memory, stream=None):
        self.memory = memory

    def __dlpack__(self, *, stream, max_version=None):
        return self.memory.capsule()

    def __dlpack_device__(self):
        return 2, self.memory.device.id


class Tensor:
    """As PyTorch has it: the exchange table tells the stream of each device at any time."""

    __c_dlpack_exchange_api__ = exchange_table(lambda tensor: tensor.memory.capsule(),
                                               lambda device_id: Tensor.current.get(device_id, 0))
    current = {}

    def __init__(self, memory, stream=None):
        self.memory = memory
        if stream is not None:
            Tensor.current[memory.device.id] = stream

    def __dlpack__(self, **keywords):
        raise AssertionError("the table tells all")

    def __dlpack_device__(self):
        return 2, self.memory.device.id


@pytest.fixture
def streams(any_order):
    """Streams of device 0, by letters, which the log calls s1 to s4."""
    made = {letter: fake.lib.fake_new_stream(0, 1) for letter in "abcd"}
    Tensor.current.clear()
    Both.asked.clear()
    yield made
    gc.collect()
    assert fake.lib.sv_memory_collect(1, None) == 0
    for stream in made.values():
        fake.lib.fake_end_stream(stream)


NAMES = {"legacy": "legacy", "a": "s1", "b": "s2", "c": "s3", "d": "s4"}


def holding(numbers):
    """Memory that has numbers, of no pending work."""
    memory = Memory()
    sv.copy(sv.view(Cai(memory), -1), np.ascontiguousarray(numbers), stream=1, blocking=True)
    return memory


def made(kind, stream, streams):
    """An array of a library that works on a stream, which has put it there just now; or of our own."""
    if kind in ("host", "pinned"):
        array = sv.empty(SHAPE, "f4", memory=kind)
        sv.copy(array, NUMBERS)
        return array
    if kind == "own":
        array = sv.empty(SHAPE, "f4", memory="device")
        sv.copy(array, NUMBERS, streams.get(stream, 1), blocking=stream is None)
        return array
    memory, handle = Memory(), streams.get(stream, 1)
    source = holding(NUMBERS)
    sv.copy(sv.view(Cai(memory), -1), sv.view(Cai(source), -1), stream=handle)  # pending on the library's stream
    return {"tensor": Tensor, "cai": Cai, "both": Both, "plain": Plain}[kind](memory, handle)


# What dst is and the stream of its library, the same of src; the stream that copies, whether the call waits for it, and
# which streams wait for which before and after.
CASES = [
    ("tensor", "a", "tensor", "a", "a", False, []),
    ("tensor", "legacy", "tensor", "legacy", "legacy", False, []),
    ("cai", "b", "cai", "b", "b", False, []),
    ("both", "b", "both", "b", "b", False, []),
    ("cai", "b", "tensor", "a", "b", False, [("b", "a"), ("a", "b")]),
    ("tensor", "a", "both", "b", "a", False, [("a", "b"), ("b", "a")]),
    ("both", "c", "cai", "b", "c", False, [("c", "b"), ("b", "c")]),
    ("own", None, "tensor", "a", "a", False, [("a", "legacy"), ("legacy", "a")]),
    ("own", "c", "tensor", "a", "a", False, [("a", "c"), ("legacy", "a")]),
    ("tensor", "a", "own", None, "a", False, [("a", "legacy"), ("legacy", "a")]),
    ("tensor", "a", "own", "c", "a", False, [("a", "c"), ("legacy", "a")]),
    ("own", None, "own", None, "legacy", False, []),
    ("own", "c", "own", None, "c", False, [("c", "legacy"), ("legacy", "c")]),
    ("own", None, "own", "c", "legacy", False, [("legacy", "c")]),
    ("own", "d", "own", "c", "d", False, [("d", "c"), ("legacy", "d")]),
    ("plain", None, "tensor", "a", "a", True, [("a", "legacy"), ]),
    ("tensor", "a", "plain", None, "a", True, [("a", "legacy")]),
    ("plain", None, "plain", None, "legacy", True, []),
    ("plain", None, "own", None, "legacy", True, []),
    ("host", None, "tensor", "a", "a", True, []),
    ("tensor", "a", "host", None, "a", True, []),
    ("pinned", None, "tensor", "a", "a", True, []),
    ("both", "b", "pinned", None, "b", True, []),
    ("host", None, "own", "c", "c", True, []),
]
IDS = [f"{dst}-{at}-{src}-{of}" for dst, at, src, of, *_ in CASES]


def orders(lines):
    """Pairs (stream, other) of a log: the stream waits for the other."""
    found, recorded = [], None
    letters = {name: letter for letter, name in NAMES.items()}
    for line in lines:
        words = line.split(":", 1)[1].split()
        if words[0] == "record":
            recorded = letters[words[1]]
        elif words[0] == "wait":
            found.append((letters[words[1]], recorded))
    return found


def written(lines):
    """The streams that bytes moved on."""
    return {line.split()[-1] for line in lines if line.split(":", 1)[1].split()[0] in ("copy", "launch", "copy_2d")}


@pytest.mark.parametrize("layout", ["dense", "transposed"])
@pytest.mark.parametrize("dst, at, src, of, on, waits, expected", CASES, ids=IDS)
def test_where_a_copy_goes(any_order, streams, dst, at, src, of, on, waits, expected, layout):
    target, source = made(dst, at, streams), made(src, of, streams)
    if dst == src == "tensor":
        assert Tensor.current[0] == streams.get(at, 1)
    sides = target, source
    if layout == "transposed":
        sides = sv.view(target).T, sv.view(source).T
    any_order.fake_reset()
    sv.copy(*sides)
    lines = fake.log()
    assert written(lines) == {NAMES[on]}
    assert any("synchronize" in line for line in lines) == waits
    assert orders(lines) == expected
    check(target, at, streams)
    del target, source, sides


def check(target, at, streams):
    """The bytes, as the library of an array reads them on its own stream."""
    back = np.zeros(SHAPE, "f4")
    if isinstance(target, sv.StridedMemoryView):
        sv.copy(back, target)
    else:
        sv.copy(back, sv.view(Cai(target.memory), -1), streams.get(at, 1))
    assert np.array_equal(back, NUMBERS)


FORMS = {
    "copy": lambda dst, src: sv.copy(dst, src),
    "copy_from": lambda dst, src: sv.view(dst).copy_from(src),
    "copy_to": lambda dst, src: sv.view(src).copy_to(dst),
    "plan": lambda dst, src: sv.Plan(dst, src).execute(dst, src),
    "batch": lambda dst, src: sv.copy_batch([dst], [src]),
    "plan batch": lambda dst, src: sv.Plan(dst, src).execute_batch([dst], [src]),
    "rearrange": lambda dst, src: sv.rearrange(src, "h w -> h w", out=dst),
    "assignment": lambda dst, src: sv.view(dst).__setitem__(Ellipsis, sv.view(src)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_copy(any_order, streams, form):
    target, source = made("tensor", "a", streams), made("both", "b", streams)
    FORMS[form](target, source)  # what is loaded at first
    any_order.fake_reset()
    FORMS[form](target, source)
    lines = fake.log()
    assert written(lines) == {"s1"} and not any("synchronize" in line for line in lines)
    assert orders(lines) == [("a", "b"), ("b", "a")]
    check(target, "a", streams)
    del target, source


NEW = {
    "copy": lambda view: view.copy(), "astype": lambda view: view.astype("f8"),
    "contiguous": lambda view: view.T.contiguous(), "rearrange": lambda view: sv.rearrange(view, "h w -> w h").copy(),
}


@pytest.mark.parametrize("name", NEW)
def test_new_arrays_are_written_where_their_source_is(any_order, streams, name):
    source = made("tensor", "a", streams)
    view = sv.view(source)
    any_order.fake_reset()
    new = NEW[name](view)
    lines = fake.log()
    assert written(lines) == {"s1"} and not any("synchronize" in line for line in lines)
    found = np.array(new.tolist(), "f4")
    assert np.array_equal(found if found.shape == SHAPE else found.T, NUMBERS)
    del source, view, new


@pytest.mark.parametrize("kind, at, on, waits", [
    ("tensor", "a", "s1", False), ("cai", "b", "s2", False), ("own", "c", "s3", False), ("own", None, "legacy", False),
    ("plain", None, "legacy", True),
])
def test_fills(any_order, streams, kind, at, on, waits):
    target = made(kind, at, streams)
    any_order.fake_reset()
    sv.fill(target, 7)
    lines = fake.log()
    assert {line.split()[-1] for line in lines if ":fill" in line or ":set" in line or ":launch" in line} == {on}
    assert any("synchronize" in line for line in lines) == waits
    del target


def done(streams, letter):
    assert fake.lib.sv_stream_synchronize(2, 0, ctypes.c_void_p(streams[letter])) == 0


def test_the_current_stream_is_that_of_the_call(any_order, streams):
    """Views ask again: `with torch.cuda.stream(s):` does what it says, and as there nothing waits by itself."""
    target, source = (sv.view(made("tensor", "a", streams)) for _ in range(2))
    for letter, before in (("b", "a"), ("c", "b")):
        done(streams, before)
        Tensor.current[0] = streams[letter]
        any_order.fake_reset()
        sv.copy(target, source)
        assert written(fake.log()) == {NAMES[letter]} and orders(fake.log()) == []
        assert target.stream == streams[letter]
    assert target.tolist() == NUMBERS.tolist()
    del target, source


def test_views_of_our_own_know_of_each_other(any_order, streams):
    """Work without a stream by one view comes before that by another, on whatever stream, and before Buffers'."""
    source = made("tensor", "a", streams)
    buffer = sv.MemoryResource.device().allocate(NUMBERS.nbytes)
    for whole in (sv.empty(SHAPE, "f4", memory="device"), buffer.view("f4", SHAPE)):
        rows = [whole[k] for k in range(SHAPE[0])]
        sv.copy(whole.T, sv.view(source).T)
        assert rows[3].tolist() == NUMBERS[3].tolist()
        sv.fill(rows[3], 5)
        assert whole[3].tolist() == [5] * SHAPE[1]
        sv.copy(rows[4], rows[3], streams["d"])  # a stream that is named waits for what has none
        assert rows[4].tolist() == [5] * SHAPE[1]
        sv.copy(sv.view(source)[0], rows[3])
        assert sv.view(source)[0].tolist() == [5] * SHAPE[1]
    assert buffer.tobytes()[12 * SHAPE[1]:16 * SHAPE[1]] == np.full(SHAPE[1], 5, "f4").tobytes()
    buffer.fill(0)
    assert whole.tolist() == np.zeros(SHAPE).tolist()
    del whole, rows, source, buffer


def test_a_stream_that_is_named_is_taken(any_order, streams):
    """And what it uses is kept until it is done, without a wait."""
    target, source = made("tensor", "a", streams), made("tensor", "a", streams)
    any_order.fake_reset()
    sv.copy(target, source, stream=streams["d"])
    assert written(fake.log()) == {"s4"} and not any("synchronize" in line for line in fake.log())
    del source  # its memory is in use, which the runtime would see
    gc.collect()
    check(target, "d", streams)
    del target


def test_blocking_says_otherwise(any_order, streams):
    target, source = made("tensor", "a", streams), made("tensor", "a", streams)
    for blocking, waits in ((True, True), (False, False), (None, False)):
        any_order.fake_reset()
        sv.copy(target, source, blocking=blocking)
        assert any("synchronize" in line for line in fake.log()) == waits
    plain = made("plain", None, streams)
    any_order.fake_reset()
    sv.copy(target, plain, blocking=False)
    assert not any("synchronize" in line for line in fake.log())
    check(target, "a", streams)
    del target, source, plain


def test_the_memory_may_go_at_once(any_order, streams):
    """Of a producer that follows its stream: what it does next comes after the copy."""
    target = made("tensor", "a", streams)
    for kind, at in (("tensor", "a"), ("both", "b"), ("plain", None)):
        source = made(kind, at, streams)
        sv.copy(target, source)
        if kind == "both":  # the library reuses it on its stream
            sv.fill(sv.view(Cai(source.memory), -1), 0, streams["b"])
        elif kind == "tensor":
            sv.fill(sv.view(Cai(source.memory), -1), 0, streams["a"])
        check(target, "a", streams)
        del source
    del target


def test_consumers_wait_for_what_the_producer_does_now(any_order, streams):
    """What is handed on is ready after the view's own work, and after the producer's."""
    tensor = made("tensor", "a", streams)
    view = sv.view(tensor)
    sv.copy(view, NUMBERS, streams["d"])
    Tensor.current[0] = streams["b"]
    any_order.fake_reset()
    assert view.__cuda_array_interface__["stream"] == streams["b"]
    assert orders(fake.log()) == [("b", "d")]
    any_order.fake_reset()
    view.__dlpack__(stream=streams["c"], max_version=(1, 3))
    assert orders(fake.log()) == [("b", "d"), ("c", "b")]
    del tensor, view


def test_devices_of_their_own(any_order, streams):
    """Each device has its stream; between two the destination's runs the copy, and the source's waits."""
    other = fake.lib.fake_new_stream(1, 1)
    target, source = made("tensor", "a", streams), Tensor(Memory(1), other)
    sv.copy(sv.view(source, other), NUMBERS, other, blocking=True)
    any_order.fake_reset()
    sv.copy(target, source)
    lines = fake.log()
    assert not any("synchronize" in line for line in lines)
    assert sum(":wait s1" in line for line in lines) >= 1 and sum(":wait s5" in line for line in lines) == 1
    check(target, "a", streams)
    del target, source
    gc.collect()
    fake.lib.fake_end_stream(other)


def test_a_stream_of_another_device_is_not_taken(any_order, streams):
    """A view whose last work was on a stream of the other device."""
    far = sv.empty(SHAPE, "f4", memory=sv.MemoryResource.device(1))
    sv.copy(far, NUMBERS)
    near = made("own", None, streams)
    sv.copy(far, near, stream=streams["a"])
    assert far.stream == streams["a"]
    assert far.tolist() == NUMBERS.tolist()
    del far, near


if __name__ == "__main__":
    import tap
    tap.main(__file__)
