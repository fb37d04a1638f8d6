# SPDX-License-Identifier: GPL-3.0-or-later
"""What a .blend file says about itself before any Blender opens it: version, wholeness.

Layout (Blender's source, ``doc/blender_file_format`` and ``BLO_core_file_reader.hh``): a header of
12 bytes (``BLENDER-v405``: pointer size, byte order, version) or, since 5.0, of 17 bytes
(``BLENDER17-01v0500``: header size, pointer size, format version, byte order, version), then blocks
of header and data, the last of which is called ``ENDB``. Blender may wrap the whole in gzip (before
3.0) or zstd (the default since 5.0).
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_OLD_HEADER = re.compile(rb"BLENDER([-_])([vV])(\d)(\d\d)")
_NEW_HEADER = re.compile(rb"BLENDER17-(\d\d)([vV])(\d\d)(\d\d)")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: A compressed file's own header usually stands uncompressed among its first bytes.
_LOOK_AHEAD = 64


class BlendFileError(ValueError):
    """A file that no Blender can open; the message names the file and what to do."""


@dataclass(frozen=True)
class BlendFile:
    """``version`` (major, minor) of the Blender that wrote it, ``None`` where it can't be seen."""

    path: Path
    version: tuple[int, int] | None
    compressed: bool


def inspect(path: str | Path) -> BlendFile:
    """Read the header of ``path`` and, where it isn't compressed, walk its blocks to the end.

    Raises :class:`BlendFileError` for what is missing, a folder, unreadable, no .blend, or cut off.
    """
    path = Path(path)
    if path.is_dir():
        raise BlendFileError(f"{path} is a folder, not a .blend file: name a file in it")
    try:
        with open(path, "rb") as file:
            head = file.read(_LOOK_AHEAD)
            version = _version(head)
            if head.startswith((_GZIP, _ZSTD)):
                return BlendFile(path, version, compressed=True)
            if not head.startswith(b"BLENDER") or version is None:
                what = "is empty" if not head else "is no .blend file (it doesn't begin as one)"
                raise BlendFileError(f"{path} {what}: save it again from Blender")
            _walk(file, head, path)
    except FileNotFoundError:
        raise BlendFileError(f"{path} doesn't exist: check the path") from None
    except PermissionError:
        raise BlendFileError(
            f"{path} may not be read: give yourself the right to read it"
        ) from None
    except OSError as error:
        raise BlendFileError(f"{path} can't be read ({error.strerror or error})") from None
    return BlendFile(path, version, compressed=False)


def _version(head: bytes) -> tuple[int, int] | None:
    new = _NEW_HEADER.search(head)
    if new:
        return int(new[3]), int(new[4])
    old = _OLD_HEADER.search(head)
    return (int(old[3]), int(old[4])) if old else None


def _walk(file: BinaryIO, head: bytes, path: Path) -> None:
    """Follow the blocks to ``ENDB``. Raises :class:`BlendFileError` where the file ends earlier."""
    new = _NEW_HEADER.match(head)
    if new:
        start, order = 17, "<" if new[2] == b"v" else ">"
        layout = struct.Struct(order + "4siQqq")  # code, SDNA, address, length, count
        length_at = 3
    else:
        start, order = 12, "<" if head[8:9] == b"v" else ">"
        layout = struct.Struct(order + ("4siQii" if head[7:8] == b"-" else "4siIii"))
        length_at = 1
    size = file.seek(0, 2)
    at = start
    while at + layout.size <= size:
        file.seek(at)
        block = layout.unpack(file.read(layout.size))
        if block[0] == b"ENDB":
            return
        length = block[length_at]
        if length < 0:
            raise BlendFileError(f"{path} is damaged at byte {at}: restore it from a backup")
        at += layout.size + length
        if new is None and block[0][:1] == b"\0":
            break
    raise BlendFileError(
        f"{path} is cut off: its blocks run past its end at byte {size:,}; copy it again or "
        "restore it from a backup"
    )
