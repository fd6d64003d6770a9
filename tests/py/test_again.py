"""All ways to make a view of a view, a Buffer of a Buffer, and each of the other: dtype, read-only, bounds and owner stay
what they were.
"""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import strideview as sv

RECORD = np.dtype([("a", "<i4"), ("b", "<f4")])


class View(sv.StridedMemoryView):
    pass


class Owner(np.ndarray):
    """An array that can be seen to end."""


def records(readonly=False):
    array = np.zeros(4, RECORD)
    array["a"] = range(4)
    array.flags.writeable = not readonly
    return array


VIEWS_OF_VIEWS = {
    "sv.view(v)": lambda v: sv.view(v),
    "a derived class": lambda v: View(v),
    "a derived class of a derived class": lambda v: View(View(v)),
    "v[...]": lambda v: v[...],
    "v[:]": lambda v: v[:],
    "v.T": lambda v: v.T,
    "v.view()": lambda v: v.view(),
    "v.view(layout)": lambda v: v.view(v.layout),
    "v.permute([0])": lambda v: v.permute([0]),
    "the array interface": lambda v: sv.view(np.asarray(v)),
}
FRESH = {
    "v.copy()": lambda v: v.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda v: pickle.loads(pickle.dumps(v, 5)),
    "empty_like": lambda v: sv.empty_like(v),
}


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize("make", [*VIEWS_OF_VIEWS.values(), *FRESH.values()], ids=[*VIEWS_OF_VIEWS, *FRESH])
def test_views_of_views(make, readonly):
    array = records(readonly).view(Owner)
    gone, view = weakref.ref(array), sv.view(array)
    if make in (FRESH["v.copy()"], FRESH["empty_like"]):
        assert not make(view).readonly
    made = make(view)
    assert made.dtype == RECORD and made.shape == (4,)
    if make in VIEWS_OF_VIEWS.values():
        assert made.readonly == readonly and made.ptr == view.ptr
        del array, view
        gc.collect()
        assert gone() is not None and np.asarray(made)["a"].tolist() == [0, 1, 2, 3]
        with pytest.raises((ValueError, IndexError)):
            made.view(sv.StridedLayout((5,), None, 8))
    elif make is not FRESH["empty_like"]:
        assert np.asarray(made)["a"].tolist() == [0, 1, 2, 3]


def test_a_derived_view_does_not_take_durations_for_dates():
    dates, durations = np.array(["2020-01-01"], "M8[D]"), np.array([5], "m8[D]")
    with pytest.raises(TypeError):
        sv.copy(View(sv.view(dates)[:]), View(sv.view(durations)[:]))
    kept = sv.view(dates).copy()
    assert View(kept).dtype == dates.dtype
    with pytest.raises(TypeError):
        sv.copy(View(kept), durations)


class Held:
    """What another library's Buffer tells of itself."""

    is_host_accessible, is_device_accessible, is_managed = True, False, False

    def __init__(self, memory, readonly):
        view = sv.view(memory)
        self.memory, self.handle, self.size, self.readonly = memory, view.ptr, view.nbytes, readonly


@pytest.mark.parametrize("readonly", [False, True])
def test_from_buffer_asks_the_object(readonly):
    from_buffer = sv.StridedMemoryView.from_buffer
    for held in (Held(bytearray(8), readonly), memoryview(bytearray(8)).toreadonly() if readonly else bytearray(8)):
        assert from_buffer(held, (8,), dtype="u1").readonly == readonly
        assert from_buffer(held, sv.StridedLayout((8,), None, 1), "u1").readonly == readonly
        assert from_buffer(held, (8,), dtype="u1", is_readonly=True).readonly


class Usm:
    """Memory of SYCL, as an object tells of it."""

    def __init__(self, memory, kind):
        self.memory, self.usm_type = memory, kind

    @property
    def __sycl_usm_array_interface__(self):
        view = sv.view(self.memory)
        return {"shape": (view.nbytes,), "typestr": "|u1", "strides": None, "data": (view.ptr, view.readonly),
                "offset": 0, "version": 1, "syclobj": object()}


@pytest.mark.parametrize("kind, type_", [("host", sv.memory.MemoryUSMHost), ("shared", sv.memory.MemoryUSMShared),
                                         ("device", sv.memory.MemoryUSMDevice)])
def test_buffers_of_arrays_of_sycl(kind, type_):
    for memory in (bytearray(b"12345678"), b"12345678"):
        usm = Usm(memory, kind)
        made = type_(usm)
        assert (made.readonly, made.size, made.handle) == (isinstance(memory, bytes), 8, sv.view(memory).ptr)
        assert made.reference_obj is usm
        assert made.view().readonly == made.readonly


BUFFERS = {
    "a slice": lambda b: b[0:64],
    "a slice of a slice": lambda b: b[0:64][0:64],
    "a view's buffer": lambda b: sv.view(b),
    "from_buffer": lambda b: sv.StridedMemoryView.from_buffer(b, (64,), dtype="u1"),
    "view()": lambda b: b.view(),
}


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize("make", BUFFERS.values(), ids=BUFFERS)
def test_of_buffers(make, readonly):
    keep = bytearray(64)
    buffer = sv.Buffer.from_handle(sv.view(keep).ptr, 64, owner=keep, readonly=readonly)
    made = make(buffer)
    assert made.readonly == readonly and made.nbytes == 64
    del buffer, keep
    gc.collect()
    assert bytes(made.tobytes()) == bytes(64)


if __name__ == "__main__":
    import tap
    tap.main(__file__)
