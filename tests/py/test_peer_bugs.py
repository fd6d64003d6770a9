"""Faults that other libraries had when they exchanged arrays, by their own issue numbers, and that libsv does not have."""

from pathlib import Path

import numpy as np
import pytest

import strideview as sv
from peers import CAPSULE, Exporter, OldExporter, Tensor, address, device_view, need, numbers
from test_bad_input import Foreign

HOST, CUDA, PINNED = (1, 0), (2, 0), (3, 0)


def exported(view):
    """The tensor of a capsule, and the capsule."""
    capsule = view.__dlpack__(max_version=(1, 3))
    return Tensor.from_address(CAPSULE.PyCapsule_GetPointer(capsule, b"dltensor_versioned")), capsule


def cuda_array(**changes):
    return type("Array", (), {"__cuda_array_interface__": {"shape": (2, 3), "typestr": "<f4", "data": (4096, False),
                                                           "version": 3, **changes}})()


def read_only_is_exported():
    view = sv.view(np.broadcast_to(numbers(3), (2, 3)))
    assert exported(view)[0].flags == 1 and not np.from_dlpack(view).flags.writeable
    with pytest.raises(BufferError):
        view.__dlpack__()


def pinned_stays_pinned():
    view = sv.view(device_view((4, 3), device=PINNED))
    for part in (view[1:], view.T, view[0, 0], view.reshape(12), view.view(dtype="int32")):
        assert part.__dlpack_device__() == PINNED and sv.view(part.__dlpack__(max_version=(1, 3))).device == PINNED


def unsupported_devices_are_buffer_errors():
    for device in (CUDA, (14, 0), (99, 0), (-1, 0), (2**40, 0)):
        for copy in (None, True, False):
            with pytest.raises(BufferError):
                sv.view(numbers(3)).__dlpack__(dl_device=device, copy=copy)


def no_axes_no_arrays():
    tensor, _ = exported(sv.view(numbers(())))
    assert (tensor.ndim, tensor.shape, tensor.strides) == (0, None, None)


def scalars_are_exported():
    view = sv.view(np.float32(3))
    assert view.readonly and exported(view)[0].flags == 1
    with pytest.raises(BufferError):
        view.__dlpack__()
    assert np.from_dlpack(view) == 3 and sv.view(view.__dlpack__(copy=True)).shape == ()


def old_capsules_are_read_only():
    assert sv.view(OldExporter(numbers(3))).readonly


def negative_strides_come_in():
    array = numbers((4, 3))[::-1, ::-1]
    view = sv.view(array.__dlpack__(max_version=(1, 3)))
    assert (view.ptr, view.strides) == (address(array), (-3, -1)) and np.array_equal(np.asarray(view), array)


def byte_offset_counts_always():
    for changes in ({}, {"strides": None}, {"ndim": 0, "strides": None, "shape": None}, {"ndim": 0}, {"steps": (-4, 1)}):
        foreign = Foreign(byte_offset=8, **changes)
        view = sv.view(foreign.capsule())
        assert view.ptr == foreign.tensor.data + 8 and exported(view)[0].byte_offset == 0
        assert np.asarray(view).flat[0] == 18


def bool_is_known():
    array = np.array([True, False])
    assert exported(sv.view(array))[0].code == 6 and np.from_dlpack(sv.view(array)).dtype == bool
    foreign = Foreign(code=1, bits=1)
    with pytest.raises(BufferError):
        sv.view(foreign.capsule())


def the_default_stream_is_said():
    for device, given, told in ((CUDA, None, 1), (CUDA, 0, 1), ((13, 0), None, 1), ((10, 0), None, 0), (CUDA, -1, -1),
                                ((14, 0), 9, 9)):
        exporter = Exporter(device=device, answer=lambda asked, device=device: device_view((2, 3), device=device))
        sv.view(exporter, given)
        assert exporter.asked[0]["stream"] == told
    with pytest.raises(ValueError, match="ambiguous"):
        sv.view(exporter).__dlpack__(stream=0)  # the exporter's last device has none


def host_producers_are_told_no_stream_and_no_device():
    exporter = Exporter(numbers(3))
    sv.view(exporter, stream=7)
    assert exporter.asked == [{"max_version": (1, 3)}]


