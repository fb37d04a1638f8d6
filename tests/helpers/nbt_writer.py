# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes NBT for tests: the counterpart of the reader, and schematics of small boxes."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Tag(NamedTuple):
    """A value with the kind that it is written as; plain ``int`` is written as 32 bits."""

    kind: int
    value: Any


def short(value: int) -> Tag:
    return Tag(2, value)


def byte_array(values: Sequence[int]) -> Tag:
    return Tag(7, bytes(v & 255 for v in values))


def long_array(values: Sequence[int]) -> Tag:
    return Tag(12, values)


def nbt(root: Mapping[str, Any], name: str = "") -> bytes:
    """The bytes of a root compound, not packed."""
    return b"\x0a" + _text(name) + _payload(Tag(10, root))


def packed(root: Mapping[str, Any], name: str = "") -> bytes:
    """The same, packed by gzip."""
    return gzip.compress(nbt(root, name))


def _tag(value: Any) -> Tag:
    if isinstance(value, Tag):
        return value
    kinds: dict[type, int] = {int: 3, float: 6, str: 8, list: 9, dict: 10}
    return Tag(kinds[type(value)], value)


def _text(text: str) -> bytes:
    encoded = b"".join(
        b"\xc0\x80" if half == "\0" else half.encode("utf-8", "surrogatepass")
        for letter in text
        for half in _halves(letter)
    )
    return struct.pack(">H", len(encoded)) + encoded


def _halves(letter: str) -> str:
    """Java's surrogates of a letter."""
    if ord(letter) < 0x10000:
        return letter
    rest = ord(letter) - 0x10000
    return chr(0xD800 + (rest >> 10)) + chr(0xDC00 + (rest & 0x3FF))


def _payload(tag: Tag) -> bytes:
    kind, value = tag
    if kind in (1, 2, 3, 4, 5, 6):
        return struct.pack(">" + "bhiqfd"[kind - 1], value)
    if kind == 7:
        return struct.pack(">i", len(value)) + value
    if kind == 8:
        return _text(value)
    if kind == 9:
        tags = [_tag(v) for v in value]
        inner = tags[0].kind if tags else 0
        return bytes([inner]) + struct.pack(">i", len(tags)) + b"".join(map(_payload, tags))
    if kind == 10:
        parts = [
            bytes([_tag(v).kind]) + _text(k) + _payload(_tag(v)) for k, v in value.items()
        ]  # fmt: skip
        return b"".join(parts) + b"\0"
    width = {11: "i", 12: "q"}[kind]
    return struct.pack(f">i{len(value)}{width}", len(value), *value)


def varints(values: Sequence[int]) -> list[int]:
    """Numbers as Sponge packs them, 7 bits a byte."""
    out = []
    for value in values:
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return out


def words(values: Sequence[int], bits: int) -> list[int]:
    """Numbers as Litematica packs them, running on over signed 64-bit words."""
    whole = sum(value << (bits * place) for place, value in enumerate(values))
    count = -(-len(values) * bits // 64)
    raw = [whole >> (64 * place) & (1 << 64) - 1 for place in range(count)]
    return [value - (1 << 64) if value >> 63 else value for value in raw]


def sponge(
    size: tuple[int, int, int], cells: Sequence[int], palette: Mapping[str, int], version: int = 2
) -> dict[str, Any]:
    """A Sponge schematic; ``size`` is width, height, length."""
    width, height, length = size
    sizes = {"Width": short(width), "Height": short(height), "Length": short(length)}
    common = {"Version": version, "DataVersion": 3465, **sizes}
    data = byte_array(varints(cells))
    if version == 3:
        return {"Schematic": common | {"Blocks": {"Palette": dict(palette), "Data": data}}}
    return common | {"Palette": dict(palette), "BlockData": data}


def litematica(
    size: tuple[int, int, int],
    position: tuple[int, int, int],
    cells: Sequence[int],
    palette: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """A region of a Litematica schematic."""
    bits = max(2, (len(palette) - 1).bit_length())
    return {
        "Size": dict(zip("xyz", size, strict=True)),
        "Position": dict(zip("xyz", position, strict=True)),
        "BlockStatePalette": list(palette),
        "BlockStates": long_array(words(cells, bits)),
    }


def mcedit(size: tuple[int, int, int], ids: Sequence[int], states: Sequence[int]) -> dict[str, Any]:
    """An MCEdit schematic; ``size`` is width, height, length."""
    width, height, length = size
    return {
        "Width": short(width),
        "Height": short(height),
        "Length": short(length),
        "Materials": "Alpha",
        "Blocks": byte_array(ids),
        "Data": byte_array(states),
    }
