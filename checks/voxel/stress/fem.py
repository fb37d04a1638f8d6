# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound static stress under the own weight: finite elements with the materials' own figures.

Every block is a cube of one metre of its material (:mod:`.materials`), an element with
incompatible modes (:mod:`.element`), joined to its neighbours face to face (:mod:`.mesh`). The
ground at y = -0.5 holds all nodes on it and under it. Small displacements, linear elasticity.

Beams one block deep sag as beam theory says, within 2 %. One element a block is coarse where a
corner points inwards: roofs and stepped arches sag 4 to 14 % less than with bricks of 20 nodes, and
the stress in such a corner depends on the size of the elements, here always one block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..cells import block_name
from ..structure import VoxelError, VoxelStructure
from . import solver as linear
from .element import Element, Floats, Ints, von_mises
from .materials import GRAVITY, MATERIALS, Material, material_of
from .mesh import Mesh, floating

#: More than this many blocks are not solved: it would take minutes.
MOST_BLOCKS = 60_000


class Unsupported(VoxelError):
    """Parts that nothing holds have no static stress; ``rows`` are their blocks."""

    def __init__(self, message: str, rows: Ints) -> None:
        super().__init__(message)
        self.rows = rows


@dataclass(frozen=True)
class FemStress:
    """Stress a block and displacement a node.

    Attributes
    ----------
    von_mises
        (n,), Pa: the largest of the eight corners of each block, where bending is largest.
    corner_stress
        Stress at the corners of each block, (n, 8, 6), Pa: xx, yy, zz, yz, zx, xy in the axes of
        the task; corners in the order of :data:`.element.CORNERS`.
    displacement
        (m, 3), m, of the nodes.
    mesh
        Where the nodes are and which of them belong to which block.
    reaction
        (m, 3), N: what the ground pushes with, zero at nodes that it doesn't hold.
    weight
        Of all blocks, N.
    solver, iterations, residual
        How the system was solved, and what share of the load is left over.
    assumed
        Ids of blocks whose material is not in the table, taken as stone.
    """

    von_mises: Floats
    corner_stress: Floats
    displacement: Floats
    mesh: Mesh
    reaction: Floats
    weight: float
    solver: str
    iterations: int
    residual: float
    assumed: tuple[str, ...]

    @property
    def worst(self) -> int:
        """Row of the block with the largest stress."""
        return int(np.argmax(self.von_mises))

    @property
    def block_displacement(self) -> Floats:
        """Displacement of each block, the mean of its corners, (n, 3), m."""
        mean: Floats = self.displacement[self.mesh.cubes].mean(axis=1)
        return mean


def solve(
    structure: VoxelStructure,
    solver: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    material: Callable[[str], Material | None] = material_of,
) -> FemStress:
    """Stress of a structure under its own weight.

    ``solver`` is ``"direct"`` or ``"cg"``, chosen by size where it is ``None``; ``material`` gives
    the figures of a block's id.

    Raises
    ------
    Unsupported
        Where parts float; the message names them.
    VoxelError
        Where there is no block, or more than :data:`MOST_BLOCKS`.
    solver.NotSolved
        Where the figures don't converge.
    ImportError
        Where SciPy is missing and there are too many blocks to do without.
    """
    _refuse(structure)
    known = [material(name) for name in structure.palette]
    assumed = tuple(n for n, m in zip(structure.palette, known, strict=True) if m is None)
    materials = [m or MATERIALS["stone"] for m in known]
    different = list(dict.fromkeys(materials))
    codes = np.array([different.index(m) for m in materials])[structure.material_codes]
    elements = [Element.of(m.young, m.poisson) for m in different]

    mesh = Mesh.of(structure)
    weight = np.array([m.density for m in different])[codes] * GRAVITY
    pull = np.zeros((len(structure), 8, 3))
    pull[:, :, 1] = -weight[:, None] / 8.0
    load = _at_nodes(mesh, pull)
    stiffness = np.stack([e.stiffness for e in elements])
    found = linear.solve(
        mesh.lattice, mesh.cubes, mesh.held, stiffness, codes, load, solver, progress
    )
    moved = found.displacement[mesh.cubes].reshape(-1, 24)
    stress, inner = _of_cubes(elements, codes, moved)
    return FemStress(
        von_mises(stress).max(axis=1),
        stress,
        found.displacement,
        mesh,
        np.where(mesh.held[:, None], _at_nodes(mesh, inner) - load, 0.0),
        float(weight.sum()),
        found.solver,
        found.iterations,
        found.residual,
        assumed,
    )


def _refuse(structure: VoxelStructure) -> None:
    """Raise where there is nothing to solve, too much of it, or parts that nothing holds."""
    if not len(structure):
        raise VoxelError("there is no block, so there is no stress")
    if len(structure) > MOST_BLOCKS:
        raise VoxelError(f"{len(structure)} blocks are more than can be solved ({MOST_BLOCKS})")
    loose = floating(structure)
    if len(loose):
        named = ", ".join(block_name(structure.positions[row]) for row in loose[:3])
        more = f" and {len(loose) - 3} more" if len(loose) > 3 else ""
        verb, them = ("hangs", "it") if len(loose) == 1 else ("hang", "them")
        raise Unsupported(
            f"{named}{more} {verb} on nothing: no face joins {them} to the ground, so there is no "
            f"static stress; join {them} by a face or remove {them}",
            loose,
        )


def _of_cubes(elements: list[Element], codes: Ints, moved: Floats) -> tuple[Floats, Floats]:
    """Stress at the corners, (n, 8, 6), Pa, and forces there, (n, 8, 3), N.

    ``moved`` are the 24 displacements of each cube, m.
    """
    stress, force = np.empty((len(codes), 48)), np.empty((len(codes), 24))
    for code, element in enumerate(elements):
        own = codes == code
        stress[own] = moved[own] @ element.stress.reshape(48, 24).T
        force[own] = moved[own] @ element.stiffness
    return stress.reshape(-1, 8, 6), force.reshape(-1, 8, 3)


def _at_nodes(mesh: Mesh, field: Floats) -> Floats:
    """Sum at the nodes, (m, 3), of what the corners of the cubes say, (n, 8, 3)."""
    corners, count = mesh.cubes.ravel(), len(mesh.lattice)
    each = field.reshape(-1, 3)
    return np.stack([np.bincount(corners, each[:, k], count) for k in range(3)], axis=1)
