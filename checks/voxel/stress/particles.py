# SPDX-License-Identifier: GPL-3.0-or-later
"""The particles of the published stress solver: neighbours, kernel and correction matrices.

One particle a block at its integer coordinates, spacing 1 m, volume 1 m3 (MineCEraft, arXiv
2608.28884, appendix G, after Beck et al. 2024). Nothing here changes while time runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..structure import VoxelStructure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Radius of the kernel's support, m: 26 neighbours, at 1, sqrt(2) and sqrt(3) m.
SUPPORT = 2.0
#: Singular values below this share of the largest count as zero in a pseudo-inverse.
RCOND = 1e-12
#: A correction matrix whose determinant is below this share of its trace cubed is singular. Whole
#: coordinates leave 1e-17 of rounding in the flat ones and 1e-3 or more in all others.
SINGULAR = 1e-9

#: The 13 neighbours of which each pair of particles has one, m.
HALF = np.array([o for o in product((-1, 0, 1), repeat=3) if o > (0, 0, 0)], dtype=np.int64)


@dataclass(frozen=True)
class Particles:
    """What stays the same while time runs, for ``n`` particles and ``e`` pairs of neighbours.

    Attributes
    ----------
    rest
        Coordinates (3, n), m.
    first, second, kind
        The particles of each pair, (e,), and which of the 13 steps of :data:`HALF` leads from the
        first to the second.
    first_kind, second_kind
        Where a pair finds its particles in an array (13, n) laid out flat, (e,).
    inverse
        Inverse or pseudo-inverse of each correction matrix, (3, 3, n).
    around, share
        Rows of the 26 neighbours and the particle itself, (27, n) (itself where none is), and
        ``F[a, b, i] = sum_k x[a, around[k, i]] share[b, k, i]``, (3, 27, n), 1/m.
    flat
        Which particles have their neighbours in one plane or line or have none, (n,): the matrix
        is singular there and the stress is an artefact of the method.
    """

    rest: Floats
    first: Ints
    second: Ints
    kind: Ints
    first_kind: Ints
    second_kind: Ints
    inverse: Floats
    around: Ints
    share: Floats
    flat: NDArray[np.bool_]

    @classmethod
    def of(cls, structure: VoxelStructure) -> Particles:
        """The particles of a structure with at least one block."""
        n = len(structure)
        found = structure.neighbours(HALF)
        first, kind = np.nonzero(found >= 0)
        second = found[first, kind]
        inverse, flat = _corrections(_moments(n, first, second, kind))
        around, share = _shares(n, first, second, kind, inverse)
        rest = np.ascontiguousarray(structure.positions.T, dtype=np.float64)
        places = (kind * n + first, kind * n + second)
        return cls(rest, first, second, kind, *places, inverse, around, share, flat)


def kernel(step: Floats) -> tuple[Floats, Floats]:
    """The spiky kernel W, 1/m3, (k,), and its gradient along ``step``, 1/m4; ``step`` (k, 3), m.

    W(r) = 15 / (pi h^6) (h - r)^3 within the support h.
    """
    r = np.linalg.norm(step, axis=1)
    scale = 15.0 / (np.pi * SUPPORT**6)
    gap = SUPPORT - r
    return scale * gap**3, step * (-3.0 * scale * gap**2 / r)[:, None]


#: The 13 steps as figures, m, the kernel there and its gradient.
STEP = HALF.astype(np.float64)
WEIGHT, SLOPE = kernel(STEP)


def _moments(n: int, first: Ints, second: Ints, kind: Ints) -> Floats:
    """A_i = sum_j R_ij outer gradW_ij, (n, 3, 3); a pair gives both its ends the same."""
    outer = (STEP[:, :, None] * SLOPE[:, None, :])[kind]
    moments = np.zeros((n, 3, 3))
    np.add.at(moments, first, outer)
    np.add.at(moments, second, outer)
    return moments


def _corrections(moments: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Inverses of the correction matrices, (3, 3, n), and which of them are singular, (n,)."""
    size = np.abs(np.trace(moments, axis1=1, axis2=2)) ** 3
    flat = np.abs(np.linalg.det(moments)) <= SINGULAR * size
    inverse = np.empty_like(moments)
    inverse[~flat] = np.linalg.inv(moments[~flat])
    inverse[flat] = np.linalg.pinv(moments[flat], rcond=RCOND)
    return np.ascontiguousarray(inverse.transpose(1, 2, 0)), flat


def _shares(n: int, first: Ints, second: Ints, kind: Ints, inverse: Floats) -> tuple[Ints, Floats]:
    """Which coordinates give each deformation gradient, and with what share."""
    around = np.tile(np.arange(n), (27, 1))
    share = np.zeros((3, 27, n))
    for near, far, place, sign in ((first, second, kind, 1.0), (second, first, kind + 13, -1.0)):
        around[place, near] = far
        share[:, place, near] = sign * np.einsum("eb,bce->ce", SLOPE[kind], inverse[:, :, near])
    share[:, 26] = -share[:, :26].sum(axis=1)
    return around, share
