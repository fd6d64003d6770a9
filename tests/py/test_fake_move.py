"""Arrays and Buffers to other memory, on the fake CUDA runtime: to(), cpu() and cuda()."""

import gc

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)

NUMBERS = np.arange(24, dtype="f4").reshape(4, 6)
TYPES = {"host": 1, "pinned": 3, "device": 2, "managed": 13}


def array(kind, device=0):
    view = sv.empty(NUMBERS.shape, "f4", memory=kind, device=device if kind in ("device", "managed") else None)
    sv.copy(view, NUMBERS)
    return view


@pytest.mark.parametrize("layout", ["dense", "transposed", "steps", "turned", "empty", "0-d"])
@pytest.mark.parametrize("target", TYPES)
@pytest.mark.parametrize("source", TYPES)
def test_every_kind_to_every_kind(runtime, source, target, layout):
    cut = {"dense": lambda a: a, "transposed": lambda a: a.T, "steps": lambda a: a[::2, ::3],
           "turned": lambda a: a[:, ::-1], "empty": lambda a: a[:0], "0-d": lambda a: a[1, 2]}[layout]
    view = cut(array(source))
    moved = view.to(memory=target)
    assert moved.device[0] == TYPES[target] and (moved is view) == (source == target)
    expected = cut(NUMBERS)
    assert moved.shape == expected.shape and moved.tolist() == expected.tolist()
    assert source == target or not expected.size or moved.layout.is_dense
    del view, moved
    gc.collect()


# Of a view, what is asked, and the device of the answer; None: the view itself.
CASES = [
    ("host", 0, {"device": "cpu"}, None), ("host", 0, {"device": "cuda"}, (2, 0)), ("host", 0, {"device": 1}, (2, 1)),
    ("host", 0, {"device": "cuda:1"}, (2, 1)), ("pinned", 0, {"device": "cpu"}, None),
    ("device", 0, {"device": "cuda"}, None), ("device", 1, {"device": "cuda:0"}, (2, 0)),
    ("device", 1, {"device": 1}, None), ("device", 1, {}, None), ("device", 1, {"memory": "device"}, None),
    ("device", 1, {"copy": True}, (2, 1)), ("device", 1, {"memory": "host"}, (1, 0)), ("device", 0, {"device": "cpu"}, (1, 0)),
    ("managed", 0, {"device": 0}, None), ("managed", 0, {"memory": "device"}, (2, 0)), ("managed", 0, {"device": "cpu"}, (1, 0)),
    ("host", 0, {"copy": True}, (1, 0)), ("host", 0, {"memory": "pinned"}, (3, 0)), ("pinned", 0, {"memory": "host"}, (1, 0)),
]


@pytest.mark.parametrize("kind, device, asked, expected", CASES, ids=str)
def test_where_it_goes(runtime, kind, device, asked, expected):
    view = array(kind, device)
    moved = view.to(**asked)
    assert (moved is view) == (expected is None) and moved.device == (expected or view.device)
    assert moved.tolist() == NUMBERS.tolist()
    buffer = sv.memory.default(kind, device if kind in ("device", "managed") else None).allocate(24)
    buffer.write(bytes(range(24)))
    other = buffer.to(**asked)
    assert (other is buffer) == (expected is None)
    assert other.__dlpack_device__() == (expected or buffer.__dlpack_device__()) and other.tobytes() == bytes(range(24))
    del view, moved, buffer, other
    gc.collect()


def test_words(runtime):
    host = array("host")
    near, far = host.cuda(), host.cuda(1)
    assert (near.device, far.device) == ((2, 0), (2, 1))
    assert far.cuda() is far and far.cuda("cuda:1") is far and far.cuda(0).device == (2, 0)
    assert near.cpu().device == (1, 0) and host.cpu() is host and near.cpu().tolist() == NUMBERS.tolist()
    del host, near, far
    gc.collect()


def test_dtypes_and_orders(runtime):
    view = array("device")
    half = view.to("cpu", dtype="f2", order="F")
    assert half.dtype == np.float16 and half.layout.is_contiguous_f and half.tolist() == NUMBERS.tolist()
    assert view.to(dtype="f4") is view and view.to(dtype="f8").device == (2, 0)
    with pytest.raises(TypeError):
        view.to(dtype="i4", casting="safe")
    resource = sv.MemoryResource.device(0)
    assert view.to(memory=resource) is not view
    del view, half, resource
    gc.collect()


@pytest.mark.parametrize("blocking", [None, True, False])
def test_streams(runtime, blocking):
    stream = fake.lib.fake_new_stream(0, 1)
    view = array("pinned")
    runtime.fake_reset()
    moved = view.to("cuda", stream=stream, blocking=blocking)
    assert any(line.endswith("s1") for line in fake.log())
    assert any("synchronize" in line for line in fake.log()) == (blocking is not False)
    assert moved.tolist() == NUMBERS.tolist()
    del view, moved
    gc.collect()
    assert runtime.sv_memory_collect(1, None) == 0
    runtime.fake_end_stream(stream)


@pytest.mark.parametrize("call, error, text", [
    (lambda view: view.to("gpu"), ValueError, "a device is a number, 'cpu', 'cuda'"),
    (lambda view: view.to(memory="gpu"), ValueError, "memory= is one of"),
    (lambda view: view.to("cpu", memory="device"), ValueError, "device='cpu': device memory is of a CUDA device"),
    (lambda view: view.cuda("cpu"), ValueError, "device='cpu' is no CUDA device"),
    (lambda view: view.to(7), (RuntimeError, BufferError, ValueError), "device"),
    (lambda view: view.cpu(1), TypeError, "argument"),
    (lambda view: view.to(device=0, device_id=1), TypeError, "device_id"),
])
def test_refusals(runtime, call, error, text):
    view = array("host")
    with pytest.raises(error, match=text):
        call(view)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
