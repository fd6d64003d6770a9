"""Every operation of the package, each of Python's own allocations failing in its turn.

What comes is a MemoryError or the right answer. Nothing leaks, the source keeps the references it had, and nothing
crashes: each group runs in an interpreter of its own. libsv's own allocations fail in tests/fault.
"""

import copy
import gc
import importlib.util
import pickle
import sys

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import device_view

MOST = 600  # allocations of one operation


class Speaker:
    """Speaks DLPack by handing on what a view says."""

    def __init__(self, view):
        self.view = view

    def __dlpack__(self, *, max_version=None, stream=None):
        return self.view.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return (1, 0)


class OldSpeaker(Speaker):
    def __dlpack__(self, stream=None):
        return self.view.__dlpack__()


class Names:
    """An object that has the attributes given."""

    def __init__(self, **names):
        self.__dict__.update(names)


class Stream:
    def __cuda_stream__(self):
        return (0, 1)


class Executor:
    def map(self, function, indices):
        return map(function, indices)


def interface(view, **more):
    return Names(__array_interface__=view.__array_interface__, view=view, **more)


def subject():
    """A view of memory that the caller's object owns, that object, and layouts."""
    source = bytearray(range(96))
    view = sv.StridedMemoryView.from_buffer(source, (2, 3, 4), dtype="float32")
    return source, view


def imports(source, view):
    device = sv.view(device_view((2, 3)))
    fields = {"shape": (2, 3), "typestr": "<f4", "data": (4096, False), "version": 3, "stream": 1}
    records = interface(view, dtype=None)
    records.__array_interface__ = {**view.__array_interface__, "typestr": "|V4", "descr": [("a", "<i2"), ("b", "<i2")]}
    sycl = {"version": 1, "shape": (2, 3), "strides": (3, 1), "typestr": "<f4", "data": (4096, False), "offset": 1}
    held = Names(handle=view.ptr, size=96, is_device_accessible=False, is_host_accessible=True, is_managed=False)
    array = np.asarray(view)
    yield "bytearray", lambda: sv.view(source)
    yield "memoryview", lambda: sv.view(memoryview(source))
    yield "ndarray", lambda: sv.view(array)
    yield "view", lambda: sv.view(view)
    yield "__dlpack__", lambda: sv.view(Speaker(view))
    yield "old __dlpack__", lambda: sv.view(OldSpeaker(view))
    yield "from_dlpack", lambda: sv.StridedMemoryView.from_dlpack(Speaker(view))
    yield "capsule", lambda: sv.view(view.__dlpack__(max_version=(1, 3)))
    yield "old capsule", lambda: sv.view(view.__dlpack__())
    yield "array interface", lambda: sv.view(interface(view))
    yield "array interface of records", lambda: sv.view(records)
    yield "array interface of a buffer", lambda: sv.view(Names(__array_interface__={
        "shape": (24,), "typestr": "<f4", "data": source, "version": 3, "offset": 0}))
    yield "CUDA array interface", lambda: sv.StridedMemoryView.from_cuda_array_interface(
        Names(__cuda_array_interface__=fields, device=Names(id=1)), -1)
    Sycl = type("Sycl", (), {"__sycl_usm_array_interface__": sycl, "usm_type": "host"})
    yield "SYCL array interface", lambda: sv.view(Sycl())
    yield "a type not met before", lambda: sv.view(type("Later", (Speaker,), {})(view))
    big = array.astype(">f4")
    Series = type("Series", (), {"__array__": lambda self, dtype=None, copy=None: array})
    Arrow = type("Arrow", (), {"__arrow_c_array__": lambda self, schema=None: view.reshape(-1).__arrow_c_array__()})
    Lender = type("Lender", (bytearray,), {"__dlpack__": lambda self, stream=None: view.__dlpack__(),
                                           "__dlpack_device__": lambda self: (1, 0)})
    masked = np.ma.masked_array([1.0])  # not an array of objects, whose interface NumPy makes without looking for NULL
    texts = np.dtype("S8")  # not M8[s], of which NumPy releases too many references where memory is lacking
    series, arrow, lender, told = Series(), Arrow(), Lender(96), Names(__array_interface__=big.__array_interface__)
    yield "the other byte order", lambda: sv.view(big)
    yield "the other byte order by an interface", lambda: sv.view(told)
    yield "__array__", lambda: sv.view(series)
    yield "__arrow_c_array__", lambda: sv.view(arrow)
    yield "an old capsule and a buffer", lambda: sv.view(lender)
    yield "from_buffer", lambda: sv.StridedMemoryView.from_buffer(source, (4, 6), (6, 1), dtype="float32")
    yield "from_buffer of texts", lambda: sv.StridedMemoryView.from_buffer(source, 12, dtype=texts)
    yield "from_buffer of a Buffer", lambda: sv.StridedMemoryView.from_buffer(held, 24, itemsize=4)
    yield "from_buffer by layout", lambda: sv.StridedMemoryView.from_buffer(source, view.layout, "float32")
    yield "a stream", lambda: sv.view(device, Stream())
    yield "empty", lambda: sv.empty((2, 3), "int16", order="F")
    yield "empty texts", lambda: sv.empty((2, 3), texts)
    yield "what cannot be viewed", lambda: [fails(call) for call in (
        lambda: sv.view(None), lambda: sv.view("a.npy"), lambda: sv.view({}), lambda: sv.view(source, (4, 6)),
        lambda: sv.view(masked), lambda: sv.empty(2, 3))]


