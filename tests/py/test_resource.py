"""MemoryResource: its makers, its wrappers, and classes of Python that give memory."""

import ctypes
import gc
import threading
import types
import weakref

import pytest

import strideview as sv
from apart import run_apart
from peers import need
from resources import WRITTEN, Addresses, Crooked, Malloc
from together import together

HOST = sv.MemoryResource.host()


# --- makers -------------------------------------------------------------------------

@pytest.mark.parametrize("huge_pages", [None, False, True])
def test_host(huge_pages):
    resource = sv.MemoryResource.host(huge_pages=huge_pages)
    assert (resource.kind, resource.device_id, resource.name, resource.base) == ("host", -1, "host", None)
    assert (resource.is_host_accessible, resource.is_device_accessible, resource.is_managed) == (True, False, False)
    assert "\n" not in repr(resource) and "host" in repr(resource) and resource.c_handle
    buffer = resource.allocate(5 << 20 if huge_pages else 100, zero=True)
    assert buffer.memory_resource is resource and not any(buffer.tobytes())


# What is asked of the system for blocks of each kind, or nothing where it has no huge pages or does not tell.
ASKED = """
import mmap
import strideview as sv

def flags_at(address):
    inside = False
    for line in open("/proc/self/smaps"):
        if line.startswith("VmFlags:"):
            if inside:
                return {"hg", "nh"} & set(line.split()[1:])
        elif (head := line.split(None, 1)[0])[-1] != ":":
            begin, end = (int(x, 16) for x in head.split("-"))
            inside = begin <= address < end
    return set()

def is_told():
    page = mmap.mmap(-1, 1 << 22)
    at = sv.view(page).__array_interface__["data"][0]
    try:
        page.madvise(mmap.MADV_HUGEPAGE)
        return flags_at(at) == {"hg"}
    except (AttributeError, OSError):
        return False

for name, n, place in [("small", 16, {}), ("large", 23, {}),
                       ("none", 23, {"memory": sv.memory.host(huge_pages=False)}),
                       ("more", 23, {"memory": sv.memory.host(huge_pages=True)})]:
    array = sv.empty((1 << n,), "u1", **place)
    sv.fill(array, 7)
    flags = flags_at(array.__array_interface__["data"][0] + array.nbytes // 2) if is_told() else ()
    print(name, *flags)
"""


@pytest.mark.parametrize("setting, large", [("", "large hg"), ("0", "large"), ("1", "large hg")])
def test_huge_pages_are_asked_for(setting, large):
    told = run_apart(ASKED, SV_HOST_HUGE_PAGES=setting).splitlines()
    assert told in (["small", large, "none nh", "more hg"], ["small", "large", "none", "more"])


def has_devices():
    state = sv.ffi.new("sv_device_state *")
    count = sv.ffi.new("int32_t *")
    assert sv.lib.sv_device_probe(sv.lib.SV_DEVICE_CUDA, state, count) == 0
    return count[0] > 0


WITH_DEVICES = {
    "pinned": lambda: sv.MemoryResource.pinned(),
    "device": lambda: sv.MemoryResource.device(),
    "managed": lambda: sv.MemoryResource.managed(0),
    "pool": lambda: sv.MemoryResource.pool(),
    "pool_view": lambda: sv.MemoryResource.pool_view(),
}


@pytest.mark.parametrize("name", WITH_DEVICES)
def test_without_a_driver_the_reason_is_told(name):
    if has_devices():
        assert WITH_DEVICES[name]().is_device_accessible
        return
    with pytest.raises((NotImplementedError, RuntimeError, ValueError), match="CUDA|cuda|driver"):
        WITH_DEVICES[name]().allocate(16)


