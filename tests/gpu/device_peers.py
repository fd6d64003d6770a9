"""Other libraries that `run bench` times beside libsv, each by its own way to copy between two strided arrays.

Each function makes a function without arguments that gives the copy to the stream, or answers None where it has no way
to say what is copied. What is not installed raises ImportError or OSError.
"""

import ctypes
import importlib.util
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

TORCH, CUPY, CUTENSOR, NVMATH, CCCL = "PyTorch", "CuPy", "cuTENSOR", "nvmath", "CCCL"
PACKAGES = {TORCH: ["torch"], CUPY: ["cupy-cuda13x", "cupy-cuda12x", "cupy"],
            CUTENSOR: ["cutensor-cu13", "cutensor-cu12"], NVMATH: ["nvmath-python"]}

IDENTITY, DEFAULT_ALGORITHM, NO_JIT = 1, -1, 0  # of cutensorOperator_t, cutensorAlgo_t, cutensorJitMode_t
CUTENSOR_TYPES = {"float32": (0, "32F", ctypes.c_float), "float64": (1, "64F", ctypes.c_double),
                  "float16": (2, "32F", ctypes.c_float)}  # cudaDataType, what computes, type of a factor
ALIGNMENT = 128  # bytes, that cuTENSOR is promised where it is so
HERE = Path(__file__).resolve().parent


def has_only_positive_strides(*views):
    return all(stride > 0 for view in views for stride in view.strides)


def is_within_device(*views):
    return all(view.is_device_accessible and not view.is_host_accessible for view in views)


def has_typestr(*views):
    """Whether there are type strings for the elements, as array interfaces need: not for bfloat16 and float8_e5m2."""
    return all(hasattr(view, "__cuda_array_interface__") for view in views)


def by_torch(dst, src, stream):
    import torch

    if not torch.cuda.is_available():
        raise ImportError("a PyTorch without CUDA")
    if any(stride < 0 for view in (dst, src) for stride in view.strides):
        return None  # torch.from_dlpack() would end the process
    torch.cuda.set_stream(torch.cuda.ExternalStream(stream))
    to, of = torch.from_dlpack(dst), torch.from_dlpack(src)
    return lambda: to.copy_(of, non_blocking=True)


def by_cupy(dst, src, stream):
    import cupy

    if not is_within_device(dst, src):
        return None
    if dst.dtype == src.dtype and not has_typestr(dst):
        dst, src = (view.view(dtype=f"uint{8 * view.itemsize}") for view in (dst, src))  # the bits are copied
    if not has_typestr(dst, src):
        return None  # CuPy would try to read it on the host
    cupy.cuda.ExternalStream(stream).use()
    to, of, copyto = cupy.asarray(dst), cupy.asarray(src), cupy.copyto
    return lambda: copyto(to, of, casting="unsafe")


# --- cuTENSOR -------------------------------------------------------------------


class CuTensor:
    """The library of version 2, from PyPI's package or the system, with one handle."""

    opened = None

    def __init__(self):
        spec = importlib.util.find_spec("cutensor")
        folders = [Path(place) / "lib" for place in (spec.submodule_search_locations or [])] if spec else []
        found = [path for folder in folders for path in folder.glob("libcutensor.so.2")]
        self.lib = ctypes.CDLL(str(found[0]) if found else "libcutensor.so.2")
        self.handle = self.made("cutensorCreate")

    @classmethod
    def open(cls):
        cls.opened = cls.opened or cls()
        return cls.opened

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            raise ValueError(f"{name}: status {status}")

    def made(self, name, *arguments, after=()):
        out = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(out), *after)
        return out

    def describe(self, view, number):
        shape, strides = ((ctypes.c_int64 * view.ndim)(*numbers) for numbers in (view.shape, view.strides))
        alignment = ALIGNMENT if view.ptr % ALIGNMENT == 0 else view.itemsize
        return self.made("cutensorCreateTensorDescriptor", self.handle,
                         after=(ctypes.c_uint32(view.ndim), shape, strides, number, ctypes.c_uint32(alignment)))


def by_cutensor(dst, src, stream):
    library = CuTensor.open()
    name = str(dst.dtype)
    if not is_within_device(dst, src) or name not in CUTENSOR_TYPES or str(src.dtype) != name:
        return None
    if not has_only_positive_strides(dst, src):
        return None
    number, computes, factor = CUTENSOR_TYPES[name]
    modes, one = (ctypes.c_int32 * dst.ndim)(*range(dst.ndim)), factor(1)
    computes = ctypes.c_void_p.in_dll(library.lib, f"CUTENSOR_COMPUTE_DESC_{computes}")
    to, of = library.describe(dst, number), library.describe(src, number)
    operation = library.made("cutensorCreatePermutation", library.handle,
                             after=(of, modes, IDENTITY, to, modes, computes))
    preference = library.made("cutensorCreatePlanPreference", library.handle, after=(DEFAULT_ALGORITHM, NO_JIT))
    plan = library.made("cutensorCreatePlan", library.handle, after=(operation, preference, ctypes.c_uint64(0)))
    permute = library.lib.cutensorPermute
    arguments = (library.handle, plan, ctypes.byref(one), ctypes.c_void_p(src.ptr), ctypes.c_void_p(dst.ptr),
                 ctypes.c_void_p(stream))
    return lambda kept=one: permute(*arguments) and None


# --- the others -------------------------------------------------------------------


def by_nvmath(dst, src, stream):
    from nvmath.internal.ndbuffer import ndbuffer

    class Holder:
        handle = stream

    class Stream:
        obj = Holder

    def wrapped(view):
        device = ndbuffer.CPU_DEVICE_ID if view.is_host_accessible else view.device_id
        return ndbuffer.wrap_external(view, view.ptr, str(view.dtype), view.shape, view.strides, device, view.itemsize)

    if str(dst.dtype) != str(src.dtype):
        return None
    to, of, copy_into = wrapped(dst), wrapped(src), ndbuffer.copy_into
    return lambda: copy_into(to, of, Stream)


def by_cccl(dst, src, stream):
    copy = ctypes.CDLL(str(HERE.parent / "lib" / "libcccl_copy.so")).cccl_copy
    if not is_within_device(dst, src) or str(dst.dtype) != str(src.dtype):
        return None
    to, of = dst.layout.common_form(src.layout)  # fewer axes, where there can be fewer
    lists = [(ctypes.c_int64 * to.ndim)(*numbers) for numbers in (to.shape, to.strides, of.strides)]
    first = [view.ptr - view.layout.slice_offset_in_bytes + layout.slice_offset_in_bytes
             for view, layout in ((dst, to), (src, of))]
    arguments = (to.itemsize, to.ndim, *lists, *map(ctypes.c_void_p, first), ctypes.c_void_p(stream))
    status = copy(*arguments)
    if status == 2:
        return None
    if status != 0:
        raise ValueError("cuda::copy() refuses it")
    return lambda: copy(*arguments) and None


WAYS = {TORCH: by_torch, CUPY: by_cupy, CUTENSOR: by_cutensor, NVMATH: by_nvmath, CCCL: by_cccl}


def versions():
    """Of what is installed."""
    found = {}
    for name, packages in PACKAGES.items():
        for package in packages:
            try:
                found[name] = version(package)
                break
            except PackageNotFoundError:
                continue
    if (HERE.parent / "lib" / "libcccl_copy.so").exists():
        found[CCCL] = "of the bundle"
    return found
