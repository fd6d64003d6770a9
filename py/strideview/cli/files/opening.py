"""What a name on the command line means: which format, which file, which member of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ..errors import FAILED, INPUT, USAGE, CommandError
from . import hdf5, npy, npz, safetensors, zarr_store
from .items import Items
from .stored import FileArray, Stored

SUFFIXES = {
    ".npy": "npy", ".npz": "npz", ".safetensors": "safetensors", ".zarr": "zarr", ".h5": "hdf5", ".hdf5": "hdf5", ".hdf": "hdf5",
    ".raw": "raw", ".bin": "raw", ".dat": "raw",
}
FORMATS = sorted(set(SUFFIXES.values()))
WITH_MEMBERS = {"npz", "safetensors", "zarr", "hdf5"}
STARTS = {npy.MAGIC: "npy", b"PK\3\4": "npz", b"\x89HDF\r\n\x1a\n": "hdf5"}


def format_of(path: str) -> str | None:
    """By the end of the name, else by the first bytes."""
    found = SUFFIXES.get(os.path.splitext(path.rstrip("/"))[1].lower())
    if found is None and os.path.isfile(path):
        with open(path, "rb") as file:
            start = file.read(8)
        found = next((known for magic, known in STARTS.items() if start.startswith(magic)), None)
    return found


def split(name: str, forced: str | None = None) -> tuple[str, str | None]:
    """file:member, where no file is called so as a whole."""
    path, colon, member = name.rpartition(":")
    if not colon or os.path.exists(name) or not path:
        return name, None
    if os.path.exists(path) or (forced or format_of(path)) in WITH_MEMBERS:
        return path, member.lstrip("/") or None
    return name, None


def raw(path: str, shape: tuple[int, ...] | None, items: Items | None, offset: int, dtype_option: str) -> FileArray:
    if shape is None or items is None:
        raise CommandError(f"{path} is raw: say --shape and {dtype_option}", USAGE)
    found = FileArray(path, "raw", shape, items, "C", offset)
    try:
        found.layout  # noqa: B018  (whether it can be one)
    except ValueError as error:
        raise CommandError(f"--shape: {error}", FAILED) from None
    return found


def members_of(path: str, form: str) -> list[Stored]:
    if form == "npy":
        with open(path, "rb") as file:
            return [npy.read(file, path)]
    readers: dict[str, Callable[[str], Sequence[Stored]]] = {
        "npz": npz.members, "safetensors": safetensors.members, "zarr": zarr_store.members, "hdf5": hdf5.members,
    }
    return list(readers[form](path))


def arrays(name: str, form: str | None = None, shape: tuple[int, ...] | None = None, items: Items | None = None,
           offset: int = 0, dtype_option: str = "--dtype") -> list[Stored]:
    """The arrays that a name means: all of a file, or one member."""
    path, member = split(name, form)
    form = form or format_of(path)
    if form is None and shape is not None:
        form = "raw"
    try:
        os.stat(path)
        if form is None:
            raise CommandError(f"{path} is of no known format: name one of {', '.join(FORMATS)}", INPUT)
        if form != "zarr" and not os.path.isfile(path):
            raise CommandError(f"{path} is no file of bytes", INPUT)
        found: list[Stored] = [raw(path, shape, items, offset, dtype_option)] if form == "raw" else members_of(path, form)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", INPUT) from None
    found = [stored.check_size() if isinstance(stored, FileArray) else stored for stored in found]
    if member is None:
        return found
    chosen = [stored for stored in found if stored.member == member]
    if not chosen:
        raise CommandError(f"{path} has no array {member!r}{there(found)}", INPUT)
    return chosen


def there(found: list[Stored]) -> str:
    names = [stored.member for stored in found if stored.member]
    return f", but {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}" if names else ""


def one(found: list[Stored], name: str) -> Stored:
    if len(found) != 1:
        raise CommandError(f"{name} has {len(found)} arrays: choose one as {name}:NAME{there(found)}", USAGE if found else INPUT)
    return found[0]


