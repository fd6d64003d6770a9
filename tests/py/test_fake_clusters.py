"""Views and buffers of device memory between processes, on the fake CUDA runtime: pickled, and by Dask's family "cuda"."""

import ctypes
import gc
import os
import pickle
from pathlib import Path

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import any_order, runtime, stream  # noqa: F401  (fixtures)

NUMBERS = np.arange(150 * 160, dtype="f4").reshape(150, 160)
RECORDS = np.array([(1, 2.5), (3, 4.5)], [("a", "<i4"), ("b", "<f8")])


def on_device(array, device=0):
    return sv.view(array).cuda(device)


CASES = {
    "dense": lambda: on_device(NUMBERS), "transposed": lambda: on_device(NUMBERS).T, "rows": lambda: on_device(NUMBERS)[::2],
    "reversed": lambda: on_device(NUMBERS)[:, ::-1], "part": lambda: on_device(NUMBERS)[3:9, 5:7],
    "empty": lambda: on_device(NUMBERS)[:0], "one element": lambda: on_device(NUMBERS)[3, 4],
    "read-only": lambda: sv.view(on_device(NUMBERS), readonly=True), "other device": lambda: on_device(NUMBERS, 1),
    "bfloat16": lambda: sv.full((3, 5), 1.5, "bfloat16", memory="device"),
    "times": lambda: on_device(np.array(["2020-01-01", "2021-02-03"], "M8[D]")), "records": lambda: on_device(RECORDS),
}
GAPS = "rows", "reversed", "part"


def same(one, other):
    return (one.shape, one.dtype, one.readonly) == (other.shape, other.dtype, other.readonly) and \
        one.cpu().tobytes() == other.cpu().tobytes() and one.layout.strides == other.layout.to_dense("K").strides


# --- pickles ------------------------------------------------------------------------

@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_views_are_pickled(runtime, name, protocol):  # noqa: F811
    view, buffers = CASES[name](), []
    callback = {"buffer_callback": buffers.append} if protocol >= 5 else {}
    for written in pickle.dumps(view, protocol), pickle.dumps(view, protocol, **callback):
        back = pickle.loads(written, buffers=[bytes(each) for each in buffers])
        assert same(back, view) and back.device == (2, 0)
    assert len(buffers) == (protocol >= 5)
    with sv.memory.loading("host"):
        assert same(pickle.loads(pickle.dumps(view, protocol)), view.cpu() if not view.readonly else sv.view(view.cpu(), readonly=True))
    with sv.memory.loading(sv.memory.device(1)):
        assert pickle.loads(pickle.dumps(view, protocol)).device == (2, 1)
    del view, back, buffers
    gc.collect()


def test_what_a_stream_writes_is_pickled(any_order, stream):  # noqa: F811
    for make in (lambda: sv.full(1000, 7, "u1", memory="device", stream=stream),
                 lambda: sv.zeros((10, 100), "u1", memory=sv.MemoryResource.pool(), stream=stream)[:, ::2]):
        view = make()
        assert set(pickle.loads(pickle.dumps(view)).cpu().tobytes()) == {7 if view.ndim == 1 else 0}
        del view
    gc.collect()


def test_a_device_without_memory(runtime):  # noqa: F811
    data = pickle.dumps(on_device(NUMBERS))
    gc.collect()
    runtime.sv_memory_collect(1, None)
    runtime.fake_fail_call(_call("allocate"), 1, fake.OUT_OF_MEMORY)
    with pytest.raises(MemoryError):
        pickle.loads(data)
    assert np.array_equal(pickle.loads(data).cpu().numpy(), NUMBERS)
    gc.collect()


def _call(name):
    return next(number for number in range(200) if (fake.lib.fake_call_name(number) or b"").decode() == name)


# --- Dask's family ------------------------------------------------------------------

class Frame:
    """What a transport has received into memory of a device."""

    def __init__(self, told):
        self.received = sv.empty(told["shape"], "u1", memory="device")
        self.received.copy_from(sv.view(Told(told)), blocking=True)
        self.__cuda_array_interface__ = self.received.__cuda_array_interface__


class Told:
    def __init__(self, told):
        self.__cuda_array_interface__ = told


@pytest.fixture
def protocol():
    pytest.importorskip("distributed.protocol.cuda")
    import distributed.protocol

    from strideview._dask_cuda import register_when_imported
    register_when_imported()
    return distributed.protocol


FAMILIES = "cuda", "dask", "pickle"


