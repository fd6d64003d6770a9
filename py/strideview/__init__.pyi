"""Strided array memory of every kind: view it, rearrange it, copy it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Literal, NamedTuple, Never, Protocol, Self, SupportsFloat, SupportsIndex, TypeVar, final, overload

from typing_extensions import Buffer as _BufferProtocol
from typing_extensions import CapsuleType, disjoint_base

from . import memory as memory

ffi: Any
lib: Any

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
__version__: str

bfloat16: str
complex128: str
complex64: str
float16: str
float32: str
float64: str
int16: str
int32: str
int64: str
int8: str
uint16: str
uint32: str
uint64: str
uint8: str
newaxis: None

def __dir__() -> list[str]: ...

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Destination = TypeVar("_Destination")
_Ints = SupportsIndex | Sequence[SupportsIndex]
_Factor = SupportsFloat | Sequence[SupportsFloat]
_Item = SupportsIndex | slice | EllipsisType | None
_Key = _Item | tuple[_Item, ...]
_Order = str | Sequence[SupportsIndex]
_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

# What each names its parameters is its own affair: "*args: Any, **kwargs: Any" takes any list of them.
class _DLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

class _ArrayInterface(Protocol):
    @property
    def __array_interface__(self) -> Any: ...

class _CudaArrayInterface(Protocol):
    @property
    def __cuda_array_interface__(self) -> Any: ...

class _SyclArrayInterface(Protocol):
    @property
    def __sycl_usm_array_interface__(self) -> Any: ...

class _Convertible(Protocol):
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

class _Arrow(Protocol):
    def __arrow_c_array__(self, *args: Any, **kwargs: Any) -> Any: ...

# Arrow's arrays in chunks, and tables.
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, *args: Any, **kwargs: Any) -> Any: ...

class _CudaStream(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...

# cuda.core's GraphBuilder.
class _StreamHolder(Protocol):
    @property
    def stream(self) -> _CudaStream: ...

# cuda.core's MemoryResource, with what says where the memory is, and RMM's DeviceMemoryResource.
class _ForeignResource(Protocol):
    def allocate(self, size: int, /, *, stream: Any) -> Any: ...
    def deallocate(self, ptr: int, size: int, /, *, stream: Any) -> None: ...

_Resource = MemoryResource | _ForeignResource

class _Executor(Protocol):
    def map(self, function: Callable[[int], Any], indices: Iterable[int], /) -> Iterable[Any]: ...

# Of bytes: (done, total), or as tqdm's update() what is new.
_Progress = Callable[[int, int], Any] | Callable[[int], Any]

# Or a capsule named "sv_parallel_callback".
_Threads = _Executor | CapsuleType

_Stream = SupportsIndex | _CudaStream | _StreamHolder | None

# The name of a kind, or where memory comes from.
_Memory = str | _Resource | None

class _TypedDevice(Protocol):  # PyTorch's
    @property
    def type(self) -> str: ...

class _DeviceWithId(Protocol):  # CuPy's and JAX's
    @property
    def id(self) -> int: ...

class _DeviceWithDeviceId(Protocol):  # cuda.core's
    @property
    def device_id(self) -> int: ...

# A number, "cpu" or "cuda:1", view.device, one of devices(), or a device of another library.
_Device = SupportsIndex | str | tuple[int, int] | Device | _TypedDevice | _DeviceWithId | _DeviceWithDeviceId

_Array = (
    _DLPack
    | _ArrayInterface
    | _CudaArrayInterface
    | _SyclArrayInterface
    | _Convertible
    | _Arrow
    | _BufferProtocol
    | CapsuleType
)

_Kind = Literal["host", "pinned", "device", "managed", "foreign"]
_PoolKind = Literal["device", "pinned", "managed"]
_Advice = Literal[
    "read_mostly", "not_read_mostly", "prefer", "not_prefer", "accessed_by", "not_accessed_by"
]

class BoundsError(ValueError, IndexError):
    """An index or an axis outside the array."""

class CopyError(BufferError, ValueError):
    """Only a copy could do what was asked, and copying was forbidden."""

class ProtocolError(TypeError, BufferError):
    """An object that speaks no protocol by which its memory could be viewed."""

class TooHardError(RuntimeError):
    """A question that was not decided within its work limit."""

@disjoint_base
class StridedLayout:
    """Shape, strides, item size and offset of an array; no memory, no type. It does not change."""

    def __new__(
        cls, shape: _Ints, strides: _Ints | None, itemsize: SupportsIndex, divide_strides: bool = False
    ) -> StridedLayout: ...
    @classmethod
    def dense(cls, shape: _Ints, itemsize: SupportsIndex, stride_order: _Order = "C") -> StridedLayout: ...
    @classmethod
    def dense_like(cls, other: StridedLayout, stride_order: _Order = "K") -> StridedLayout: ...
    @classmethod
    def from_byte_strides(
        cls,
        shape: _Ints, byte_strides: _Ints | None, itemsize: SupportsIndex
    ) -> StridedLayout: ...
    @classmethod
    def parse(cls, text: str, /) -> StridedLayout: ...
    @property
    def handle(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def strides_in_bytes(self) -> tuple[int, ...]: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def volume(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def slice_offset(self) -> int: ...
    @property
    def slice_offset_in_bytes(self) -> int: ...
    @property
    def is_contiguous_c(self) -> bool: ...
    @property
    def is_contiguous_f(self) -> bool: ...
    @property
    def is_contiguous_any(self) -> bool: ...
    @property
    def is_dense(self) -> bool: ...
    @property
    def is_unique(self) -> bool: ...
    @property
    def stride_order(self) -> tuple[int, ...]: ...
    @property
    def offset_bounds(self) -> tuple[int, int]: ...
    @property
    def min_offset(self) -> int: ...
    @property
    def max_offset(self) -> int: ...
    def required_size_in_bytes(self) -> int: ...
    def alignment(self, address: SupportsIndex = 0) -> int: ...
    def is_within(self, lower: SupportsIndex, upper: SupportsIndex) -> bool: ...
    def max_compatible_itemsize(
        self, max_itemsize: SupportsIndex = 16, data_ptr: SupportsIndex = 0, axis: SupportsIndex = -1
    ) -> int: ...
    def overlaps(
        self,
        other: StridedLayout,
        address: SupportsIndex = 0,
        other_address: SupportsIndex = 0,
        work: SupportsIndex = 0,
    ) -> bool: ...
    def same_bytes(self, other: StridedLayout) -> bool: ...
    def common_form(self, other: StridedLayout) -> tuple[StridedLayout, StridedLayout]: ...
    def common_itemsize(
        self,
        other: StridedLayout,
        max_itemsize: SupportsIndex = 16,
        address: SupportsIndex = 0,
        other_address: SupportsIndex = 0,
    ) -> int: ...
    def broadcast_shape(self, other: StridedLayout) -> tuple[int, ...]: ...
    def permutation_to(self, other: StridedLayout) -> tuple[int, ...]: ...
    def to_dense(self, stride_order: _Order = "K", itemsize: int | None = None) -> StridedLayout: ...
    @property
    def T(self) -> StridedLayout: ...
    def permute(self, *order: _Ints, dims: _Ints | None = None) -> StridedLayout: ...
    def transpose(self, *order: _Ints | None, axes: _Ints | None = None) -> StridedLayout: ...
    def moveaxis(self, source: _Ints, destination: _Ints) -> StridedLayout: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> StridedLayout: ...
    def flip(self, *axes: _Ints | None, axis: _Ints | None = None) -> StridedLayout: ...
    def squeeze(self, *axes: _Ints | None, axis: _Ints | None = None) -> StridedLayout: ...
    def unsqueeze(self, *axes: _Ints, axis: _Ints | None = None) -> StridedLayout: ...
    def broadcast_to(self, shape: _Ints, *more: SupportsIndex) -> StridedLayout: ...
    def diagonal(
        self, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
    ) -> StridedLayout: ...
    def sliding_window(self, window_shape: _Ints, axis: _Ints | None = None) -> StridedLayout: ...
    def reshape(self, *extents: _Ints, shape: _Ints | None = None) -> StridedLayout: ...
    def flatten(
        self, start_axis: SupportsIndex = 0, end_axis: SupportsIndex = -1, mask: SupportsIndex | None = None
    ) -> StridedLayout: ...
    def merge_axes(self, start_axis: SupportsIndex, end_axis: SupportsIndex) -> StridedLayout: ...
    def split_axis(self, axis: SupportsIndex, shape: _Ints) -> StridedLayout: ...
    def permuted(self, axis_order: _Ints, *more: SupportsIndex) -> StridedLayout: ...
    def reshaped(self, shape: _Ints, *more: SupportsIndex) -> StridedLayout: ...
    def flattened(
        self, start_axis: SupportsIndex = 0, end_axis: SupportsIndex = -1, mask: SupportsIndex | None = None
    ) -> StridedLayout: ...
    def flattened_axis_mask(self) -> int: ...
    def squeezed(self, *axes: _Ints | None) -> StridedLayout: ...
    def unsqueezed(self, axis: _Ints, *more: SupportsIndex) -> StridedLayout: ...
    def repack(
        self, itemsize: SupportsIndex, data_ptr: SupportsIndex = 0, axis: SupportsIndex = -1, keep_dim: bool = True
    ) -> StridedLayout: ...
    def repacked(
        self, itemsize: SupportsIndex, data_ptr: SupportsIndex = 0, axis: SupportsIndex = -1, keep_dim: bool = True
    ) -> StridedLayout: ...
    def sliced(self, slices: _Key) -> StridedLayout: ...
    def __getitem__(self, key: _Key, /) -> StridedLayout: ...
    def __copy__(self) -> StridedLayout: ...
    def __deepcopy__(self, memo: Any, /) -> StridedLayout: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class StridedMemoryView:
    """Memory of an array, seen through a StridedLayout. A view keeps the memory alive."""

    # DLPack's table of functions in C: as an address in DLPack 1.2, in a capsule in 1.3.
    __c_dlpack_exchange_api__: int
    __dlpack_c_exchange_api__: Any

    def __new__(cls, obj: _Array, stream_ptr: _Stream = None) -> StridedMemoryView: ...
    @classmethod
    def from_dlpack(cls, obj: _Array, stream_ptr: _Stream = None) -> StridedMemoryView: ...
    @classmethod
    def from_any_interface(cls, obj: _Array, stream_ptr: _Stream = None) -> StridedMemoryView: ...
    @classmethod
    def from_array_interface(cls, obj: _ArrayInterface) -> StridedMemoryView: ...
    @overload
    @classmethod
    def from_buffer(
        cls,
        buffer: Any,
        shape: _Ints,
        strides: _Ints | None = None,
        *,
        strides_in_bytes: _Ints | None = None,
        offset: SupportsIndex = 0,
        itemsize: SupportsIndex | None = None,
        dtype: Any = None,
        is_readonly: bool = False,
    ) -> StridedMemoryView: ...
    @overload
    @classmethod
    def from_buffer(
        cls,
        buffer: Any, layout: StridedLayout, dtype: Any = None, is_readonly: bool = False
    ) -> StridedMemoryView: ...
    @classmethod
    def from_cuda_array_interface(cls, obj: _CudaArrayInterface, stream_ptr: _Stream = None) -> StridedMemoryView: ...
    @property
    def ptr(self) -> int: ...
    @property
    def handle(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def layout(self) -> StridedLayout: ...
    @property
    def _layout(self) -> StridedLayout: ...
    @property
    def dtype(self) -> Any: ...  # numpy.dtype, or str
    @property
    def is_contiguous_c(self) -> bool: ...
    @property
    def is_contiguous_f(self) -> bool: ...
    @property
    def c_contiguous(self) -> bool: ...
    @property
    def f_contiguous(self) -> bool: ...
    @property
    def device(self) -> tuple[int, int]: ...
    @property
    def device_id(self) -> int: ...
    @property
    def is_device_accessible(self) -> bool: ...
    @property
    def is_host_accessible(self) -> bool: ...
    @property
    def readonly(self) -> bool: ...
    @property
    def exporting_obj(self) -> Any: ...
    @property
    def stream(self) -> int | None: ...
    def view(self, layout: StridedLayout | Any = None, dtype: Any = None) -> StridedMemoryView: ...
    @property
    def T(self) -> StridedMemoryView: ...
    def permute(self, *order: _Ints, dims: _Ints | None = None) -> StridedMemoryView: ...
    def transpose(self, *order: _Ints | None, axes: _Ints | None = None) -> StridedMemoryView: ...
    def moveaxis(self, source: _Ints, destination: _Ints) -> StridedMemoryView: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> StridedMemoryView: ...
    def flip(self, *axes: _Ints | None, axis: _Ints | None = None) -> StridedMemoryView: ...
    def squeeze(self, *axes: _Ints | None, axis: _Ints | None = None) -> StridedMemoryView: ...
    def unsqueeze(self, *axes: _Ints, axis: _Ints | None = None) -> StridedMemoryView: ...
    def broadcast_to(self, shape: _Ints, *more: SupportsIndex) -> StridedMemoryView: ...
    def diagonal(
        self, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
    ) -> StridedMemoryView: ...
    def sliding_window(self, window_shape: _Ints, axis: _Ints | None = None) -> StridedMemoryView: ...
    def reshape(self, *extents: _Ints, shape: _Ints | None = None) -> StridedMemoryView: ...
    def flatten(
        self, start_axis: SupportsIndex = 0, end_axis: SupportsIndex = -1, mask: SupportsIndex | None = None
    ) -> StridedMemoryView: ...
    def merge_axes(self, start_axis: SupportsIndex, end_axis: SupportsIndex) -> StridedMemoryView: ...
    def split_axis(self, axis: SupportsIndex, shape: _Ints) -> StridedMemoryView: ...
    def to(
        self,
        device: _Device | None = None,
        *,
        memory: _Memory = None,
        dtype: Any = None,
        order: _Order = "K",
        copy: bool = False,
        stream: _Stream = None,
        blocking: bool | None = None,
        casting: _Casting = "unsafe",
    ) -> StridedMemoryView: ...
    def cpu(self) -> StridedMemoryView: ...
    def cuda(
        self, device: _Device | None = None, *, stream: _Stream = None, blocking: bool | None = None
    ) -> StridedMemoryView: ...
    def copy_from(
        self,
        other: _Array,
        stream: _Stream = None,
        allocator: _Resource | None = None,
        blocking: bool | None = None,
        *,
        casting: _Casting = "no",
        byteswap: bool = False,
        executor: _Threads | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        scale: _Factor | None = None,
        bias: _Factor | None = None,
        axis: SupportsIndex | None = None,
        mean: _Factor | None = None,
        std: _Factor | None = None,
    ) -> None: ...
    def copy_to(
        self,
        other: _Array,
        stream: _Stream = None,
        allocator: _Resource | None = None,
        blocking: bool | None = None,
        *,
        casting: _Casting = "no",
        byteswap: bool = False,
        executor: _Threads | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        scale: _Factor | None = None,
        bias: _Factor | None = None,
        axis: SupportsIndex | None = None,
        mean: _Factor | None = None,
        std: _Factor | None = None,
    ) -> None: ...
    def numpy(self, stream: _Stream = None) -> Any: ...  # numpy.ndarray
    def fill(self, value: Any, stream: _Stream = None) -> None: ...
    def kernel_arg(
        self,
        ndim: SupportsIndex | None = None,
        itemsize: SupportsIndex | None = None,
        *,
        writable: bool = False,
        host: bool = False,
    ) -> bytes: ...
    def item(self, *index: _Ints) -> Any: ...
    def tolist(self) -> Any: ...
    def copy(self, order: _Order = "C") -> StridedMemoryView: ...
    def contiguous(self, order: _Order = "C") -> StridedMemoryView: ...
    def astype(
        self, dtype: Any, *, order: _Order = "K", casting: _Casting = "unsafe", copy: bool = True
    ) -> StridedMemoryView: ...
    def tobytes(self, order: _Order = "C") -> bytes: ...
    def __copy__(self) -> StridedMemoryView: ...
    def __deepcopy__(self, memo: Any, /) -> StridedMemoryView: ...
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]: ...
    def __dask_tokenize__(self) -> tuple[Any, ...]: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __getitem__(self, key: _Key | str | list[str], /) -> StridedMemoryView: ...
    def __setitem__(self, key: _Key | str | list[str], value: Any, /) -> None: ...
    def __delitem__(self, key: Never, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[StridedMemoryView]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __format__(self, spec: str, /) -> str: ...
    def __sizeof__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: _Stream = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def _repr_html_(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

@disjoint_base
class MemoryResource:
    """Where memory comes from. A derived class may override allocate() and deallocate()."""

    def __new__(cls, *args: Any, **keywords: Any) -> Self: ...
    @classmethod
    def host(cls, huge_pages: bool | None = None) -> Self: ...
    @classmethod
    def pinned(cls) -> Self: ...
    @classmethod
    def device(cls, device_id: _Device = 0) -> Self: ...
    @classmethod
    def managed(cls, device_id: _Device = 0) -> Self: ...
    @classmethod
    def pool(
        cls,
        kind: _PoolKind = "device",
        device_id: _Device = 0,
        *,
        initial: SupportsIndex = 0,
        threshold: SupportsIndex | None = None,
        most: SupportsIndex = 0,
    ) -> Self: ...
    @classmethod
    def pool_view(
        cls, pool: SupportsIndex = 0, kind: _PoolKind = "device", device_id: _Device = 0
    ) -> Self: ...
    @classmethod
    def from_handler(
        cls,
        allocate: SupportsIndex,
        free: SupportsIndex,
        ctx: SupportsIndex = 0,
        device_id: _Device = 0,
        *,
        owner: Any = None,
    ) -> Self: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def device_id(self) -> int: ...
    @property
    def is_host_accessible(self) -> bool: ...
    @property
    def is_device_accessible(self) -> bool: ...
    @property
    def is_managed(self) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def base(self) -> MemoryResource | None: ...
    @property
    def c_handle(self) -> int: ...
    def allocate(
        self, size: SupportsIndex, stream: _Stream = None, *, alignment: SupportsIndex = 0, zero: bool = False
    ) -> Buffer: ...
    def deallocate(
        self, ptr: SupportsIndex, size: SupportsIndex, stream: _Stream = None, *, alignment: SupportsIndex = 0
    ) -> None: ...
    def tracked(self, name: str | None = None, blocks: bool = False) -> MemoryResource: ...
    def limited(self, most: SupportsIndex) -> MemoryResource: ...
    def cached(self, threshold: SupportsIndex | None = None) -> MemoryResource: ...
    def logged(self, callable: Callable[[str, int, int, int], Any]) -> MemoryResource: ...
    def retrying(self, callable: Callable[[int, int], Any], attempts: SupportsIndex = 1) -> MemoryResource: ...
    def stats(self) -> dict[str, int]: ...
    def reset_peaks(self) -> None: ...
    def blocks(self) -> list[tuple[int, int, int, int]]: ...

@disjoint_base
class Buffer:
    """Bytes of any kind of memory, with an owner."""

    def __new__(cls, *args: Any, **keywords: Any) -> Self: ...  # raises TypeError
    @classmethod
    def from_handle(
        cls,
        ptr: SupportsIndex,
        size: SupportsIndex,
        mr: MemoryResource | None = None,
        owner: Any = None,
        *,
        borrowed: bool = False,
        kind: _Kind | None = None,
        device_id: _Device | None = None,
        readonly: bool = False,
        stream: _Stream = None,
    ) -> Self: ...
    @classmethod
    def register(cls, obj: _BufferProtocol, *, readonly: bool = False) -> Self: ...
    @classmethod
    def import_ipc(cls, blob: _BufferProtocol, *, readonly: bool = False) -> Self: ...
    @classmethod
    def _allocate(
        cls,
        mr: _Resource,
        size: SupportsIndex,
        stream: _Stream = None,
        *,
        alignment: SupportsIndex = 0,
        zero: bool = False,
    ) -> Self: ...
    @classmethod
    def _share(cls, buffer: Buffer, /) -> Self: ...
    def _follow(self, view: StridedMemoryView, /) -> None: ...
    @property
    def handle(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def capacity(self) -> int: ...
    @property
    def alignment(self) -> int: ...
    @property
    def memory_resource(self) -> MemoryResource | None: ...
    @property
    def owner(self) -> Any: ...
    @property
    def parent(self) -> Buffer | None: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def device_id(self) -> int: ...
    @property
    def is_host_accessible(self) -> bool: ...
    @property
    def is_device_accessible(self) -> bool: ...
    @property
    def is_managed(self) -> bool: ...
    @property
    def readonly(self) -> bool: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def exports(self) -> int: ...
    @property
    def stream(self) -> int | None: ...
    @property
    def c_handle(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...
    def to(
        self,
        device: _Device | None = None,
        *,
        memory: _Memory = None,
        copy: bool = False,
        stream: _Stream = None,
        blocking: bool | None = None,
    ) -> Buffer: ...
    @overload
    def copy_to(self, dst: None = None, *, stream: _Stream = None, blocking: bool | None = None) -> Buffer: ...
    @overload
    def copy_to(self, dst: _Destination, *, stream: _Stream = None, blocking: bool | None = None) -> _Destination: ...
    def copy_from(self, src: _Array, *, stream: _Stream = None, blocking: bool | None = None) -> None: ...
    def tobytes(self, stream: _Stream = None) -> bytes: ...
    def read(self, offset: SupportsIndex, nbytes: SupportsIndex, stream: _Stream = None) -> bytes: ...
    def write(self, data: _BufferProtocol, offset: SupportsIndex = 0, stream: _Stream = None) -> None: ...
    def fill(self, value: Any, *, stream: _Stream = None) -> None: ...
    def record_use(self, stream: _Stream, /) -> None: ...
    def set_deallocation_stream(self, stream: _Stream, /) -> None: ...
    def close(self, stream: _Stream = None) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def detach(self) -> tuple[int, int, Callable[..., None]]: ...
    def resize(
        self, size: SupportsIndex, stream: _Stream = None, *, zero: bool = False, discard: bool = False
    ) -> None: ...
    def reserve(self, capacity: SupportsIndex, stream: _Stream = None) -> None: ...
    def shrink_to_fit(self, stream: _Stream = None) -> None: ...
    def migrate(self, mr: _Resource, stream: _Stream = None, *, discard: bool = False) -> None: ...
    def prefetch(
        self, device_id: _Device | None = None, stream: _Stream = None, *, strict: bool = False
    ) -> None: ...
    def discard(
        self, device_id: _Device | None = None, stream: _Stream = None, *, strict: bool = False
    ) -> None: ...
    def advise(self, advice: _Advice, device_id: _Device | None = None, *, strict: bool = False) -> None: ...
    def export_ipc(self) -> bytes: ...
    def view(
        self,
        dtype: Any = None,
        shape: _Ints | StridedLayout | None = None,
        strides: _Ints | None = None,
        *,
        offset: SupportsIndex = 0,
        readonly: bool = False,
    ) -> StridedMemoryView: ...
    def __getitem__(self, key: slice, /) -> Buffer: ...
    def __len__(self) -> int: ...
    def __sizeof__(self) -> int: ...
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __dlpack__(
        self,
        *,
        stream: _Stream = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

def view(obj: _Array, stream: _Stream = None, *, readonly: bool | None = None) -> StridedMemoryView:
    """View the memory of an array. Nothing is copied."""

def empty(
    shape: _Ints,
    dtype: Any = "float32",
    order: _Order = "C",
    *,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory, not initialised, aligned to 64 bytes."""