BAD_ARGUMENTS = {
    "device -1": (lambda: sv.MemoryResource.device(-1), ValueError),
    "device True": (lambda: sv.MemoryResource.device(True), TypeError),
    "device 2**40": (lambda: sv.MemoryResource.device(2**40), ValueError),
    "device name": (lambda: sv.MemoryResource.device("gpu:0"), ValueError),
    "device of the host": (lambda: sv.MemoryResource.device("cpu"), ValueError),
    "pool of the host": (lambda: sv.MemoryResource.pool("host"), (ValueError, NotImplementedError)),
    "pool of a kind that is none": (lambda: sv.MemoryResource.pool("gpu"), ValueError),
    "pool of a number": (lambda: sv.MemoryResource.pool(1), TypeError),
    "pool most < initial": (lambda: sv.MemoryResource.pool(initial=2, most=1), (ValueError, NotImplementedError)),
    "pool initial < 0": (lambda: sv.MemoryResource.pool(initial=-2), ValueError),
    "no memory": (lambda: sv.MemoryResource(), TypeError),
    "limit < 0": (lambda: HOST.limited(-1), ValueError),
    "log None": (lambda: HOST.logged(None), TypeError),
    "ask None": (lambda: HOST.retrying(None), TypeError),
    "attempts < 0": (lambda: HOST.retrying(print, -1), ValueError),
    "attempts 0": (lambda: HOST.retrying(print, 0), ValueError),
    "name 3": (lambda: HOST.tracked(3), TypeError),
    "size -1": (lambda: HOST.allocate(-1), ValueError),
    "size True": (lambda: HOST.allocate(True), TypeError),
    "size 1.0": (lambda: HOST.allocate(1.0), TypeError),
    "size None": (lambda: HOST.allocate(None), TypeError),
    "size 2**63": (lambda: HOST.allocate(2**63), OverflowError),
    "size 2**62": (lambda: HOST.allocate(2**62), MemoryError),
    "alignment 3": (lambda: HOST.allocate(0, alignment=3), ValueError),
    "alignment -8": (lambda: HOST.allocate(8, alignment=-8), ValueError),
    "stream text": (lambda: HOST.allocate(8, "stream"), TypeError),
    "stream -1": (lambda: HOST.allocate(8, -1), ValueError),
    "not tracked": (lambda: HOST.stats(), RuntimeError),
    "no blocks": (lambda: HOST.tracked().blocks(), RuntimeError),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(case):
    call, error = BAD_ARGUMENTS[case]
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, MemoryError) or str(caught.value)


def test_sizes_that_are_integers():
    np = need("numpy")
    assert HOST.allocate(np.int64(16384)).size == 16384
    assert HOST.allocate(0).handle == 0


@pytest.mark.parametrize("alignment", [0, 1, 16, 64, 512, 4096, 1 << 21])
def test_alignment(alignment):
    buffer = HOST.allocate(100, alignment=alignment)
    assert buffer.handle % (alignment or 64) == 0 and buffer.alignment >= (alignment or 64)
    assert buffer.handle % buffer.alignment == 0


def test_raw_memory_is_given_back():
    tracked = HOST.tracked()
    buffer = tracked.allocate(1 << 20)
    pointer, size, free = buffer.detach()
    assert tracked.stats()["live_bytes"] >= size == 1 << 20 and pointer
    free()
    assert tracked.stats()["live_bytes"] == 0
    HOST.deallocate(0, 0)


def test_a_memory_handler():
    """Of NVIDIA's libraries: two functions of C and a context."""
    calls = []

    def allocate(ctx, pointer, nbytes, stream):
        calls.append((ctx, nbytes, stream))
        pointer[0] = 0x10000
        return 0 if nbytes < 10000 else 2

    take = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t,
                            ctypes.c_void_p)(allocate)
    give = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(
        lambda ctx, pointer, nbytes, stream: calls.append((ctx, pointer, nbytes)) or 0)
    functions = [ctypes.cast(function, ctypes.c_void_p).value for function in (take, give)]
    resource = sv.MemoryResource.from_handler(*functions, ctx=7, device_id=1, owner=(take, give))
    assert (resource.kind, resource.device_id) == ("device", 1)
    buffer = resource.allocate(1000, 2)
    assert buffer.handle == 0x10000 and calls == [(7, 1000, 2)]
    with pytest.raises(MemoryError):
        resource.allocate(10000)
    buffer.close()
    assert calls[-1] == (7, 0x10000, 1000)
    for bad in ((0, functions[1]), (functions[0], 0), ("a", "b")):
        with pytest.raises((TypeError, ValueError)):
            sv.MemoryResource.from_handler(*bad)


