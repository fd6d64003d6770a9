"""Arrays of NumPy that CUDA kernels read and write, too: what view.numpy() gives of pinned and managed memory.

Imported when it is first needed, since it needs NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy

from . import StridedMemoryView, view

_HOST = 1  # DLPack's device type


class MemoryArray(numpy.ndarray[Any, Any]):
    """An ndarray for the host, and by ptr and __cuda_array_interface__ an array for kernels.

    Slices, transposes and other views of it are the same; what is computed of it is a plain ndarray. The memory is
    freed when the last of them is gone. Work of a device on the memory is for the caller to wait for, before the host
    reads it: view.numpy(stream) does.
    """

    memory: StridedMemoryView | None

    def __array_finalize__(self, obj: Any) -> None:
        memory = getattr(obj, "memory", None)
        self.memory = memory if memory is not None and _is_within(self, memory) else None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array is self:
            return array  # an operation in place
        plain = array.view(numpy.ndarray)
        return plain[()] if return_scalar else plain

    @property
    def ptr(self) -> int:
        """The address of the first element, for kernels."""
        if self.memory is None:
            raise AttributeError("this array has memory of NumPy's, which no device reads")
        return int(self.__array_interface__["data"][0])

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        ptr = self.ptr
        told = self.__array_interface__
        shown = {name: told[name] for name in ("shape", "typestr", "strides", "version")}
        return {**shown, "data": (ptr if self.size else 0, not self.flags.writeable), "stream": None}


def _is_within(array: Any, memory: StridedMemoryView) -> bool:
    """Whether the array lies in the memory. No other memory has those addresses while it lives."""
    low, high = memory.layout.offset_bounds
    begin = memory.ptr + (low - memory.layout.slice_offset) * memory.itemsize
    address: int = array.__array_interface__["data"][0]
    return begin <= address < begin + max(high - low + 1, 0) * memory.itemsize


def of_view(memory: StridedMemoryView) -> Any:
    """The array of a view."""
    array = numpy.asarray(view(memory))
    if memory.device[0] == _HOST:
        return array
    shared = array.view(MemoryArray)
    shared.memory = memory
    return shared
