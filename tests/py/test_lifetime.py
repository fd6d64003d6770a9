"""Views and capsules that end elsewhere: on other threads, on threads that Python does not know, when Python is gone."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numpy as np
import pytest

import strideview as sv
from apart import run_apart
from peers import CAPSULE, Exporter, Tensor, address, need, numbers
from together import together

C = ctypes.CDLL(None)
C.pthread_create.argtypes = [ctypes.POINTER(ctypes.c_ulong), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
C.pthread_join.argtypes = [ctypes.c_ulong, ctypes.c_void_p]


class Foreign:
    """Memory of a C producer, which counts how often it is released. It stays for ever, as a C producer's code does."""

    all = []

    def __init__(self):
        self.all.append(self)
        self.cells, self.shape, self.ended = (ctypes.c_float * 6)(), (ctypes.c_int64 * 2)(2, 3), 0
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.end)
        self.made = []

    def end(self, _):
        self.ended += 1

    def capsule(self):
        tensor = Tensor(major=1, minor=3, data=ctypes.addressof(self.cells), device_type=1, ndim=2, code=2, bits=32,
                        lanes=1, shape=ctypes.addressof(self.shape),
                        deleter=ctypes.cast(self.deleter, ctypes.c_void_p))
        self.made.append(tensor)
        return CAPSULE.PyCapsule_New(ctypes.addressof(tensor), b"dltensor_versioned", None)


# --- threads that Python knows ------------------------------------------------

class Yielding(Exporter):
    """Lets other threads run in the middle of each answer."""

    def __dlpack__(self, **keywords):
        time.sleep(0)
        answer = super().__dlpack__(**keywords)
        time.sleep(0)
        return answer

    def __dlpack_device__(self):
        time.sleep(0)
        return (1, 0)

    @property
    def __array_interface__(self):
        time.sleep(0)
        return self.array.__array_interface__


@pytest.mark.parametrize("make", [sv.view, sv.StridedMemoryView.from_dlpack, sv.StridedMemoryView.from_array_interface])
def test_two_threads_and_a_producer_that_yields(make):
    array = numbers((2, 3))
    producer, before, expected = Yielding(array), sys.getrefcount(array), array.tolist()

    def work(number):
        kept = []
        for i in range(500):
            view = make(producer)
            assert view.ptr == address(array) and view.shape == (2, 3)
            kept.append(view.T if i % 3 else view.__dlpack__(max_version=(1, 3)))
            if i % 7 == number:
                kept.clear()
        assert np.asarray(view).tolist() == expected
    together(2, work)
    producer.asked.clear()
    gc.collect()
    assert sys.getrefcount(array) == before


def test_one_capsule_for_two_threads():
    """However they meet, one takes it and the other is told."""
    foreign, taken, refused = Foreign(), [], []

    class Producer(Exporter):
        def __dlpack__(self, **keywords):
            time.sleep(0)
            return self.answer

    def work(number):
        for producer in producers:
            try:
                taken.append(sv.view(producer))
            except ValueError as error:
                assert "used" in str(error)
                refused.append(producer)
    producers = [Producer(answer=foreign.capsule()) for _ in range(200)]
    together(2, work)
    assert len(taken) == len(refused) == 200 and foreign.ended == 0
    taken.clear()
    assert foreign.ended == 200


def test_a_type_changes_while_it_is_asked():
    """What was found out about a type does not outlive it."""
    array = numbers((2, 3))

    class Producer(Yielding):
        pass

    def work(number):
        for i in range(300):
            if number == 0:
                Producer.added = i  # another version of the type
                if i % 10 == 0:
                    Producer.__c_dlpack_exchange_api__ = 0
            else:
                assert sv.view(Producer(array)).ptr == address(array)
    together(3, work)


def test_views_end_where_they_were_not_made():
    array = numbers((2, 3))
    before, boxes = sys.getrefcount(array), [[] for _ in range(4)]

    def work(number):
        for _ in range(200):
            boxes[number].append(sv.view(array).__dlpack__(max_version=(1, 3)))
            others = boxes[number - 1]
            if others:
                others.pop()
    together(4, work)
    boxes.clear()
    assert sys.getrefcount(array) == before


# --- threads that Python does not know ----------------------------------------

def on_foreign_threads(calls):
    """Calls each (function, argument) in C, on a thread of its own that has no state of Python's."""
    threads = []
    for function, argument in calls:
        thread = ctypes.c_ulong()
        assert C.pthread_create(ctypes.byref(thread), None, function, argument) == 0
        threads.append(thread)
    for thread in threads:
        assert C.pthread_join(thread, None) == 0  # without the GIL


