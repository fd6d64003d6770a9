"""A program in ctypes: strideview.library_path() and the declarations derived from sv.h are all it needs."""

import ctypes
import sys

import numpy as np
import pytest

import strideview
from strideview import sv_ctypes as sv

lib = sv.load(strideview.library_path())

VERSIONED = (b"dltensor_versioned", sv.DLManagedTensorVersioned, lib.sv_view_from_dlpack)
UNVERSIONED = (b"dltensor", sv.DLManagedTensor, lib.sv_view_from_dlpack_unversioned)

capsule_api = ctypes.PyDLL(None)
capsule_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
capsule_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsule_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsule_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]


def check(status):
    if status != sv.SV_OK:
        raise RuntimeError(lib.sv_last_message().decode())


def made(kind, function, *arguments):
    out = ctypes.POINTER(kind)()
    check(function(*arguments, ctypes.byref(out)))
    return out


def view_of(array, form, flags=0):
    """A view of a NumPy array, by its DLPack capsule. A capsule whose tensor is taken gets another name."""
    name, struct, function = form
    try:
        capsule = array.__dlpack__(max_version=(1, 0)) if form is VERSIONED else array.__dlpack__()
    except TypeError:
        pytest.skip(f"NumPy {np.__version__} has no versioned capsules")
    tensor = ctypes.cast(capsule_api.PyCapsule_GetPointer(capsule, name), ctypes.POINTER(struct))
    try:
        view = made(sv.sv_view, function, tensor, flags)
    except RuntimeError:
        assert capsule_api.PyCapsule_IsValid(capsule, name)  # nothing was taken
        raise
    used = ctypes.create_string_buffer(b"used_" + name)  # PyCapsule keeps the pointer
    capsule_api.PyCapsule_SetName(capsule, used)
    del capsule
    return view


@pytest.mark.parametrize("form", [VERSIONED, UNVERSIONED], ids=["versioned", "unversioned"])
def test_layout_view_and_copy(form):
    pixels = np.arange(4 * 5 * 3, dtype="uint8").reshape(4, 5, 3)
    planes = np.zeros((3, 4, 5), "uint8")
    before = sys.getrefcount(pixels), sys.getrefcount(planes)

    source, target = view_of(pixels, form), view_of(planes, form)
    axes = (ctypes.c_int32 * 3)(2, 0, 1)
    chw = made(sv.sv_layout, lib.sv_layout_permute, lib.sv_view_layout(source), 3, axes)
    permuted = made(sv.sv_view, lib.sv_view_with_layout, source, chw)
    assert lib.sv_layout_shape(chw)[:3] == [3, 4, 5]
    check(lib.sv_copy(target, permuted, 0, 0))
    assert (planes == pixels.transpose(2, 0, 1)).all()

    for view in permuted, target, source:
        lib.sv_view_release(view)
    lib.sv_layout_release(chw)
    assert (sys.getrefcount(pixels), sys.getrefcount(planes)) == before


def test_failure_takes_nothing():
    array = np.zeros(3)
    before = sys.getrefcount(array)
    with pytest.raises(RuntimeError, match="flag"):
        view_of(array, VERSIONED, flags=1 << 20)
    assert sys.getrefcount(array) == before


def test_handles_of_objects():
    array = np.arange(24, dtype="int16").reshape(4, 6)[::-1, ::2]
    array.flags.writeable = False
    before = sys.getrefcount(array)
    view = strideview.view(array)
    handle = ctypes.cast(view.handle, ctypes.POINTER(sv.sv_view))
    layout = lib.sv_view_layout(handle)
    assert lib.sv_view_data(handle) == array.__array_interface__["data"][0]
    assert tuple(lib.sv_layout_shape(layout)[:lib.sv_layout_ndim(layout)]) == array.shape
    assert tuple(lib.sv_layout_byte_strides(layout)[:2]) == array.strides
    assert (lib.sv_view_dtype(handle), lib.sv_view_is_readonly(handle)) == (sv.SV_INT16, 1)
    kept = lib.sv_view_retain(handle)  # lives on without the object
    del view
    assert sys.getrefcount(array) > before
    lib.sv_view_release(kept)
    assert sys.getrefcount(array) == before

    layout = strideview.StridedLayout.dense((2, 3), 8)
    assert lib.sv_layout_nbytes(ctypes.cast(layout.handle, ctypes.POINTER(sv.sv_layout))) == 48


def test_cffi_handles_of_objects():
    ffi, c = strideview.ffi, strideview.lib
    array = np.arange(24, dtype="float32").reshape(4, 6).T
    before = sys.getrefcount(array)
    view = strideview.view(array)
    handle = ffi.cast("sv_view *", view.handle)
    layout = c.sv_view_layout(handle)
    assert int(ffi.cast("uintptr_t", c.sv_view_data(handle))) == array.__array_interface__["data"][0]
    assert ffi.unpack(c.sv_layout_shape(layout), c.sv_layout_ndim(layout)) == [6, 4]
    assert ffi.unpack(c.sv_layout_byte_strides(layout), 2) == [4, 24]
    assert c.sv_view_dtype(handle) == c.SV_FLOAT32 and not c.sv_view_is_readonly(handle)
    kept = ffi.gc(c.sv_view_retain(handle), c.sv_view_release)
    del view
    assert sys.getrefcount(array) > before
    ffi.release(kept)
    assert sys.getrefcount(array) == before


if __name__ == "__main__":
    import tap
    tap.main(__file__)
