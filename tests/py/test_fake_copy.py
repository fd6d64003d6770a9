"""Copies of arrays on the fake CUDA runtime: stream, allocator and blocking as cuda.core documents them."""

import re
from concurrent.futures import ThreadPoolExecutor

import fake  # before strideview
import numpy as np
import pytest

import strideview as sv
from fake import runtime  # noqa: F401  (a fixture)
from test_fake import DeviceArray

SHAPE = (150, 160)  # 96 000 bytes: more than goes by a kernel on mapped memory
NUMBERS = np.arange(150 * 160, dtype="f4").reshape(SHAPE)


def device_view(device=0):
    return sv.view(DeviceArray(SHAPE, "f4", device), -1)


def transposed():
    """A host array whose transpose has the shape of the others."""
    return np.ascontiguousarray(NUMBERS.T)


def test_devices_do_not_know_non_temporal_stores(runtime):
    """The flag changes neither what copies nor what arrives, on a device, to it and from it."""
    first, second, back = device_view(), device_view(), np.zeros(SHAPE, "f4")
    for dst, src in (first, transposed().T), (second, first), (back, second):
        plan = sv.Plan(dst, src, non_temporal=True)
        assert plan.kernel == sv.Plan(dst, src).kernel
        plan.execute(dst, src, blocking=True)
    assert np.array_equal(back, NUMBERS)


@pytest.mark.parametrize("blocking", [None, True, False])
@pytest.mark.parametrize("layout", ["dense", "rows", "transposed"])
def test_host_to_device_and_back(runtime, layout, blocking):
    stream = fake.lib.fake_new_stream(0, 1)
    host = {"dense": NUMBERS.copy(), "rows": np.zeros((150, 170), "f4")[:, :160], "transposed": transposed().T}[layout]
    host[...] = NUMBERS
    on_device, back = device_view(), np.zeros_like(host)
    sv.view(host).copy_to(on_device, stream=stream, blocking=blocking)
    host[...] = 0  # it has been read
    sv.view(back).copy_from(on_device, stream=stream, blocking=blocking)
    assert np.array_equal(back, NUMBERS)
    del on_device
    runtime.fake_end_stream(stream)


@pytest.mark.parametrize("blocking", [None, True, False])
def test_device_to_device_returns_at_once(runtime, blocking):
    stream = fake.lib.fake_new_stream(0, 1)
    first, second = device_view(), device_view()
    first.copy_from(NUMBERS)
    runtime.fake_reset()
    second.copy_from(first, stream=stream, blocking=blocking)
    assert any("synchronize" in line for line in fake.log()) == (blocking is True)
    back = np.zeros(SHAPE, "f4")
    sv.copy(back, second)
    assert np.array_equal(back, NUMBERS)
    del first, second
    runtime.fake_end_stream(stream)


LONG = (1200, 1200)  # 5.5 MiB: more than always goes through the ring


@pytest.mark.parametrize("mode", ["r", "c", "r+"])
def test_a_mapped_file_never_is_the_drivers(runtime, tmp_path, mode):
    """The fake runtime complains of pages of files that it is to copy."""
    (tmp_path / "f").write_bytes(np.arange(LONG[0] * LONG[1], dtype="f4").tobytes())
    mapped = np.memmap(tmp_path / "f", "f4", mode, shape=LONG)
    on_device, back = sv.view(DeviceArray(LONG, "f4", 0), -1), np.ones(LONG, "f4")
    assert sv.placement(on_device, mapped, 0).method == "ring"
    assert sv.placement(on_device, back, 0).method == "direct"
    sv.copy(on_device, mapped)
    sv.copy(back, on_device)
    assert np.array_equal(back, mapped)
    if mode == "r+":
        mapped[...] = 0
        sv.copy(mapped, on_device)
        assert np.array_equal(back, mapped)


@pytest.mark.parametrize("shape", [SHAPE, LONG])
def test_an_executor_helps_with_the_host_s_part(runtime, shape):
    told = []
    numbers = np.arange(shape[0] * shape[1], dtype="f4").reshape(shape)
    on_device, back = sv.view(DeviceArray(shape, "f4", 0), -1), np.zeros(shape[::-1], "f4")
    with ThreadPoolExecutor(3) as executor:
        sv.copy(on_device, numbers, executor=executor, threads=3, progress=lambda *at: told.append(at))
        sv.copy(back.T, on_device, executor=executor, threads=3)
    assert np.array_equal(back.T, numbers)
    assert told == [(numbers.nbytes, numbers.nbytes)]


def refusal(ask, view, error):
    """The text alone: an exception would keep the view."""
    try:
        ask(view)
    except error as refused:
        return str(refused)
    pytest.fail("it is not refused")


