"""Strided array memory of every kind: view it, rearrange it, copy it.

    import strideview as sv

    source = sv.view(array)[:, ::-1].permute((2, 0, 1))  # describes, moves nothing
    target = sv.empty(source.shape, source.dtype)
    sv.copy(target, source)                              # moves every element once

view() takes whatever speaks DLPack. What comes out speaks DLPack and the
buffer protocol: np.asarray(target), torch.from_dlpack(target).

draw() shows which bytes each index of an array occupies; devices() which devices
this machine has.

lib and ffi are the whole C API by way of cffi; the headers in include/sv/ document it.
"""

from . import _strideview
from ._draw import draw
from ._extension import load_core as _load_core
from ._strideview import ffi, lib

if lib.sv_abi_version() != lib.SV_ABI_VERSION:
    raise ImportError(f"libsv has ABI version {lib.sv_abi_version()}, strideview was built for {lib.SV_ABI_VERSION}")
_load_core(_strideview.__file__)

from ._core import (  # noqa: E402
    _C_API,  # noqa: F401  (for C: strideview.h)
    _hint_functions,
    _hints,
    BoundsError,
    Buffer,
    CopyError,
    MemoryResource,
    Plan,
    ProtocolError,
    StridedLayout,
    StridedMemoryView,
    TooHardError,
    can_cast,
    copy,
    copy_batch,
    empty,
    empty_like,
    fill,
    is_unique,
    shares_memory,
    view,
)
from ._arguments import args_viewable_as_strided_memory  # noqa: E402  (needs the types)
from ._asarray import array, asarray, ascontiguousarray, asfortranarray, frombuffer  # noqa: E402
from ._axes import (  # noqa: E402
    as_strided,
    broadcast_to,
    expand_dims,
    flip,
    moveaxis,
    permute_dims,
    reshape,
    squeeze,
    swapaxes,
    transpose,
)
from ._devices import Device, Pointer, devices, pointer_query  # noqa: E402
from ._explain import Placement, explain, placement  # noqa: E402
from ._paths import get_cmake_dir, get_include, get_library_dir  # noqa: E402
from ._create import full, full_like, ones, ones_like, zeros, zeros_like  # noqa: E402
from ._stack import concatenate, stack  # noqa: E402
from ._rearrange import rearrange  # noqa: E402
from ._repeat import repeat  # noqa: E402
from . import memory  # noqa: E402

__version__ = ffi.string(lib.sv_version_text()).decode()

__all__ = [
    "BoundsError",
    "Buffer",
    "CopyError",
    "Device",
    "MemoryResource",
    "Placement",
    "Plan",
    "Pointer",
    "ProtocolError",
    "StridedLayout",
    "StridedMemoryView",
    "TooHardError",
    "args_viewable_as_strided_memory",
    "array",
    "as_strided",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "bfloat16",
    "broadcast_to",
    "can_cast",
    "complex128",
    "complex64",
    "concatenate",
    "copy",
    "copy_batch",
    "devices",
    "draw",
    "empty",
    "empty_like",
    "expand_dims",
    "explain",
    "ffi",
    "fill",
    "flip",
    "float16",
    "float32",
    "float64",
    "frombuffer",
    "full",
    "full_like",
    "get_cmake_dir",
    "get_include",
    "get_library_dir",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_unique",
    "lib",
    "library_path",
    "memory",
    "moveaxis",
    "newaxis",
    "ones",
    "ones_like",
    "permute_dims",
    "placement",
    "pointer_query",
    "rearrange",
    "repeat",
    "reshape",
    "shares_memory",
    "squeeze",
    "stack",
    "swapaxes",
    "transpose",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "view",
    "zeros",
    "zeros_like",
]


# dtypes are their names, where a dtype is wanted; None is a new axis, in an index.
bfloat16 = "bfloat16"
complex128 = "complex128"
complex64 = "complex64"
float16 = "float16"
float32 = "float32"
float64 = "float64"
int16 = "int16"
int32 = "int32"
int64 = "int64"
int8 = "int8"
uint16 = "uint16"
uint32 = "uint32"
uint64 = "uint64"
uint8 = "uint8"
newaxis = None

# A module with a __getattr__() has slower functions. So what is called in the place of NumPy's and PyTorch's other names
# is said by objects under these, which raise AttributeError when they are used.
_hint_functions(globals())


def __dir__() -> list[str]:
    return sorted(set(globals()) - set(_hints()[0]))


def library_path() -> str:
    """Path of a shared library with every function of sv.h, for ctypes and other callers of C."""
    return str(_strideview.__file__)
