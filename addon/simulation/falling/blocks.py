# SPDX-License-Identifier: GPL-3.0-or-later
"""A construction of blocks as something that can fall: blocks hold each other face by face.

The ground holds what stands in it, as the stress checks have it, and what is joined to that is
firm: how strong it is they tell. What doesn't reach the ground falls, and breaks where it lands.
"""

from __future__ import annotations

import numpy as np

from ....checks.voxel.cells import block_name, to_blender
from ....checks.voxel.stress.materials import MATERIALS, material_of
from ....checks.voxel.structure import VoxelStructure
from ..steps import SimulationError
from .model import FIRST, SECOND, Contacts, Model, Strengths
from .strengths import TENSILE, Blocks

#: Blocks that can be let fall (measured: 20,000 in one piece take a second to set up).
MOST = 20_000
#: Blocks at this height or lower are held by the ground (MineCEraft, section 4.1), cells.
GROUND = 0
#: Steps to the neighbours that come after a block, so that each pair is found once.
_AFTER = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.int64)


def model_of_blocks(structure: VoxelStructure, strengths: Strengths | None = None) -> Model:
    """A construction of blocks, 1 m wide. Raises :class:`SimulationError`."""
    n = len(structure)
    if not n:
        raise SimulationError("there is no block that could fall; build or open something first")
    if n > MOST:
        raise SimulationError(f"{n} blocks are more than can fall at once ({MOST}); remove some")
    center = to_blender(structure.positions)
    kinds = [material_of(name) or MATERIALS["stone"] for name in structure.palette]
    code = structure.material_codes
    density = np.array([kind.density for kind in kinds], float)[code]
    tensile = np.array([TENSILE[kind.name][0] for kind in kinds])[code]
    nameless = sorted(name for name in structure.palette if material_of(name) is None)
    contacts = _contacts(structure, center)
    ground = min(float(structure.low[1]), float(GROUND)) - 0.5
    return Model(
        "voxel",
        tuple(block_name(p) for p in structure.positions),
        center,
        np.broadcast_to(np.eye(3), (n, 3, 3)),
        np.full((n, 3), 0.5),
        density,
        structure.positions[:, 1] <= GROUND,
        ground,
        contacts,
        (strengths or Blocks(tensile))(contacts),
        np.ones(len(contacts), bool),
        shatters=True,
        notes=(f"{', '.join(nameless)}: taken for stone",) if nameless else (),
    )


def _contacts(structure: VoxelStructure, center: np.ndarray) -> Contacts:
    """All pairs of blocks that share a face."""
    beside = structure.neighbours(_AFTER)
    first, way = np.nonzero(beside >= 0)
    second = beside[first, way].astype(np.intp)
    k = len(first)
    return Contacts(
        first,
        second,
        0.5 * (center[first] + center[second]),
        center[second] - center[first],
        np.ones(k),
        np.ones(k),
        np.zeros(k),
        np.ones(k, bool),
        ("blocks",) * k,
        np.full(k, FIRST | SECOND, np.int8),
        np.zeros((k, 3)),
    )
