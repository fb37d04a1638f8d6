# SPDX-License-Identifier: GPL-3.0-or-later
"""Laying pictures over each other, and PNG files that others can read."""

import struct
import zlib

import numpy as np
import pytest
from plumbline.addon.scene.pixels import draw_ring, on_colour, over, shrunk, write_png


def flat(colour, alpha, size=(4, 6)):
    return np.broadcast_to(np.array([*colour, alpha], np.float32), (*size, 4)).copy()


def test_over():
    red, blue = flat((1, 0, 0), 0.5), flat((0, 0, 1), 1.0)
    assert over(red, blue)[0, 0] == pytest.approx((0.5, 0, 0.5, 1))
    assert over(red, blue, 0.5)[0, 0] == pytest.approx((0.25, 0, 0.75, 1))
    nothing = flat((0, 0, 0), 0.0)
    assert over(nothing, red)[0, 0] == pytest.approx((1, 0, 0, 0.5))
    assert on_colour(nothing, (1, 1, 1))[0, 0] == pytest.approx((1, 1, 1, 1))


def test_shrinking_does_not_darken_edges():
    picture = flat((1, 1, 1), 1.0, (2, 2))
    picture[0] = 0.0
    assert shrunk(picture, 2)[0, 0] == pytest.approx((1, 1, 1, 0.5))


def test_rings_may_lie_outside():
    picture = flat((1, 1, 1), 1.0, (40, 40))
    draw_ring(picture, (20, 20), 10, 2, (1, 0, 0))
    assert picture[20, 30] == pytest.approx((1, 0, 0, 1), abs=0.1)
    assert picture[20, 20] == pytest.approx((1, 1, 1, 1))
    for centre in [(-5, 20), (500, 500), (20, -300)]:
        draw_ring(picture, centre, 10, 2, (1, 0, 0))


def decoded(path):
    """The pixels of a PNG written with filter 2, by the book."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + body
        )
        chunks[kind] = body
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    channels = {2: 3, 6: 4}[colour]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert (rows[:, 0] == 2).all()
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, channels)


@pytest.mark.parametrize("opaque", [True, False])
def test_png_round_trip(tmp_path, opaque):
    pixels = np.random.default_rng(0).uniform(size=(13, 17, 4)).astype(np.float32)
    if opaque:
        pixels[..., 3] = 1.0
    write_png(tmp_path / "a.png", pixels)
    read = decoded(tmp_path / "a.png")
    assert read.shape == (13, 17, 3 if opaque else 4)
    assert (read == np.rint(pixels * 255)[..., : read.shape[2]]).all()
