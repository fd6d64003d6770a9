"""Memory of CUDA devices between workers of Dask whose transport takes it (UCX): the family "cuda" of distributed.

Elsewhere, and for memory that the host reads, Dask goes on to the next family, which pickles.
"""

from __future__ import annotations

import importlib.machinery
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

from . import Buffer, StridedMemoryView, lib, view
from ._pickle import parts_of, view_of

MODULE = "distributed.protocol.cuda"
LEGACY_STREAM = 1  # which the transport waits for before it sends


def register_when_imported() -> None:
    """Distributed has no entry point for serializers, and imports strideview, by that of dask.sizeof, before it has any."""
    if MODULE in sys.modules:
        register(sys.modules[MODULE])
    elif not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())


class Finder:
    """Finds the one module as it is found otherwise; its loader registers when it has run the module."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """What Python asks of sys.meta_path."""
        if name != MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        loader: Any = spec.loader if spec is not None else None
        if loader is not None:
            loader.exec_module = self.then_register(loader.exec_module)
        return spec

    def then_register(self, execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        """What a loader does, and then ours."""
        def exec_module(module: ModuleType) -> None:
            execute(module)
            with suppress(ValueError):  # it was asked for twice
                sys.meta_path.remove(self)
            register(module)
        return exec_module


def register(module: ModuleType) -> None:
    """In the dispatchers of distributed.protocol.cuda, if it has them still."""
    with suppress(AttributeError):
        module.cuda_serialize.register(StridedMemoryView, take_view)
        module.cuda_deserialize.register(StridedMemoryView, give_view)
        module.cuda_serialize.register(Buffer, take_buffer)
        module.cuda_deserialize.register(Buffer, give_buffer)


def frame_of(memory: Buffer | StridedMemoryView) -> StridedMemoryView:
    """What the transport sends, in the order of the stream that it waits for."""
    return StridedMemoryView.from_dlpack(memory, LEGACY_STREAM)


def take_view(array: StridedMemoryView) -> tuple[dict[str, Any], list[Any]]:
    """(header, frames): the elements where they lie, or packed on the device, if there are gaps between them."""
    if array.device[0] != lib.SV_DEVICE_CUDA:
        raise NotImplementedError
    told, flat = parts_of(array)
    return {"view": pickle.dumps(told)}, [frame_of(flat)]


def give_view(header: dict[str, Any], frames: list[Any]) -> StridedMemoryView:
    """The view of a frame that came, which is not copied."""
    return view_of(view(frames[0]), *pickle.loads(header["view"]))


def take_buffer(buffer: Buffer) -> tuple[dict[str, Any], list[Any]]:
    """(header, frames): the memory itself."""
    if buffer.kind != "device":
        raise NotImplementedError
    return {"buffer": pickle.dumps(type(buffer))}, [frame_of(buffer)]


def give_buffer(header: dict[str, Any], frames: list[Any]) -> Buffer:
    """A buffer of the frame that came, which is not copied."""
    type_: type[Buffer] = pickle.loads(header["buffer"])
    memory = view(frames[0])
    return type_.from_handle(memory.ptr, memory.nbytes, owner=frames[0], kind="device", device_id=memory.device_id,
                             readonly=memory.readonly)
