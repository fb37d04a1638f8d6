# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed surfaces as vertices and faces, and the boxes round them. No ``bpy``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import CORNER_SIGNS
from .fitting import (
    BOX_FACES,
    Floats,
    enclosed_volume,
    face_vectors,
    fit_solid,
    shares_of_directions,
)

#: A mesh that fills less of its box is no box: it is judged as one, and that is said. Beveled and
#: lightly notched lumber stays above.
BOX_FILL = 0.98
#: Share of the surface that looks in three directions or their opposites: less is nothing sawn.
SAWN = 0.5
#: Thinner is flat, m: a hundredth of a millimetre, far below any sheathing.
FLAT = 1e-5
#: Longer is no member, m.
LONGEST = 1000.0
#: No building stands farther from the origin, m; squares of such numbers still fit a float.
FARTHEST = 1e9


@dataclass(frozen=True)
class Solid:
    """Vertices (v, 3); faces as vertex indices one after the other, and where each face starts."""

    vertices: Floats
    corners: NDArray[np.int32]
    starts: NDArray[np.int32]

    @cached_property
    def edges(self) -> Floats:
        """Border edges of all faces as vectors (e, 3)."""
        ends = np.roll(self.corners, -1)
        last = np.append(self.starts[1:], len(self.corners)) - 1
        ends[last] = self.corners[self.starts]
        return self.vertices[ends] - self.vertices[self.corners]

    def moved(self, linear: Floats, offset: Floats | float = 0.0) -> Solid:
        """The same solid under a linear map (3, 3) and an offset (3,)."""
        return Solid(self.vertices @ linear.T + offset, self.corners, self.starts)

    @cached_property
    def face_vectors(self) -> Floats:
        """Area vector of each face (f, 3)."""
        return face_vectors(self.vertices, self.corners, self.starts)

    def box(self) -> tuple[Floats, Floats, Floats, float]:
        """Smallest box: centre, axes as rows, sizes, and the share of it that the solid fills."""
        center, axes, size = fit_solid(self.vertices, self.face_vectors, self.edges)
        box_volume = float(np.prod(size))
        if box_volume <= 0:
            return center, axes, size, 0.0
        on_faces = self.vertices[self.corners[self.starts]]
        return center, axes, size, enclosed_volume(on_faces, self.face_vectors, center) / box_volume


def cuboid(center: Floats, axes: Floats, size: Floats) -> Solid:
    """A box as a solid of six faces."""
    vertices = center + (0.5 * CORNER_SIGNS * size) @ axes
    return Solid(
        vertices, np.array(BOX_FACES, np.int32).ravel(), np.arange(0, 24, 4, dtype=np.int32)
    )


def prism(outline: Floats, sweep: Floats) -> Solid:
    """An outline (n, 2) in the xy plane swept along a vector (3,)."""
    n = len(outline)
    bottom = np.column_stack([outline, np.zeros(n)])
    ring = np.arange(n, dtype=np.int32)
    following = np.roll(ring, -1)
    sides = np.column_stack([ring, following, following + n, ring + n])
    corners = np.concatenate([ring[::-1], ring + n, sides.ravel()]).astype(np.int32)
    starts = np.concatenate([[0, n], 2 * n + 4 * ring]).astype(np.int32)
    return Solid(np.concatenate([bottom, bottom + sweep]), corners, starts)


def together(solids: Sequence[Solid]) -> Solid:
    """Several solids as one."""
    vertices = np.cumsum([0] + [len(s.vertices) for s in solids])
    corners = np.cumsum([0] + [len(s.corners) for s in solids])
    return Solid(
        np.concatenate([s.vertices for s in solids]),
        np.concatenate([s.corners + n for s, n in zip(solids, vertices[:-1], strict=True)]).astype(
            np.int32
        ),
        np.concatenate([s.starts + n for s, n in zip(solids, corners[:-1], strict=True)]).astype(
            np.int32
        ),
    )


@dataclass(frozen=True)
class Survey:
    """What is cheap to know of ``m`` solids at once: whether all vertices are finite (m,), whether
    the faces look in too many directions for anything sawn (m,), and the level box: centre (m, 3),
    size (m, 3), filled share (m,)."""

    finite: NDArray[np.bool_]
    organic: NDArray[np.bool_]
    center: Floats
    size: Floats
    fill: Floats


def survey(solids: Sequence[Solid]) -> Survey:
    """Look at many solids, each with at least one face, in one pass over all their arrays."""
    m = len(solids)
    if not m:
        nothing = np.zeros((0, 3))
        return Survey(np.zeros(0, bool), np.zeros(0, bool), nothing, nothing, np.zeros(0))
    whole = together(solids)
    count = np.array([len(s.vertices) for s in solids])
    faces = np.array([len(s.starts) for s in solids])
    first = np.cumsum(count) - count
    finite = np.logical_and.reduceat(np.isfinite(whole.vertices).all(axis=1), first)
    vertices = np.where(np.repeat(finite, count)[:, None], whole.vertices, 0.0)
    vectors = face_vectors(vertices, whole.corners, whole.starts)
    low, high = np.minimum.reduceat(vertices, first), np.maximum.reduceat(vertices, first)
    center, size = 0.5 * (low + high), high - low
    owner = np.repeat(np.arange(m), faces)
    from_center = vertices[whole.corners[whole.starts]] - center[owner]
    cones = np.bincount(owner, np.einsum("fi,fi->f", from_center, vectors), minlength=m)
    fill = np.abs(cones) / 3.0 / np.maximum(np.prod(size, axis=1), 1e-300)
    organic = shares_of_directions(vectors, owner, m) < SAWN
    return Survey(finite, organic, center, size, fill)