def can_cast(from_: Any, to: Any, casting: _Casting = "safe") -> bool:
    """Whether copy(casting=casting) converts elements of one dtype to another."""

def copy(
    dst: _Array,
    src: _Array,
    stream: _Stream = None,
    *,
    blocking: bool | None = None,
    casting: _Casting = "no",
    byteswap: bool = False,
    executor: _Threads | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    allocator: _Resource | None = None,
    scale: _Factor | None = None,
    bias: _Factor | None = None,
    axis: SupportsIndex | None = None,
    mean: _Factor | None = None,
    std: _Factor | None = None,
) -> None:
    """Copy every element of src to the place with the same index in dst, and convert it where casting allows it.

    With scale or bias elements become src * scale + bias, in the dtype of dst; with mean or std, that less mean and
    divided by std.
    """

def copy_batch(
    dst: Iterable[_Array] | _ArrowStream,
    src: Iterable[_Array] | _ArrowStream,
    stream: _Stream = None,
    *,
    blocking: bool | None = None,
    casting: _Casting = "no",
    byteswap: bool = False,
    scale: _Factor | None = None,
    bias: _Factor | None = None,
    axis: SupportsIndex | None = None,
    mean: _Factor | None = None,
    std: _Factor | None = None,
) -> None:
    """copy(dst[i], src[i]) for each i, all checked before the first is copied; with devices in any order."""

