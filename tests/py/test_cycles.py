"""Cycles of an object and views of its memory are garbage, but not while anything else needs that memory."""

import ctypes
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import strideview as sv


class Array(np.ndarray):
    """An ndarray that can have attributes."""


class Numbers(bytearray):
    """A buffer that can have attributes."""


class DLPack:
    def __init__(self):
        self.array = np.arange(6, dtype="u1").reshape(2, 3)

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return 1, 0


class Interface:
    def __init__(self):
        self.array = np.arange(6, dtype="u1").reshape(2, 3)

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class InterfaceOfBuffer:
    """Whose memory is the buffer of another object."""

    def __init__(self):
        self.data = bytearray(range(6))

    @property
    def __array_interface__(self):
        return {"version": 3, "typestr": "|u1", "shape": (2, 3), "data": self.data}


class Held:
    """A Buffer as cuda.core has it."""

    is_device_accessible, is_host_accessible, size = False, True, 6

    def __init__(self):
        self.array = (ctypes.c_uint8 * 6)(*range(6))
        self.handle = ctypes.addressof(self.array)


def tensor():
    torch = pytest.importorskip("torch")
    sv.view(torch.zeros(1))  # the first import of a type takes a managed tensor, with a reference of C++ to the object
    gc.freeze()
    return torch.arange(6, dtype=torch.uint8).reshape(2, 3)


def array():
    return np.arange(6, dtype="u1").reshape(2, 3).view(Array)


def of_bytes(object_):
    return sv.StridedMemoryView.from_buffer(object_, (2, 3), dtype="u1")


# What makes an object, and views it.
EXPORTERS = {
    "ndarray subclass": (array, sv.view),
    "ndarray subclass, by DLPack": (array, sv.StridedMemoryView.from_dlpack),
    "buffer": (lambda: Numbers(range(6)), lambda object_: sv.view(object_).reshape(2, 3)),
    "raw buffer": (lambda: Numbers(range(6)), of_bytes),
    "DLPack": (DLPack, sv.view),
    "array interface": (Interface, sv.view),
    "array interface of a buffer": (InterfaceOfBuffer, sv.view),
    "Buffer": (Held, of_bytes),
    "tensor": (tensor, sv.view),
}

# What the object keeps of a view of itself.
KEPT = {
    "the view": lambda view: view,
    "a view of the view": lambda view: view.T,
    "a view of a view of the view": lambda view: view.T[1:].T[::-1],
    "both": lambda view: [view, view.T, view[0]],
    "two views of one that is gone": lambda view: (view.T, view[1]),
    "all that a view tells": lambda view: (view, view.layout, view.shape, view.strides, view.dtype),
    "a function": lambda view: lambda: view.T,
    "a buffer of the view": memoryview,
}


@pytest.fixture(autouse=True)
def few_objects():
    """The collector looks at what the test makes, not at all modules each time."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_collected(exporter, kept):
    make, view_of = EXPORTERS[exporter]
    for _ in range(2):  # the first import of a type goes another way
        object_ = make()
        object_.me = KEPT[kept](view_of(object_))
        gone = weakref.ref(object_)
        del object_
        gc.collect()
        assert gone() is None


def test_two_objects():
    one, other = array(), array()
    one.other, other.one = [sv.view(other)], {"view": sv.view(one).T}
    gone = weakref.ref(one), weakref.ref(other)
    del one, other
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


# What keeps the memory from outside of the cycle.
OUTSIDE = {
    "the view": lambda view: view,
    "a view of it": lambda view: view.T,
    "a capsule": lambda view: view.__dlpack__(max_version=(1, 3)),
    "a capsule of a view of it": lambda view: view.T.__dlpack__(),
    "a buffer": memoryview,
    "an array": np.asarray,
    "an array by DLPack": np.from_dlpack,
    "a view of an export": lambda view: sv.view(view.__dlpack__(max_version=(1, 3))),
}


@pytest.mark.parametrize("outside", OUTSIDE)
@pytest.mark.parametrize("exporter", [name for name in EXPORTERS if name not in ("tensor", "Buffer")])
def test_kept_from_outside(exporter, outside):
    """The object, its attributes included, is as it was: the collector clears only what nobody needs."""
    make, view_of = EXPORTERS[exporter]
    object_ = make()
    object_.me = view_of(object_)
    held = OUTSIDE[outside](object_.me)
    contents = sorted(np.asarray(object_.me).ravel().tolist())
    alive, through_another = weakref.ref(object_), exporter in ("DLPack", "array interface of a buffer")
    del object_
    for _ in range(2):
        gc.collect()
    if not through_another:  # else it is enough that the other one stays
        assert alive() is not None and alive().me.shape == (2, 3)
        assert np.asarray(alive().me).ravel().tolist() == contents
    if "capsule" in outside:
        held = sv.view(held)
    assert sorted(np.asarray(held).ravel().tolist()) == contents
    held = None
    gc.collect()


def test_first_view_is_garbage_alone():
    """A cycle that has the first view, while another view of the same memory lives."""
    object_ = array()
    first = sv.view(object_)
    other = first.T
    cycle = [first]
    cycle.append(cycle)
    object_.name = "as it was"
    gone = weakref.ref(first)
    before = sys.getrefcount(object_)
    del first, cycle
    gc.collect()
    assert gone() is None and sys.getrefcount(object_) == before - 1
    assert other.exporting_obj.name == "as it was" and other.shape == (3, 2)
    object_.me = other
    gone = weakref.ref(object_)
    del object_, other
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("order", [0, 1])
def test_memoryviews_are_not_cleared_under_a_view(order):
    """A memoryview that is cleared while it lends its memory cannot take it back: CPython crashes."""
    code = """if True:
        import gc, io, sys
        import strideview as sv
        sys.unraisablehook = lambda told: sys.exit(str(told.exc_value))
        for lender in (lambda: bytearray(8), io.BytesIO(b"12345678").getbuffer):
            window = memoryview(lender())
            cell = [window, sv.view(window)][::(-1 if int(sys.argv[1]) else 1)]
            cell.append(cell)
            del window, cell
            gc.collect()
        print("done")
    """
    run = subprocess.run([sys.executable, "-c", code, str(order)], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")


def test_memory_that_another_object_lends():
    """The object behind a buffer is not cleared while a view lives, though the first one is garbage."""
    class Lender(list):
        pass

    lender = Numbers(range(6))
    lender.more = Lender([lender])
    window = memoryview(lender)
    first = sv.view(window)
    other, cycle = first[::-1], [first]
    cycle.append(cycle)
    del first, cycle, window, lender
    gc.collect()
    assert np.asarray(other).tolist() == [5, 4, 3, 2, 1, 0]
    assert other.exporting_obj.obj.more[0] is other.exporting_obj.obj


def test_many_views_of_one_object():
    object_ = array()
    object_.views = [sv.view(object_)]
    for _ in range(2000):
        object_.views.append(object_.views[-1].T)
    gone = weakref.ref(object_)
    del object_
    gc.collect()
    assert gone() is None


if __name__ == "__main__":
    import tap
    tap.main(__file__)
