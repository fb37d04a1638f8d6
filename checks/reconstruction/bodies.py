# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trajectory knows of each body beside where it was: solver settings, shape, what drives it.

Lengths are in metres, masses in kg, in the body's own axes unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Medium = Literal["rigid", "cloth", "soft", "liquid", "particles", "none"]
MEDIA: tuple[Medium, ...] = ("rigid", "cloth", "soft", "liquid", "particles", "none")
#: How a body takes part: moved by the solver, still, moved by something else, or not at all.
Part = Literal["active", "passive", "animated", "none"]
PARTS: tuple[Part, ...] = ("active", "passive", "animated", "none")

#: What can move a body. ``solver`` is the rigid, cloth, soft-body, particle or liquid solver.
DRIVERS = (
    *("solver", "keyframes", "nla", "driver", "shape_keys", "parent", "constraint", "handler"),
    *("force_field", "geometry_nodes", "script", "modifier"),
)


class TrajectoryError(ValueError):
    """A trajectory that can't be judged; one sentence with the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Driver:
    """One thing that moves a body: ``kind`` of :data:`DRIVERS`, and where it was found."""

    kind: str
    detail: str = ""

    def __post_init__(self) -> None:
        if self.kind not in DRIVERS:
            raise TrajectoryError(f"unknown driver {self.kind!r}; known: {', '.join(DRIVERS)}")


@dataclass(frozen=True, eq=False)
class Body:
    """One body, as it is in every frame.

    Attributes
    ----------
    name, role
        Its object's name, and the role id that the task speaks of, where it is bound.
    medium, part
        Which solver it belongs to, and how it takes part (:data:`MEDIA`, :data:`PARTS`).
    mass
        kg; ``None`` where the solver has none.
    friction, restitution, linear_damping, angular_damping
        As set; ``None`` where the solver has none. Bullet multiplies the friction of the two bodies
        of a contact, and their restitution; damping is the share of speed lost in a second.
    layers
        Collision collections as bits; two bodies collide where they share one.
    shape, margin
        The solver's collision shape, e.g. ``"BOX"``, and the gap that its margin leaves, m.
    embedded
        Margin that the solver keeps within the shape, m: it rounds corners and edges by as much.
    material
        What it is declared to be made of, e.g. ``"oak"``.
    vertices, triangles
        The visible surface, (v, 3) m and (t, 3).
    pieces
        Convex pieces whose union is the visible solid, (k, 3) m each; empty where that isn't
        known, which means one piece, the hull of ``vertices``, if ``convex``.
    rounding
        Radius that is added all round to the pieces, m: a sphere is a point with its radius.
    convex, closed
        Whether the visible solid is the hull of its vertices, and whether its surface is closed.
    collision_vertices, collision_rounding
        Points whose hull, grown by the radius, is the collision shape; ``None`` if that is the
        visible surface itself.
    inertia
        Principal moments, (3,) kg m2, where the solver gives them.
    drivers
        What moves it; ``None`` where that was not read.
    pinned
        Vertices that are held, (p,).
    rest_lengths
        Of the edges of ``triangles``, as :func:`edges_of` lists them, (e,) m, where known; 0 of one
        that may be of any length, such as the diagonal of a quad.
    visible
        Whether a camera sees it.
    group
        Bodies of one group move as one solid (a body and what is parented to it) and are never
        measured against each other.
    """

    name: str
    role: str | None = None
    medium: Medium = "rigid"
    part: Part = "active"
    mass: float | None = None
    friction: float | None = None
    restitution: float | None = None
    linear_damping: float | None = None
    angular_damping: float | None = None
    layers: int = 1
    shape: str | None = None
    margin: float = 0.0
    embedded: float = 0.0
    material: str | None = None
    vertices: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    pieces: tuple[Floats, ...] = ()
    rounding: float = 0.0
    convex: bool = True
    closed: bool = True
    collision_vertices: Floats | None = None
    collision_rounding: float = 0.0
    inertia: Floats | None = None
    drivers: tuple[Driver, ...] | None = None
    pinned: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    rest_lengths: Floats | None = None
    visible: bool = True
    group: str | None = None

    def __post_init__(self) -> None:
        self._check_words()
        for label in ("vertices", "collision_vertices"):
            value = getattr(self, label)
            if value is not None and (value.ndim != 2 or value.shape[1] != 3):
                raise self._wrong(f"{label} must be (v, 3), not {value.shape}")
            if value is not None and not np.isfinite(value).all():
                raise self._wrong(f"{label} must be finite numbers")
        if any(p.ndim != 2 or p.shape[1] != 3 or not len(p) for p in self.pieces):
            raise self._wrong("every piece must be (k, 3) with at least one point")
        if self.triangles.ndim != 2 or self.triangles.shape[1] != 3:
            raise self._wrong(f"triangles must be (t, 3), not {self.triangles.shape}")
        for label, rows in (("triangles", self.triangles), ("pinned", self.pinned)):
            if rows.size and (rows.min() < 0 or rows.max() >= len(self.vertices)):
                raise self._wrong(f"{label} name a vertex that it hasn't")
        if self.collision_vertices is not None and not len(self.collision_vertices):
            raise self._wrong("collision_vertices must be at least one, or none given")
        if self.rest_lengths is not None and self.rest_lengths.shape != (len(self.edges),):
            raise self._wrong(f"rest_lengths must be one for each of {len(self.edges)} edges")
        if self.inertia is not None and self.inertia.shape != (3,):
            raise self._wrong(f"inertia must be (3,), not {self.inertia.shape}")

    def _check_words(self) -> None:
        if self.medium not in MEDIA:
            raise self._wrong(f"medium must be one of {', '.join(MEDIA)}, not {self.medium!r}")
        if self.part not in PARTS:
            raise self._wrong(f"part must be one of {', '.join(PARTS)}, not {self.part!r}")
        for label in ("margin", "embedded", "rounding", "collision_rounding"):
            if not (np.isfinite(getattr(self, label)) and getattr(self, label) >= 0):
                raise self._wrong(f"{label} must be 0 or more, not {getattr(self, label)!r}")

    def _wrong(self, problem: str) -> TrajectoryError:
        return TrajectoryError(f"body {self.name!r}: {problem}")

    @cached_property
    def solids(self) -> tuple[Floats, ...]:
        """Convex pieces of the visible solid; none where it is hollow and nobody gave them."""
        if self.pieces:
            return self.pieces
        return (self.points,) if self.convex and len(self.vertices) else ()

    @cached_property
    def points(self) -> Floats:
        """All points that the solid is the hull of, (k, 3), without its rounding.

        The surface of a body with a rounding, a ball's, already has the rounding in it. Of very
        many vertices, those that are farthest along directions all round: the hull of them is off
        by 0.3 % of the size at most, and where a few corners make it, not at all.
        """
        if len(self.vertices) and not (self.rounding and self.pieces):
            return _outermost(self.vertices)
        return np.concatenate(self.pieces) if self.pieces else np.zeros((1, 3))

    @cached_property
    def extents(self) -> Floats:
        """Lengths of the box round it along its own axes, (3,) m."""
        length: Floats = np.ptp(self.points, axis=0) + 2 * self.rounding
        return length

    @cached_property
    def size(self) -> float:
        """Its longest extent, m: what shares of a body's size are taken of."""
        return float(self.extents.max())

    @cached_property
    def edges(self) -> Ints:
        """Edges of the triangles, (e, 2)."""
        return edges_of(self.triangles)

    @property
    def moves(self) -> bool:
        """Whether the solver moves it."""
        return self.part == "active"


