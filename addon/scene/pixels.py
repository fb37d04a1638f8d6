# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as arrays: laying one over another, and writing PNG without anyone's help."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float32]  # (height, width, 4), 0..1, colour not multiplied by alpha, top first


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
    small = weighted.reshape(height, factor, width, factor, 4).mean(axis=(1, 3))
    small[..., :3] /= np.maximum(small[..., 3:], 1e-6)
    return small


def write_png(path: str | Path, pixels: Pixels) -> None:
    """Write 8-bit RGBA (RGB where everything is opaque). Raises ``OSError``."""
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
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in chunks:
            file.write(struct.pack(">I", len(body)) + kind + body)
            file.write(struct.pack(">I", zlib.crc32(kind + body)))