@pytest.mark.parametrize("ask, error", [
    (np.asarray, BufferError), (lambda view: view.numpy(), BufferError), (memoryview, BufferError), (bytes, BufferError),
    (lambda view: view.__array__(), BufferError), (lambda view: view + np.zeros(SHAPE, "f4"), BufferError),
    (lambda view: view.__array_interface__, AttributeError),
], ids=["asarray", "numpy", "memoryview", "bytes", "array", "add", "interface"])
def test_texts_say_how_to_reach_the_host(runtime, ask, error):
    view = device_view()
    view.copy_from(NUMBERS)
    text = refusal(ask, view, error)
    assert "sv.copy(host, view)" in text and "view.copy_to(host)" in text
    made = re.search(r"sv\.empty_like\(.*?\)", text)[0]
    for copy in "sv.copy(host, view)", "view.copy_to(host)":
        host = eval(made, {"sv": sv, "view": view})
        eval(copy, {"sv": sv, "view": view, "host": host})
        assert np.array_equal(host.numpy(), NUMBERS)


def test_texts_of_buffers_say_how_to_reach_the_host(runtime):
    buffer = sv.memory.device().allocate(16)
    buffer.fill(7)
    assert re.search(r"buffer\.tobytes\(\).*buffer\.copy_to\(host\)", refusal(memoryview, buffer, BufferError))
    host = bytearray(16)
    buffer.copy_to(host)
    assert buffer.tobytes() == bytes(host) == b"\7" * 16
    buffer.close()
    sv.memory.collect()


@pytest.mark.parametrize("dtype", ["f2", "f8", "i4", "?", "c8"])
def test_copies_that_convert(runtime, dtype):
    host, back = (NUMBERS - 7000).astype(dtype), np.zeros(SHAPE, "f8")
    first, second, half = (sv.view(DeviceArray(SHAPE, t, 0), -1) for t in ("f4", "f8", "f2"))
    with np.errstate(over="ignore"):
        as_float, as_half = host.real.astype("f4"), host.real.astype("f4").astype("f2")
    first.copy_from(host, casting="unsafe")  # to a device
    second.copy_from(first, casting="unsafe")  # on it
    sv.copy(back, second)  # and from it
    assert np.array_equal(back, as_float)
    half.copy_from(second.T.T, casting="unsafe")
    sv.copy(back, half, casting="unsafe")
    assert np.array_equal(back, as_half.astype("f8"))
    del first, second, half


@pytest.mark.parametrize("dtype", ["f4", "f2"])
@pytest.mark.parametrize("far", ["source", "destination"])
def test_between_devices_with_gaps(runtime, far, dtype):
    """Of the device that is not the stream's a kernel packs the side that has gaps, or unpacks it."""
    stream, back = fake.lib.fake_new_stream(0, 1), np.zeros(SHAPE, dtype)
    wide_source = sv.view(DeviceArray((150, 323), "f4", 1 if far == "source" else 0), -1)
    wide_target = sv.view(DeviceArray((150, 323), dtype, 0 if far == "source" else 1), -1)
    source, target = wide_source[:, 1:321:2], wide_target[:, 2:322:2]
    source.copy_from(NUMBERS)
    before = len(fake.log())
    target.copy_from(source, stream=stream, casting="unsafe")
    calls = fake.log()[before:]
    assert [line.split()[1] for line in calls if "copy_peer" in line] == ["0<-1" if far == "source" else "1<-0"]
    assert [line[0] for line in calls if "launch" in line] == (["1", "0"] if far == "source" else ["0", "1"])
    target.copy_to(back)  # after the work on it, whose stream it knows
    assert np.array_equal(back, NUMBERS.astype(dtype))
    del wide_source, wide_target, source, target
    runtime.fake_end_stream(stream)


CUDA = 2  # DLPack's number