def taken_out(capsule):
    """(deleter, tensor) of a capsule, which ends without them."""
    where = CAPSULE.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
    CAPSULE.PyCapsule_SetName(capsule, b"used_dltensor_versioned")
    return Tensor.from_address(where).deleter, where


CAPSULE.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Interface:
    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


OWNERS = {
    "a buffer": lambda: bytearray(24),
    "an array": lambda: numbers((2, 3)),
    "an array interface": lambda: Interface(numbers((2, 3))),
    "a DLPack producer": lambda: Exporter(numbers((2, 3))),
    "our own memory": lambda: sv.empty((2, 3)),
    "a tensor of PyTorch": lambda: need("torch").zeros(2, 3),
    "a tensor of tvm-ffi": lambda: need("tvm_ffi").from_dlpack(numbers((2, 3))),
}


@pytest.mark.parametrize("owner", OWNERS)
def test_exports_end_on_foreign_threads(owner):
    """The deleter takes the GIL for itself, many at once."""
    source = OWNERS[owner]()
    before = sys.getrefcount(source)
    for _ in range(10):
        on_foreign_threads([taken_out(sv.view(source).__dlpack__(max_version=(1, 3))) for _ in range(20)])
    assert sys.getrefcount(source) == before
    if isinstance(source, bytearray):
        source.append(1)  # no buffer is left


def test_the_last_owner_ends_on_a_foreign_thread():
    """Code of Python's runs there: a weak reference's callback, which raises."""
    source, called = Interface(numbers((2, 3))), []
    alive = weakref.ref(source, lambda ref: called.append(threading.get_ident()))
    call = taken_out(sv.view(source).__dlpack__(max_version=(1, 3)))
    del source
    assert alive() is not None
    on_foreign_threads([call])
    assert alive() is None and called and called[0] != threading.get_ident()


def test_handles_end_on_foreign_threads():
    """sv_view_release() itself, of views that C code holds."""
    library = ctypes.CDLL(sv.library_path())
    release = ctypes.cast(library.sv_view_release, ctypes.c_void_p)
    library.sv_view_from_dlpack.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p]
    array = numbers((2, 3))
    before, calls = sys.getrefcount(array), []
    for _ in range(50):
        view = ctypes.c_void_p()
        _, tensor = taken_out(sv.view(array).__dlpack__(max_version=(1, 3)))
        assert library.sv_view_from_dlpack(tensor, 0, ctypes.byref(view)) == 0
        calls.append((release, view))
    on_foreign_threads(calls)
    assert sys.getrefcount(array) == before


# --- producers that are not to be relied on -------------------------------------

def test_numbers_change_while_shared():
    foreign = Foreign()
    view = sv.view(foreign.capsule())
    foreign.shape[0] = 2**40
    foreign.made[0].ndim, foreign.made[0].data = 60, 0
    assert view.shape == (2, 3) and view.ptr == ctypes.addressof(foreign.cells)
    assert sv.view(view.T.__dlpack__(max_version=(1, 3))).shape == (3, 2)
    del view
    assert foreign.ended == 1


def test_an_array_changes_its_shape_while_shared():
    torch = need("torch")
    tensor = torch.arange(6.).reshape(2, 3)
    view = sv.view(tensor)
    tensor.t_().unsqueeze_(0)
    assert (view.shape, view.strides) == ((2, 3), (3, 1)) and np.asarray(view)[1, 0] == 3
    assert sv.view(tensor).shape == (1, 3, 2)


def test_a_producer_that_changes_while_it_answers():
    class Producer(Exporter):
        def __dlpack__(self, **keywords):
            self.array = self.array[1:]
            return super().__dlpack__(**keywords)
    producer = Producer(numbers(4))
    assert [sv.view(producer).shape for _ in range(3)] == [(3,), (2,), (1,)]


@pytest.mark.parametrize("answer, error", [
    (None, TypeError), ((), TypeError), (b"dltensor", TypeError), (numbers(3), TypeError), (sv.view(numbers(3)), TypeError),
    ("used", ValueError), ("nameless", ValueError), ("other", ValueError), ("major 2", BufferError),
])
def test_answers_that_are_rubbish(answer, error):
    """Refused, and nothing in it was touched or released."""
    foreign = Foreign()
    capsule = foreign.capsule()
    word = answer if isinstance(answer, str) else ""
    kept = sv.view(capsule) if word == "used" else None
    if word == "major 2":
        foreign.made[0].major = 2
    elif word in ("nameless", "other"):
        CAPSULE.PyCapsule_SetName(capsule, None if word == "nameless" else b"dltensor_versioned2")
    with pytest.raises(error) as caught:
        sv.view(Exporter(answer=lambda asked: capsule if word else answer))
    assert str(caught.value) and foreign.ended == 0
    assert kept is None or kept.shape == (2, 3)


