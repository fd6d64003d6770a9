"""Members of .npz files: archives of .npy files, of which only those that are not compressed can be read in place."""

from __future__ import annotations

import binascii
import shutil
import struct
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import IO

from ..errors import INPUT, CommandError
from . import npy
from .stored import FileArray

LOCAL = struct.Struct("<4s5H3I2H")  # the header before a member
CHUNK = 1 << 20


def data_offset(path: str, info: zipfile.ZipInfo) -> int:
    """Where the bytes of a member begin, which only the header before it tells."""
    with open(path, "rb") as file:
        file.seek(info.header_offset)
        found = file.read(LOCAL.size)
    if len(found) < LOCAL.size or found[:4] != b"PK\3\4":
        raise CommandError(f"{path} is cut short: member {info.filename} is not there", INPUT)
    *_, name, extra = LOCAL.unpack(found)
    return info.header_offset + LOCAL.size + int(name) + int(extra)


def unpacker(path: str, info: zipfile.ZipInfo) -> Callable[[IO[bytes]], None]:
    def unpack(file: IO[bytes]) -> None:
        try:
            with zipfile.ZipFile(path) as archive, archive.open(info) as member:
                shutil.copyfileobj(member, file, CHUNK)
        except (zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
            raise CommandError(f"{path}:{info.filename}: {error}", INPUT) from None
    return unpack


def member(archive: zipfile.ZipFile, path: str, info: zipfile.ZipInfo) -> FileArray:
    with archive.open(info) as file:
        found = npy.read(file, path, info.filename.removesuffix(".npy"))
    if info.file_size < found.offset + found.nbytes:
        raise CommandError(f"{path}:{info.filename} is cut short", INPUT)
    if info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & 1:
        return replace(found, format="npz", offset=found.offset + data_offset(path, info))
    return replace(found, format="npz", unpack=unpacker(path, info), packed=info.compress_size)


def members(path: str) -> list[FileArray]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if info.filename.endswith(".npy")]
            return [member(archive, path, info) for info in infos]
    except (zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError, struct.error) as error:
        raise CommandError(f"{path}: {error or 'it is no archive'}", INPUT) from None


# --- writing ----------------------------------------------------------------------

def info_of(name: str, nbytes: int) -> zipfile.ZipInfo:
    """Of the one member of an archive, whose checksum is not known yet."""
    info = zipfile.ZipInfo(f"{name}.npy")
    info.compress_type, info.external_attr = zipfile.ZIP_STORED, 0o600 << 16
    info.file_size = info.compress_size = nbytes
    info.CRC = 0
    return info


def header(info: zipfile.ZipInfo) -> bytes:
    """Before the member; its length does not depend on the checksum."""
    return info.FileHeader(zip64=info.file_size >= zipfile.ZIP64_LIMIT)


def checksum(file: IO[bytes], offset: int, nbytes: int) -> int:
    """Of the bytes of the member, which were written in any order before."""
    file.seek(offset)
    found = 0
    while nbytes > 0:
        data = file.read(min(nbytes, CHUNK))
        if not data:
            raise CommandError("the output is cut short while it is written")
        found, nbytes = binascii.crc32(data, found), nbytes - len(data)
    return found


def directory(info: zipfile.ZipInfo, start: int) -> bytes:
    """Behind the one member: the list of members and the end of the archive, by APPNOTE.TXT 4.3.12 to 4.3.16."""
    name, large = info.filename.encode(), info.file_size >= zipfile.ZIP64_LIMIT
    flags = 0 if name.isascii() else 0x800
    size = 0xFFFFFFFF if large else info.file_size
    extra = struct.pack("<2H2Q", 1, 16, info.file_size, info.file_size) if large else b""
    version = 45 if large else 20
    entry = struct.pack("<4s4B4H3I5H2I", b"PK\1\2", version, 3, version, 0, flags, 0, 0, 0x21, info.CRC, size, size, len(name),
                        len(extra), 0, 0, 0, info.external_attr, 0) + name + extra
    end = b""
    if large:
        end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(entry), start)
        end += struct.pack("<4sIQI", b"PK\6\7", 0, start + len(entry), 1)
    place = 0xFFFFFFFF if start >= 0xFFFFFFFF else start
    return entry + end + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, len(entry), place, 0)