def exports(source, view):
    device = sv.view(device_view((2, 3)))
    records = sv.view(np.zeros(3, [("a", "f4"), ("b", "i2")]))
    yield "__dlpack__", lambda: view.__dlpack__()
    yield "__dlpack__ of a version", lambda: view.__dlpack__(max_version=(1, 3))
    yield "__dlpack__ of a copy", lambda: view.T.__dlpack__(max_version=(1, 3), copy=True, dl_device=(1, 0))
    yield "__arrow_c_array__", lambda: view.reshape(-1).__arrow_c_array__()
    yield "__dlpack__ of a device", lambda: device.__dlpack__(max_version=(1, 3), stream=1)
    yield "__dlpack_device__", lambda: (view.__dlpack_device__(), device.__dlpack_device__())
    yield "memoryview", lambda: memoryview(view.T)
    yield "memoryview of records", lambda: memoryview(records[::2])
    yield "bytes", lambda: bytes(view)
    yield "__array_interface__", lambda: view.T.__array_interface__
    yield "__array_interface__ of records, by NumPy", lambda: records[::2].__array_interface__
    yield "__cuda_array_interface__", lambda: device.__cuda_array_interface__


def views(source, view):
    rows = view.reshape(6, 4)
    flat = sv.StridedLayout.dense((24,), 4)
    for name in ("ptr", "handle", "shape", "strides", "ndim", "size", "itemsize", "nbytes", "layout", "device",
                 "device_id", "is_host_accessible", "readonly", "exporting_obj", "stream", "T"):
        yield name, lambda name=name: getattr(rows.T, name)
    yield "dtype", lambda: rows.T.dtype
    yield "slices", lambda: (view[1:, ::2], view[0], view[..., None], view[1, 2, 3], view[::-1, -1])
    yield "rearranged", lambda: (view.permute(2, 0, 1), view.moveaxis(0, 1), view.swapaxes(0, 2), view.flip(0))
    yield "regrouped", lambda: (rows.split_axis(0, (2, 3)), view.merge_axes(0, 1), view.reshape(-1), view.flatten())
    yield "more", lambda: (view.unsqueeze(0).squeeze(0), view[:1].broadcast_to(5, 3, 4), rows.diagonal(),
                           rows.sliding_window(2, 1))
    yield "view", lambda: (view.view(flat), view.view(dtype="int32"), view.view(flat, "uint32"))
    yield "texts", lambda: (repr(view), str(view.T))
    yield "iterated", lambda: [each for each in rows]
    yield "failures", lambda: [fails(call) for call in (lambda: view[9], lambda: view.reshape(5), lambda: view["x"],
                                                        lambda: sv.view(3), lambda: view.permute(0, 0, 1))]


def fails(call):
    try:
        call()
    except MemoryError:
        raise
    except Exception as error:
        return type(error)
    raise AssertionError("no error")


