"""view(): which protocol it takes, and what it says when none will do."""

import pytest

import strideview as sv
from peers import address, numbers


def test_everything_that_was_tried_is_told():
    class Exporter:
        __array_interface__ = {"version": 3, "typestr": "|O8", "shape": (), "data": (4096, False)}
        __cuda_array_interface__ = 3

        def __dlpack__(self, **keywords):
            raise BufferError("not today")

        def __dlpack_device__(self):
            return (1, 0)
    with pytest.raises(BufferError) as caught:
        sv.view(Exporter())
    for word in ("Exporter", "__dlpack__: not today", "__cuda_array_interface__", "__array_interface__", "no DLPack type"):
        assert word in str(caught.value)
    assert str(caught.value.__cause__) == "not today"


def test_another_way_is_found():
    source = numbers(3)

    class Exporter:
        __array_interface__ = source.__array_interface__

        def __dlpack__(self, **keywords):
            raise BufferError("not today")

        def __dlpack_device__(self):
            return (1, 0)
    assert sv.view(Exporter()).ptr == address(source)
    with pytest.raises(BufferError, match="not today"):
        sv.StridedMemoryView.from_dlpack(Exporter())


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_no_other_way_can_mend(error):
    class Exporter:
        __array_interface__ = numbers(3).__array_interface__

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            raise error
    with pytest.raises(error):
        sv.view(Exporter())


def test_attributes_that_raise():
    class Exporter:
        @property
        def __array_interface__(self):
            raise RuntimeError("requires a gradient")
    with pytest.raises(RuntimeError, match="gradient"):
        sv.view(Exporter())


def test_a_class_may_change_its_mind():
    class Exporter:
        __array_interface__ = numbers(3).__array_interface__
    keep = Exporter.__array_interface__
    assert sv.view(Exporter()).shape == (3,)
    del Exporter.__array_interface__
    with pytest.raises(TypeError):
        sv.view(Exporter())
    Exporter.__dlpack__ = lambda self, **keywords: numbers((2, 2)).__dlpack__(**keywords)
    Exporter.__dlpack_device__ = lambda self: (1, 0)
    assert sv.view(Exporter()).shape == (2, 2) and keep


if __name__ == "__main__":
    import tap
    tap.main(__file__)
