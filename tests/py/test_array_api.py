"""DLPack as the array API standard (2025.12) has it: every argument of __dlpack__ with every other, and the strict
implementation of the standard as another side that is not ours."""

import itertools

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Tensor, address, need

hypothesis = pytest.importorskip("hypothesis")
given, st = hypothesis.given, hypothesis.strategies
quick = hypothesis.settings(max_examples=200, deadline=None, database=None, derandomize=True,
                            suppress_health_check=[hypothesis.HealthCheck.too_slow])

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
          "complex64", "complex128"]
CPU, COPIED, READ_ONLY = (1, 0), 2, 1
DEVICE_TYPES = {1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}


@st.composite
def arrays(draw):
    """Any dtype and shape of the standard, in any layout that indexing makes."""
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    array = np.arange(int(np.prod(shape))).reshape(shape).astype(draw(st.sampled_from(DTYPES)))
    array = array.transpose(draw(st.permutations(range(len(shape)))))
    steps = [draw(st.sampled_from((1, 1, 2, -1))) for _ in shape]
    array = array[(..., *(slice(None, None, step) for step in steps))]
    if draw(st.booleans()):
        array.flags.writeable = False
    return array


def content(capsule):
    """What is in a capsule: its name, version, flags, address, device, shape and strides."""
    name = CAPSULE.PyCapsule_GetName(capsule)
    where = CAPSULE.PyCapsule_GetPointer(capsule, name)
    if name == b"dltensor":
        where -= Tensor.data.offset  # the DLTensor comes first
    else:
        assert name == b"dltensor_versioned"
    return name, Tensor.from_address(where)


@given(arrays())
@quick
def test_dlpack_device(array):
    """A pair of a member of the device enumeration and an int."""
    device = sv.view(array).__dlpack_device__()
    assert isinstance(device, tuple) and len(device) == 2
    assert int(device[0]) in DEVICE_TYPES and isinstance(device[1], int)
    assert device == array.__dlpack_device__() == CPU


VERSIONS = [None, (0, 0), (0, 8), (1, 0), (1, 1), (1, 3), (1, 99), (2, 0)]


@pytest.mark.parametrize("copy, max_version, dl_device",
                         list(itertools.product((None, False, True), VERSIONS, (None, CPU, "own"))))
@given(array=arrays())
@hypothesis.settings(quick, max_examples=20)
def test_dlpack(array, copy, max_version, dl_device):
    """A capsule of the right name and version that tells the same elements; or BufferError, if no such capsule can be."""
    view = sv.view(array)
    keywords = {"copy": copy, "max_version": max_version,
                "dl_device": view.__dlpack_device__() if dl_device == "own" else dl_device, "stream": None}
    old = max_version is None or max_version[0] < 1
    if old and view.readonly and not copy:
        with pytest.raises(BufferError):
            view.__dlpack__(**keywords)
        return
    capsule = view.__dlpack__(**keywords)
    name, tensor = content(capsule)
    assert name == (b"dltensor" if old else b"dltensor_versioned")
    assert (tensor.device_type, tensor.device_id, tensor.ndim) == (*CPU, array.ndim)
    assert tensor.ndim == 0 or tensor.strides
    if not old:
        assert tensor.major == 1
        assert tensor.flags == (COPIED if copy else READ_ONLY if view.readonly else 0)
    if array.size:
        assert (tensor.data + tensor.byte_offset == address(array)) is not (copy is True)
    back = sv.view(capsule)
    assert back.shape == array.shape and np.array_equal(np.asarray(back), array)
    if copy and array.size and not old:
        np.asarray(back)[...] = 1 - np.asarray(back)  # a copy may be written
        assert not np.array_equal(np.asarray(back), array)


@pytest.mark.parametrize("keywords", [{"max_version": (1,)}, {"max_version": "1"}, {"dl_device": 1}, {"other": None}])
def test_malformed_arguments(keywords):
    with pytest.raises(TypeError):
        sv.empty(3).__dlpack__(**keywords)


@pytest.mark.parametrize("keywords, error", [({"stream": 1}, ValueError), ({"dl_device": (2, 0)}, BufferError),
                                             ({"dl_device": (2, 0), "copy": True}, BufferError)])
def test_what_cannot_be_done(keywords, error):
    with pytest.raises(error):
        sv.empty(3).__dlpack__(**keywords)


@given(arrays(), st.sampled_from((None, False, True)))
@quick
def test_the_strict_implementation_takes_views(array, copy):
    strict = need("array_api_strict")
    taken = strict.from_dlpack(sv.view(array), copy=copy)
    inside = np.asarray(taken)
    assert taken.dtype == getattr(strict, array.dtype.name) and taken.shape == array.shape
    assert np.array_equal(inside, array)
    if array.size:
        assert (address(inside) == address(array)) is not (copy is True)


@given(arrays())
@quick
def test_views_of_the_strict_implementation(array):
    strict = need("array_api_strict")
    theirs = strict.asarray(array, copy=True)
    view = sv.view(theirs)
    assert view.dtype == array.dtype and view.shape == array.shape
    assert np.array_equal(np.asarray(view), array) and not view.readonly
    again = strict.from_dlpack(view)
    assert np.array_equal(np.asarray(again), array)
    if array.size:
        assert address(np.asarray(again)) == view.ptr == address(np.asarray(theirs))


@given(arrays())
@quick
def test_there_and_back_by_every_namespace(array):
    """from_dlpack of one library after another keeps elements, and the memory unless somebody copies."""
    strict = need("array_api_strict")
    chain = [sv.view, strict.from_dlpack, sv.StridedMemoryView.from_dlpack, np.from_dlpack, sv.view]
    handed = array
    for step in chain:
        handed = step(handed)
        assert tuple(handed.shape) == array.shape
    assert np.array_equal(np.asarray(handed), array)
    assert not array.size or handed.ptr == address(array)
    assert handed.readonly is (not array.flags.writeable) or not array.size


if __name__ == "__main__":
    import tap
    tap.main(__file__)