def layouts(source, view):
    layout = sv.StridedLayout.dense((2, 3, 4), 4)
    other = sv.StridedLayout.dense((2, 3, 4), 4, "F")
    answers = ["shape", "strides", "strides_in_bytes", "volume", "slice_offset", "is_contiguous_c", "is_unique",
               "stride_order", "offset_bounds", "min_offset", "max_offset", "T"]
    yield "made", lambda: (sv.StridedLayout((2, 3), (3, 1), 4), sv.StridedLayout.from_byte_strides((2, 3), (12, 4), 4),
                           sv.StridedLayout.dense([2, 3], 4, (1, 0)))
    yield "parsed", lambda: sv.StridedLayout.parse("(2, 3):(3, 1)*4")
    for name in answers:
        yield name, lambda name=name: getattr(layout.permute(2, 1, 0), name)
    yield "asked", lambda: (layout.required_size_in_bytes(), layout.alignment(64), layout.is_within(0, 96),
                            layout.max_compatible_itemsize(), layout.flattened_axis_mask())
    yield "pairs", lambda: (layout.overlaps(other), layout.same_bytes(other), layout.common_form(other),
                            layout.broadcast_shape(other), layout.permutation_to(layout))
    yield "dense", lambda: (layout.to_dense("F"), layout.to_dense((2, 0, 1)), layout.T.to_dense("K"))
    yield "repacked", lambda: (layout.repack(16, 0), layout[..., None], layout[0, 1:])
    yield "texts", lambda: (repr(layout), str(layout), hash(layout), layout == other, layout != layout.T)


def copies(source, view):
    target, rows = sv.empty((2, 3, 4)), view.reshape(6, 4)
    wide = sv.empty((2, 3, 4), "float64")
    plan = sv.Plan(target, view)
    addresses = np.array([target.ptr]), np.array([view.ptr])
    large = sv.empty((300, 400)), sv.empty((400, 300)).T
    yield "copy", lambda: sv.copy(target, view)
    yield "copy of an exporter", lambda: sv.copy(target, Speaker(view))
    yield "cast", lambda: sv.copy(wide, view, casting="same_kind")
    big, factor = sv.view(np.asarray(view).astype(">f4")), np.ones((2, 1, 1))
    yield "swapped", lambda: (sv.copy(target, big), sv.copy(big, target), sv.copy(big, wide, casting="unsafe"))
    yield "swapped in a batch", lambda: sv.copy_batch([target], [big])
    yield "swapped fill", lambda: (big.fill(3.5), big.__setitem__(0, 1), big.astype("float64"))
    yield "copy_from", lambda: target.copy_from(view)
    yield "copy_to", lambda: view.copy_to(target)
    yield "executor", lambda: sv.copy(*large, executor=Executor(), threads=4)
    yield "overlap", lambda: sv.copy(rows[1:], rows[:-1])
    yield "fill", lambda: (target.fill(3.5), sv.fill(target, 2), wide.fill(10**20))
    yield "copy_batch", lambda: sv.copy_batch([target, wide], [view, wide])
    yield "Plan", lambda: sv.Plan(target, view)
    yield "Plan.execute", lambda: plan.execute(target, view)
    yield "Plan.execute_batch", lambda: plan.execute_batch([target], [view])
    yield "Plan.execute_table", lambda: plan.execute_table(*addresses)
    yield "Plan's answers", lambda: (plan.kind, plan.kernel, plan.nbytes, plan.traffic, repr(plan))
    yield "questions", lambda: (sv.is_unique(view), sv.shares_memory(view, rows))
    yield "failures", lambda: [fails(call) for call in (lambda: sv.copy(target, wide), lambda: sv.copy(target, rows[1:]),
                                                        lambda: target.fill("x"), lambda: sv.copy(target, view, casting=3),
                                                        lambda: sv.copy(target, view, scale=factor))]


def habits(source, view):
    """What users of NumPy type first."""
    calls = {"tolist": (), "tobytes": (), "copy": (), "astype": ("float64",), "contiguous": (), "transpose": ()}
    for name, arguments in calls.items():
        if hasattr(view, name):
            yield name, lambda name=name, arguments=arguments: getattr(view.T, name)(*arguments)
    if hasattr(view, "item"):
        yield "item", lambda: view[0, 0, 0].item()
    if hasattr(sv, "zeros"):
        yield "zeros", lambda: sv.zeros((2, 3))
    if hasattr(view, "__setitem__"):
        yield "assigned", lambda: view.__setitem__((0, 1), 3.0)
    yield "copies of a layout", lambda: (copy.copy(view.T.layout), copy.deepcopy(view.T.layout))
    pickled = pickle.dumps(view.T.layout)
    yield "pickled layout", lambda: (view.T.layout.__reduce__(), pickle.loads(pickled))  # dumps() loses blocks itself
    yield "rearrange", lambda: sv.rearrange(view, "a b c -> (a b) c")