@pytest.mark.parametrize("name", CASES)
def test_views_by_the_family(runtime, protocol, name):  # noqa: F811
    """Frames are memory of the device: of the view, or packed there; what comes is not copied. Nothing goes by the host."""
    view = CASES[name]()
    gc.collect()
    runtime.fake_reset()
    header, frames = protocol.serialize(view, serializers=FAMILIES)
    assert header["serializer"] == "cuda" and len(frames) == 1 and frames[0].nbytes == view.nbytes
    assert frames[0].device == view.device
    assert fake.lib.fake_moved() <= (view.nbytes if name in GAPS else 0)
    frame = Frame(frames[0].__cuda_array_interface__) if view.device == (2, 0) else frames[0]
    back = protocol.deserialize(header, [frame])
    assert same(back, view) and back.device == view.device
    if isinstance(frame, Frame) and view.size:
        assert sv.shares_memory(back, frame.received)
    del view, frames, frame, back
    gc.collect()


def test_frames_are_the_memory_itself(runtime, protocol):  # noqa: F811
    view = on_device(NUMBERS)
    for array in view, view.T:
        assert protocol.serialize(array, serializers=FAMILIES)[1][0].ptr == view.ptr
    buffer = sv.memory.device().allocate(1000)
    header, frames = protocol.serialize(buffer, serializers=FAMILIES)
    assert header["serializer"] == "cuda" and frames[0].ptr == buffer.handle and frames[0].nbytes == buffer.size
    del view, array, buffer, frames
    gc.collect()


@pytest.mark.parametrize("size", [0, 1, 5000])
@pytest.mark.parametrize("make", [lambda size: sv.memory.device().allocate(size), lambda size: sv.memory.DeviceBuffer(size=size)],
                         ids=["Buffer", "DeviceBuffer"])
def test_buffers_by_the_family(runtime, protocol, make, size):  # noqa: F811
    buffer = make(size)
    if size:
        buffer.fill(3)
    header, frames = protocol.serialize(buffer, serializers=FAMILIES)
    assert header["serializer"] == "cuda"
    frame = Frame(frames[0].__cuda_array_interface__)
    back = protocol.deserialize(header, [frame])
    assert type(back) is type(buffer) and back.kind == "device" and back.size == size and back.tobytes() == buffer.tobytes()
    assert size == 0 or back.handle == frame.received.ptr
    del buffer, frames, frame, back
    gc.collect()


def test_memory_of_the_host_is_pickled(runtime, protocol):  # noqa: F811
    for each in (sv.view(NUMBERS), sv.zeros(10, memory="pinned"), sv.zeros(10, memory="managed"),
                 sv.memory.host().allocate(10), sv.memory.pinned().allocate(10)):
        header, frames = protocol.serialize(each, serializers=FAMILIES)
        assert header["serializer"] == "pickle"
        del each, frames
    gc.collect()


def test_what_streams_write_is_in_the_frame(any_order, stream, protocol):  # noqa: F811
    """A transport waits for the legacy stream alone before it sends."""
    view = sv.full(5000, 7, "u1", memory="device", stream=stream)
    frames = protocol.serialize(view, serializers=FAMILIES)[1]
    fake.lib.fake_open_devices(True)
    assert fake.lib.sv_stream_synchronize(2, 0, 0) == 0
    assert ctypes.string_at(frames[0].ptr, 5000) == b"\7" * 5000 and fake.lib.fake_faults() == 0
    del view, frames
    gc.collect()


# --- a cluster --------------------------------------------------------------------------

def start_runtime():
    """In each process: whatever is under way is done at once."""
    fake.lib.fake_start(fake.EAGER, 1)


def turned(view):
    """On a worker: of what came, and of what kind it is."""
    return view.T[::2], type(view).__name__, view.device


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    paths = os.pathsep.join([str(Path(sv.__file__).parents[1]), str(Path(__file__).parent)])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = paths
    try:
        with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None) as cluster, \
                distributed.Client(cluster) as client:
            client.run(start_runtime)
            yield client
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)


def test_views_of_devices_on_a_cluster(client):
    """From the client to a worker, to another worker, and back."""
    start_runtime()
    workers = sorted(client.scheduler_info()["workers"])
    view = on_device(NUMBERS)
    first = client.submit(turned, view, workers=[workers[0]], pure=False)
    back, name, device = first.result(60)
    assert (name, device) == ("StridedMemoryView", (2, 0)) and np.array_equal(back.cpu().numpy(), NUMBERS.T[::2])
    part = client.submit(lambda told: told[0], first, workers=[workers[0]])
    again = client.submit(turned, part, workers=[workers[1]], pure=False).result(60)[0]
    assert again.device == (2, 0) and np.array_equal(again.cpu().numpy(), NUMBERS.T[::2].T[::2])
    del view, back, again
    gc.collect()


if __name__ == "__main__":
    import tap

    tap.main(__file__)
