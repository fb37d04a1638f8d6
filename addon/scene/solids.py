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
    share_of_directions,
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

    @property
    def is_organic(self) -> bool:
        """Whether its faces look in too many directions for anything sawn: a tree, a rock."""
        return share_of_directions(self.face_vectors) < SAWN

    def level_box(self) -> tuple[Floats, Floats, Floats, float]:
        """The box along the coordinate axes, as :meth:`box` gives its own."""
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        center = 0.5 * (low + high)
        return center, np.eye(3), high - low, self._share(center, high - low)

    def _share(self, center: Floats, size: Floats) -> float:
        volume = enclosed_volume(
            self.vertices[self.corners[self.starts]], self.face_vectors, center
        )
        box_volume = float(np.prod(size))
        return volume / box_volume if box_volume > 0 else 0.0

    def box(self) -> tuple[Floats, Floats, Floats, float]:
        """Smallest box: centre, axes as rows, sizes, and the share of it that the solid fills."""
        center, axes, size = fit_solid(self.vertices, self.face_vectors, self.edges)
        return center, axes, size, self._share(center, size)


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