# --- wrappers -------------------------------------------------------------------------

def test_stats_and_blocks():
    tracked = HOST.tracked("frames", blocks=True)
    assert tracked.name == "frames" and tracked.base is HOST and tracked.kind == "host"
    first, second = tracked.allocate(1000), tracked.allocate(3000)
    stats = tracked.stats()
    assert stats["live_count"] == stats["total_count"] == stats["peak_count"] == 2
    assert stats["live_bytes"] == stats["total_bytes"] == stats["peak_bytes"] >= 4000
    (one, address, nbytes, stream), (two, *_) = tracked.blocks()
    assert (one, two, stream) == (1, 2, 0) and nbytes >= 1000 and address <= first.handle < address + nbytes
    second.close()
    assert tracked.stats()["live_count"] == 1 and tracked.stats()["peak_count"] == 2
    tracked.reset_peaks()
    assert tracked.stats()["peak_count"] == 1
    del first
    assert tracked.stats()["live_bytes"] == 0 and tracked.blocks() == []


def test_limited():
    """Case 58."""
    limited = HOST.limited(1 << 20)
    halves = [limited.allocate(1 << 19), limited.allocate(1 << 19)]
    with pytest.raises(MemoryError) as caught:
        limited.allocate(1)
    assert str(caught.value)
    halves.pop()
    limited.allocate(1)


def test_logged():
    told = []
    logged = HOST.limited(10000).logged(lambda *event: told.append(event))
    buffer = logged.allocate(1000)
    with pytest.raises(MemoryError):
        logged.allocate(20000)
    del buffer
    assert [event for event, *_ in told] == ["allocated", "failed", "freed"]
    assert told[0][1:] == told[2][1:] and told[0][2] >= 1000 and told[1][1] == 0 and told[1][2] >= 20000


