# SPDX-License-Identifier: GPL-3.0-or-later
"""The published stress: an explicit total Lagrangian particle solver, 0.2 s from rest.

MineCEraft, arXiv 2608.28884, appendix G (after Beck et al. 2024), with the constants and the order
of steps of the public graders. All materials are the same, the load is not that of the blocks, and
where the neighbours of a block lie in one plane the figures round it are an artefact of order E:
this solver compares with the published scores and judges nothing else; :mod:`.fem` is sound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import VoxelError, VoxelStructure
from .particles import SLOPE, STEP, WEIGHT, Floats, Ints, Particles

YOUNG = 1e9  # Pa
POISSON = 0.4
#: With (1 - nu) where the 3D value has (1 - 2 nu): as published.
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - POISSON))  # Pa
MU = YOUNG / (2 * (1 + POISSON))  # Pa
VISCOSITY = 1e7  # Pa s, deviatoric
MASS = 15000.0  # kg a particle, density 15000 kg/m3
LOAD = -900.0  # N a particle, downwards; not its weight
HOURGLASS = 1e8  # Pa, with a factor alpha of 1
TIME_STEP = 1e-4  # s
STEPS = 2000
RAMP = 0.2  # share of the steps over which the load grows

#: Beyond so many blocks the 2,000 steps take minutes; nobody's task has a fifth of them.
MOST_BLOCKS = 5000

#: Below this determinant of F a particle has no stress (as published).
COLLAPSED = 1e-12

# Stiffness of the hourglass control for each of the 13 steps, N/m2: 0.5 alpha E W / R^3.
_STIFFNESS = -0.5 * HOURGLASS * WEIGHT / np.linalg.norm(STEP, axis=1) ** 3
_DIAGONAL = np.arange(3)
_NEXT = np.array([[3 * ((i + 1) % 3) + (j + 1) % 3 for j in range(3)] for i in range(3)])
_LAST = np.array([[3 * ((i + 2) % 3) + (j + 2) % 3 for j in range(3)] for i in range(3)])
_CROSS = np.array([[3 * ((i + 1) % 3) + (j + 2) % 3 for j in range(3)] for i in range(3)])
_OTHER = np.array([[3 * ((i + 2) % 3) + (j + 1) % 3 for j in range(3)] for i in range(3)])


@dataclass(frozen=True)
class SphStress:
    """What the solver leaves behind, a row a block.

    Attributes
    ----------
    von_mises
        Von Mises stress of the Cauchy stress with its viscous part, (n,), Pa; NaN or infinite
        where the run went out of bounds.
    displacement
        (n, 3), m, in the axes of the task.
    flat
        Which blocks have a flat neighbourhood, (n,): they show no stress, and pull on others with
        a stress of order E that isn't there.
    touched
        Which blocks are flat or have a flat neighbour, (n,): their stress means nothing.
    supported
        Which blocks were held: all at the lowest y, (n,).
    """

    von_mises: Floats
    displacement: Floats
    flat: NDArray[np.bool_]
    touched: NDArray[np.bool_]
    supported: NDArray[np.bool_]


def solve(
    structure: VoxelStructure,
    steps: int = STEPS,
    progress: Callable[[int, int], None] | None = None,
) -> SphStress:
    """Run the published solver on a structure with at least one block.

    ``progress`` is told now and then how many of the steps are done; what it raises ends the run.
    Raises :class:`VoxelError` where there is no block, or more than :data:`MOST_BLOCKS`.
    """
    if not len(structure):
        raise VoxelError("there is no block, so there is no stress")
    if len(structure) > MOST_BLOCKS:
        raise VoxelError(
            f"{len(structure)} blocks are more than the published stress solver can do in minutes "
            f"({MOST_BLOCKS}); the finite elements can"
        )
    particles = Particles.of(structure)
    held = structure.positions[:, 1] == structure.positions[:, 1].min()
    with np.errstate(all="ignore"):  # a run out of bounds ends in NaN, which scores 0
        moved, gradient, stress, volume = _march(particles, held, steps, progress)
        von_mises = _von_mises(gradient, stress, volume)
    flat = particles.flat
    return SphStress(von_mises, moved.T.copy(), flat, flat[particles.around].any(axis=0), held)


def _march(
    p: Particles,
    held: NDArray[np.bool_],
    steps: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Displacement (3, n), F and P (3, 3, n) and det F (n,) of the last forces of the run.

    All forces of a step come first, then all places move, then the speeds follow with the mean of
    the last two accelerations: the order that gives the published references to the last digit.
    """
    place, held_row = p.rest.copy(), np.flatnonzero(held)
    speed, before = np.zeros_like(place), np.zeros_like(place)
    earlier = np.zeros((3, 3, place.shape[1]))
    earlier[_DIAGONAL, _DIAGONAL] = 1.0
    state = (earlier, earlier, np.ones(place.shape[1]))
    for step in range(steps):
        if progress is not None and step % 100 == 0:
            progress(step, steps)
        force, *now = _forces(p, place, earlier)
        force[1] += LOAD * min(1.0, step / (RAMP * STEPS))
        acceleration = force / MASS
        acceleration[:, held_row] = 0.0
        place += TIME_STEP * speed + (0.5 * TIME_STEP**2) * acceleration
        speed += (0.5 * TIME_STEP) * (before + acceleration)
        before, earlier, state = acceleration, now[0], (now[0], now[1], now[2])
    return (place - p.rest, *state)


