# SPDX-License-Identifier: GPL-3.0-or-later
"""The linear system of a mesh: assembly, a direct solver for few nodes, CG for many.

The preconditioner of the conjugate gradients has two levels: the 3 x 3 blocks of the diagonal, and
groups of neighbouring nodes that move like rigid bodies, whose small system is solved directly
(aggregation with rigid body modes; Bulgakov 1993, Vanek, Mandel and Brezina 1996). Groups hold
nodes of one 3 x 3 x 3 box that hang together, so walls a gap apart stay apart.

Both need SciPy. Without it NumPy solves what has few nodes, with a full matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .element import Floats, Ints

#: Up to this many free nodes the whole system is factorised.
DIRECT_NODES = 500
#: Up to this many free nodes a full matrix does without SciPy: 160 MB and a few seconds.
DENSE_NODES = 1500
#: Edge of the box whose nodes make one rigid group, in nodes.
BOX = 3
#: CG ends when the residual is this share of the load.
TOLERANCE = 1e-8
MOST_ITERATIONS = 3000
#: A residual up to this share of the load is a solution. Rounding alone leaves 1e-6 in a cantilever
#: 300 blocks long and one deep, whichever the solver.
ACCEPTED = 1e-4

# Share of the diagonal that is added to the small system: groups on one line turn freely.
_SHIFT = 1e-9


class NotSolved(ArithmeticError):
    """The system has no solution in figures; the message says how far the solver came."""


@dataclass(frozen=True)
class Solution:
    """Displacements (m, 3), m; the residual as a share of the load; and how it was solved."""

    displacement: Floats
    residual: float
    solver: str
    iterations: int


def solve(
    lattice: Ints,
    cubes: Ints,
    held: NDArray[np.bool_],
    stiffness: Floats,
    codes: Ints,
    load: Floats,
    solver: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solution:
    """Displacements of all nodes under a load.

    Parameters
    ----------
    lattice, cubes, held
        Of a :class:`.mesh.Mesh`; every part must be held.
    stiffness, codes
        One matrix a material, (k, 24, 24), N/m, and the material of each cube, (n,).
    load
        Forces at the nodes, (m, 3), N.
    solver
        ``"direct"``, ``"cg"`` or ``"dense"``, the one without SciPy; by number of nodes where there
        is none.
    progress
        Told by ``"cg"`` how many decibels of the residual are gone, and how many shall go.

    Raises :class:`NotSolved` where the residual does not come down, and ``ImportError`` where
    SciPy is missing and there are more nodes than :data:`DENSE_NODES`.
    """
    free = np.cumsum(~held) - 1
    free[held] = -1
    count = int((~held).sum())
    displacement = np.zeros((len(lattice), 3))
    if not count:
        return Solution(displacement, 0.0, "none", 0)
    right = load[~held].ravel()
    solver = solver or _suited(count)
    make = assemble_dense if solver == "dense" else assemble
    matrix = make(free[cubes], count, stiffness, codes)
    if solver == "dense":
        found, iterations = _full(matrix, right), 0
    elif solver == "direct":
        found, iterations = _direct(matrix, right), 0
    else:
        inverse = _two_levels(matrix, lattice[~held])
        found, iterations = _conjugate_gradients(matrix, right, inverse, progress)
    residual = float(np.linalg.norm(right - matrix @ found) / (np.linalg.norm(right) or 1.0))
    if not residual <= ACCEPTED:
        raise NotSolved(
            f"the stress solver ({solver}) left {residual:.1e} of the load over after "
            f"{iterations} iterations; materials of very different stiffness may stand together"
        )
    displacement[~held] = found.reshape(-1, 3)
    return Solution(displacement, residual, solver, iterations)


def _suited(count: int) -> str:
    """The solver for so many free nodes. Raises ``ImportError`` where SciPy is needed."""
    try:
        from scipy.sparse import linalg  # noqa: F401 - only whether it is there
    except ImportError:
        if count > DENSE_NODES:
            raise
        return "dense"
    return "direct" if count <= DIRECT_NODES else "cg"


def assemble_dense(cubes: Ints, count: int, stiffness: Floats, codes: Ints) -> Floats:
    """The matrix of :func:`assemble` in full, (3 count, 3 count), N/m."""
    nodes = np.where(cubes < 0, count, cubes)  # all that is held in one place, cut off below
    rows = (3 * nodes[:, :, None] + np.arange(3)).reshape(-1, 24)
    matrix = np.zeros((3 * count + 3, 3 * count + 3))
    np.add.at(matrix, (rows[:, :, None], rows[:, None, :]), stiffness[codes])
    return matrix[:-3, :-3]


def assemble(cubes: Ints, count: int, stiffness: Floats, codes: Ints) -> Any:
    """The stiffness of ``count`` free nodes, a sparse matrix of 3 x 3 blocks, N/m.

    ``cubes`` (n, 8) numbers free nodes and has -1 where a node is held.
    """
    from scipy.sparse import bsr_matrix

    rows = np.repeat(cubes, 8, axis=1).ravel()
    columns = np.tile(cubes, (1, 8)).ravel()
    used = np.flatnonzero((rows >= 0) & (columns >= 0))
    keys = rows[used] * count + columns[used]
    pairs, where = np.unique(keys, return_inverse=True)
    where = where.ravel()
    blocks = np.empty((len(pairs), 3, 3))
    # (k, 24, 24) -> (axis, axis, k, 64): one figure a pair of corners.
    table = stiffness.reshape(-1, 8, 3, 8, 3).transpose(2, 4, 0, 1, 3).reshape(3, 3, -1)
    place = (codes[:, None] * 64 + np.arange(64)).ravel()[used]
    for i in range(3):
        for j in range(3):
            blocks[:, i, j] = np.bincount(where, table[i, j][place], len(pairs))
    starts = np.searchsorted(pairs, np.arange(count + 1) * count)
    size = 3 * count
    return bsr_matrix((blocks, pairs % count, starts), shape=(size, size))


def _full(matrix: Floats, right: Floats) -> Floats:
    try:
        found: Floats = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        raise NotSolved("the stress solver (dense) found parts that nothing holds") from None
    return found


def _direct(matrix: Any, right: Floats) -> Floats:
    """Factorisation of the symmetric matrix, with an order that keeps its pattern."""
    factors = _factorise(matrix)
    found: Floats = factors.solve(right)
    found += factors.solve(right - matrix @ found)
    return found


def _factorise(matrix: Any) -> Any:
    from scipy.sparse.linalg import splu

    options = {"SymmetricMode": True}
    return splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def _two_levels(matrix: Any, lattice: Ints) -> Callable[[Floats], Floats]:
    """What the preconditioner does to a residual."""
    count = len(lattice)
    rows = np.repeat(np.arange(count), np.diff(matrix.indptr))
    diagonal = np.linalg.inv(matrix.data[rows == matrix.indices])
    rigid = _rigid_groups(matrix, rows, lattice)
    turned = rigid.T.tocsr()
    small = (turned @ (matrix.tocsr() @ rigid)).tocsc()
    size = small.diagonal()
    size[size <= _SHIFT * size.max()] = size.max()
    from scipy.sparse import diags

    factors = _factorise(small + diags(_SHIFT * size))

    def apply(residual: Floats) -> Floats:
        near: Floats = np.einsum("nab,nb->na", diagonal, residual.reshape(-1, 3)).ravel()
        near += rigid @ factors.solve(turned @ residual)
        return near

    return apply


def _rigid_groups(matrix: Any, rows: Ints, lattice: Ints) -> Any:
    """The rigid motions of the groups of nodes, sparse (3 m, 6 groups)."""
    from scipy.sparse import coo_matrix, csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = len(lattice)
    box = np.unique((lattice - lattice.min(axis=0)) // (2 * BOX), axis=0, return_inverse=True)[1]
    box = box.ravel()
    same = box[rows] == box[matrix.indices]
    graph = coo_matrix(
        (np.ones(int(same.sum()), dtype=np.int8), (rows[same], matrix.indices[same])),
        shape=(count, count),
    )
    groups, label = connected_components(graph, directed=False)
    sizes = np.bincount(label, minlength=groups)
    arm = 0.5 * lattice.astype(np.float64)
    centre = np.stack([np.bincount(label, arm[:, k], groups) / sizes for k in range(3)], axis=1)
    x, y, z = (arm - centre[label]).T
    zero, one = np.zeros(count), np.ones(count)
    motions = np.array(
        [
            [one, zero, zero, zero, z, -y],
            [zero, one, zero, -z, zero, x],
            [zero, zero, one, y, -x, zero],
        ]
    ).transpose(2, 0, 1)  # (m, 3, 6)
    columns = np.broadcast_to((6 * label)[:, None, None] + np.arange(6), (count, 3, 6))
    starts = np.arange(3 * count + 1) * 6
    return csr_matrix((motions.ravel(), columns.ravel(), starts), shape=(3 * count, 6 * groups))


def _conjugate_gradients(
    matrix: Any,
    right: Floats,
    inverse: Callable[[Floats], Floats],
    progress: Callable[[int, int], None] | None,
) -> tuple[Floats, int]:
    """Preconditioned conjugate gradients from rest; the iterate and the number of iterations."""
    found = np.zeros_like(right)
    residual = right.copy()
    step = inverse(residual)
    power = float(residual @ step)
    first = float(np.linalg.norm(right))
    goal, whole, furthest = TOLERANCE * first, round(-10.0 * np.log10(TOLERANCE)), 0
    for iteration in range(1, MOST_ITERATIONS + 1):
        if progress is not None and iteration % 10 == 0:
            gone = -10.0 * np.log10(float(np.linalg.norm(residual)) / first)
            furthest = int(min(max(gone, furthest), whole))
            progress(furthest, whole)
        pushed = matrix @ step
        length = power / float(step @ pushed)
        found += length * step
        residual -= length * pushed
        if float(np.linalg.norm(residual)) <= goal:
            return found, iteration
        ready = inverse(residual)
        before, power = power, float(residual @ ready)
        step = ready + (power / before) * step
    return found, MOST_ITERATIONS
