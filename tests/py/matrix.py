"""Who makes arrays and who takes them: producers and consumers for test_matrix.py, each in a few lines."""

import array
import ctypes
import importlib
import mmap
from types import SimpleNamespace

import numpy as np

import strideview as sv
from dtypes import BELOW_A_BYTE, NARROW
from peers import JAX_DTYPES, NUMPY_DTYPES, TORCH_DTYPES, name_of

ML_DTYPES = [*NARROW, *BELOW_A_BYTE, "complex32"]
SMALL_JAX = ["float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "int4", "uint4"]
STRICT_DTYPES = [name for name in NUMPY_DTYPES if name != "float16"]
REFUSED = (AttributeError, BufferError, IndexError, TypeError, ValueError, RuntimeError, OverflowError,
           NotImplementedError)
BYTES = bytes(1 if i % 3 else 0 for i in range(24 * 16))  # as bools they are legal, as floats no NaN

# A 2 x 3 x 4 array in C order, and others made of it.
FORMS = {
    "whole": lambda a: a,
    "strided": lambda a: a.swapaxes(0, 2)[1:, ::2],
    "empty": lambda a: a[:, :0, :],
    "0-d": lambda a: a[1, 2, 3, ...],
    "reversed": lambda a: a[::-1, :, ::-2],
    "repeated": lambda a: np.broadcast_to(a[:1], (2, 3, 4)),
}
SLICES = ("whole", "strided", "empty", "0-d")


class Missing(Exception):
    """What is asked for is not installed, or older than this type."""


def need(name):
    try:
        return importlib.import_module(name)
    except (ImportError, AttributeError) as error:  # the latter where NumPy is older than it needs
        raise Missing(f"{name}: {error}") from None


# --- producers: (the object, its bytes in C order, where they are, read-only); None: it does not tell -----------------

def raw(dtype):
    """Writable memory of 2 x 3 x 4 elements."""
    dtype = np.dtype(dtype)
    return np.frombuffer(bytearray(BYTES[:24 * dtype.itemsize]), dtype).reshape(2, 3, 4)


def of_numpy(dtype, form):
    made = FORMS[form](raw(dtype))
    return made, made.tobytes(), made.ctypes.data, not made.flags.writeable


def of_read_only_numpy(dtype, form):
    made = of_numpy(dtype, form)[0]
    made.flags.writeable = False
    return made, made.tobytes(), made.ctypes.data, True


def of_ml_dtypes(dtype, form):
    ml_dtypes = need("ml_dtypes")
    if not hasattr(ml_dtypes, dtype):
        raise Missing(f"ml_dtypes has no {dtype}")
    return of_numpy(getattr(ml_dtypes, dtype), form)


def of_torch(dtype, form):
    torch = need("torch")
    if not hasattr(torch, dtype):
        raise Missing(f"torch has no {dtype}")
    type_ = getattr(torch, dtype)
    memory = torch.frombuffer(bytearray(BYTES[:24 * type_.itemsize]), dtype=torch.uint8)
    made = FORMS[form](memory.view(type_).reshape(2, 3, 4))
    return made, bytes_of_tensor(made), made.data_ptr(), False


def of_jax(dtype, form):
    numpy = need("jax.numpy")
    made = FORMS[form](numpy.asarray(np.frombuffer(BYTES[:24], "uint8")).astype(dtype).reshape(2, 3, 4))
    return made, np.asarray(made).tobytes(), made.unsafe_buffer_pointer(), None


def of_tvm_ffi(dtype, form):
    made, content, address, _ = of_numpy(dtype, form)
    return need("tvm_ffi").from_dlpack(made), content, address, False


def of_array_api_strict(dtype, form):
    strict = need("array_api_strict")
    made = strict.from_dlpack(raw(dtype))
    made = {"strided": lambda a: strict.permute_dims(a, (2, 1, 0))[1:, ::2, :]}.get(form, FORMS[form])(made)
    inside = np.asarray(made)
    return made, inside.tobytes(), inside.ctypes.data, False


def of_cuda_core(dtype, form):
    made, content, address, readonly = of_numpy(dtype, form)
    return need("cuda.core.utils").StridedMemoryView.from_dlpack(made, -1), content, address, readonly


def of_strideview(dtype, form):
    whole = sv.empty((2, 3, 4), dtype)
    opaque = np.frombuffer(BYTES[:whole.nbytes], f"V{whole.itemsize}").reshape(2, 3, 4)
    sv.copy(whole.view(dtype="opaque"), opaque)
    return FORMS[form](whole), FORMS[form](opaque).tobytes(), None, False


def of_array(code, _):
    made = array.array(code, BYTES[:24 * array.array(code).itemsize])
    return made, made.tobytes(), made.buffer_info()[0], False


def of_ctypes(name, form):
    type_ = getattr(ctypes, f"c_{name}")
    type_ = {"whole": type_ * 4 * 3 * 2, "empty": type_ * 4 * 0 * 2, "0-d": type_}[form]
    made = type_.from_buffer(bytearray(BYTES[:ctypes.sizeof(type_) + 1]))
    return made, bytes(made), ctypes.addressof(made), False


def of_bytes(_, __):
    return BYTES[:24], BYTES[:24], None, True


def of_memoryview(code, form):
    content = BYTES[:24 * np.dtype(code).itemsize]
    if form == "reversed":  # slices are for one axis only
        return memoryview(content).cast(code)[::-2], np.frombuffer(content, code)[::-2].tobytes(), None, True
    return memoryview(content).cast(code, (2, 3, 4)), content, None, True


def of_mmap(_, __):
    made = mmap.mmap(-1, 24)
    made[:] = BYTES[:24]
    return made, BYTES[:24], None, False


def of_pillow(mode, _):
    image = need("PIL.Image").frombytes(mode, (4, 3), BYTES[:12 * {"L": 1, "RGB": 3, "RGBA": 4, "I;16": 2}.get(mode, 4)])
    return image, image.tobytes(), None, True


def of_pyarrow(dtype, form):
    arrow = need("pyarrow")
    source = raw(dtype).reshape(-1)[:0 if form == "empty" else 24]
    return arrow.array(source), source.tobytes(), None, True


def of_pyarrow_tensor(dtype, form):
    made, content, address, readonly = of_numpy(dtype, form)
    return need("pyarrow").Tensor.from_numpy(made), content, address, readonly


CTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"]
CODES = "bBhHiIlLqQfd"
ARROW_DTYPES = [name for name in NUMPY_DTYPES if name[:4] not in ("bool", "comp")]

# Each with the package that it comes from, types, and forms it can have.
PRODUCERS = {
    "NumPy array": (of_numpy, "numpy", NUMPY_DTYPES, FORMS),
    "read-only NumPy array": (of_read_only_numpy, "numpy", NUMPY_DTYPES, SLICES),
    "ml_dtypes array": (of_ml_dtypes, "ml_dtypes", ML_DTYPES, FORMS),
    "PyTorch tensor": (of_torch, "torch", TORCH_DTYPES, SLICES),
    "JAX array": (of_jax, "jax", [*JAX_DTYPES, *SMALL_JAX], SLICES),
    "tvm-ffi tensor": (of_tvm_ffi, "apache-tvm-ffi", NUMPY_DTYPES, ("whole", "strided", "empty", "0-d")),
    "array_api_strict array": (of_array_api_strict, "array-api-strict", STRICT_DTYPES, SLICES),
    "cuda.core view": (of_cuda_core, "cuda-core", NUMPY_DTYPES, SLICES),
    "strideview view": (of_strideview, None, [*NUMPY_DTYPES, *NARROW, "complex32"], SLICES),
    "pyarrow array": (of_pyarrow, "pyarrow", ARROW_DTYPES, ("whole", "empty")),
    "pyarrow tensor": (of_pyarrow_tensor, "pyarrow", ARROW_DTYPES, SLICES),
    "Pillow image": (of_pillow, "pillow", ["L", "RGB", "RGBA", "I;16", "I", "F"], ("whole",)),
    "array.array": (of_array, None, CODES, ("whole",)),
    "ctypes array": (of_ctypes, None, CTYPES, ("whole", "empty", "0-d")),
    "bytes": (of_bytes, None, ["uint8"], ("whole",)),
    "memoryview": (of_memoryview, None, CODES, ("whole", "reversed")),
    "mmap": (of_mmap, None, ["uint8"], ("whole",)),
}


# --- consumers: what they found; None: they do not tell; address 0: a copy --------------------------------------------

def found(address, content, dtype=None, shape=None, strides=None, readonly=None):
    return SimpleNamespace(**locals())


def of_ndarray(back):
    return found(back.ctypes.data, back.tobytes(), back.dtype.name, back.shape, back.strides, not back.flags.writeable)


def bytes_of_tensor(tensor):
    torch = need("torch")
    whole = tensor.contiguous().reshape(-1).view(torch.uint8)  # a new one where it was not contiguous
    return whole.numpy().tobytes()


def bytes_of(view):
    """The elements in C order, by way of sv.copy()."""
    opaque = view.view(dtype="opaque")
    target = bytearray(view.nbytes)
    sv.copy(sv.view(target).view(sv.StridedLayout.dense(view.shape, view.itemsize), "opaque"), opaque)
    return bytes(target)


def of_view(back):
    return found(back.ptr, bytes_of(back), name_of(back), back.shape, back.layout.strides_in_bytes, back.readonly)


def to_numpy(view):
    return of_ndarray(np.from_dlpack(view))


def to_asarray(view):
    return of_ndarray(np.asarray(view))


def to_array_interface(view):
    class Exporter:
        __array_interface__ = view.__array_interface__
    return of_ndarray(np.asarray(Exporter()))


def to_memoryview(view):
    back = memoryview(view)
    return found(None, back.tobytes(), None, back.shape, back.strides, back.readonly)


def to_torch(view):
    if any(step < 0 for step in view.strides):
        raise ValueError("PyTorch would end the process over negative strides")
    back = need("torch").from_dlpack(view)
    name = str(back.dtype).removeprefix("torch.").replace("_x2", "x2")
    return found(back.data_ptr(), bytes_of_tensor(back), name, tuple(back.shape),
                 tuple(step * back.itemsize for step in back.stride()), False)


def to_jax(view):
    back = need("jax").dlpack.from_dlpack(view)
    if str(back.dtype) != name_of(view):
        raise TypeError("JAX would narrow the type: jax_enable_x64 is off")
    return found(None, np.asarray(back).tobytes(), str(back.dtype), back.shape, None, True)  # copied unless well aligned


def to_tvm_ffi(view):
    back = need("tvm_ffi").from_dlpack(view)
    told = of_view(sv.view(back))
    told.readonly = False  # it has no such flag
    return told


def to_array_api_strict(view):
    return of_ndarray(np.asarray(need("array_api_strict").from_dlpack(view)))


def to_cuda_core(view):
    back = need("cuda.core.utils").StridedMemoryView.from_dlpack(view, -1)
    size = view.itemsize
    strides = None if back.strides is None else tuple(step * size for step in back.strides)
    return found(back.ptr, None, str(back.dtype), back.shape, strides, back.readonly)


def to_pyarrow_tensor(view):
    back = need("pyarrow").Tensor.from_dlpack(view)
    inside = back.to_numpy()
    return found(inside.ctypes.data, inside.tobytes(), inside.dtype.name, tuple(back.shape), tuple(back.strides), None)


def to_pyarrow_buffer(view):
    back = need("pyarrow").py_buffer(view)
    return found(back.address, back.to_pybytes(), readonly=not back.is_mutable)


def to_pillow(view):
    back = need("PIL.Image").fromarray(view)
    content = back.tobytes()
    if len(content) != view.nbytes:  # signed and 64-bit types become others
        return found(0, None, f"mode {back.mode}")
    return found(0, content)


def to_ctypes(view):
    back = (ctypes.c_char * view.nbytes).from_buffer(view)
    return found(ctypes.addressof(back), bytes(back), readonly=False)


def to_array(view):
    back = array.array("B")
    back.frombytes(view)
    return found(0, back.tobytes())


def to_mmap(view):
    back = mmap.mmap(-1, max(view.nbytes, 1))
    back[:view.nbytes] = view
    return found(0, back[:view.nbytes])


def to_capsule(view):
    return of_view(sv.view(view.__dlpack__(max_version=(1, 3))))


def to_old_capsule(view):
    return of_view(sv.view(view.__dlpack__()))


# Each with the package it comes from and the types that it must take: of others it may say no.
CONSUMERS = {
    "np.from_dlpack": (to_numpy, "numpy", NUMPY_DTYPES),
    "np.asarray": (to_asarray, "numpy", NUMPY_DTYPES),
    "__array_interface__": (to_array_interface, "numpy", NUMPY_DTYPES),
    "torch.from_dlpack": (to_torch, "torch", TORCH_DTYPES),
    "jax.dlpack.from_dlpack": (to_jax, "jax", []),
    "tvm_ffi.from_dlpack": (to_tvm_ffi, "apache-tvm-ffi", NUMPY_DTYPES),
    "array_api_strict.from_dlpack": (to_array_api_strict, "array-api-strict", STRICT_DTYPES),
    "cuda.core's from_dlpack": (to_cuda_core, "cuda-core", NUMPY_DTYPES),
    "pyarrow.Tensor.from_dlpack": (to_pyarrow_tensor, "pyarrow", []),
    "pyarrow.py_buffer": (to_pyarrow_buffer, "pyarrow", []),
    "Image.fromarray": (to_pillow, "pillow", []),
    "memoryview": (to_memoryview, None, [*NUMPY_DTYPES, "complex32"]),
    "ctypes from_buffer": (to_ctypes, None, []),
    "array.frombytes": (to_array, None, []),
    "mmap slice": (to_mmap, None, []),
    "DLPack capsule": (to_capsule, None, [*NUMPY_DTYPES, *TORCH_DTYPES, *ML_DTYPES]),
    "DLPack capsule before 1.0": (to_old_capsule, None, []),
}
