"""Arguments whose conversion ends what the method works on: each method of each type, each argument, each way.

What is freed too early shows in builds with sanitizers, and here, where freed memory is overwritten at once.
"""

import threading

import pytest

import strideview as sv
from apart import run_apart

WALK = """
import gc, inspect, itertools, sys
import strideview as sv

class Armed:
    '''Becomes a number, a truth, a stream, a buffer or a sequence, and acts before it does.'''
    def __init__(self, act, answer):
        self.act, self.answer = act, answer
    def go(self):
        act, self.act = self.act, None
        if act is not None:
            act()
        return self.answer
    def __index__(self): return int(self.go())
    def __bool__(self): return bool(self.go())
    def __len__(self): self.go(); return 1
    def __getitem__(self, k):
        if k > 0: raise IndexError
        return int(self.go())
    def __cuda_stream__(self): return 0, int(self.go()) or 1
    def __str__(self): self.go(); return "1"
    def __eq__(self, other): self.go(); return False
    __hash__ = None
    @property
    def __array_interface__(self):
        self.go()
        return {"shape": (8,), "typestr": "|u1", "data": (ADDRESS, False), "version": 3}

KEPT = bytearray(64)
ADDRESS = sv.view(KEPT).ptr

def attempt(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except (Exception, BaseExceptionGroup):
        return None

def acts(subject, root, others):
    yield "close", lambda: attempt(subject.close) if hasattr(subject, "close") else None
    yield "close all", lambda: [attempt(x.close) for x in (subject, *others, root) if hasattr(x, "close")]
    yield "migrate", lambda: attempt(root.migrate, sv.memory.host())
    yield "resize", lambda: attempt(root.resize, 1 << 16)
    yield "detach", lambda: attempt(root.detach)
    yield "collect", lambda: (others.clear(), gc.collect())

def subjects():
    for size in (64,):
        root = sv.memory.host().allocate(size)
        yield "Buffer", root, root, []
        root = sv.memory.host().allocate(size)
        part = root[8:40]
        yield "slice", part, root, [part]
        keep = bytearray(size)
        root = sv.Buffer.from_handle(sv.view(keep).ptr, size, owner=keep)
        yield "owned", root, root, []
        root = sv.memory.host().allocate(size)
        view = root.view("u1")
        yield "view", view, root, []
        root = sv.memory.host().tracked(blocks=True).allocate(size)
        yield "resource", root.memory_resource, root, []

SKIPPED = {"__class__", "__init_subclass__", "__subclasshook__", "__new__", "__reduce__", "__sizeof__", "__dir__",
           "__getattribute__", "__setattr__", "__delattr__", "__init__", "__getstate__"}

def positions(method):
    try:
        return [p for p in inspect.signature(method).parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    except (TypeError, ValueError):
        return [inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)]

GUESSES = {"dtype": "u1", "size": 8, "nbytes": 8, "offset": 0, "value": 1, "data": b"12345678", "mr": None, "advice": "prefer",
           "src": b"1" * 64, "dst": None, "capacity": 80, "stream": None, "order": "C", "layout": None}
ANSWERS = (0, 1, 8)
names = [name for name, *_ in subjects()]
count = 0
for number, kind in enumerate(names):
    sample = list(subjects())[number][1]
    for name in sorted(set(dir(type(sample))) - SKIPPED):
        if not callable(getattr(type(sample), name, None)):
            continue
        parameters = positions(getattr(sample, name))
        for place, answer, way in itertools.product(range(len(parameters)), ANSWERS, range(6)):
            _, subject, root, others = list(subjects())[number]
            act = list(acts(subject, root, others))[way][1]
            armed = Armed(act, answer)
            given, named = [], {}
            for k, p in enumerate(parameters):
                value = armed if k == place else GUESSES.get(p.name, p.default if p.default is not p.empty else 8)
                if k != place and p.default is not p.empty:
                    continue
                if p.kind is p.POSITIONAL_ONLY:
                    given.append(value)
                else:
                    named[p.name] = value
            if name == "detach" or name == "close" and way == 4:
                continue
            attempt(getattr(subject, name), *given, **named)
            count += 1
            del subject, root, others, act, armed
print(count)
"""


