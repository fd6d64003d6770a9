"""An output that appears under its name only when it is complete.

It is written beside its place under a name of its own, with all of its space taken before the first byte, made durable
by fsync(), and then renamed. Whatever ends the block before that removes it.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from typing import Any, Self

from ..errors import OUTPUT, SIGNALS, SPACE, CommandError, signals_wait

NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CANNOT_ALLOCATE = {errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS}
STORE_MARKS = ("zarr.json", ".zgroup", ".zarray")


def failure(path: str, error: OSError) -> CommandError:
    """What one line says of an error while path is written."""
    text = error.strerror or str(error)
    return CommandError(f"{path}: {text}", SPACE if error.errno in NO_SPACE else OUTPUT)


def check_place(path: str, inputs: list[str], force: bool) -> str:
    """Where the output goes, links followed. Refuses what must not be replaced."""
    place = os.path.realpath(path)
    for other in inputs:
        if os.path.realpath(other) == place or os.path.exists(place) and os.path.samefile(place, other):
            raise CommandError(f"{path} is the input: write to another file", OUTPUT)
    if not os.path.isdir(os.path.dirname(place)):
        raise CommandError(f"{path}: there is no folder {os.path.dirname(place)}", OUTPUT)
    if os.path.lexists(place):
        if not force:
            raise CommandError(f"{path} exists: --force replaces it", OUTPUT)
        is_store = os.path.isdir(place) and any(os.path.exists(os.path.join(place, mark)) for mark in STORE_MARKS)
        if not os.path.isfile(place) and not is_store:
            raise CommandError(f"{path} is neither a file nor a Zarr store, so it is not replaced", OUTPUT)
    return place


def sync_folder(path: str) -> None:
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    except OSError:  # some file systems have no fsync() of folders
        pass
    finally:
        os.close(folder)


class OpenFile:
    """A file that is written at given places; path is the one that errors name. Another process that gets it by pickle
    opens it again."""

    def __init__(self, path: str, opened: str, flags: int = 0, mode: int = 0o666) -> None:
        self.path, self.opened = path, opened
        try:
            self.fd = os.open(opened, os.O_RDWR | os.O_CLOEXEC | flags, mode)
        except OSError as error:
            raise failure(path, error) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenFile, (self.path, self.opened)

    def take_space(self, nbytes: int) -> None:
        if nbytes == 0:
            return
        try:
            os.posix_fallocate(self.fd, 0, nbytes)
        except OSError as error:
            if error.errno not in CANNOT_ALLOCATE:
                raise failure(self.path, error) from None
            os.truncate(self.fd, nbytes)

    def write(self, offset: int, data: bytes) -> None:
        try:
            while data:
                done = os.pwrite(self.fd, data, offset)
                data, offset = data[done:], offset + done
        except OSError as error:
            raise failure(self.path, error) from None

    def sync(self) -> None:
        try:
            os.fsync(self.fd)
        except OSError as error:
            raise failure(self.path, error) from None

    def close(self) -> None:
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)


class Target:
    """A new file or folder at path: `temporary` until publish(). What is made under that name within the block is removed
    at its end."""

    def __init__(self, path: str, force: bool) -> None:
        self.path, self.force = path, force
        folder, name = os.path.split(path)
        # A name may have 255 bytes, of which the rest of this one takes 16.
        self.temporary = os.path.join(folder, f".{os.fsdecode(os.fsencode(name)[:200])}.{secrets.token_hex(4)}.part")
        self.file: OpenFile | None = None
        SIGNALS.unfinished.append(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self.close()
        remove(self.temporary)
        SIGNALS.unfinished.remove(self)

    def make(self, nbytes: int) -> OpenFile:
        """A file of a size that is known. Other outputs are made by a library."""
        mode = os.stat(self.path).st_mode & 0o777 if os.path.exists(self.path) else 0o666
        self.file = OpenFile(self.path, self.temporary, os.O_CREAT | os.O_EXCL, mode)
        self.file.take_space(nbytes)
        return self.file

    def close(self) -> None:
        if self.file:
            self.file.close()

    def publish(self) -> None:
        try:
            if self.file:
                self.file.sync()
            else:
                sync_tree(self.temporary)
            with signals_wait():
                self.close()
                self.rename()
                sync_folder(self.path)
        except OSError as error:
            raise failure(self.path, error) from None

    def rename(self) -> None:
        if os.path.isdir(self.temporary):
            self.rename_folder()
        elif self.force:
            os.rename(self.temporary, self.path)
        else:
            self.rename_new()

    def rename_folder(self) -> None:
        old = f"{self.temporary}.old"
        if os.path.lexists(self.path):
            os.rename(self.path, old)
        os.rename(self.temporary, self.path)
        remove(old)

    def rename_new(self) -> None:
        """A file whose name must be free. A link is refused where it was taken meanwhile."""
        try:
            os.link(self.temporary, self.path)
        except FileExistsError:
            raise CommandError(f"{self.path} exists: another program has made it meanwhile", OUTPUT) from None
        except OSError:  # this file system has no links
            os.rename(self.temporary, self.path)


def sync_tree(path: str) -> None:
    files = [path] if os.path.isfile(path) else [os.path.join(root, name) for root, _, names in os.walk(path) for name in names]
    for name in files:
        fd = os.open(name, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
