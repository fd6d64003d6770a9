"""Memory of devices and pinned memory that is kept when it is freed, on the fake CUDA runtime."""

import fake  # before strideview
import pytest

import strideview as sv
from fake import any_order, runtime, stream  # noqa: F401  (fixtures)

ROUNDS = 10
ALLOCATION = ("allocate", "allocate_host", "release", "release_host", "record", "event_query", "wait")


def calls():
    """The calls since the last reset but those that put work on a stream or select a device: "allocate 512"."""
    return [line.split(":")[1].split()[0] for line in fake.log() if line.split(":")[1].split()[0] in ALLOCATION]


CASES = {
    "empty": lambda: sv.empty((64, 64), memory="device"),
    "empty of 5 MiB": lambda: sv.empty((5 << 20,), "u1", memory="device"),
    "pinned": lambda: sv.empty((64, 64), memory="pinned"),
    "zeros": lambda: sv.zeros((64, 64), memory="device"),
    "device=": lambda: sv.empty((64, 64), device=1),
    "empty_like": lambda: sv.empty_like(sv.empty((8, 8), memory="device")),
}


@pytest.mark.parametrize("case", CASES)
def test_steady_state(runtime, case):  # noqa: F811
    CASES[case]()
    CASES[case]()
    fake.lib.fake_reset()
    for _ in range(ROUNDS):
        CASES[case]()
    assert calls() == []
    if case != "zeros":  # those are written
        assert fake.lib.fake_calls() == 0, fake.log()


def test_copies_of_a_view(runtime):  # noqa: F811
    view = sv.zeros((64, 64), memory="device")
    view.copy()
    fake.lib.fake_reset()
    for _ in range(ROUNDS):
        view.copy()
    assert calls() == []


def test_a_stream_of_the_caller(stream):  # noqa: F811
    sv.zeros((64, 64), memory="device", stream=stream)
    fake.lib.fake_reset()
    for _ in range(ROUNDS):
        sv.zeros((64, 64), memory="device", stream=stream)
    assert not {"allocate", "release", "record"} & set(calls())


def test_counts_and_collect(runtime):  # noqa: F811
    sv.memory.collect()
    view = sv.empty((1000,), "u1", memory="device")
    assert sv.memory.stats("device")["cached_bytes"] == 0
    del view
    default = sv.memory.default("device")
    assert (default.stats()["cached_bytes"], default.stats()["cached_count"]) == (1024, 1)
    (row,) = [kind for kind in sv.memory.report().kinds if kind.kind == "device"]
    assert row.cached_bytes == 1024 and "cached" in str(sv.memory.report())
    assert sv.memory.collect() == 0
    assert sv.memory.stats("device")["cached_bytes"] == 0


def test_wrapper(runtime):  # noqa: F811
    made = sv.MemoryResource.device().cached(threshold=1024)
    assert (made.kind, made.device_id, made.name) == ("device", 0, "device")
    first, second = made.allocate(1000), made.allocate(1000)
    del first, second
    assert sv.memory.stats("device")["cached_count"] == 1 and sv.memory.stats("device")["deferred_count"] == 1
    with pytest.raises(sv.UnsupportedError if hasattr(sv, "UnsupportedError") else Exception, match="base"):
        made.cached()
    for wrong, error in ((-1, ValueError), ("1", TypeError)):
        with pytest.raises(error):
            sv.MemoryResource.device().cached(wrong)
    assert sv.memory.device().allocate(8).memory_resource.stats()["cached_count"] == 0


def test_what_another_stream_did_comes_first(any_order):  # noqa: F811
    """A view given away on one stream, and its memory again on the default stream."""
    other = fake.lib.fake_new_stream(0, 1)
    buffer = sv.memory.default("device").allocate(4096)
    buffer.fill(b"a", stream=other)
    buffer.record_use(other)
    del buffer
    again = sv.memory.default("device").allocate(4096)
    again.fill(b"b")
    assert again.tobytes() == b"b" * 4096
    del again
    fake.lib.fake_end_stream(other)