# Vertices that are all taken; of more, the farthest along so many directions.
_ALL, _DIRECTIONS = 2000, 1500
# Vertices that are looked at one by one; more are put into so many cells along each axis.
_OUTRIGHT, _CELLS = 20_000, 16


def _outermost(vertices: Floats) -> Floats:
    if len(vertices) <= _ALL:
        return vertices
    from .hulls import all_round  # which needs bodies itself

    ways = np.concatenate((all_round(_DIRECTIONS), np.eye(3), -np.eye(3)))
    if len(vertices) <= _OUTRIGHT:
        found = [(vertices @ some.T).argmax(0) for some in np.array_split(ways, 20)]
        outermost: Floats = vertices[np.unique(np.concatenate(found))]
        return outermost
    return _outermost_of_cells(vertices, ways)


def _outermost_of_cells(vertices: Floats, ways: Floats) -> Floats:
    """The same, looking only at cells of space that reach as far as one vertex is known to."""
    low, size = vertices.min(0), float(np.ptp(vertices, axis=0).max())
    cell = ((vertices - low) * (_CELLS / (size or 1.0))).astype(np.int64).clip(0, _CELLS - 1)
    key = (cell[:, 0] * _CELLS + cell[:, 1]) * _CELLS + cell[:, 2]
    order = np.argsort(key, kind="stable")
    vertices = vertices[order]
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    ends = np.append(starts[1:], len(vertices))
    low, high = np.minimum.reduceat(vertices, starts), np.maximum.reduceat(vertices, starts)
    most = (low + high) / 2 @ ways.T + (high - low) / 2 @ np.abs(ways).T
    reached = (vertices[starts] @ ways.T).max(0) - 1e-9 * size
    found = set()
    for way, some in zip(ways, (most >= reached).T, strict=True):
        rows = np.concatenate([np.arange(starts[c], ends[c]) for c in np.flatnonzero(some)])
        found.add(int(rows[(vertices[rows] @ way).argmax()]))
    outermost: Floats = vertices[sorted(found)]
    return outermost


def edges_of(triangles: Ints) -> Ints:
    """Every edge once, the lower vertex first, (e, 2), sorted."""
    if not len(triangles):
        return np.zeros((0, 2), np.int64)
    every = np.concatenate((triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]))
    return np.unique(np.sort(every, axis=1), axis=0)


def index_of(bodies: Sequence[Body], name: str) -> int | None:
    """The place of a body by its role or, failing that, its name."""
    for k, body in enumerate(bodies):
        if body.role == name:
            return k
    for k, body in enumerate(bodies):
        if body.name == name:
            return k
    return None
