"""Memory of arrays that are made without memory=: counted, seen by tracemalloc, recorded, tagged and limited."""

import gc
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest

import strideview as sv

DOMAIN = 0x5356
MAKERS = {
    "empty": lambda n: sv.empty(n, "u1"), "zeros": lambda n: sv.zeros(n, "u1"), "ones": lambda n: sv.ones(n, "u1"),
    "full": lambda n: sv.full(n, 3, "u1"), "empty_like": lambda n: sv.empty_like(np.empty(n, "u1")),
    "zeros_like": lambda n: sv.zeros_like(np.empty(n, "u1")), "copy": lambda n: sv.view(np.empty(n, "u1")).copy(),
    "astype": lambda n: sv.view(np.empty(n, "i1")).astype("u1"), "stack": lambda n: sv.stack([np.empty(n, "u1")]),
    "array": lambda n: sv.array(np.empty(n, "u1")),
}
SIZES = [0, 1, 100, 70000, 5 << 20]  # the last comes from libsv


@pytest.mark.parametrize("nbytes", SIZES)
@pytest.mark.parametrize("name", MAKERS)
def test_arrays_are_counted(name, nbytes):
    gc.collect()
    asked = {"host": lambda: sv.memory.stats("host"), "all": sv.memory.stats,
             "resource": sv.memory.default("host").stats}
    before = {what: ask() for what, ask in asked.items()}
    made = MAKERS[name](nbytes)
    alive = {what: ask() for what, ask in asked.items()}
    row = next(row for row in sv.memory.report().rows if (row.kind, row.tag) == ("host", ""))
    assert made.ptr % 64 == 0 and made.nbytes == nbytes
    del made
    after = {what: ask() for what, ask in asked.items()}
    for what in asked:
        assert alive[what]["live_bytes"] == before[what]["live_bytes"] + nbytes
        assert alive[what]["live_count"] - before[what]["live_count"] in ((0, 1) if nbytes == 0 else (1,))
        assert alive[what]["total_bytes"] == before[what]["total_bytes"] + nbytes
        assert alive[what]["peak_bytes"] >= alive[what]["live_bytes"]
        for unit in ("bytes", "count"):
            assert after[what][f"live_{unit}"] == before[what][f"live_{unit}"]
    assert row.live_bytes == alive["resource"]["live_bytes"]


def test_memory_is_counted_until_its_last_view_ends():
    before = sv.memory.stats("host")["live_bytes"]
    made = sv.empty((100, 100), "u1")
    part, array = made[1:, ::2], np.asarray(made)
    del made
    assert sv.memory.stats("host")["live_bytes"] == before + 10000
    del part
    gc.collect()
    assert sv.memory.stats("host")["live_bytes"] == before + 10000
    threading.Thread(target=lambda held: held.clear(), args=([array],)).start()
    del array
    gc.collect()
    assert sv.memory.stats("host")["live_bytes"] == before


def test_peaks_start_again():
    sv.empty(1 << 20, "u1")
    resource = sv.memory.default("host")
    resource.reset_peaks()
    assert resource.stats()["peak_bytes"] == resource.stats()["live_bytes"] < resource.stats()["live_bytes"] + (1 << 20)


def traced():
    found = tracemalloc.take_snapshot().filter_traces([tracemalloc.DomainFilter(True, DOMAIN)]).traces
    return sorted(trace.size for trace in found)


@pytest.mark.parametrize("name", MAKERS)
def test_tracemalloc_sees_arrays(name):
    if name in ("empty_like", "zeros_like", "copy", "astype", "stack", "array"):
        MAKERS[name](1)  # what is imported on the way
    tracemalloc.start(2)
    try:
        made = [MAKERS[name](nbytes) for nbytes in SIZES if nbytes]
        assert traced() == sorted(nbytes for nbytes in SIZES if nbytes)
        where = tracemalloc.take_snapshot().filter_traces([tracemalloc.DomainFilter(True, DOMAIN)]).traces[0].traceback
        assert __file__ in str(where) or "strideview" in str(where)
        made.clear()
        assert traced() == []
    finally:
        tracemalloc.stop()


def test_getsizeof_is_with_the_memory_that_was_made():
    plain = sys.getsizeof(sv.view(b"abc"))
    for make in MAKERS.values():
        made = make(5000)
        assert sys.getsizeof(made) == plain + 5000 and sys.getsizeof(made[1:]) == sys.getsizeof(made.T) == plain
    assert sys.getsizeof(sv.view(np.empty(5000))) == plain