def test_every_method_and_argument():
    assert int(run_apart(WALK, MALLOC_PERTURB_="165")) > 2000


def test_a_resource_that_ends_the_buffer_it_allocates_for():
    """copy_to() without a destination asks the resource for one, whose code drops the last reference to itself."""
    run_apart("""
        import gc, strideview as sv

        class Resource(sv.MemoryResource):
            kind, device_id = "host", -1
            def allocate(self, size, stream=None):
                if self.ends is not None:
                    buffer, self.ends = self.ends, None
                    buffer.close()
                    gc.collect()
                    del globals()["resource"]
                    gc.collect()
                    spare = [bytearray(200) for _ in range(100)]
                return sv.memory.host().allocate(size, stream)
            def deallocate(self, *arguments, **options):
                pass

        resource = Resource()
        resource.ends = None
        buffer = sv.Buffer.from_handle(sv.view(bytearray(64)).ptr, 64, mr=resource)
        resource.ends = buffer
        try:
            buffer.copy_to()
        except (RuntimeError, BufferError, ValueError, TypeError):
            pass
    """, MALLOC_PERTURB_="165")


def test_detach_when_making_a_function_collects():
    run_apart("""
        import gc, strideview as sv

        root = sv.memory.host().allocate(64)
        gc.set_threshold(1)
        for _ in range(200):
            part = root[0:8]
            class Cycle:
                def __del__(self):
                    self.part.close()
            cycle = Cycle()
            cycle.part, cycle.me = part, cycle
            del cycle
            try:
                part.detach()
            except (RuntimeError, ValueError):
                pass
    """, MALLOC_PERTURB_="165")


# --- threads --------------------------------------------------------------------------

SECONDS = 1.0

CHANGES = {
    "migrate": lambda b: b.migrate(sv.memory.host()),
    "resize": lambda b: b.resize(1 << 21 if b.size < 1 << 21 else 1 << 20),
    "reserve and shrink": lambda b: (b.reserve(b.capacity + 4096), b.shrink_to_fit()),
    "slices": lambda b: b[10:1000].close(),
}


def uses(b):
    """Everything that points into the memory sees as many bytes as it says, of the buffer."""
    with memoryview(b) as lent:
        assert lent.nbytes in (1 << 20, 1 << 21) and (lent[0], lent[-1]) is not None
        lent[0] = lent[lent.nbytes - 1] = 7
    bytes(b.read(0, 100))
    b.write(b"x" * 100, 50)
    view = b.view("u1")
    view[0] = 1
    assert len(b.tobytes()) in (1 << 20, 1 << 21)
    with b[0:4096] as part:
        part.fill(3)


@pytest.mark.parametrize("change", CHANGES)
def test_threads_change_what_others_use(change):
    buffer = sv.memory.host().allocate(1 << 20)
    stop, wrong = threading.Event(), []

    def work(function):
        while not stop.is_set():
            try:
                function(buffer)
            except (BufferError, RuntimeError, ValueError):
                continue  # who comes second is refused
            except BaseException as error:  # noqa: BLE001
                wrong.append(error)
                return

    threads = [threading.Thread(target=work, args=(f,)) for f in (uses, uses, CHANGES[change])]
    for thread in threads:
        thread.start()
    threading.Event().wait(SECONDS)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_is_lent_stays_where_it_is():
    """Nothing of it moves or ends before it is given back; test_fake_buffers.py moves it while a stream is waited for."""
    buffer = sv.memory.host().allocate(64)
    with memoryview(buffer) as lent:
        for call in (lambda: buffer.resize(1 << 20), lambda: buffer.migrate(sv.memory.host()), buffer.close, buffer.detach):
            with pytest.raises((BufferError, RuntimeError)):
                call()
        assert lent.nbytes == 64
    buffer.close()
    with pytest.raises(BufferError):
        memoryview(buffer)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
