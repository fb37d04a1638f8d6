# SPDX-License-Identifier: GPL-3.0-or-later
"""Schematics as boxes of cells: what each number stands for, and which cells hold a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...checks.voxel.structure import VoxelStructure
from .blocks import MOST_BLOCKS, BlocksError

Ints = NDArray[np.int64]
T = TypeVar("T")

#: Cells of all boxes together, air included: 203 x 203 x 203.
MOST_CELLS = 1 << 23

_AIR = frozenset({"air", "cave_air", "void_air", "structure_void"})


@dataclass(frozen=True)
class Block:
    """What a number in a box stands for.

    ``second`` is true for the upper half of a door and the head of a bed. Whoever places a door or
    a bed places one block, and the checks count it and look for it at its lower half or foot.
    """

    name: str
    second: bool = False

    @classmethod
    def of(cls, name: str, state: Mapping[str, str]) -> Block:
        """From an id with or without namespace and the properties of its state."""
        bare = name.rpartition(":")[2]
        upper = bare.endswith("_door") and state.get("half") == "upper"
        return cls(bare, upper or (bare.endswith("_bed") and state.get("part") == "head"))

    @classmethod
    def parse(cls, text: str) -> Block:
        """From ``"minecraft:oak_door[half=upper,open=false]"``."""
        name, _, rest = text.partition("[")
        pairs = (part.partition("=") for part in rest.rstrip("]").split(","))
        return cls.of(name, {key: value for key, _, value in pairs})


@dataclass(frozen=True)
class Volume:
    """A box of cells: ``cells`` (height, length, width) hold indices of ``palette``.

    ``low`` is the cell (x, y, z) of its lowest corner.
    """

    palette: Sequence[Block | None]
    cells: Ints
    low: tuple[int, int, int] = (0, 0, 0)

    def filled(self) -> tuple[Ints, list[str], int]:
        """Cells (n, 3) and materials of its blocks, and how many second halves were left out."""
        kinds = self.palette
        used = np.unique(self.cells)
        if used[0] < 0 or used[-1] >= len(kinds):
            raise BlocksError(f"it uses more kinds of blocks than the {len(kinds)} of its palette")
        for index in used.tolist():
            if kinds[index] is None:
                raise BlocksError(f"it uses block number {index}, which its palette lacks")
        solid = np.array([k is not None and k.name not in _AIR and not k.second for k in kinds])
        second = np.array([k is not None and k.second for k in kinds])
        y, z, x = np.nonzero(solid[self.cells])
        if len(y) > MOST_BLOCKS:
            raise BlocksError(f"it has {len(y)} blocks, more than the {MOST_BLOCKS} that are read")
        names = [k.name if k is not None else "" for k in kinds]
        materials = [names[i] for i in self.cells[y, z, x].tolist()]
        cells = np.stack([x, y, z], axis=1) + np.array(self.low, dtype=np.int64)
        return cells, materials, int(np.count_nonzero(second[self.cells]))


def structure(volumes: Sequence[Volume], source: Mapping[str, Any]) -> VoxelStructure:
    """The blocks of boxes, without a placement order, the lowest of them on the ground (y = 0).

    A schematic doesn't say where the ground is. x and z stay as they are. Where boxes overlap the
    later one counts.
    """
    parts = [volume.filled() for volume in volumes]
    cells = np.concatenate([np.zeros((0, 3), dtype=np.int64), *(part[0] for part in parts)])
    materials = [name for part in parts for name in part[1]]
    second = sum(part[2] for part in parts)
    notes = ["a schematic holds no placement order, so what needs one can't be judged"]
    if len(cells):
        low = int(cells[:, 1].min())
        cells = cells - np.array([0, low, 0])
        notes.append("the lowest block was set on the ground (y = 0)")
    if second:
        notes.append(f"upper halves of doors and heads of beds aren't counted: {second} cells")
    return VoxelStructure(cells, tuple(materials), False, tuple(notes), source)


def box(width: Any, height: Any, length: Any) -> tuple[int, int, int]:
    """Sizes of a box, checked. Raises :class:`BlocksError`."""
    sizes = (int(width), int(height), int(length))
    if min(sizes) < 1:
        raise BlocksError(f"it is a box of {_by(sizes)} cells; all three must be 1 or more")
    if sizes[0] * sizes[1] * sizes[2] > MOST_CELLS:
        raise BlocksError(
            f"it is a box of {_by(sizes)} cells, more than the {MOST_CELLS} that are read"
        )
    return sizes


def _by(sizes: tuple[int, int, int]) -> str:
    return " x ".join(str(size) for size in sizes)


def field(data: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """A value of a compound. Raises :class:`BlocksError` where it is missing or another kind."""
    value = data.get(name)
    if not isinstance(value, kind):
        what = "is missing" if value is None else "is of another kind than it should be"
        raise BlocksError(f"its {name} {what}")
    return value


def numbers(data: Mapping[str, Any], name: str, bytes_each: int) -> Ints:
    """An array of a compound, of numbers with so many bytes each."""
    value = field(data, name, np.ndarray)
    if value.dtype.kind != "i" or value.dtype.itemsize != bytes_each:
        raise BlocksError(f"its {name} is of another kind than it should be")
    return value
