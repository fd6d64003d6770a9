"""strideview.memory: default resources, tags, recordings, reports, and memory= of empty() and its like."""

import gc
import pickle
import threading

import numpy as np
import pytest
from kinds import DEVICE_TYPES, KINDS, array_of, kinds  # noqa: F401  (a fixture; before strideview)

import strideview as sv
from peers import need, numbers

memory = sv.memory


def row(kind, tag=""):
    """The line of a report."""
    (found,) = [r for r in memory.report().rows if (r.kind, r.tag) == (kind, tag)] or [None]
    return found


# --- memory=, device=, alignment= ---------------------------------------------

MAKERS = {
    "empty": (lambda **k: sv.empty((3, 4), "int16", **k), None),
    "zeros": (lambda **k: sv.zeros((3, 4), "int16", **k), 0),
    "ones": (lambda **k: sv.ones((3, 4), "int16", **k), 1),
    "full": (lambda **k: sv.full((3, 4), 7, "int16", **k), 7),
    "empty_like": (lambda **k: sv.empty_like(np.ones((3, 4), "i2"), **k), None),
    "zeros_like": (lambda **k: sv.zeros_like(np.ones((3, 4), "i2"), **k), 0),
    "ones_like": (lambda **k: sv.ones_like(np.zeros((3, 4), "i2"), **k), 1),
    "full_like": (lambda **k: sv.full_like(np.zeros((3, 4), "i2"), 7, **k), 7),
    "zeros, F": (lambda **k: sv.zeros((3, 4), "int16", "F", **k), 0),
    "like, of another shape": (lambda **k: sv.zeros_like(np.ones(5, "i2"), shape=(3, 4), **k), 0),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_a_kind_of_memory(kinds, maker, kind):
    make, value = MAKERS[maker]
    for stream in (None, 1, 2):
        view = make(memory=kind, stream=stream)
        assert (view.shape, view.dtype, view.device) == ((3, 4), np.dtype("i2"), (DEVICE_TYPES[kind], 0))
        assert view.is_host_accessible == (kind != "device") and not view.readonly
        assert value is None or array_of(view).tolist() == [[value] * 4] * 3


@pytest.mark.parametrize("kind", [kind for kind in ("device", "managed") if kind in KINDS])
def test_arrays_of_a_device(kinds, kind):
    views = [sv.zeros(3, memory=kind, device=np.int64(1)), sv.empty_like(np.zeros(3), memory=kind, device=1)]
    if kind == "device":
        views += [sv.zeros(3, device=1), sv.empty_like(views[0]), sv.ones_like(views[0]), views[0].copy("K")]
    assert [view.device for view in views] == [(DEVICE_TYPES[kind], 1)] * len(views)
    assert array_of(views[0]).tolist() == [0, 0, 0]
    assert sv.zeros_like(views[0], memory="host").device == (1, 0)


def test_the_host_has_a_name(kinds):
    host = sv.MemoryResource.host()
    for view in (sv.empty(3, device="cpu"), sv.zeros_like(np.zeros(3), device="cpu"), sv.full(3, 1, device="cpu", memory="host"),
                 sv.ones(3, device="cpu", memory=host)):
        assert view.device == (1, 0)
    assert sv.empty(3, device="cpu", memory="pinned").device[0] == 3
    assert memory.default("host", "cpu") is memory.default("host")
    with memory.loading("host", device="cpu"):
        assert pickle.loads(pickle.dumps(memory.default().allocate(8))).kind == "host"


@pytest.mark.skipif("device" not in KINDS, reason="there is no fake runtime")
def test_devices_have_names(kinds):
    for name, number in (("cuda", 0), ("cuda:0", 0), ("cuda:1", 1), ("cuda:01", 1)):
        views = [sv.empty(3, device=name), sv.zeros_like(np.zeros(3), device=name), sv.empty(3, memory="device", device=name),
                 sv.empty(3, memory=sv.MemoryResource.device(name)), sv.empty_like(sv.empty(3, device=1), device=name)]
        assert [view.device for view in views] == [(2, number)] * 5
        for kind in (memory.device(name), memory.managed(name), memory.pool("device", name), memory.default("device", name),
                     sv.MemoryResource.managed(name), sv.MemoryResource.pool("device", name)):
            assert kind.device_id == number
        managed = sv.MemoryResource.managed(name).allocate(64)
        managed.prefetch(name)
        managed.prefetch("cpu")
        managed.advise("prefer", name)
        managed.advise("accessed_by", "cpu")
        assert memory.MemoryUSMDevice(8, device=name).device_id == number
    assert sv.empty_like(sv.empty(3, device="cuda:1"), device="cpu").device == (1, 0)
    assert memory.MemoryUSMDevice(8, device=1).get_usm_type("cuda:1") == "device"
    assert memory.MemoryUSMDevice(8, device=1).get_usm_type("cuda") == "unknown"
    for refused in (lambda: sv.MemoryResource.device("cpu"), lambda: memory.pool("device", "cpu"),
                    lambda: sv.empty(3, memory=memory.device(1), device="cpu"), lambda: managed.prefetch("gpu"),
                    lambda: sv.empty(3, memory=memory.device(1), device="cuda:0")):
        with pytest.raises(ValueError, match="device"):
            refused()
    del views, kind, managed
    memory.collect()


@pytest.mark.parametrize("alignment", [1, 64, 512, 4096, 2**16])
def test_alignment(alignment):
    for view in (sv.empty(3, alignment=alignment), sv.zeros((2, 3), memory="host", alignment=alignment)):
        assert view.ptr % max(alignment, 1) == 0
    assert sv.zeros(3, alignment=alignment).tolist() == [0, 0, 0]


@pytest.mark.parametrize("keywords, error, said", [
    ({"memory": "GPU"}, ValueError, "host, pinned, device, managed"),
    ({"memory": ""}, ValueError, "host"), ({"memory": 3}, TypeError, "MemoryResource, not int"),
    ({"memory": np.zeros(3)}, TypeError, "not ndarray"),
    ({"memory": "host", "device": 1}, ValueError, "no device"), ({"device": -1}, ValueError, "negative"),
    ({"memory": "pinned", "device": 1}, ValueError, "no device"), ({"device": 1.0}, TypeError, "a device is a number, .*, not float"),
    ({"device": "cuda:"}, ValueError, "'cpu', 'cuda', 'cuda:1', .*, not 'cuda:'"),
    ({"device": "gpu:0"}, ValueError, "not 'gpu:0'"), ({"device": "cuda:-1"}, ValueError, "not 'cuda:-1'"),
    ({"device": "cuda:1\n"}, ValueError, "not 'cuda:1"), ({"device": "CPU"}, ValueError, "not 'CPU'"),
    ({"device": "cuda:\u0661"}, ValueError, "a device is"), ({"device": "cuda:99999999999999999999"}, ValueError, "a device is"),
    ({"memory": "device", "device": "cpu"}, ValueError, "device memory is of a CUDA device"),
    ({"memory": "managed", "device": "cpu"}, ValueError, "managed memory is of a CUDA device"),
    ({"memory": "host", "device": "cuda:0"}, ValueError, "host memory is of no device"),
    ({"memory": sv.MemoryResource.host(), "device": "cuda:1"}, ValueError, "device=cuda:1, but the resource is of device -1"),
    ({"alignment": 3}, ValueError, "."), ({"alignment": -1}, ValueError, "."), ({"alignment": "64"}, TypeError, "."),
    ({"alignment": True}, TypeError, "."), ({"memory": "host", "stream": "legacy"}, TypeError, "."),
])
def test_bad_places(keywords, error, said):
    for make in (lambda **k: sv.empty((2, 3), **k), lambda **k: sv.zeros_like(np.zeros(3), **k)):
        with pytest.raises(error, match=said):
            make(**keywords)


@pytest.mark.parametrize("size", [np.int64(16384), np.uint8(200), 0])
def test_sizes_are_any_index(size):
    assert memory.default().allocate(size).size == size


@pytest.mark.parametrize("size, error", [(True, TypeError), (-1, ValueError), (2.0, TypeError), ("3", TypeError),
                                         (None, TypeError), (2**63, OverflowError), (2**62, MemoryError)])
def test_sizes_that_are_none(size, error):
    before = row("host")
    with pytest.raises(error):
        memory.default().allocate(size)
    assert row("host")[3:5] == before[3:5]


def test_arrays_without_memory_are_counted_too():
    before = row("host").total_count
    assert sv.empty((3, 4)).ptr % 64 == 0 and sv.zeros(3, "f4", "C", memory=None, device=None).tolist() == [0, 0, 0]
    assert row("host").total_count == before + 2


def test_resources_of_ones_own():
    resource = memory.host(name="mine")
    view = sv.zeros((10, 10), "f8", memory=resource)
    assert row("host", "mine").live_bytes == 800 and view.tolist()[9] == [0] * 10
    buffer = resource.allocate(100)
    assert row("host", "mine")[3:5] == (900, 2)
    del view, buffer
    assert row("host", "mine")[3:8] == (0, 0, 900, 900, 2)
    with pytest.raises(ValueError, match="device -1"):
        sv.empty(3, memory=resource, device=1)
    del resource
    gc.collect()
    assert row("host", "mine") is None


def test_the_memory_outlives_its_resource():
    resource = memory.host(name="short-lived")
    view = sv.full(1000, 7, "u1", memory=resource)
    del resource
    gc.collect()
    assert view.tolist() == [7] * 1000


# --- defaults --------------------------------------------------------------------

def test_defaults_are_one_for_all_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(memory.default("host"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(resource is memory.default() for resource in found)
    assert (memory.default().kind, memory.default().name) == ("host", "host")


def test_another_default():
    mine = memory.host(name="another default")
    kept = sv.empty(100, "u1", memory="host")
    memory.set_default(mine)
    try:
        before = row("host", "another default").live_bytes
        view = sv.empty(1000, "u1", memory="host")
        with memory.tag("of another default"):
            tagged = sv.empty(10, "u1", memory="host")
        assert row("host", "another default").live_bytes == before + 1010
        assert row("host", "of another default").live_bytes == 10
    finally:
        memory.set_default(None, "host")
    after = sv.empty(10, "u1", memory="host")
    assert row("host", "another default").live_bytes == before + 1010
    del view, tagged, after, kept
    assert row("host", "another default").live_bytes == before


@pytest.mark.parametrize("arguments, error", [((None,), TypeError), ((3, "host"), TypeError), (("host",), TypeError),
                                              ((None, "GPU"), ValueError), ((None, "host", 1), ValueError)])
def test_bad_defaults(arguments, error):
    with pytest.raises(error):
        memory.set_default(*arguments)
    assert sv.empty(3, memory="host").size == 3


# --- tags ------------------------------------------------------------------------

def test_tags_count_what_is_made_within():
    with memory.tag("outer"):
        a = sv.empty(1000, "u1", memory="host")
        with memory.tag("inner"):
            b = sv.empty(100, "u1", memory="host")
        c = memory.default().allocate(10)
    d = sv.empty(10000, "u1", memory="host")
    assert (row("host", "outer")[3:5], row("host", "inner")[3:5]) == ((1010, 2), (100, 1))
    del a, b, c, d
    assert (row("host", "outer").live_bytes, row("host", "outer").peak_bytes) == (0, 1010)


def test_tags_are_of_one_thread():
    with memory.tag("of one thread"):
        thread = threading.Thread(target=lambda: sv.empty(1000, "u1", memory="host"))
        thread.start()
        thread.join()
        sv.empty(10, "u1", memory="host")
    assert row("host", "of one thread").total_bytes == 10


def test_tags_end_with_exceptions():
    before = memory.default()
    with pytest.raises(KeyError), memory.tag("ends"):
        raise KeyError
    assert memory.default() is before
    with pytest.raises(TypeError, match="str"), memory.tag(3):
        pass


# --- recordings --------------------------------------------------------------------

def test_recordings():
    with memory.tag("recorded"), memory.record(stacks=2) as recording:
        kept = sv.empty(1000, "u1", memory="host")
        gone = sv.empty(10, "u1", memory="host")
        del gone
    not_seen = sv.empty(7, "u1", memory="host")
    told = [(event.what, event.kind, event.device, event.tag, event.nbytes) for event in recording.events]
    assert told == [("allocated", "host", 0, "recorded", 1000), ("allocated", "host", 0, "recorded", 10),
                    ("freed", "host", 0, "recorded", 10)]
    assert all(a.seconds <= b.seconds for a, b in zip(list(recording.events), list(recording.events)[1:]))
    (block,) = recording.live()
    assert (block.nbytes, block.pointer) == (1000, kept.ptr)
    assert "test_memory.py" in block.where[0] and "test_recordings" in block.where[0] and len(block.where) == 2
    assert "1 blocks alive" in repr(recording) and memory.default() is memory.default()
    del kept
    assert recording.live() == [] and recording.events[-1].what == "freed"
    del not_seen
    assert len(recording.events) == 4


def test_recordings_nest_and_have_limits():
    with memory.record(limit=2) as outer:
        a = sv.empty(1, "u1", memory="host")
        with memory.record() as inner:
            b = sv.empty(2, "u1", memory="host")
        c = sv.empty(3, "u1", memory="host")
    assert [event.nbytes for event in inner.events] == [2]
    assert [event.nbytes for event in outer.events] == [2, 3]
    assert [block.nbytes for block in outer.live()] == [3, 2, 1] and outer.live()[0].where == ()
    del a, b, c


def test_failures_are_recorded():
    with memory.record() as recording, pytest.raises(MemoryError):
        memory.default().allocate(2**62)
    assert [event.what for event in recording.events] == ["failed"] and recording.live() == []


def test_timelines(tmp_path):
    matplotlib = need("matplotlib")
    with memory.record() as recording:
        a = sv.empty(2**20, "u1", memory="host")
        with memory.tag("second"):
            b = sv.empty(2**21, "u1", memory="host")
        del a
    path = tmp_path / "memory.svg"
    axes = recording.plot(path)
    assert path.read_text().startswith("<?xml") and isinstance(axes, matplotlib.axes.Axes)
    lines = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert lines == {"host": [0, 1, 0], "host: second": [0, 2]}
    again = recording.plot(axes=matplotlib.figure.Figure().subplots())
    assert len(again.lines) == 2
    del b


# --- reports -----------------------------------------------------------------------

def test_reports_tell_leaks_and_are_shown():
    with memory.tag("<leaky>"), memory.record(stacks=1) as recording:
        leak = sv.empty(3 * 2**20, "u1", memory="host")
    report = memory.report(recording)
    text, page = str(report), report._repr_html_()
    assert "memory by kind" in text and "<leaky>" in text and "3.0 MiB" in text and "in test_reports" in text
    assert "&lt;leaky&gt;" in page and "<leaky>" not in page and page.count("<table") == page.count("</table>") == 3
    assert [block.nbytes for block in report.leaks] == [leak.nbytes] and "where" not in str(memory.report())
    del leak
    assert memory.report(recording).leaks == []


def test_reports_count_all_buffers_by_kind():
    (before,) = [kind for kind in memory.report().kinds if kind.kind == "host"]
    buffer = sv.MemoryResource.host().allocate(12345)
    (after,) = [kind for kind in memory.report().kinds if kind.kind == "host"]
    assert (after.live_bytes - before.live_bytes, after.live_count - before.live_count) == (12345, 1)
    assert after.peak_bytes >= after.live_bytes and [kind.kind for kind in memory.report().kinds] == list(memory.KINDS)
    del buffer
    (ended,) = [kind for kind in memory.report().kinds if kind.kind == "host"]
    assert (ended.live_bytes, ended.deferred_bytes, ended.lost_bytes) == (before.live_bytes, 0, before.lost_bytes)


@pytest.mark.parametrize("kind", [*memory.KINDS, "foreign", None])
def test_counts_of_buffers(kind):
    names = {f"{what}_{unit}" for what in ("live", "peak", "total", "deferred", "lost", "cached")
             for unit in ("bytes", "count")}
    before = memory.stats(kind)
    assert set(before) == names and all(isinstance(value, int) and value >= 0 for value in before.values())
    adds = kind in ("host", None)
    buffer, view = sv.MemoryResource.host().allocate(1000), sv.empty((10, 10), "u1", memory="host")
    assert {name for name, value in memory.stats(kind).items() if value != before[name]} - {"peak_bytes", "peak_count"} == (
        {"live_bytes", "live_count", "total_bytes", "total_count"} if adds else set())
    assert memory.stats(kind)["live_bytes"] - before["live_bytes"] == (1100 if adds else 0)
    del buffer, view
    assert memory.stats(kind)["live_bytes"] == before["live_bytes"]


@pytest.mark.parametrize("kind", ["", "GPU", 1])
def test_kinds_that_are_not_counted(kind):
    with pytest.raises(ValueError, match="host, pinned, device, managed, foreign or None"):
        memory.stats(kind)


# How many of two blocks are not kept at once: the driver frees managed memory, and pinned memory has to be out of use.
WAITING = {"pinned": (0, 2), "managed": (2,)}


def test_what_waits_is_collected(kinds):
    memory.collect(wait=True)
    before = memory.stats()
    for kind in kinds:
        for stream in (None, 1, 2):
            a, b = (sv.zeros(1000, "u1", memory=kind, stream=stream) for _ in range(2))
            sv.copy(a, b, stream=stream)
            del a, b
            now = memory.stats(kind)
            waiting = now["deferred_count"]
            assert waiting in WAITING.get(kind, (0,)) if len(kinds) == 4 else waiting == 0
            assert now["deferred_bytes"] == 1000 * waiting
            assert waiting + now["cached_count"] == (2 if len(kinds) == 4 and kind != "host" else 0)
            assert memory.collect() in (0, waiting) and memory.collect(wait=True) == 0 and memory.collect() == 0
            assert memory.stats(kind)["deferred_bytes"] == memory.stats()["deferred_count"] == 0
            assert memory.stats(kind)["cached_bytes"] == memory.stats()["cached_count"] == 0
    after = memory.stats()
    assert (after["live_count"], after["lost_count"]) == (before["live_count"], before["lost_count"])


@pytest.mark.parametrize("nbytes, text", [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
                                          (3 * 2**30, "3.0 GiB"), (2**62, "4096.0 PiB")])
def test_numbers_of_bytes(nbytes, text):
    from strideview._report import human
    assert human(nbytes) == text


# --- an ndarray for kernels ------------------------------------------------------------

@pytest.mark.parametrize("kind", [kind for kind in ("pinned", "managed") if kind in KINDS])
def test_arrays_of_numpy_that_kernels_take(kinds, kind):
    array = sv.zeros((4, 5), "i4", memory=kind).numpy()
    assert isinstance(array, np.ndarray) and array.ptr == array.__array_interface__["data"][0]
    part = array[1:, ::2].T  # nothing else has the memory now
    told = part.__cuda_array_interface__
    del array
    gc.collect()
    part += 3
    assert part.sum() == 27 and (told["data"], told["shape"], told["strides"]) == ((part.ptr, False), (3, 3), (8, 20))
    assert told["version"] == 3 and told["stream"] is None and told["typestr"] == "<i4"
    assert sv.view(part).ptr == part.ptr and part.reshape(9).size == 9
    part.flags.writeable = False
    assert part.__cuda_array_interface__["data"] == (part.ptr, True)
    assert part[:0].__cuda_array_interface__["data"][0] == 0


def test_what_is_computed_of_them_is_plain(kinds):
    array = sv.ones((4, 5), "f4", memory="pinned").numpy()
    for made in (array + 1, array.sum(0), np.sin(array), array.copy(), array.astype("i4"), array[[0, 1]],
                 pickle.loads(pickle.dumps(array)), np.concatenate([array, array])):
        assert not hasattr(made, "ptr") and not hasattr(made, "__cuda_array_interface__")
    assert type(array + 1) is np.ndarray and isinstance(array.sum(), np.floating)
    out = array[0]
    assert np.add(out, 1, out=out) is out and out.ptr == array.ptr


def test_host_memory_is_numpys_usual_array():
    view = sv.ones((2, 3))
    assert type(view.numpy()) is np.ndarray and view.numpy().ctypes.data == view.ptr
    assert type(sv.view(numbers(3)).numpy(-1)) is np.ndarray


if __name__ == "__main__":
    import tap
    tap.main(__file__)