def empty_cuda_arrays():
    for data in ((0, False), (None, False), (4096, False)):
        for strides in (None, (12, 4), (0, 0), (2**62, 2**62)):
            view = sv.view(cuda_array(shape=(0, 3), data=data, strides=strides))
            assert (view.shape, view.size, view.__cuda_array_interface__["data"][0]) == ((0, 3), 0, 0)


def cuda_strides_may_be_missing():
    assert sv.view(cuda_array()).strides == sv.view(cuda_array(strides=None)).strides == (3, 1)
    assert sv.view(cuda_array(strides=(4, 8))).strides == (1, 2)
    assert sv.view(cuda_array()).__cuda_array_interface__["strides"] is None
    assert isinstance(sv.view(cuda_array()).T.__cuda_array_interface__["strides"], tuple)


def null_strides():
    for minor in (0, 1, 2, 3):
        assert sv.view(Foreign(strides=None, minor=minor).capsule()).strides == (3, 1)


def a_capsule_is_consumed_once():
    capsule = numbers(3).__dlpack__(max_version=(1, 3))
    view = sv.view(capsule)
    for _ in range(2):
        with pytest.raises(ValueError, match="used"):
            sv.view(capsule)
    assert view.size == 3


def size_is_the_product():
    view = sv.view(Foreign(extents=(2, 3)).capsule())
    assert (view.size, view.nbytes) == (6, 24)
    lower, upper = sv.ffi.new("int64_t *"), sv.ffi.new("int64_t *")
    handle = Foreign().take()[2]
    assert sv.lib.sv_view_bounds(handle, lower, upper) == 0 and (lower[0], upper[0]) == (0, 28)
    sv.lib.sv_view_release(handle)


def bfloat_has_16_bits():
    for bits in (8, 32, 64):
        with pytest.raises(BufferError):
            sv.view(Foreign(code=4, bits=bits).capsule())


def strides_are_kept():
    array = numbers((4, 5, 6)).transpose(2, 0, 1)[1::2, ::-1]
    for back in (np.from_dlpack(sv.view(array)), np.asarray(sv.view(array)), np.asarray(sv.view(array.__dlpack__(max_version=(1, 3))))):
        assert back.strides == array.strides and np.array_equal(back, array)


def read_only_producers_are_asked_with_a_version():
    array = numbers(3)
    array.flags.writeable = False
    assert sv.StridedMemoryView.from_dlpack(array).readonly and sv.view(array).readonly


def jax_arrays_are_not_written():
    jax = need("jax")
    array = jax.numpy.arange(4)
    view = sv.view(array)
    if view.readonly:
        with pytest.raises(ValueError, match="read-only"):
            sv.copy(view, np.zeros(4, "i4"))
    again = sv.view(array)
    assert again.ptr == view.ptr


def copies_are_refused_or_told():
    cuda = sv.view(device_view((2, 3)), -1)
    with pytest.raises(sv.CopyError):
        cuda.__dlpack__(dl_device=HOST, copy=False)
    view = sv.view(numbers(3))
    assert exported(view)[0].data == view.ptr
    copied = sv.view(view.__dlpack__(max_version=(1, 3), copy=True))
    assert copied.ptr != view.ptr


def null_and_misaligned_data():
    with pytest.raises(BufferError, match="NULL"):
        sv.view(Foreign(data=None).capsule())
    view, out = sv.view(Foreign(byte_offset=1).capsule()), sv.empty((2, 3))
    sv.copy(out, view)
    assert np.asarray(out).tobytes() == np.asarray(view).tobytes()


def empty_tensors():
    for changes in ({"data": None}, {"strides": None}, {"steps": (2**60, -7)}, {"data": 1}):
        view = sv.view(Foreign(extents=(0, 3), **changes).capsule())
        assert view.shape == (0, 3) and np.from_dlpack(view).shape == np.asarray(view).shape == (0, 3)


def the_name_of_a_capsule_decides():
    array = numbers((2, 3))
    view = sv.view(Exporter(answer=lambda asked: array.__dlpack__()))
    assert view.readonly and np.array_equal(np.asarray(view), array)

    class Newer(OldExporter):
        def __dlpack__(self, stream=None):
            return self.array.__dlpack__(max_version=(1, 3))
    view = sv.view(Newer(array))
    assert not view.readonly and np.array_equal(np.asarray(view), array)