def test_what_a_log_raises_is_unraisable(monkeypatch):
    told = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: told.append(unraisable.exc_type))
    logged = HOST.logged(lambda *_: 1 // 0)
    logged.allocate(8).close()
    assert told == [ZeroDivisionError, ZeroDivisionError]


def test_retrying():
    """Case 57: one retry, then MemoryError."""
    asked, kept = [], []

    def make_room(nbytes, attempt):
        asked.append((nbytes >= 800, attempt))
        kept.clear()
        return attempt == 1

    retrying = HOST.limited(1000).retrying(make_room, attempts=5)
    kept.append(retrying.allocate(500))
    assert retrying.allocate(800).size == 800 and asked == [(True, 1)]
    with pytest.raises(MemoryError):
        retrying.allocate(2000)
    assert asked == [(True, 1), (True, 1), (True, 2)]


def test_what_the_function_raises_wins():
    class Stop(BaseException):
        pass

    def stop(*_):
        raise Stop("enough")

    with pytest.raises(Stop, match="enough"):
        HOST.limited(1).retrying(stop).allocate(10)


def test_other_errors_are_not_asked_about():
    class Broken(sv.MemoryResource):
        def allocate(self, size, stream=None):
            raise OSError("broken")

    asked = []
    with pytest.raises(OSError, match="broken"):
        sv.Buffer._allocate(Broken().retrying(lambda *_: asked.append(1)), 8)
    assert asked == []


def test_wrappers_nest():
    told = []
    nested = HOST.tracked("in").limited(5000).logged(lambda *event: told.append(event)).tracked("out")
    chain = [nested]
    while chain[-1].base is not None:
        chain.append(chain[-1].base)
    assert chain[-1] is HOST and nested.name == "out" and chain[1].name == "in"
    with nested.allocate(100):
        assert chain[1].stats()["live_count"] == nested.stats()["live_count"] == 1
    assert chain[1].stats()["live_count"] == nested.stats()["live_count"] == 0 and len(told) == 2


# --- classes of Python ------------------------------------------------------------------

def allocate_both_ways(resource, size):
    """By its own allocate(), and by way of libsv."""
    return [sv.Buffer._allocate(resource, size), resource.tracked().limited(1 << 20).allocate(size)]


@pytest.mark.parametrize("written", WRITTEN)
def test_written_in_python(written):
    resource = written()
    assert (resource.kind, resource.device_id, resource.is_host_accessible) == ("host", -1, True)
    assert resource.name == written.__name__ and written.__name__ in repr(resource)
    buffers = allocate_both_ways(resource, 1000)
    for number, buffer in enumerate(buffers):
        assert buffer.handle % 64 == 0 and buffer.size == 1000
        buffer.fill(number + 1)
    assert [set(buffer.tobytes()) for buffer in buffers] == [{1}, {2}]
    buffers.pop().close()
    del buffer
    buffers.clear()
    assert resource.live == {}


def test_a_class_is_asked_for_as_much_as_is_needed():
    def sizes_asked(resource):
        for _ in range(2):
            sv.Buffer._allocate(resource, 1000).close()
        return [size for name, size, _ in resource.calls if name == "allocate"]

    assert sizes_asked(Addresses()) == [1000, 1000]
    assert sizes_asked(Crooked()) == [1001, 1064, 1064]  # one more for itself


def test_empty_buffers_ask_for_nothing():
    """Case 1."""
    resource = Malloc()
    with sv.Buffer._allocate(resource, 0) as buffer:
        assert (buffer.handle, buffer.size, buffer.tobytes()) == (0, 0, b"")
    assert resource.calls == []


class Raising(sv.MemoryResource):
    def __init__(self, error):
        self.error = error

    def allocate(self, size, stream=None):
        raise self.error


@pytest.mark.parametrize("type_", [MemoryError, RuntimeError, Exception, BaseException, KeyboardInterrupt, SystemExit])
def test_exceptions_travel(type_):
    """Case 56."""
    error = type_("no more of it")
    with pytest.raises(type_) as caught:
        sv.Buffer._allocate(Raising(error).tracked().limited(100), 16)
    assert caught.value is error
    buffer = HOST.allocate(16)
    buffer.fill(3)
    with pytest.raises(type_) as caught:
        buffer.migrate(Raising(error))
    assert caught.value is error and buffer.tobytes() == bytes([3] * 16)


@pytest.mark.parametrize("type_", [MemoryError, ValueError, KeyboardInterrupt])
def test_close_raises_what_deallocate_raises(type_):
    class Stubborn(Malloc):
        def deallocate(self, ptr, size, stream=None):
            super().deallocate(ptr, size, stream)
            raise type_("kept")

    resource = Stubborn()
    buffer = sv.Buffer._allocate(resource, 16)
    with pytest.raises(type_, match="kept"):
        buffer.close()
    assert buffer.is_closed and resource.live == {}
    with pytest.raises(type_, match="kept"):
        resource.allocate(16).close()


def test_elsewhere_it_is_unraisable(monkeypatch):
    class Stubborn(Malloc):
        def deallocate(self, ptr, size, stream=None):
            super().deallocate(ptr, size, stream)
            raise ValueError("kept")

    told = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: told.append(str(unraisable.exc_value)))
    resource = Stubborn()
    tracked = resource.tracked()
    for make in (lambda: sv.Buffer._allocate(tracked, 16), lambda: resource.allocate(16)):
        make()
    assert told == ["kept"] * 2 and resource.live == {}
    assert tracked.stats()["lost_count"] == 1 and tracked.stats()["live_count"] == 0


