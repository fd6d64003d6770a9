"""MemoryUSMHost, MemoryUSMDevice and MemoryUSMShared: buffers with the names of dpctl's, of CUDA's kinds of memory."""

from __future__ import annotations

import operator
from numbers import Integral
from typing import Any, ClassVar, Self, SupportsIndex

from . import Buffer, StridedMemoryView, _bytes, _resources, view
from ._arguments import device_number

_KINDS = {"host": "pinned", "device": "device", "shared": "managed"}


def _usm_type(obj: Any) -> Any:
    """The kind of SYCL memory that an object has, where it tells."""
    told = getattr(obj, "usm_type", None)
    asked = getattr(obj, "get_usm_type", None)
    return told if told is not None or asked is None else asked()


def _span(array: StridedMemoryView) -> tuple[int, int]:
    """Address and number of the bytes that an array reaches, with the gaps between them."""
    if array.size == 0:
        return 0, 0
    low, high = array.layout.offset_bounds
    first = array.layout.slice_offset
    begin = array.ptr + (low - first) * array.itemsize
    return begin, (high - low + 1) * array.itemsize


class _Usm(_bytes.HostCopies):
    """
    other is a number of bytes, for fresh memory; a buffer of this kind, which shares its memory from then on; or an
    array with __sycl_usm_array_interface__ of this kind, whose memory is kept alive. With copy=True the bytes of any
    buffer or array are copied to fresh memory. alignment: a power of two, 0 for the usual one.
    """

    __slots__ = ()
    __module__ = "strideview.memory"
    usm_type: ClassVar[str]

    def __new__(cls, other: Any, alignment: SupportsIndex = 0, *, device: Any = None,
                copy: bool = False) -> Self:
        if isinstance(other, Integral) or (hasattr(other, "__index__") and not hasattr(other, "shape")):
            return cls._fresh(_bytes.size_of(other, "nbytes"), alignment, device)
        if copy:
            source = _bytes.flat(other)
            made = cls._fresh(source.nbytes, alignment, device)
            _bytes.write(made, source)
            return made
        if isinstance(other, Buffer):
            if other.kind != _KINDS[cls.usm_type]:
                raise ValueError(f"{cls.__name__} of {other.kind} memory: only copy=True can do that")
            return cls._share(other)
        return cls._of_sycl(other)

    @classmethod
    def _fresh(cls, nbytes: int, alignment: SupportsIndex, device: Any) -> Self:
        resource = _resources.default(_KINDS[cls.usm_type], device)
        return _bytes.new(cls, resource, nbytes, alignment=operator.index(alignment))

    @classmethod
    def _of_sycl(cls, other: Any) -> Self:
        if not hasattr(other, "__sycl_usm_array_interface__"):
            raise TypeError(f"a number of bytes, a buffer or an array with __sycl_usm_array_interface__ is needed, "
                            f"not {type(other).__name__}")
        told = _usm_type(other)
        if told != cls.usm_type:
            raise ValueError(f"{cls.__name__} of memory whose kind is {told!r}: only copy=True can do that")
        array = view(other)
        address, nbytes = _span(array)
        made = cls.from_handle(address, nbytes, owner=other, kind="foreign" if told == "device" else "host",
                               readonly=array.readonly)
        made._follow(array)
        return made

    def get_usm_type(self, device: Any = None) -> str:
        """"host", "device" or "shared"; "unknown" to another device than the one whose memory it is."""
        elsewhere = device is not None and device_number(device) != self.device_id
        return "unknown" if elsewhere and self.usm_type == "device" else self.usm_type

    @classmethod
    def get_usm_type_static(cls) -> str:
        """The kind of the class."""
        return cls.usm_type

    @property
    def reference_obj(self) -> Any:
        """What owns the memory in the place of the buffer, or None."""
        return self.owner

    def memset(self, val: SupportsIndex = 0) -> None:
        """Write one value, from 0 to 255, to every byte."""
        self.fill(operator.index(val))


class MemoryUSMHost(_Usm):
    """Pinned memory: of the host, for every device to read and write."""

    __slots__ = ()
    __module__ = "strideview.memory"
    usm_type = "host"


class MemoryUSMDevice(_Usm):
    """Memory of one device, by default the first."""

    __slots__ = ()
    __module__ = "strideview.memory"
    usm_type = "device"


class MemoryUSMShared(_Usm):
    """Managed memory: one address for the host and the devices."""

    __slots__ = ()
    __module__ = "strideview.memory"
    usm_type = "shared"


for _type in (MemoryUSMHost, MemoryUSMDevice, MemoryUSMShared):
    _type.__doc__ = f"{_type.__doc__}\n{_Usm.__doc__}"
