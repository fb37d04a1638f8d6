# SPDX-License-Identifier: GPL-3.0-or-later
"""Litematica schematics (.litematic): regions of cells packed into 64-bit words.

https://github.com/maruohon/litematica (LitematicaBitArray, LitematicaBlockStateContainer): index =
(y |size z| + z) |size x| + x; each has as many bits as the palette needs, at least 2, and may reach
over two words. A region of negative size reaches from its position backwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .blocks import BlocksError
from .volume import MOST_CELLS, Block, Ints, Volume, box, field, numbers


def read_litematica(data: Mapping[str, Any]) -> list[Volume]:
    """The boxes of all regions. Raises :class:`~.blocks.BlocksError`."""
    regions = field(data, "Regions", dict)
    if not regions:
        raise BlocksError("it has no region")
    volumes: list[Volume] = []
    cells = 0
    for name, region in regions.items():
        if not isinstance(region, dict):
            raise BlocksError(f"its region {name[:40]!r} is of another kind than it should be")
        try:
            volumes.append(_region(region))
        except BlocksError as error:
            raise BlocksError(f"region {name[:40]!r}: {error}") from None
        cells += volumes[-1].cells.size
        if cells > MOST_CELLS:
            raise BlocksError(f"its regions have more than the {MOST_CELLS} cells that are read")
    return volumes


def _region(region: Mapping[str, Any]) -> Volume:
    size, position = _place(region, "Size"), _place(region, "Position")
    width, height, length = box(*(abs(v) for v in size))
    low = tuple(p + s + 1 if s < 0 else p for p, s in zip(position, size, strict=True))
    palette = [_block(state) for state in field(region, "BlockStatePalette", list)]
    if not palette:
        raise BlocksError("it has an empty palette")
    bits = max(2, (len(palette) - 1).bit_length())
    cells = _unpacked(numbers(region, "BlockStates", 8), bits, width * height * length)
    return Volume(palette, cells.reshape(height, length, width), (low[0], low[1], low[2]))


def _place(region: Mapping[str, Any], name: str) -> tuple[int, int, int]:
    place = field(region, name, dict)
    return (field(place, "x", int), field(place, "y", int), field(place, "z", int))


def _block(state: Any) -> Block:
    if not isinstance(state, dict):
        raise BlocksError("it has a palette of another kind than it should be")
    properties = state.get("Properties")
    return Block.of(field(state, "Name", str), properties if isinstance(properties, dict) else {})


def _unpacked(words: Any, bits: int, count: int) -> Ints:
    """``count`` numbers of ``bits`` each, lowest bits first, running on from word to word."""
    needed = -(-bits * count // 64)
    if len(words) < needed:
        raise BlocksError(f"it holds {len(words)} words of cells, its size says {needed}")
    plain = np.concatenate([words.view(np.uint64), np.zeros(1, dtype=np.uint64)])
    start = np.arange(count, dtype=np.uint64) * np.uint64(bits)
    word, shift = (start >> np.uint64(6)).astype(np.int64), start & np.uint64(63)
    low = plain[word] >> shift
    # A shift by 64 is undefined, hence in two steps.
    high = (plain[word + 1] << np.uint64(1)) << (np.uint64(63) - shift)
    found = (low | high) & np.uint64((1 << bits) - 1)
    return found.astype(np.int64)