HALF = types.SimpleNamespace(handle=4096)
BAD_ANSWERS = {"None": None, "zero": 0, "text": "memory", "float": 1.5, "a small Buffer": "small", "True": True,
               "no size": HALF, "no handle": types.SimpleNamespace(size=64),
               "a handle of text": types.SimpleNamespace(handle="4096", size=64)}


@pytest.mark.parametrize("answer", BAD_ANSWERS)
def test_what_is_no_memory_is_refused(answer):
    class Odd(sv.MemoryResource):
        def allocate(self, size, stream=None):
            return HOST.allocate(size // 2) if BAD_ANSWERS[answer] == "small" else BAD_ANSWERS[answer]

    gave = type(BAD_ANSWERS[answer]).__name__
    told = r"allocate\(16\) of .*Odd gave (8|0|16) bytes" if answer in ("zero", "a small Buffer") else (
        rf"allocate\(16\) of .*Odd gave .*{gave}: it must give a Buffer, or an object with a handle and a size, or an address")
    for ask in (lambda: sv.Buffer._allocate(Odd(), 16), lambda: sv.empty(16, "u1", memory=Odd()),
                lambda: sv.Buffer._allocate(Odd().tracked().limited(100), 16)):
        with pytest.raises((TypeError, ValueError), match=told):
            ask()


def test_a_class_that_overrides_nothing():
    class Empty(sv.MemoryResource):
        pass

    for call in (lambda: sv.Buffer._allocate(Empty(), 8), lambda: Empty().allocate(8), lambda: Empty().tracked(),
                 lambda: Empty().deallocate(0, 0)):
        with pytest.raises((TypeError, NotImplementedError), match="Empty"):
            call()
    assert Empty.host().allocate(8).size == 8 and type(Empty.host()) is Empty


def test_a_class_that_adds_to_another():
    class Counting(sv.MemoryResource):
        count = 0

        def allocate(self, size, stream=None):
            self.count += 1
            return super().allocate(size, stream, alignment=256)

    counting = Counting.host()
    buffers = [counting.allocate(8), sv.Buffer._allocate(counting, 8), counting.tracked().allocate(8)]
    assert counting.count == 3 and all(buffer.handle % 256 == 0 for buffer in buffers[:2])
    del buffers
    gc.collect()


FACTS = {
    "host": ({}, "host", (True, False, False, -1)),
    "by kind": ({"kind": "device", "device_id": 1}, "device", (False, True, False, 1)),
    "pinned by kind": ({"kind": "pinned"}, "pinned", (True, True, False, -1)),
    "by cuda.core's names": ({"is_device_accessible": True, "is_host_accessible": False, "device_id": 2}, "device",
                             (False, True, False, 2)),
    "managed": ({"is_device_accessible": True, "is_managed": True, "device_id": 0}, "managed", (True, True, True, 0)),
    "neither": ({"is_host_accessible": False}, "foreign", (False, False, False, -1)),
}


@pytest.mark.parametrize("case", FACTS)
def test_facts_of_classes(case):
    members, kind, facts = FACTS[case]
    calls = {"allocate": lambda self, size, stream=None: 0x1000, "deallocate": lambda self, ptr, size, stream=None: None}
    resource = type("Written", (sv.MemoryResource,), {**members, **calls})()
    assert resource.kind == kind
    assert (resource.is_host_accessible, resource.is_device_accessible, resource.is_managed,
            resource.device_id) == facts
    tracked = resource.tracked()
    assert (tracked.kind, tracked.device_id) == (kind, facts[3] if kind in ("host", "pinned") else max(facts[3], 0))
    buffer = sv.Buffer.from_handle(0x1000, 64, mr=resource)
    assert (buffer.kind, buffer.is_host_accessible, buffer.device_id) == (kind, facts[0], tracked.device_id)


def test_streams_reach_the_class():
    class Device(Addresses):
        kind, device_id = "device", 0

        def take(self, size, stream):
            self.calls.append(("allocate", size, stream))
            self.live[0x10000] = size
            return 0x10000

        def deallocate(self, ptr, size, stream=None):
            self.calls.append(("deallocate", size, stream))

    resource = Device()
    buffer = sv.Buffer._allocate(resource, 256, 2)
    buffer.close()
    buffer = sv.Buffer._allocate(resource, 256)
    buffer.set_deallocation_stream(2)
    buffer.close()
    streams = [stream for _, _, stream in resource.calls]
    assert streams[0] == 2 and streams[2] in (None, 1) and streams[1] in (2, 1) and streams[3] == 2


# --- lifetimes -----------------------------------------------------------------------------

@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("wrap", [lambda resource: resource, lambda resource: resource.tracked(),
                                  lambda resource: resource.logged(lambda *_: None)])
def test_a_resource_lives_as_long_as_its_memory(written, wrap):
    resource = written()
    live, view = resource.live, sv.Buffer._allocate(wrap(resource), 16).view()
    alive = weakref.ref(resource)
    del resource
    gc.collect()
    assert alive() is not None and view.shape == (16,)
    capsule = view.__dlpack__(max_version=(1, 3))
    del view
    gc.collect()
    assert alive() is not None
    del capsule
    gc.collect()
    assert alive() is None and live == {}


def test_memory_that_a_thread_without_python_frees():
    """It is left for a thread that has the lock."""
    resource = Addresses()
    buffer = sv.Buffer._allocate(resource, 16)
    library = ctypes.CDLL(sv.library_path())
    library.sv_buffer_retain.restype, library.sv_buffer_retain.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    handle = library.sv_buffer_retain(buffer.c_handle)
    del buffer
    assert resource.live
    thread, threads = ctypes.c_ulong(), ctypes.CDLL(None)
    threads.pthread_create.argtypes = [ctypes.POINTER(ctypes.c_ulong), ctypes.c_void_p, ctypes.c_void_p,
                                       ctypes.c_void_p]
    threads.pthread_join.argtypes = [ctypes.c_ulong, ctypes.c_void_p]
    assert threads.pthread_create(thread, None, library.sv_buffer_release, handle) == 0
    ctypes.PyDLL(None).pthread_join(thread, None)  # with the lock: it must not be waited for
    for _ in range(1000):
        pass
    sv.Buffer._allocate(Addresses(), 1).close()
    assert resource.live == {}


@pytest.mark.parametrize("resource", [HOST.tracked(), Malloc().tracked(), Addresses().logged(lambda *_: None).tracked()],
                         ids=["host", "Malloc", "logged"])
def test_threads(resource):
    def work(number):
        for i in range(100):
            with resource.allocate(number * 100 + i) as buffer:
                buffer.fill(number)
                assert buffer.tobytes() == bytes([number]) * buffer.size

    together(4, work)
    assert resource.stats()["live_count"] == 0 and resource.stats()["live_bytes"] == 0


def test_buffers_that_end_on_another_thread():
    resource = Malloc()
    kept = [sv.Buffer._allocate(resource, 100) for _ in range(50)]
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    assert resource.live == {}


def test_leaving_with_memory_alive():
    run_apart("""
        import builtins, strideview as sv
        from resources import Addresses, Malloc
        resources = [Malloc(), Addresses(), sv.MemoryResource.host().logged(print), Malloc().tracked()]
        buffers = [sv.Buffer._allocate(resource, 8) for resource in resources[:2] + resources[3:]]
        views = [buffer.view() for buffer in buffers]
        builtins.kept = [resources, buffers, views, [view.__dlpack__(max_version=(1, 3)) for view in views],
                         memoryview(buffers[0]), resources[0].allocate(9)]
        cycle = Malloc()
        cycle.buffer = sv.Buffer._allocate(cycle, 8)
        """)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