def _forces(p: Particles, place: Floats, earlier: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Inner forces (3, n), N, with F, P and det F at these places."""
    n = place.shape[1]
    near = _take(place, p.around.ravel()).reshape(3, 27, n)
    gradient = np.einsum("akn,bkn->abn", near, p.share)
    stress, volume = _first_piola(gradient, earlier)
    pull = SLOPE @ _times(stress, p.inverse)  # (3, 13, n), what each step would feel

    between = _sum_of_ends(pull, p)
    apart = _take(place, p.second) - _take(place, p.first)
    # Hourglass control: where both gradients expect the pair, against where it stands.
    miss = _sum_of_ends(STEP @ gradient, p) - 2.0 * apart
    ratio = np.einsum("ae,ae->e", miss, apart) / np.einsum("ae,ae->e", apart, apart)
    between += _STIFFNESS[p.kind] * ratio * apart

    force = np.empty_like(place)
    for axis in range(3):
        force[axis] = np.bincount(p.first, between[axis], n)
        force[axis] -= np.bincount(p.second, between[axis], n)
    return force, gradient, stress, volume


def _take(field: Floats, index: Ints) -> Floats:
    """``field[:, index]``; several times faster, since no index needs a check."""
    return np.take(field, index, axis=1, mode="clip")


def _sum_of_ends(field: Floats, p: Particles) -> Floats:
    """What both particles of each pair say about its step, (3, e); ``field`` (3, 13, n)."""
    flat = field.reshape(3, -1)
    return _take(flat, p.first_kind) + _take(flat, p.second_kind)


def _times(a: Floats, b: Floats) -> Floats:
    """Matrix products of (3, 3, n) fields."""
    product = a[:, 0, None] * b[None, 0]
    product += a[:, 1, None] * b[None, 1]
    product += a[:, 2, None] * b[None, 2]
    return product


def _first_piola(gradient: Floats, earlier: Floats) -> tuple[Floats, Floats]:
    """P, (3, 3, n), Pa, and det F, (n,): St Venant-Kirchhoff with a deviatoric viscosity."""
    g = gradient.reshape(9, -1)
    cofactor = g[_NEXT] * g[_LAST] - g[_CROSS] * g[_OTHER]
    volume = np.sum(gradient[0] * cofactor[0], axis=0)

    second = MU * _times(gradient.transpose(1, 0, 2), gradient)  # 2 mu E + mu I
    trace = (second[0, 0] + second[1, 1] + second[2, 2]) / MU - 3.0  # 2 tr E
    second[_DIAGONAL, _DIAGONAL] += 0.5 * LAMBDA * trace - MU
    stress = _times(gradient, second)

    # J F^-T is the cofactor matrix, so that a collapsed particle needs no inverse: its J is 0.
    safe = np.where(np.abs(volume) < COLLAPSED, np.inf, volume)
    rate = _times(gradient - earlier, (cofactor / (TIME_STEP * safe)).transpose(1, 0, 2))
    rate = rate + rate.transpose(1, 0, 2)  # twice the symmetric part
    rate[_DIAGONAL, _DIAGONAL] -= (rate[0, 0] + rate[1, 1] + rate[2, 2]) / 3.0
    stress += VISCOSITY * _times(rate, cofactor)
    return stress, volume


def _von_mises(gradient: Floats, stress: Floats, volume: Floats) -> Floats:
    """Von Mises stress of the Cauchy stress P F^T / J, (n,), Pa; 0 in collapsed particles."""
    gone = np.abs(volume) < COLLAPSED
    cauchy = np.einsum("akn,bkn->abn", stress, gradient) / np.where(gone, 1.0, volume)
    cauchy[_DIAGONAL, _DIAGONAL] -= np.trace(cauchy) / 3.0
    return np.where(gone, 0.0, np.sqrt(1.5 * np.sum(cauchy**2, axis=(0, 1))))
