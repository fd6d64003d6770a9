"""Other array libraries, for the tests that exchange arrays with them."""

import ctypes
import importlib
import os

import numpy as np
import pytest

import strideview as sv

NUMPY_DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                "float64", "complex64", "complex128"]
TORCH_DTYPES = [*NUMPY_DTYPES, "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
                "float8_e8m0fnu", "complex32", "float4_e2m1fn_x2"]
JAX_DTYPES = ["bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float32", "complex64",
              "bfloat16"]

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # the host reads what JAX makes

CAPSULE = ctypes.pythonapi
CAPSULE.PyCapsule_New.restype = ctypes.py_object
CAPSULE.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
CAPSULE.PyCapsule_GetName.restype = ctypes.c_char_p
CAPSULE.PyCapsule_GetName.argtypes = [ctypes.py_object]
CAPSULE.PyCapsule_GetPointer.restype = ctypes.c_void_p
CAPSULE.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def need(name):
    """The module, or a skipped test that says it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed")


def name_of(view):
    """The name of a view's dtype, whether NumPy has it or not."""
    return getattr(view.dtype, "name", view.dtype)


def address(array):
    return array.__array_interface__["data"][0]


def numbers(shape, dtype="float32"):
    """A NumPy array of different numbers, as far as the type has them."""
    count = int(np.prod(shape, dtype=int))
    return (np.arange(count) % 100).astype(dtype).reshape(shape)


class Exporter:
    """An object that speaks DLPack as the test tells it to, and keeps what it was asked."""

    def __init__(self, array=None, device=(1, 0), answer=None):
        self.array, self.device, self.answer, self.asked = array, device, answer, []

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        if self.answer is not None:
            return self.answer(keywords)
        return self.array.__dlpack__(max_version=keywords.get("max_version"))

    def __dlpack_device__(self):
        return self.device


class OldExporter(Exporter):
    """The same before DLPack had versions."""

    def __dlpack__(self, stream=None):
        self.asked.append({"stream": stream})
        return self.array.__dlpack__()


class Tensor(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("ctx", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("data", ctypes.c_void_p),
                ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


def device_view(shape, device=(2, 0), address=0x1000):
    """A capsule that says it holds float32 numbers on a device; nothing reads them."""
    layout = sv.ffi.new("sv_layout **")
    assert sv.lib.sv_layout_new(len(shape), shape, sv.ffi.NULL, 4, layout) == 0
    view = sv.ffi.new("sv_view **")
    status = sv.lib.sv_view_new(layout[0], sv.lib.SV_FLOAT32, sv.ffi.cast("void *", address), -2**63, 2**63 - 1,
                                *device, 0, sv.ffi.NULL, sv.ffi.NULL, view)
    sv.lib.sv_layout_release(layout[0])
    assert status == 0, sv.ffi.string(sv.lib.sv_last_message())
    tensor = sv.ffi.new("struct DLManagedTensorVersioned **")
    assert sv.lib.sv_view_to_dlpack(view[0], 0, tensor) == 0
    sv.lib.sv_view_release(view[0])
    return CAPSULE.PyCapsule_New(int(sv.ffi.cast("uintptr_t", tensor[0])), b"dltensor_versioned", None)
