# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference pictures of packs: how their views are called, and whether a PNG is whole."""

from __future__ import annotations

import struct
import zlib

#: Canonical views in the order of the published format.
VIEWS: tuple[str, ...] = ("front", "back", "left", "right", "front_right")
#: What the published harness calls the view from the front right (specification, section 3).
PUBLISHED = {"front_right": "top"}
_CANONICAL = {**{view: view for view in VIEWS}, **{b: a for a, b in PUBLISHED.items()}}

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Signature, then the chunk IHDR up to width and height.
HEAD = 24
#: The chunk IEND, with which every PNG ends.
_TAIL = b"\x00\x00\x00\x00IEND\xaeB`\x82"
TAIL = len(_TAIL)
#: Sides of pictures that anybody can use, pixels; references are 512 x 512.
_SMALLEST, _LARGEST = 16, 8192

#: Bits that a channel may have, and channels, by the type of colour (PNG specification, table 1).
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
#: So much is unpacked at a time, bytes.
_STEP = 1 << 20


def canonical(view: str) -> str | None:
    """Our name of a view (``top`` is ``front_right``), ``None`` if it is none."""
    return _CANONICAL.get(view)


def view_of_file(name: str, task: str) -> str | None:
    """The view in ``ID_skin_VIEW.png`` or ``VIEW.png``, ``None`` for other files."""
    if not name.endswith(".png"):
        return None
    return canonical(name.removesuffix(".png").removeprefix(f"{task}_skin_"))


def fault_of_ends(head: bytes, tail: bytes) -> str | None:
    """What is wrong with a PNG whose first :data:`HEAD` and last :data:`TAIL` bytes these are."""
    if not head.startswith(_SIGNATURE) or head[12:16] != b"IHDR" or len(head) < HEAD:
        return "is no PNG"
    width, height = struct.unpack(">II", head[16:24])
    if not (_SMALLEST <= width <= _LARGEST and _SMALLEST <= height <= _LARGEST):
        return f"is {width} x {height} pixels large"
    return None if tail == _TAIL else "is a PNG that breaks off"


def fault_of(data: bytes) -> str | None:
    """What is wrong with a PNG, every chunk and row of it; ``None`` if it is whole."""
    fault = fault_of_ends(data[:HEAD], data[-TAIL:])
    at = len(_SIGNATURE)
    rows = []
    while fault is None and at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 8 + length
        if end + 4 > len(data):
            return "is a PNG that breaks off"
        if struct.unpack_from(">I", data, end)[0] != zlib.crc32(data[at + 4 : end]):
            return "is a damaged PNG"
        if data[at + 4 : at + 8] == b"IDAT":
            rows.append(data[at + 8 : end])
        at = end + 4
        if 0 < len(data) - at < TAIL:
            return "is a damaged PNG"
    return fault or _fault_of_rows(data, b"".join(rows))


def _fault_of_rows(data: bytes, packed: bytes) -> str | None:
    """Whether the packed rows of pixels are there, as many as the header says."""
    width, height, depth, colour, _, _, interlace = struct.unpack_from(">IIBBBBB", data, 16)
    if depth not in _DEPTHS.get(colour, ()) or interlace > 1:
        return "is a damaged PNG"
    # Passes of an interlaced picture only add to it: each row begins with a byte of its own.
    wanted = height * (1 + (width * _CHANNELS[colour] * depth + 7) // 8 * (not interlace))
    found, unpacking = 0, zlib.decompressobj()
    try:
        while found < wanted:
            part = unpacking.decompress(packed, _STEP)
            found, packed = found + len(part), unpacking.unconsumed_tail
            if not part:
                return "is a PNG that breaks off"
    except zlib.error:
        return "is a damaged PNG"
    return None