GROUPS = {group.__name__: group for group in (imports, exports, views, layouts, copies, habits)}


def run_once(operation, first, last, spare):
    """Whether the operation ended well though allocations first to last - 1 failed. spare: views, so that none is left
    in the package's own store of dead ones."""
    import _testcapi
    kept = [spare.T for _ in range(20)], [spare.layout.T for _ in range(20)]
    _testcapi.set_nomemory(first, last)
    try:
        operation()
    except MemoryError:
        return False
    finally:
        _testcapi.remove_mem_hooks()
        del kept
    return True


def try_all(operation, one, spare):
    """How often it failed. one: a single allocation fails, not all from there on."""
    failed = good = 0
    for first in range(MOST):
        good = good + 1 if run_once(operation, first, first + 1 if one else 0, spare) else 0
        failed += good == 0
        if good == (12 if one else 1):
            return failed
    raise AssertionError(f"{MOST} allocations, and it still fails")


def lost_blocks(operation, spare):
    """How many blocks each round of failures loses, and how many failures there were."""
    least, before = MOST, None
    for _ in range(80):
        failed = sum(try_all(operation, one, spare) for one in (False, True))
        gc.collect()
        now = sys.getallocatedblocks()
        if before is not None:
            least = min(least, now - before)  # caches grow in some rounds, leaks in all of them
        if least < 3:
            break
        before = now
    return least, failed


def work(group):
    """In a process of its own."""
    source, view = subject()
    for name, operation in GROUPS[group](source, view):
        try:
            operation()
            before = sys.getrefcount(source)
            lost, failed = lost_blocks(operation, view)
            assert sys.getrefcount(source) == before, "a reference was lost or kept"
            assert lost < 3 or name.endswith("by NumPy"), f"{lost} blocks are lost"  # which dtype.descr of NumPy does
            operation()
        except BaseException as error:
            error.add_note(f"operation: {name}")
            raise
        print(f"{name}: {failed}")


@pytest.mark.parametrize("group", GROUPS)
def test_allocations_that_fail(group):
    if importlib.util.find_spec("_testcapi") is None:
        pytest.skip("this Python has no _testcapi")
    told = run_apart(f"import test_no_memory; test_no_memory.work({group!r})", PYTHONMALLOC="default")
    assert sum(int(line.rsplit(" ", 1)[1]) for line in told.splitlines()) > 20


FAR = 1 << 50  # bytes: more than processes have addresses
WANTED = {
    "empty": lambda far: sv.empty(FAR, "u1"), "zeros": lambda far: sv.zeros(FAR // 8, "i8"),
    "host": lambda far: sv.empty(FAR, "u1", memory="host"),
    "aligned": lambda far: sv.empty(FAR, "u1", alignment=1 << 20),
    "full": lambda far: sv.full(FAR // 4, 1, "f4"), "empty_like": lambda far: sv.empty_like(far),
    "resource": lambda far: sv.MemoryResource.host().allocate(FAR),
    "huge pages": lambda far: sv.MemoryResource.host(huge_pages=True).allocate(FAR),
    "resize": lambda far: sv.MemoryResource.host().allocate(10).resize(FAR),
    "copy": lambda far: far.copy(), "contiguous": lambda far: far.contiguous(), "tobytes": lambda far: far.tobytes(),
    "astype": lambda far: far.view(dtype="i8").astype("f8"), "tolist": lambda far: far.view(dtype="i8").tolist(),
    "dlpack": lambda far: far.__dlpack__(copy=True, max_version=(1, 0)), "pickle": pickle.dumps,
    "Buffer": lambda far: sv.Buffer.from_handle(4096, FAR, borrowed=True).tobytes(),
    "read": lambda far: sv.Buffer.from_handle(4096, FAR + 1, borrowed=True).read(1, FAR),
}


@pytest.mark.parametrize("ask", WANTED)
def test_memory_errors_say_how_much_was_wanted(ask):
    far = sv.view(np.lib.stride_tricks.as_strided(np.zeros(1), (FAR // 8,), (0,)))
    with pytest.raises(MemoryError, match=f"no memory for {FAR} bytes"):
        WANTED[ask](far)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