@pytest.mark.parametrize("name", MAKERS)
def test_arrays_are_recorded_and_tagged(name):
    with sv.memory.record(stacks=1) as recording:
        made = MAKERS[name](3000)
    assert [(event.what, event.nbytes) for event in recording.events] == [("allocated", 3000)]
    assert [block.pointer for block in recording.live()] == [made.ptr]
    del made
    assert [event.what for event in recording.events] == ["allocated", "freed"] and not recording.live()
    with sv.memory.tag("arrays of " + name), sv.memory.tag(name):
        made = MAKERS[name](3000)
    rows = {row.tag: row for row in sv.memory.report().rows if row.kind == "host"}
    assert rows[name].live_bytes == 3000 and rows[""].live_bytes >= 3000 and made.nbytes == 3000
    MAKERS[name](3000)
    assert {row.tag: row for row in sv.memory.report().rows}[name].total_bytes == 3000


@pytest.mark.parametrize("name", MAKERS)
def test_limits_of_the_default_resource_are_theirs(name):
    limited = sv.memory.host(name="limited").limited(10000)
    sv.memory.set_default(limited)
    try:
        made = MAKERS[name](6000)
        with pytest.raises(MemoryError, match="the limit is 10000, and 6000 are in use"):
            MAKERS[name](6000)
        assert made.nbytes == 6000
    finally:
        sv.memory.set_default(None, "host")
    assert MAKERS[name](20000).nbytes == 20000
    before = sv.memory.default("host").stats()["live_bytes"]
    kept = MAKERS[name](20000)
    assert sv.memory.default("host").stats()["live_bytes"] == before + kept.nbytes


def test_many_threads_lose_no_count():
    before = sv.memory.stats("host")

    def make():
        for k in range(2000):
            sv.empty(k, "u1")

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = sv.memory.stats("host")
    assert after["live_bytes"] == before["live_bytes"] and after["live_count"] == before["live_count"]
    assert after["total_bytes"] == before["total_bytes"] + 4 * 1999 * 1000


# --- huge pages ------------------------------------------------------------------------

@pytest.mark.parametrize("huge", [True, False])
def test_huge_pages(huge):
    for make in (lambda **how: sv.empty((3 << 20,), "u1", **how), lambda **how: sv.zeros((3 << 20,), "u1", **how),
                 lambda **how: sv.ones((3 << 20,), "u1", **how), lambda **how: sv.full((3 << 20,), 1, "u1", **how),
                 lambda **how: sv.empty_like(np.empty(3 << 20, "u1"), **how),
                 lambda **how: sv.zeros_like(np.empty(3 << 20, "u1"), **how)):
        for more in ({}, {"memory": "host"}, {"device": "cpu"}, {"alignment": 4096}):
            made = make(huge_pages=huge, **more)
            assert made.nbytes == 3 << 20 and made.ptr % 64 == 0
    rows = {row.tag for row in sv.memory.report().rows}
    assert f"huge_pages={huge}" in rows
    for bad in ({"memory": "pinned"}, {"device": 0}, {"memory": sv.memory.host()}):
        with pytest.raises(ValueError, match="huge_pages= is of host memory"):
            sv.empty(3, huge_pages=huge, **bad)


def test_huge_pages_are_asked_for():
    """Which the mapping's flags tell, where the system has them."""
    program = """
import strideview as sv
for huge, flag in ((True, "hg"), (False, "nh")):
    made = sv.empty((8 << 20,), "u1", huge_pages=huge)
    found = ""
    for line in open("/proc/self/smaps"):
        words = line.split()
        if "-" in words[0] and words[0][0] in "0123456789abcdef" and not words[0].endswith(":"):
            first, last = (int(word, 16) for word in words[0].split("-"))
            within = first <= made.ptr + (4 << 20) < last
        elif words[0] == "VmFlags:" and within:
            found = words
    print(flag in found)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    if "hugepage" not in done.stdout and done.stdout.split()[0] != "True":
        pytest.skip("this system has no transparent huge pages")
    assert done.stdout.split()[0] == "True"


# --- what resources say ------------------------------------------------------------------

def test_repr_tells_limits():
    host = sv.memory.host(name="mine")
    assert repr(host) == "<MemoryResource 'mine' of kind 'host'>"
    assert repr(host.limited(1000)) == "<MemoryResource 'mine' of kind 'host', limited to 1000 bytes>"
    assert repr(host.limited(0)).endswith("limited to 0 bytes>")
    assert repr(host.limited(1000).limited(500).tracked("x")) == "<MemoryResource 'x' of kind 'host', limited to 500 bytes>"
    assert repr(host.limited(500).retrying(print).limited(1000)).endswith("limited to 500 bytes>")


def test_help_lists_what_wraps():
    for word in ("tracked", "limited", "logged", "retrying", "set_default"):
        assert word + "(" in sv.memory.__doc__ and word in dir(sv.memory.default("host")) + dir(sv.memory)
    for word in ("tracked", "limited", "logged", "retrying"):
        assert word + "()" in sv.MemoryResource.__doc__


if __name__ == "__main__":
    import tap
    tap.main(__file__)