def test_keywords_older_and_older():
    """Nothing but self, stream, max_version; each gets what it knows."""
    array = numbers((2, 3))

    class Oldest(Exporter):
        def __dlpack__(self):
            return self.array.__dlpack__()

    class Later(Exporter):
        def __dlpack__(self, stream=None):
            return self.array.__dlpack__()

    class Now(Exporter):
        def __dlpack__(self, *, stream=None, max_version=None):
            return self.array.__dlpack__(max_version=max_version)
    found = [sv.view(kind(array)) for kind in (Oldest, Later, Now)]
    assert [view.readonly for view in found] == [True, True, False]
    assert all(view.ptr == address(array) for view in found)


# --- the end of the interpreter -------------------------------------------------

BEFORE = """
    import ctypes, sys, threading, time
    import numpy as np
    import strideview as sv
    source = np.arange(6.).reshape(2, 3)
    keep = ctypes.pythonapi.Py_IncRef
    keep.argtypes = [ctypes.py_object]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_void_p]
    used = ctypes.create_string_buffer(b"used_dltensor_versioned")
    keep(used)

    def take_out(view):
        capsule = view.__dlpack__(max_version=(1, 3))
        where = get(capsule, b"dltensor_versioned")
        rename(capsule, ctypes.addressof(used))
        return ctypes.c_void_p.from_address(where + 16).value, where

    def at_exit_of_c(function, argument):
        call = ctypes.CDLL(None).__cxa_atexit
        call.argtypes = [ctypes.c_void_p] * 3
        assert call(function, argument, None) == 0
"""

LEFT = {
    "nothing": "",
    "a view": "left = sv.view(source)",
    "capsules": "left = [sv.view(source).__dlpack__(), sv.view(source).T.__dlpack__(max_version=(1, 3))]",
    "a memoryview": "left = memoryview(sv.view(source))",
    "an array": "left = np.from_dlpack(sv.view(source))",
    "a cycle": "left = [sv.view(source)]; left.append(left)",
    "what never ends": "for x in (sv.view(source), sv.view(source).__dlpack__(), sv.view(b'abc')): keep(x)",
    "a view in a module": "sys.left = sv.view(source); sv.left = sv.view(source).__dlpack__()",
    "views in a thread": """
        def work():
            while True:
                sv.view(source).T.__dlpack__(max_version=(1, 3))
        threading.Thread(target=work, daemon=True).start()
        time.sleep(.05)""",
    "a deleter that C calls afterwards": "at_exit_of_c(*take_out(sv.view(source).T))",
    "a deleter of a buffer, afterwards": "at_exit_of_c(*take_out(sv.view(bytearray(9))))",
    "a deleter of our memory, afterwards": "at_exit_of_c(*take_out(sv.empty((2, 3))))",
    "a deleter of an interface, afterwards": """
        class Exporter:
            __array_interface__ = source.__array_interface__
        at_exit_of_c(*take_out(sv.view(Exporter())))""",
    "a view taken at exit": """
        import atexit
        atexit.register(lambda: print(sv.view(source).T.__dlpack__(max_version=(1, 3))) or sys.stdout.flush())""",
    "a view taken by a finaliser": """
        class Last:
            def __del__(self, view=sv.view, source=source):
                self.left = view(source).T.__dlpack__(max_version=(1, 3))
        last = Last(); sys.last = Last()""",
}


def run(code):
    """In a Python whose allocator looks out for blocks that are used after their end, or without the GIL."""
    return subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(BEFORE) + textwrap.dedent(code)],
                          capture_output=True, text=True, env={**os.environ, "PYTHONMALLOC": "debug"})


@pytest.mark.parametrize("left", LEFT)
def test_left_at_exit(left):
    done = run(LEFT[left])
    assert (done.returncode, done.stderr) == (0, "")


CHAINS = {
    "capsules": "sv.view(view.__dlpack__(max_version=(1, 3)))",
    "objects with __dlpack__": "sv.view(Wrapper(view))",
    "from_dlpack": "sv.StridedMemoryView.from_dlpack(Wrapper(view))",
    "memoryviews": "sv.view(memoryview(view))",
    "from_buffer": "sv.StridedMemoryView.from_buffer(view, 3, dtype='uint8')",
    "array interfaces": "sv.view(Interface(view))",
    "exchange tables": "through_the_table(view)",
    "NumPy's arrays by DLPack": "sv.view(numpy.from_dlpack(view))",
    "NumPy's arrays by buffers": "sv.view(numpy.asarray(view))",
    "PyTorch's tensors": "sv.view(torch.from_dlpack(view))",
    "all of them in turn": "[sv.view(memoryview(view)), sv.view(Interface(view)), sv.view(numpy.from_dlpack(view)),"
                           " sv.view(Wrapper(view))][i % 4]",
}


