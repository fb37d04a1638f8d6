# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads NBT, the binary tags of Minecraft's files, strictly and within limits.

A reader of our own: the libraries follow whatever nesting and lengths a file claims and unpack it
whole before they look, so that a small hostile file takes all memory, and Blender's Python has none
of them. The format is small: https://minecraft.wiki/w/NBT_format (big-endian, Java Edition).
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

#: Unpacked bytes, nesting, and single values that a file may have; real schematics stay far below.
MOST_BYTES = 128 << 20
DEEPEST = 64
MOST_VALUES = 2_000_000

_END, _STRING, _LIST, _COMPOUND = 0, 8, 9, 10
_NUMBERS = {1: ">i1", 2: ">i2", 3: ">i4", 4: ">i8", 5: ">f4", 6: ">f8"}
_FORMATS = {1: ">b", 2: ">h", 3: ">i", 4: ">q", 5: ">f", 6: ">d"}
_ARRAYS = {7: ">i1", 11: ">i4", 12: ">i8"}


class NbtError(ValueError):
    """Bytes that are no NBT; the message tells where and what."""


def read_nbt(data: bytes) -> tuple[str, dict[str, Any]]:
    """Name and values of the root of NBT, packed by gzip or zlib or not at all.

    Compounds become ``dict``, lists ``list``, lists of numbers and arrays NumPy arrays, whole
    numbers ``int``. Raises :class:`NbtError`.
    """
    reader = _Reader(_unpacked(data))
    if reader.number(1) != _COMPOUND:
        raise NbtError("it doesn't begin with a compound tag")
    return reader.text(), reader.compound(0)


def _unpacked(data: bytes) -> bytes:
    """The bytes of the tags."""
    if data[:1] == bytes([_COMPOUND]):
        if len(data) > MOST_BYTES:
            raise NbtError(f"it has more than {MOST_BYTES >> 20} MiB")
        return data
    packed = zlib.decompressobj(47)  # 32 + 15: gzip or zlib, told by its first bytes
    try:
        plain = packed.decompress(data, MOST_BYTES)
    except zlib.error:
        raise NbtError("it is neither NBT nor packed by gzip or zlib, or it is damaged") from None
    if packed.eof:
        return plain
    if len(plain) >= MOST_BYTES:
        raise NbtError(f"it unpacks to more than {MOST_BYTES >> 20} MiB")
    raise NbtError("it ends within its packed data")


class _Reader:
    """Walks through the bytes; every step looks at what is left first."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.values = 0

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if size < 0:
            raise NbtError(f"byte {self.at}: a length is negative")
        if size > len(self.data) - self.at:
            raise NbtError(f"byte {self.at}: {size} bytes should follow, but the data ends")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, kind: int) -> Any:
        """A number of one of the six kinds."""
        form = _FORMATS[kind]
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self) -> str:
        """A text in Java's UTF-8: a zero byte as two, letters beyond U+FFFF as surrogates."""
        length = struct.unpack(">H", self.take(2))[0]
        raw = self.take(length).replace(b"\xc0\x80", b"\0")
        try:
            halves = raw.decode("utf-8", "surrogatepass")
            return halves.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError:
            raise NbtError(f"byte {self.at - length}: a text isn't UTF-8") from None

    def compound(self, depth: int) -> dict[str, Any]:
        """Named values up to the end tag."""
        found: dict[str, Any] = {}
        while True:
            kind = self.take(1)[0]
            if kind == _END:
                return found
            name = self.text()
            found[name] = self.value(kind, depth + 1)

    def value(self, kind: int, depth: int) -> Any:
        """One value of any kind."""
        self.values += 1
        if self.values > MOST_VALUES:
            raise NbtError(f"it holds more than {MOST_VALUES} values")
        if depth > DEEPEST:
            raise NbtError(f"byte {self.at}: it is nested deeper than {DEEPEST}")
        if kind in _NUMBERS:
            return self.number(kind)
        if kind in _ARRAYS:
            return self.array(_ARRAYS[kind], self.number(3))
        if kind == _STRING:
            return self.text()
        if kind == _LIST:
            return self.list_of(depth)
        if kind == _COMPOUND:
            return self.compound(depth)
        raise NbtError(f"byte {self.at}: there is no tag of kind {kind}")

    def list_of(self, depth: int) -> Any:
        """A list, whose values are all of one kind."""
        kind = self.take(1)[0]
        count = self.number(3)
        if kind in _NUMBERS:
            return self.array(_NUMBERS[kind], count)
        if kind == _END and count > 0:
            raise NbtError(f"byte {self.at}: a list of {count} values names no kind")
        return [self.value(kind, depth + 1) for _ in range(count)]

    def array(self, form: str, count: int) -> Any:
        """Numbers, as many as said."""
        kind = np.dtype(form)
        raw = np.frombuffer(self.take(count * kind.itemsize), dtype=kind)
        return raw.astype(kind.newbyteorder("="))