@pytest.mark.parametrize("dst, src, given, blocking, told", [
    ("cpu", "cpu", True, None, ("cpu", None, "nothing", "all", "direct")),
    (0, 0, True, None, ("cuda", (CUDA, 0), "nothing", "nothing", "direct")),
    (0, 0, False, None, ("cuda", (CUDA, 0), "stream", "all", "direct")),
    (0, 0, False, False, ("cuda", (CUDA, 0), "nothing", "nothing", "direct")),
    (0, 0, True, True, ("cuda", (CUDA, 0), "stream", "all", "direct")),
    (0, "cpu", True, None, ("cuda", (CUDA, 0), "ring", "reading", "ring")),
    ("cpu", 0, True, None, ("cuda", (CUDA, 0), "stream", "all", "ring")),
    (1, 0, False, False, ("cuda", (CUDA, 1), "nothing", "nothing", "direct")),
    (1, 0, True, None, ("cuda", (CUDA, 0), "nothing", "nothing", "direct")),
])
def test_placement(runtime, dst, src, given, blocking, told):
    """As the copy then does: the stream, of device 0 where one is given, is waited for or not."""
    stream = fake.lib.fake_new_stream(0, 1) if given else None
    target, source = (np.zeros(SHAPE, "f4") if where == "cpu" else device_view(where) for where in (dst, src))
    runtime.fake_reset()
    assert sv.placement(target, source, stream, blocking=blocking) == told
    assert fake.log() == []
    sv.copy(target, source, stream, blocking=blocking)
    assert any("synchronize" in line for line in fake.log()) == (told[2] == "stream")
    assert any("copy" in line for line in fake.log()) == (told[0] == "cuda")
    words = "a free ring" if src == "cpu" != dst else "the stream" if dst == "cpu" != src else "nothing"
    assert f"; waits for {words}; " in sv.explain(target, source)
    del target, source
    if given:
        runtime.fake_end_stream(stream)


def test_placement_of_arrays_that_share_bytes(runtime):
    view, host = device_view(), NUMBERS.copy().T
    assert sv.placement(view, view[::-1], blocking=False) == ("cuda", (CUDA, 0), "nothing", "nothing", "temporary")
    assert ": by CUDA device 0, by a temporary of 96000 bytes; " in sv.explain(view, view[::-1])
    assert sv.placement(view, host.T[:, ::-1], blocking=False)[2:] == ("ring", "reading", "ring")
    del view


def test_a_plan_with_a_device_is_copied_once(runtime):
    first, back = device_view(), np.zeros(SHAPE, "f4")
    plan = sv.Plan(first, NUMBERS, measure=True)
    assert "measured" not in plan.explain()
    sv.Plan(back, first, measure=True)
    assert np.array_equal(back, NUMBERS)
    del first


@pytest.mark.parametrize("batch", [False, True], ids=["execute", "execute_batch"])
@pytest.mark.parametrize("given", [False, True], ids=["no stream", "stream"])
@pytest.mark.parametrize("blocking", [None, True, False])
def test_a_plan_waits_as_a_copy_does(runtime, blocking, given, batch):
    first, second, back = device_view(), device_view(), np.zeros(SHAPE, "f4")
    stream = runtime.fake_new_stream(0, 1) if given else None
    sv.copy(first, NUMBERS)
    plan = sv.Plan(second, first)
    before = len(fake.log())
    if batch:
        plan.execute_batch([second], [first], stream, blocking=blocking)
    else:
        plan.execute(second, first, stream, blocking=blocking)
    waits = not given if blocking is None else blocking
    assert any("synchronize" in line for line in fake.log()[before:]) == waits
    if given and not waits:
        assert second.stream == stream
    sv.copy(back, second)
    assert np.array_equal(back, NUMBERS)
    del first, second
    if given:
        runtime.fake_end_stream(stream)


def test_launches_of_a_plan(runtime):
    host, first, second = NUMBERS.copy(), device_view(), device_view()
    assert sv.Plan(first, second).launches == 1
    assert sv.Plan(first[::2], second[1::2]).launches == 1
    assert sv.Plan(first, host).launches == 1
    assert sv.Plan(first, transposed().T).launches == 2
    assert sv.Plan(host, NUMBERS).launches == 0


@pytest.mark.parametrize("by_plan", [False, True], ids=["copy_batch", "plan"])
def test_batches_are_few_launches(runtime, by_plan):
    first, second, back = device_view(), device_view(), np.zeros(SHAPE, "f4")
    targets, sources = [second[k, ::2] for k in range(150)], [first[k, 1::2] for k in range(150)]
    sv.copy(first, NUMBERS)
    plan = sv.Plan(targets[0], sources[0])
    before = len(fake.log())
    if by_plan:
        plan.execute_batch(targets, sources)
    else:
        sv.copy_batch(targets, sources)
    assert sum("launch" in line for line in fake.log()[before:]) == 2
    sv.copy(back, second)
    assert np.array_equal(back[:, ::2], NUMBERS[:, 1::2])


@pytest.mark.parametrize("by_plan", [False, True], ids=["copy_batch", "plan"])
def test_batches_of_a_device_have_no_order(runtime, by_plan):
    """Which is said: bytes that copies share are as after some order of them, those of the others as ever."""
    first, second, third, back = device_view(), device_view(), device_view(), np.zeros(SHAPE, "f4")
    sv.copy(first, NUMBERS)
    sv.copy(second, -NUMBERS)
    targets, sources = [second[0], third[0], third[1]], [first[0], second[0], first[1]]
    if by_plan:
        sv.Plan(targets[0], sources[0]).execute_batch(targets, sources)
    else:
        sv.copy_batch(targets, sources)
    sv.copy(back, third)
    assert (np.abs(back[0]) == np.abs(NUMBERS[0])).all() and np.array_equal(back[1], NUMBERS[1])
    sv.copy(back, second)
    assert np.array_equal(back[0], NUMBERS[0]) and np.array_equal(back[1:], -NUMBERS[1:])