@pytest.mark.parametrize("chain", CHAINS)
def test_long_chains_end_on_a_small_stack(chain):
    """Memory handed on very often: its end does not take more stack for that."""
    if "torch" in CHAINS[chain]:
        need("torch")
    run_apart(f"""
        import ctypes, gc, threading, weakref
        import numpy, strideview as sv
        {"import torch" if "torch" in CHAINS[chain] else ""}

        class Wrapper:
            def __init__(self, view):
                self.view = view
            def __dlpack__(self, **how):
                return self.view.__dlpack__(**how)
            def __dlpack_device__(self):
                return (1, 0)

        class Interface:
            __slots__ = "__array_interface__", "view"
            def __init__(self, view):
                self.__array_interface__, self.view = view.__array_interface__, view

        ADDRESS = sv.StridedMemoryView.__c_dlpack_exchange_api__
        function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
        of_object, to_object = (function(ctypes.c_void_p.from_address(ADDRESS + at).value) for at in (24, 32))
        tensor, back = ctypes.c_void_p(), ctypes.c_void_p()

        def through_the_table(view):
            assert of_object(id(view), tensor) == 0 and to_object(tensor, back) == 0
            made = ctypes.cast(back, ctypes.py_object).value
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
            return made

        class Root(numpy.ndarray):
            pass

        def work():
            root = numpy.arange(3, dtype="u1").view(Root)
            alive = weakref.ref(root)
            view = sv.view(root)
            del root
            for i in range(300000):
                view = {CHAINS[chain]}
            assert bytes(numpy.asarray(view)) == bytes(range(3))
            del view
            gc.collect()
            ended.append(alive() is None)

        ended = []
        gc.disable()  # else it walks along the chain all the time
        threading.stack_size(512 * 1024)
        thread = threading.Thread(target=work)
        thread.start(), thread.join()
        assert ended == [True], ended
        """, PYTHONMALLOC="default")


def test_fork_in_the_middle():
    """A child has its own copies: ends them, and leaves the parent's alone."""
    done = run("""
        import os
        left = [sv.view(source), sv.view(source).__dlpack__(max_version=(1, 3))]
        child = os.fork()
        assert sv.view(source).T.shape == (3, 2)
        left.clear()
        if child:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """)
    assert (done.returncode, done.stderr) == (0, "")


def test_fork_while_a_thread_looks_for_a_resource():
    """Default resources and the report are there in a child, whatever a thread of its parent was doing."""
    done = run("""
        import os, threading, time
        from strideview import _resources
        held = threading.Event()
        def hold():
            with _resources._lock:
                held.set()
                time.sleep(0.2)
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        child = os.fork()
        if not child:
            os._exit(0 if _resources._lock.acquire(timeout=10) and sv.empty(3, "uint8").shape == (3,) else 1)
        thread.join()
        _resources.sources()
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """)
    assert done.returncode == 0, done.stderr


@sv.args_viewable_as_strided_memory((0,))
def called_with(array, then):
    view = array.view(-1)
    then(view)


def held_as_a_buffer(store, then):
    with memoryview(sv.view(store)[::-1]) as held:
        then(held)


BORROWS = {
    "a producer": lambda store, then: sv.view(Exporter(answer=lambda keywords: then(sv.view(store)))),
    "a batch": lambda store, then: sv.copy_batch([store, store], [bytes(8), Exporter(answer=then)]),
    "a plan's batch": lambda store, then: sv.Plan(store, bytes(8)).execute_batch([store, Exporter(answer=then)], [bytes(8)] * 2),
    "a function of arrays": called_with,
    "a buffer": held_as_a_buffer,
}


@pytest.mark.parametrize("borrow", BORROWS)
def test_interrupted_while_it_is_borrowed(borrow):
    """Ctrl-C in the middle: who lent the memory has it back, and nothing was written."""
    def interrupt(_):
        signal.raise_signal(signal.SIGINT)
        while True:
            pass

    store, interrupted = bytearray(b"unharmed"), False
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        BORROWS[borrow](store, interrupt)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        signal.signal(signal.SIGINT, before)
    gc.collect()
    store.append(33)  # which a buffer still held would forbid
    assert interrupted and store == b"unharmed!"


if __name__ == "__main__":
    import tap
    tap.main(__file__)
