# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts within PNG files (``tEXt`` chunks): what made a picture, kept with it. No ``bpy``."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = len(_SIGNATURE) + 25  # the header chunk is always 13 bytes long, and the first


def with_texts(png: bytes, texts: Mapping[str, str]) -> bytes:
    """The picture with these texts behind its header; its pixels stay as they are.

    Keywords are Latin-1 of 1 to 79 characters, as the format says. Raises ``ValueError``.
    """
    if not png.startswith(_SIGNATURE) or png[12:16] != b"IHDR":
        raise ValueError("this is no PNG: it doesn't begin as one")
    chunks = b""
    for keyword, text in texts.items():
        key = keyword.encode("latin-1")
        if not 1 <= len(key) <= 79 or b"\0" in key:
            raise ValueError(f"a keyword has 1 to 79 characters, not {keyword!r}")
        body = key + b"\0" + text.encode("latin-1", "replace")
        chunks += struct.pack(">I", len(body)) + b"tEXt" + body
        chunks += struct.pack(">I", zlib.crc32(b"tEXt" + body))
    return png[:_HEAD] + chunks + png[_HEAD:]


def texts_of(png: bytes) -> dict[str, str]:
    """The texts of a picture. Raises ``ValueError`` for what is no whole PNG."""
    return dict(_texts(png))


def _texts(png: bytes) -> Iterator[tuple[str, str]]:
    if not png.startswith(_SIGNATURE):
        raise ValueError("this is no PNG: it doesn't begin as one")
    at = len(_SIGNATURE)
    while at + 8 <= len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IEND":
            return
        if kind == b"tEXt":
            key, _, text = png[at + 8 : at + 8 + length].partition(b"\0")
            yield key.decode("latin-1"), text.decode("latin-1")
        at += 12 + length
    raise ValueError("this PNG ends before its end")