@pytest.mark.parametrize("plan", [False, True], ids=["copy", "plan"])
def test_scratch_memory_is_the_allocators(runtime, plan):
    resource = sv.MemoryResource.device(0).tracked()
    host, on_device, back = transposed().T, device_view(), np.zeros(SHAPE, "f4")
    if plan:
        sv.Plan(on_device, sv.view(host)).execute(on_device, sv.view(host), allocator=resource)
    else:
        sv.view(host).copy_to(on_device, allocator=resource)
    assert not any("allocate_from_pool" in line for line in fake.log())
    sv.copy(on_device.T[:150, :150], on_device[:150, :150], allocator=resource)  # the two overlap
    stats = resource.stats()
    sv.memory.collect(wait=True)
    assert stats["total_count"] >= 2 and resource.stats()["live_bytes"] == 0
    on_device.copy_to(back)
    assert np.array_equal(back[:150, :150], NUMBERS[:150, :150].T)
    del on_device, resource


def test_an_allocator_without_room(runtime):
    resource = sv.MemoryResource.device(0).limited(1 << 12)
    on_device = device_view()
    with pytest.raises(MemoryError):
        on_device.copy_from(transposed().T, allocator=resource)
    with pytest.raises(ValueError, match="host memory"):
        on_device.copy_from(NUMBERS, allocator=sv.MemoryResource.host())
    del on_device, resource


@pytest.mark.parametrize("part", ["all", "steps", "transposed"])
def test_a_fill_is_one_launch(runtime, part):
    on_device, back = device_view(), np.zeros(SHAPE, "f4")
    on_device.copy_from(NUMBERS)
    cut = {"all": np.s_[:], "steps": np.s_[1::2, 5:100:3], "transposed": np.s_[:70, :40]}[part]
    target = on_device[cut].T if part == "transposed" else on_device[cut]
    before = len(fake.log())
    target.fill(2.5)
    work = [line for line in fake.log()[before:] if any(word in line for word in ("launch", ":copy", ":set"))]
    assert len(work) == 1 and "launch" in work[0]
    on_device.copy_to(back)
    expected = NUMBERS.copy()
    expected[cut] = 2.5
    assert np.array_equal(back, expected)
    del on_device, target


def test_an_allocator_of_another_device(runtime):
    resource = sv.MemoryResource.device(1)
    on_device = device_view()
    with pytest.raises((ValueError, BufferError, RuntimeError), match="device 1"):
        on_device.copy_from(transposed().T, allocator=resource)
    del on_device


def test_allocators_are_resources(runtime):
    on_device = device_view()
    with pytest.raises(TypeError, match="MemoryResource"):
        on_device.copy_from(NUMBERS, allocator=object())
    del on_device


def test_asarray_moves_to_a_device_and_back(runtime):
    there = sv.asarray(NUMBERS, device="cuda")
    assert there.device == (2, 0) and sv.asarray(there, device=0) is there and sv.asarray(there) is there
    assert np.array_equal(sv.asarray(there, device="cpu").numpy(), NUMBERS)
    doubles = sv.asarray(NUMBERS, "f8", "F", device="cuda:0")
    assert doubles.dtype == "f8" and doubles.is_contiguous_f
    assert np.array_equal(sv.asarray(doubles, "f4", device="cpu").numpy(), NUMBERS)
    with pytest.raises(sv.CopyError, match="copy=False"):
        sv.asarray(there, device="cpu", copy=False)
    del there, doubles
    sv.memory.collect(True)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_stacks_on_a_device(runtime, axis):
    """Of host arrays to device memory, and of arrays of a device beside the first of them."""
    parts = [NUMBERS + k for k in range(5)]
    there = sv.asarray(np.zeros_like(np.stack(parts, axis)), device="cuda")
    sv.stack(parts, axis, out=there)
    assert np.array_equal(sv.asarray(there, device="cpu").numpy(), np.stack(parts, axis))
    on_device = [sv.asarray(part, device="cuda") for part in parts]
    joined = sv.concatenate(on_device, axis if axis < 0 else 0)
    assert joined.device == (2, 0)
    assert np.array_equal(sv.asarray(joined, device="cpu").numpy(), np.concatenate(parts, axis if axis < 0 else 0))
    del there, on_device, joined
    sv.memory.collect(True)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
