# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as arrays: laying one over another, and writing PNG without anyone's help."""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Pixels = NDArray[np.float32]  # (height, width, 4), 0..1, colour not multiplied by alpha, top first

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def over(top: Pixels, bottom: Pixels, opacity: float = 1.0) -> Pixels:
    """``top`` laid over ``bottom``, weakened to ``opacity``."""
    a = top[..., 3:] * opacity
    b = bottom[..., 3:] * (1.0 - a)
    alpha = a + b
    colour = (top[..., :3] * a + bottom[..., :3] * b) / np.maximum(alpha, 1e-6)
    return np.concatenate([colour, alpha], axis=2).astype(np.float32)


def on_colour(pixels: Pixels, colour: tuple[float, float, float]) -> Pixels:
    """The picture on an opaque background."""
    ground = np.ones_like(pixels)
    ground[..., :3] = colour
    return over(pixels, ground)


def draw_ring(
    pixels: Pixels,
    centre: tuple[float, float],
    radius: float,
    width: float,
    colour: tuple[float, ...],
) -> None:
    """Draw a smooth ring into the picture; ``centre`` is (column, row) in pixels."""
    height, breadth = pixels.shape[:2]
    reach = int(radius + width) + 2
    left, top = int(centre[0]) - reach, int(centre[1]) - reach
    rows = slice(max(top, 0), min(top + 2 * reach, height))
    columns = slice(max(left, 0), min(left + 2 * reach, breadth))
    part = pixels[rows, columns]
    if not part.size:
        return
    y, x = np.mgrid[rows, columns]
    distance = np.hypot(x + 0.5 - centre[0], y + 0.5 - centre[1])
    ring = np.ones_like(part)
    ring[..., :3] = colour[:3]
    ring[..., 3] = np.clip(0.5 * width + 0.5 - np.abs(distance - radius), 0.0, 1.0)
    pixels[rows, columns] = over(ring, part)


def shrunk(pixels: Pixels, factor: int) -> Pixels:
    """The picture with ``factor`` by ``factor`` pixels averaged into one."""
    height, width = pixels.shape[0] // factor, pixels.shape[1] // factor
    weighted = pixels.copy()
    weighted[..., :3] *= pixels[..., 3:]
    small = np.zeros((height, width, 4), np.float32)
    for row in range(factor):  # three times as fast as a mean over two axes
        for column in range(factor):
            part = weighted[row::factor, column::factor]
            small += part[:height, :width]
    small /= factor * factor
    small[..., :3] /= np.maximum(small[..., 3:], 1e-6)
    return small


def write_png(path: str | Path, pixels: Pixels) -> None:
    """Write 8-bit RGBA (RGB where everything is opaque). Raises ``OSError``."""
    Path(path).write_bytes(png_bytes(pixels))


def png_bytes(pixels: Pixels) -> bytes:
    """The picture as a PNG file: 8-bit RGBA, RGB where everything is opaque."""
    values = np.rint(np.clip(pixels, 0.0, 1.0) * 255).astype(np.uint8)
    opaque = bool((values[..., 3] == 255).all())
    channels = 3 if opaque else 4
    height, width = values.shape[:2]
    # Each row is stored as its difference from the row above (filter 2), which packs well.
    rows = values[..., :channels].reshape(height, width * channels)
    difference = rows.copy()
    difference[1:] -= rows[:-1]
    filtered = np.concatenate([np.full((height, 1), 2, np.uint8), difference], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if opaque else 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(filtered.tobytes(), 6)), (b"IEND", b"")]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def read_png(data: bytes) -> Bytes:
    """The pixels (height, width, 4), 0..255, top first, of a PNG as :func:`png_bytes` makes it.

    Raises ``ValueError`` in words for everything else: this is no reader for pictures from outside.
    """
    body: dict[bytes, bytes] = {}
    try:
        if not data.startswith(_SIGNATURE):
            raise ValueError("it doesn't begin as one")
        at = len(_SIGNATURE)
        while b"IEND" not in body:
            length, kind = struct.unpack_from(">I4s", data, at)
            part = data[at + 8 : at + 8 + length]
            if struct.unpack_from(">I", data, at + 8 + length)[0] != zlib.crc32(kind + part):
                raise ValueError("it is damaged")
            body[kind] = body.get(kind, b"") + part
            at += 12 + length
        width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", body[b"IHDR"])
        if depth != 8 or colour not in (2, 6) or any(rest):
            raise ValueError("it isn't 8-bit RGB or RGBA")
        channels = 3 if colour == 2 else 4
        lines = np.frombuffer(zlib.decompress(body[b"IDAT"]), np.uint8)
        lines = lines.reshape(height, 1 + width * channels)
        if (lines[:, 0] != 2).any():
            raise ValueError("its rows are stored in another way")
    except (ValueError, KeyError, struct.error, zlib.error) as error:
        raise ValueError(f"this is no PNG of ours: {error}") from None
    rows = lines[:, 1:].copy()
    for above, row in pairwise(rows):  # eight times as fast as accumulate
        row += above
    pixels = rows.reshape(height, width, channels)
    if channels == 3:
        pixels = np.concatenate([pixels, np.full((height, width, 1), 255, np.uint8)], axis=2)
    return pixels
