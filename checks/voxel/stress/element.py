# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite element of a block: a unit cube with eight nodes and nine incompatible modes.

The modes (1 - xi^2), (1 - eta^2), (1 - zeta^2), one for each displacement, give the cube the
quadratic shape that bending needs; without them a member one block deep is half again too stiff.
They are condensed out of every element. Wilson et al. 1973 ("Incompatible displacement models"),
Taylor, Beresford and Wilson 1976; on a cube the patch test holds without any correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Corners of a cube from its lowest one, (8, 3): bit 4 is x, bit 2 is y, bit 1 is z.
CORNERS: Ints = np.array(list(product((0, 1), repeat=3)), dtype=np.int64)
_SIGNS = 2.0 * CORNERS - 1.0
_GAUSS = _SIGNS / np.sqrt(3.0)


@dataclass(frozen=True)
class Element:
    """Matrices of one material's cube.

    Attributes
    ----------
    stiffness
        (24, 24), N/m, rows in the order node, axis; the modes are condensed out.
    stress
        Stress at each corner from the displacements, (8, 6, 24), Pa/m, in the order xx, yy, zz,
        yz, zx, xy, with the part of the modes.
    """

    stiffness: Floats
    stress: Floats

    @classmethod
    def of(cls, young: float, poisson: float, modes: bool = True) -> Element:
        """The cube of one metre of an isotropic material; ``modes`` off: the plain brick."""
        law = elasticity(young, poisson)
        size = 33 if modes else 24
        whole = np.zeros((size, size))
        for point in _GAUSS:
            strain = _strain(point)[:, :size]
            whole += strain.T @ law @ strain / 8.0
        recover = np.eye(24)
        if modes:
            inner = -np.linalg.solve(whole[24:, 24:], whole[24:, :24])
            recover = np.vstack([recover, inner])
        stiffness = recover.T @ whole @ recover
        stress = np.stack([law @ _strain(point)[:, :size] @ recover for point in _SIGNS])
        return cls(0.5 * (stiffness + stiffness.T), stress)


def elasticity(young: float, poisson: float) -> Floats:
    """Hooke's law (6, 6), Pa, with engineering shear strains."""
    shear = young / (2.0 * (1.0 + poisson))
    lam = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    law = np.zeros((6, 6))
    law[:3, :3] = lam
    law[np.arange(3), np.arange(3)] += 2.0 * shear
    law[np.arange(3, 6), np.arange(3, 6)] = shear
    return law


def von_mises(stress: Floats) -> Floats:
    """Von Mises stress of (..., 6) in the order xx, yy, zz, yz, zx, xy: (...)."""
    x, y, z = stress[..., 0], stress[..., 1], stress[..., 2]
    shear = np.sum(stress[..., 3:] ** 2, axis=-1)
    result: Floats = np.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3.0 * shear)
    return result


def _strain(point: Floats) -> Floats:
    """Strain from the 24 displacements and the 9 modes, (6, 33), 1/m, at a point in [-1, 1]^3."""
    slopes = np.empty((11, 3))  # of 8 shape functions and 3 modes, along x, y, z, 1/m
    factors = 1.0 + _SIGNS * point
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        slopes[:8, axis] = _SIGNS[:, axis] * factors[:, others].prod(axis=1) / 4.0
    slopes[8:] = np.diag(-4.0 * point)
    strain = np.zeros((6, 33))
    for row, (dx, dy, dz) in enumerate(slopes):
        strain[:, 3 * row : 3 * row + 3] = [
            [dx, 0, 0],
            [0, dy, 0],
            [0, 0, dz],
            [0, dz, dy],
            [dz, 0, dx],
            [dy, dx, 0],
        ]
    return strain
