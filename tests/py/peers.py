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
CAPSULE.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor_versioned"
CAPSULE.PyCapsule_GetPointer.restype = ctypes.c_void_p
CAPSULE.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Exchange(ctypes.Structure):
    """DLPackExchangeAPI of DLPack 1.3."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p),
                ("allocate", ctypes.c_void_p), ("of_object", ctypes.c_void_p), ("to_object", ctypes.c_void_p),
                ("lend", ctypes.c_void_p), ("work_stream", ctypes.c_void_p)]


def exchange_table(capsule_of, stream_of):
    """A table of a library whose tensors have their memory as capsule_of(tensor) tells, which work on the stream
    stream_of(device id) of CUDA; None: it does not tell. It lives as long as the process."""
    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
    def of_object(tensor, out):
        capsule = capsule_of(tensor)
        out[0] = CAPSULE.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
        CAPSULE.PyCapsule_SetName(capsule, USED)
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def work_stream(device_type, device_id, out):
        assert device_type == 2
        out[0] = stream_of(device_id)
        return 0
    table = Exchange(major=1, minor=3, of_object=ctypes.cast(of_object, ctypes.c_void_p),
                     work_stream=None if stream_of is None else ctypes.cast(work_stream, ctypes.c_void_p))
    exchange_table.kept.append((table, of_object, work_stream))
    return ctypes.addressof(table)


exchange_table.kept = []


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
