"""Classes derived from StridedLayout and StridedMemoryView: they are what these are, and their methods give these."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import strideview as sv


class Layout(sv.StridedLayout):
    def __init__(self, *args, **keywords):
        self.name = "mine"

    def area(self):
        return self.volume


class Slotted(sv.StridedLayout):
    __slots__ = ("more",)


class View(sv.StridedMemoryView):
    """Which counts itself."""

    made = 0

    def __new__(cls, obj, stream_ptr=None, *, name=None):
        self = super().__new__(cls, obj, stream_ptr)
        cls.made += 1
        self.name = name
        return self

    def __init__(self, *args, **keywords):
        pass


class SlottedView(sv.StridedMemoryView):
    __slots__ = ()


@pytest.mark.parametrize("cls", [Layout, Slotted])
def test_layouts(cls):
    plain, layout = sv.StridedLayout((2, 3), None, 4), cls((2, 3), None, itemsize=4)
    assert type(layout) is cls and isinstance(layout, sv.StridedLayout)
    assert layout == plain and plain == layout and hash(layout) == hash(plain) and str(layout) == str(plain)
    for derived in (layout.T, layout[1:], layout.reshape(6), layout.to_dense(), cls.dense((2, 3), 4), cls.parse("(2)*4"),
                    pickle.loads(pickle.dumps(layout))):
        assert type(derived) is sv.StridedLayout
    assert plain.T.same_bytes(layout.T) and plain.overlaps(layout) and layout.common_form(layout)[0].ndim == 1
    assert copy.copy(layout) is layout and weakref.ref(layout)() is layout
    assert sv.is_unique(layout) and sv.StridedLayout.dense_like(layout) == plain
    assert sv.view(np.zeros((2, 3), "f4")).view(layout).shape == (2, 3)
    if cls is Layout:
        assert layout.name == "mine" and layout.area() == 6
    for bad in ((), ((2, 3), (1,), 4), ((2, 3), None, -1)):
        with pytest.raises((TypeError, ValueError)):
            cls(*bad)


@pytest.mark.parametrize("cls", [View, SlottedView])
def test_views(cls):
    array = np.arange(6.0).reshape(2, 3)
    view = cls(array)
    assert type(view) is cls and isinstance(view, sv.StridedMemoryView) and sv.view(view) is view
    assert view.ptr == array.ctypes.data and view.exporting_obj is array and view.dtype == array.dtype
    for derived in (view.T, view[0], view[::-1], view.reshape(6), view.view(dtype="i8"), cls.from_dlpack(array),
                    sv.StridedMemoryView(array)):
        assert type(derived) is sv.StridedMemoryView
    assert [type(row) for row in view] == [sv.StridedMemoryView] * 2
    assert np.asarray(view).tolist() == np.from_dlpack(view).tolist() == memoryview(view).tolist() == array.tolist()
    target = cls(np.zeros((3, 2)))
    sv.copy(target, view.T)
    target.copy_from(cls(view.T))
    sv.copy_batch([target], [view.T])
    sv.Plan(target, view.T).execute(target, cls(array.T))
    assert np.asarray(target).tolist() == array.T.tolist() and sv.shares_memory(view, view[1])
    target.fill(3)
    assert np.asarray(target).tolist() == [[3.0, 3.0]] * 3
    assert weakref.ref(view)() is view and repr(view) == repr(sv.view(array))
    again = cls(sv.view(array))
    assert type(again) is cls and again.ptr == view.ptr and again.exporting_obj is array
    with pytest.raises(TypeError):
        cls(3)
    with pytest.raises(TypeError):
        cls()


def test_attributes_and_arguments_of_its_own():
    before = View.made
    view = View(np.zeros(3), name="mine")
    assert view.name == "mine" and View.made == before + 1
    view.other = 1
    with pytest.raises(TypeError):
        sv.StridedMemoryView.made = 1


class Array(np.ndarray):
    pass


@pytest.mark.parametrize("exporter", [lambda: np.zeros(3), lambda: np.zeros(3).view(Array), lambda: bytearray(3)])
@pytest.mark.parametrize("cls", [View, SlottedView])
def test_lives_and_ends(exporter, cls):
    """Many live and end at once, in cycles of all kinds; the pool of dead objects has none of them."""
    for _ in range(50):
        views = [cls(exporter()) for _ in range(20)]
        views += [view.reshape(3) for view in views]
        if cls is View:
            views[0].cycle = views
    gone = [weakref.ref(view) for view in views]
    if isinstance(views[0].exporting_obj, Array):
        for view in views:
            view.exporting_obj.me = view
    view = None
    del views
    gc.collect()
    assert [reference() for reference in gone if reference() is not None] == []
    layouts = [Layout((2, 3), None, 4) for _ in range(50)]
    layouts[0].cycle = layouts
    gone = weakref.ref(layouts[1])
    del layouts
    gc.collect()
    assert gone() is None and type(sv.StridedLayout((2, 3), None, 4).T) is sv.StridedLayout


if __name__ == "__main__":
    import tap
    tap.main(__file__)
