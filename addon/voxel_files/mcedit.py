# SPDX-License-Identifier: GPL-3.0-or-later
"""MCEdit schematics (.schematic): a number and four bits of data a cell, as before Minecraft 1.13.

https://minecraft.wiki/w/Schematic_file_format: index = (y Length + z) Width + x.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .blocks import BlocksError
from .legacy_ids import material
from .volume import Block, Ints, Volume, box, field, numbers

_HALVES = 8  # bit of the data that marks the upper half of a door and the head of a bed


def read_mcedit(data: Mapping[str, Any]) -> list[Volume]:
    """The box of a schematic. Raises :class:`~.blocks.BlocksError`."""
    width, height, length = box(
        *(field(data, n, int) & 0xFFFF for n in ("Width", "Height", "Length"))
    )
    count = width * height * length
    ids = numbers(data, "Blocks", 1).view(np.uint8).astype(np.int64)
    states = numbers(data, "Data", 1).astype(np.int64) & 15
    for name, found in (("Blocks", ids), ("Data", states)):
        if len(found) != count:
            raise BlocksError(f"it holds {len(found)} cells in its {name}, its size says {count}")
    if "AddBlocks" in data:
        ids |= _high_bits(numbers(data, "AddBlocks", 1).view(np.uint8), count) << 8
    names = _names(data)
    kinds, cells = np.unique(ids << 4 | states, return_inverse=True)
    palette = [_block(kind >> 4, kind & 15, names) for kind in kinds.tolist()]
    return [Volume(palette, cells.reshape(height, length, width))]


def _high_bits(raw: Any, count: int) -> Ints:
    """Bits 8 to 11 of every number: two cells a byte, the even one in the lower half."""
    if len(raw) * 2 < count:
        raise BlocksError(f"it holds {len(raw)} bytes of AddBlocks, its size says {-(-count // 2)}")
    both = np.stack([raw & 15, raw >> 4], axis=1).reshape(-1)
    return both[:count].astype(np.int64)


def _names(data: Mapping[str, Any]) -> dict[int, str]:
    """Names that the file itself gives to numbers, by one of two editors."""
    found: dict[int, str] = {}
    mapping = data.get("SchematicaMapping")
    if isinstance(mapping, dict):
        found.update({number: name for name, number in mapping.items() if isinstance(number, int)})
    mapping = data.get("BlockIDs")
    if isinstance(mapping, dict):
        found.update({int(n): name for n, name in mapping.items() if n.isdecimal() and len(n) < 6})
    return {number: name for number, name in found.items() if isinstance(name, str)}


def _block(number: int, state: int, names: Mapping[int, str]) -> Block:
    """What a number with its data stands for; the game's own numbers first."""
    name = material(number, state) or names.get(number)
    if name is None:
        raise BlocksError(f"it uses block number {number}, which no Minecraft before 1.13 has")
    bare = name.rpartition(":")[2]
    upper = {"half": "upper", "part": "head"} if state & _HALVES else {}
    return Block.of(bare, upper)