@final
class Plan:
    """A copy decided once and done many times, between other arrays of the same layouts."""

    def __new__(
        cls,
        dst: _Array,
        src: _Array,
        *,
        casting: _Casting = "no",
        byteswap: bool = False,
        non_temporal: bool = False,
        scale: _Factor | None = None,
        bias: _Factor | None = None,
        axis: SupportsIndex | None = None,
        mean: _Factor | None = None,
        std: _Factor | None = None,
        measure: float = False,
    ) -> Plan: ...
    def execute(
        self,
        dst: _Array,
        src: _Array,
        stream: _Stream = None,
        *,
        blocking: bool | None = None,
        executor: _Threads | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        allocator: _Resource | None = None,
    ) -> None:
        """Copy between these arrays."""
    def execute_batch(
        self, dst: Iterable[_Array], src: Iterable[_Array], stream: _Stream = None, *, blocking: bool | None = None
    ) -> None:
        """execute(dst[i], src[i]) for each i, all checked before the first is copied; with devices in any order."""
    def execute_table(self, dst: _Array, src: _Array, stream: _Stream = None, *, alignment: int = 0) -> None:
        """Copy between the addresses that lie in two arrays of int64, dst[i] from src[i], in any order."""
    def explain(self, dst: _Array | None = None, src: _Array | None = None) -> str:
        """What the copy does and why, for the addresses of these arrays, else for any where pages begin."""

    def _repr_html_(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def kernel(self) -> str: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def traffic(self) -> tuple[int, int]: ...
    @property
    def launches(self) -> int:
        """Operations that one execution gives to a stream: kernels and calls of a copy engine; 0 on the host."""

def explain(dst: _Array, src: _Array, *, casting: _Casting = "no", byteswap: bool = False) -> str:
    """What copy(dst, src) would do and why, in lines of text."""

def placement(
    dst: _Array,
    src: _Array,
    stream: _Stream = None,
    *,
    blocking: bool | None = None,
    casting: _Casting = "no",
    byteswap: bool = False,
) -> Placement:
    """Who copy(dst, src, stream, ...) would be done by, on whose stream, and what is done when it returns."""

def fill(dst: _Array, value: Any, stream: _Stream = None) -> None:
    """Write one value to every element of dst."""

def empty_like(
    x: _Array,
    dtype: Any = None,
    *,
    order: _Order = "K",
    shape: _Ints | None = None,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory, not initialised, like x."""

def zeros(
    shape: _Ints,
    dtype: Any = "float32",
    order: _Order = "C",
    *,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory full of zeros."""

def ones(
    shape: _Ints,
    dtype: Any = "float32",
    order: _Order = "C",
    *,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory full of ones."""

def full(
    shape: _Ints,
    fill_value: Any,
    dtype: Any = None,
    order: _Order = "C",
    *,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory full of one value."""

def zeros_like(
    x: _Array,
    dtype: Any = None,
    *,
    order: _Order = "K",
    shape: _Ints | None = None,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory like x, full of zeros."""

def ones_like(
    x: _Array,
    dtype: Any = None,
    *,
    order: _Order = "K",
    shape: _Ints | None = None,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory like x, full of ones."""

def full_like(
    x: _Array,
    fill_value: Any,
    dtype: Any = None,
    *,
    order: _Order = "K",
    shape: _Ints | None = None,
    memory: _Memory = None,
    device: _Device | None = None,
    alignment: SupportsIndex | None = None,
    huge_pages: bool | None = None,
    stream: _Stream = None,
) -> StridedMemoryView:
    """A view of fresh memory like x, full of one value."""

def asarray(
    a: _Array,
    dtype: Any = None,
    order: Literal["C", "F", "K", "A"] | None = None,
    *,
    device: _Device | None = None,
    copy: bool | None = None,
) -> StridedMemoryView:
    """A view of a, or where dtype, order or device ask for another array a copy."""

def array(
    a: _Array,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: Literal["C", "F", "K", "A"] | None = "K",
    device: _Device | None = None,
) -> StridedMemoryView:
    """A copy of a; with copy=None only where one is needed."""

def ascontiguousarray(a: _Array, dtype: Any = None) -> StridedMemoryView:
    """asarray(a, dtype, 'C'), with one axis where a has none."""

def asfortranarray(a: _Array, dtype: Any = None) -> StridedMemoryView:
    """asarray(a, dtype, 'F'), with one axis where a has none."""

def frombuffer(buffer: Any, dtype: Any, count: SupportsIndex = -1, offset: SupportsIndex = 0) -> StridedMemoryView:
    """A view with one axis of the memory that an object lends or describes."""

def as_strided(
    x: _Array,
    shape: _Ints,
    strides: _Ints | None = None,
    *,
    strides_in_bytes: _Ints | None = None,
    offset: SupportsIndex = 0,
) -> StridedMemoryView:
    """The memory of x under another shape and strides, which count elements as PyTorch's do; NumPy's count bytes."""

@overload
def broadcast_to(x: StridedLayout, shape: _Ints) -> StridedLayout:
    """x.broadcast_to(shape): repeat along new leading axes and axes of extent 1."""

@overload
def broadcast_to(x: _Array, shape: _Ints) -> StridedMemoryView: ...

@overload
def expand_dims(x: StridedLayout, axis: _Ints) -> StridedLayout:
    """x.unsqueeze(axis): insert axes of extent 1 at these places of the result."""

@overload
def expand_dims(x: _Array, axis: _Ints) -> StridedMemoryView: ...

@overload
def flip(x: StridedLayout, axis: _Ints | None = None) -> StridedLayout:
    """x.flip(axis): turn axes round, those given or all."""

@overload
def flip(x: _Array, axis: _Ints | None = None) -> StridedMemoryView: ...

@overload
def moveaxis(x: StridedLayout, source: _Ints, destination: _Ints) -> StridedLayout:
    """x.moveaxis(source, destination): move axes to other places; the rest keep their order."""

@overload
def moveaxis(x: _Array, source: _Ints, destination: _Ints) -> StridedMemoryView: ...

@overload
def permute_dims(x: StridedLayout, axes: _Ints) -> StridedLayout:
    """x.permute(axes): axis i of the result is axis axes[i]."""

@overload
def permute_dims(x: _Array, axes: _Ints) -> StridedMemoryView: ...

@overload
def reshape(x: StridedLayout, shape: _Ints) -> StridedLayout:
    """x.reshape(shape), which never copies: ValueError where only a copy could have that shape."""

@overload
def reshape(x: _Array, shape: _Ints) -> StridedMemoryView: ...

@overload
def squeeze(x: StridedLayout, axis: _Ints | None = None) -> StridedLayout:
    """x.squeeze(axis): drop axes of extent 1, those given or all."""

@overload
def squeeze(x: _Array, axis: _Ints | None = None) -> StridedMemoryView: ...

@overload
def swapaxes(x: StridedLayout, axis1: SupportsIndex, axis2: SupportsIndex) -> StridedLayout:
    """x.swapaxes(axis1, axis2): exchange two axes."""

@overload
def swapaxes(x: _Array, axis1: SupportsIndex, axis2: SupportsIndex) -> StridedMemoryView: ...

@overload
def transpose(x: StridedLayout, axes: _Ints | None = None) -> StridedLayout:
    """x.transpose(axes): axis i of the result is axis axes[i]; without axes they are reversed."""

@overload
def transpose(x: _Array, axes: _Ints | None = None) -> StridedMemoryView: ...

def draw(
    x: StridedLayout | _Array,
    form: str = "svg",
    *,
    title: str | None = None,
    axis: int | None = None,
    path: bool = False,
) -> str:
    """A picture of which bytes each index of x occupies, as SVG or as text."""

@overload
def rearrange(x: StridedLayout, pattern: str, /, *, out: None = None, **sizes: SupportsIndex) -> StridedLayout:
    """Split, reorder and merge axes, as a pattern in the notation of einops says."""

@overload
def rearrange(
    x: _Array,
    pattern: str,
    /,
    *,
    out: _Array | None = None,
    casting: _Casting | None = None,
    scale: _Factor | None = None,
    bias: _Factor | None = None,
    axis: SupportsIndex | str | None = None,
    mean: _Factor | None = None,
    std: _Factor | None = None,
    **sizes: SupportsIndex,
) -> StridedMemoryView: ...

@overload
def repeat(x: StridedLayout, pattern: str, /, *, out: None = None, **sizes: SupportsIndex) -> StridedLayout:
    """Repeat along new axes, as a pattern in the notation of einops says."""

@overload
def repeat(x: _Array, pattern: str, /, *, out: _Array | None = None, **sizes: SupportsIndex) -> StridedMemoryView: ...

def stack(
    arrays: Iterable[_Array],
    axis: SupportsIndex = 0,
    out: _Array | None = None,
    *,
    dtype: Any = None,
    casting: _Casting = "same_kind",
    stream: _Stream = None,
) -> StridedMemoryView:
    """Arrays of one shape beside each other along a new axis: images to a batch, columns to a matrix."""

def concatenate(
    arrays: Iterable[_Array],
    axis: SupportsIndex = 0,
    out: _Array | None = None,
    *,
    dtype: Any = None,
    casting: _Casting = "same_kind",
    stream: _Stream = None,
) -> StridedMemoryView:
    """Arrays behind each other along one of their axes, in the other extents of which they are equal."""

def is_unique(obj: StridedLayout | _Array, work: SupportsIndex = 0) -> bool:
    """Whether no two different indices of a layout, a view or an array share a byte."""

def shares_memory(a: _Array, b: _Array, work: SupportsIndex = 0) -> bool:
    """Whether elements of two views, or of anything view() takes, share a byte."""

class Device(NamedTuple):
    """A device of this machine, or a kind of device that cannot be used, and why."""

    name: str
    device: tuple[int, int]
    state: str
    text: str
    properties: dict[str, Any]
    @property
    def memory_free(self) -> int: ...

class Placement(NamedTuple):
    """Who does a copy, when and how."""

    by: str
    device: tuple[int, int] | None
    waits: str
    done: str
    method: str

class Pointer(NamedTuple):
    """What is known of an address."""

    kind: str | None
    device_id: int
    host_address: int | None
    device_address: int | None
    traits: int
    @property
    def is_host_accessible(self) -> bool: ...
    @property
    def is_device_accessible(self) -> bool: ...
    @property
    def is_managed(self) -> bool: ...
    @property
    def is_ordered(self) -> bool: ...

def devices() -> list[Device]:
    """The host, and each CUDA device: what it has, and whether it can be used."""

def pointer_query(address: SupportsIndex) -> Pointer:
    """What kind of memory an address belongs to."""

def library_path() -> str:
    """Path of a shared library with every function of sv.h, for ctypes and other callers of C."""

def get_include() -> str:
    """Directory of the C headers: sv.h, sv.hpp for C++, and strideview.h for extension modules."""

def get_library_dir() -> str:
    """Directory of the C library: libsv.so.0, libsv.so, by which linkers find it, and libsv.a. FileNotFoundError where
    the package carries none, as in an editable installation."""

def get_cmake_dir() -> str:
    """Directory of the CMake package: cmake -Dstrideview_DIR=... FileNotFoundError as for get_library_dir()."""

class _Viewable:
    obj: Any
    def view(self, stream_ptr: _Stream = None) -> StridedMemoryView: ...

def args_viewable_as_strided_memory(arg_indices: Sequence[int]) -> Callable[[_Function], _Function]: ...
