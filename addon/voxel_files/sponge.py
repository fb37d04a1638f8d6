# SPDX-License-Identifier: GPL-3.0-or-later
"""Sponge schematics (.schem), versions 1 to 3.

https://github.com/SpongePowered/Schematic-Specification: index = x + z Width + y Width Length,
each a number of 7 bits a byte, lowest first, the top bit set where another byte follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .blocks import BlocksError
from .volume import Block, Ints, Volume, box, field, numbers

_LARGEST_NUMBER = 1 << 20  # of a palette; Minecraft has some 30,000 block states


def read_sponge(data: Mapping[str, Any]) -> list[Volume]:
    """The box of a schematic. Raises :class:`~.blocks.BlocksError`."""
    version = field(data, "Version", int)
    if version not in (1, 2, 3):
        raise BlocksError(f"it is a Sponge schematic of version {version}; 1, 2 and 3 can be read")
    # Sizes are unsigned in the specification, and signed where they are stored.
    sizes = (field(data, name, int) & 0xFFFF for name in ("Width", "Height", "Length"))
    width, height, length = box(*sizes)
    if version == 3:
        blocks = field(data, "Blocks", dict)
        palette, packed = field(blocks, "Palette", dict), numbers(blocks, "Data", 1)
    else:
        palette, packed = field(data, "Palette", dict), numbers(data, "BlockData", 1)
    cells = _numbers(packed.view(np.uint8))
    if len(cells) != width * height * length:
        raise BlocksError(f"it holds {len(cells)} cells, its size says {width * height * length}")
    return [Volume(_palette(palette), cells.reshape(height, length, width))]


def _palette(data: Mapping[str, Any]) -> list[Block | None]:
    found: dict[int, Block] = {}
    for state, number in data.items():
        if not isinstance(number, int) or not 0 <= number < _LARGEST_NUMBER:
            raise BlocksError("its palette has a number that is none of a palette")
        found[number] = Block.parse(state)
    return [found.get(number) for number in range(max(found, default=-1) + 1)]


def _numbers(raw: Any) -> Ints:
    """Numbers of 7 bits a byte, all at once."""
    last = np.flatnonzero(raw < 128)
    if len(raw) and (not len(last) or last[-1] != len(raw) - 1):
        raise BlocksError("its cells end within a number")
    first = np.concatenate([[0], last[:-1] + 1]) if len(last) else last
    sizes = last - first + 1
    if len(sizes) and sizes.max() > 5:
        raise BlocksError("its cells hold a number of more than 32 bits")
    values = np.zeros(len(last), dtype=np.int64)
    for step in range(int(sizes.max(initial=0))):
        more = sizes > step
        values[more] |= (raw[first[more] + step].astype(np.int64) & 127) << (7 * step)
    return values