def majors_are_checked_and_flags_kept():
    with pytest.raises(BufferError, match=r"2\.3"):
        sv.view(Exporter(answer=lambda asked, kept=Foreign(major=2): kept.capsule()))
    view = sv.view(Foreign(flags=1).capsule())
    assert exported(sv.view(sv.view(view).T))[0].flags == 1


def strides_that_do_not_divide():
    records = np.zeros((3, 2), "f4,i1")
    field = records["f0"]
    field[...] = numbers((3, 2))
    view = sv.view(field)
    assert view.layout.strides_in_bytes == (10, 5) and np.array_equal(np.asarray(view), field)
    with pytest.raises(BufferError, match="no multiple"):
        view.__dlpack__(max_version=(1, 3))
    assert sv.view(records[:, :1]["f0"][:1]).strides is not None


def devices_are_not_invented():
    assert sv.view(numbers(3)).__dlpack_device__() == HOST == sv.view(Foreign(device_id=0).capsule()).__dlpack_device__()
    assert sv.view(Foreign(device_id=3).capsule()).__dlpack__(dl_device=(1, 0), copy=False)


ROWS = {
    "numpy#20742 numpy#20337": read_only_is_exported,
    "numpy#22507 pytorch#88082 CV-CUDA#298 llvm#124832": ("test_lifetime.py", "thread"),
    "numpy#20340": pinned_stays_pinned,
    "numpy#30341 numpy#30937 numpy#31000": unsupported_devices_are_buffer_errors,
    "numpy#29872": no_axes_no_arrays,
    "numpy#32029 numpy#27137": scalars_are_exported,
    "cuda-python#1168": old_capsules_are_read_only,
    "pytorch#188023": negative_strides_come_in,
    "pytorch#168193 pytorch#170432 iree#21153": byte_offset_counts_always,
    "pytorch#67081 pytorch#94463 pytorch#114673 warp#1619": bool_is_known,
    "pytorch#67618 pytorch#101318 pytorch#150217 cupy#5970 pytorch#163242 Paddle#76840 pytorch#195825":
        the_default_stream_is_said,
    "pytorch#169186 cuda-python#473": host_producers_are_told_no_stream_and_no_device,
    "pytorch#98133 cupy#2104 cupy#2610 numba#4175 cuda-python#1396": empty_cuda_arrays,
    "pytorch#24947 cupy#2873 cuml#1775 cupy#2259": cuda_strides_may_be_missing,
    "cupy#2095 arrow#51122": null_strides,
    "cupy#3611 jax#4636": a_capsule_is_consumed_once,
    "cupy, size of imported memory": size_is_the_product,
    "cupy#9480 cupy#9670": bfloat_has_16_bits,
    "jax#4196 jax#17784 jax#8082 cudf#10849 cuvs#1458 dpctl#1241": strides_are_kept,
    "jax#40789": read_only_producers_are_asked_with_a_version,
    "jax#19123": jax_arrays_are_not_written,
    "jax#29963 jax#30228": copies_are_refused_or_told,
    "jax#37303": null_and_misaligned_data,
    "onnxruntime#27450 cccl#11605 tensorflow#61184 Paddle#78565": empty_tensors,
    "cutlass#3359 cuda-python#285": the_name_of_a_capsule_decides,
    "tvm-ffi, majors and read-only; MatX#1157": majors_are_checked_and_flags_kept,
    "nanobind#487 nanobind#1122": strides_that_do_not_divide,
    "array-api-strict#221 array-api-strict#99": devices_are_not_invented,
    "deleters and their pointer, DLPack.jl": ("../unit/view/view_dlpack.c", "deleted_pointer"),
    "tensors written to by consumers, nanobind": ("../unit/view/view_dlpack.c", "exports_may_be_scribbled_on"),
}


@pytest.mark.parametrize("row", ROWS)
def test_peer_bugs(row):
    test = ROWS[row]
    if callable(test):
        test()
    else:
        assert test[1] in (Path(__file__).parent / test[0]).read_text()


if __name__ == "__main__":
    import tap
    tap.main(__file__)
