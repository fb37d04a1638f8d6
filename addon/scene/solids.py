# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed surfaces as vertices and faces, and the boxes round them. No ``bpy``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import CORNER_SIGNS
from .fitting import BOX_FACES, Floats, enclosed_volume, face_vectors, fit_solid

#: A mesh that fills less of its box is no box: it is judged as one, and that is said. Beveled and
#: lightly notched lumber stays above.
BOX_FILL = 0.98
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

    @property
    def edges(self) -> Floats:
        """Border edges of all faces as vectors (e, 3)."""
        ends = np.roll(self.corners, -1)
        last = np.append(self.starts[1:], len(self.corners)) - 1
        ends[last] = self.corners[self.starts]
        return self.vertices[ends] - self.vertices[self.corners]

    def moved(self, linear: Floats, offset: Floats | float = 0.0) -> Solid:
        """The same solid under a linear map (3, 3) and an offset (3,)."""
        return Solid(self.vertices @ linear.T + offset, self.corners, self.starts)

    def box(self) -> tuple[Floats, Floats, Floats, float]:
        """Smallest box: centre, axes as rows, sizes, and the share of it that the solid fills."""
        vectors = face_vectors(self.vertices, self.corners, self.starts)
        center, axes, size = fit_solid(self.vertices, vectors, self.edges)
        volume = enclosed_volume(self.vertices[self.corners[self.starts]], vectors, center)
        box_volume = float(np.prod(size))
        return center, axes, size, volume / box_volume if box_volume > 0 else 0.0


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
