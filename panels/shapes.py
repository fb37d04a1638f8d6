# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of one finding as triangles and lines, in units of the scene; no ``bpy`` here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..addon.review import Review
from ..checks.result import Finding
from ..checks.timber.structure import CORNER_SIGNS

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# A box is drawn this much larger than the member, so that its faces win against the member's own.
SKIN = 0.002  # m

# Arms of the cross that marks a place.
MARK = 0.12  # m

# Corners of CORNER_SIGNS, faces seen from outside, each as two triangles; the twelve edges.
_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (1, 5, 6, 2), (0, 3, 7, 4))
_TRIANGLES: Ints = np.array(
    [t for a, b, c, d in _FACES for t in ((a, b, c), (a, c, d))], dtype=np.int32
)
_EDGES: Ints = np.array(
    [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 4),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
    ],
    dtype=np.int32,
)


@dataclass(frozen=True)
class Solid:
    """Points (n, 3), triangles (t, 3) and edges (e, 2) as indices into them."""

    points: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int32))
    edges: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int32))


@dataclass(frozen=True)
class Picture:
    """What is drawn for a finding, in units of the scene.

    ``fault`` the members at fault, ``related`` those that take part, ``overlap`` the hull of what
    two members share, ``marks`` lines that mark the place (unless the overlap does) and measured
    lengths, pairs of points (2 k, 3).
    ``anchor`` is where the figure is written.
    """

    fault: Solid
    related: Solid
    overlap: Solid
    marks: Floats
    anchor: tuple[float, float, float] | None


def boxes(corners: Floats) -> Solid:
    """Boxes given by their corners, (n, 8, 3) in the order of ``CORNER_SIGNS``, as one solid."""
    count = len(corners)
    start = np.arange(count, dtype=np.int32)[:, None, None] * 8
    return Solid(
        np.asarray(corners, float).reshape(-1, 3),
        (start + _TRIANGLES[None]).reshape(-1, 3).astype(np.int32),
        (start + _EDGES[None]).reshape(-1, 2).astype(np.int32),
    )


def member_boxes(review: Review, names: Iterable[str], moves: Mapping[str, Floats]) -> Solid:
    """Boxes of the named members as they were judged, a skin larger, moved by ``moves``.

    ``moves`` holds a 4 x 4 matrix, in scene units, for each member moved since the check. Names
    that are no members (places, members of a file that disagreed with itself) are left out.
    """
    index = review.member_index
    wanted = [name for name in dict.fromkeys(names) if name in index]
    rows = [index[name] for name in wanted]
    structure = review.structure
    half = structure.half[rows] + SKIN
    local = CORNER_SIGNS[None] * half[:, None, :]
    corners = (structure.center[rows][:, None, :] + local @ structure.axes[rows]) / review.unit
    for row, name in enumerate(wanted):
        if name in moves:
            matrix = moves[name]
            corners[row] = corners[row] @ matrix[:3, :3].T + matrix[:3, 3]
    return boxes(corners)


def hull(points: Floats) -> Solid:
    """Convex hull of a few points, (n, 3) m, by trying every plane through three of them.

    Overlaps of two boxes have at most a few dozen corners: no search tree is worth its lines.
    Points that lie in one plane have no hull; an empty solid is returned.
    """
    points = np.unique(np.round(np.asarray(points, float).reshape(-1, 3), 7), axis=0)
    if len(points) < 4:
        return Solid()
    extent = float(np.ptp(points, axis=0).max())
    tolerance = max(extent * 1e-6, 1e-7)
    faces: dict[tuple[int, ...], Floats] = {}
    n = len(points)
    first, second, third = np.array(
        [(i, j, k) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]
    ).T
    normals = np.cross(points[second] - points[first], points[third] - points[first])
    sizes = np.linalg.norm(normals, axis=1)
    keep = sizes > tolerance * extent
    normals = normals[keep] / sizes[keep, None]
    first = first[keep]
    offsets = np.einsum("ij,ij->i", normals, points[first])
    distance = normals @ points.T - offsets[:, None]  # (planes, points)
    below = (distance <= tolerance).all(axis=1)
    above = (distance >= -tolerance).all(axis=1)
    flat = below & above
    for row in np.flatnonzero((below | above) & ~flat):
        on_face = tuple(int(i) for i in np.flatnonzero(np.abs(distance[row]) <= tolerance))
        faces.setdefault(on_face, normals[row] if below[row] else -normals[row])
    return _from_faces(points, faces)


def _from_faces(points: Floats, faces: Mapping[tuple[int, ...], Floats]) -> Solid:
    triangles: list[tuple[int, int, int]] = []
    edges: set[tuple[int, int]] = set()
    for face, normal in faces.items():
        ring = _ring(points, face, normal)
        triangles += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
        edges |= {(min(a, b), max(a, b)) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    return Solid(
        points,
        np.array(triangles, np.int32).reshape(-1, 3),
        np.array(sorted(edges), np.int32).reshape(-1, 2),
    )


def _ring(points: Floats, face: tuple[int, ...], normal: Floats) -> list[int]:
    """The corners of a convex face in order round its normal."""
    corners = points[list(face)]
    middle = corners.mean(axis=0)
    along = corners[0] - middle
    along = along / np.linalg.norm(along)
    across = np.cross(normal, along)
    angles = np.arctan2((corners - middle) @ across, (corners - middle) @ along)
    return [face[int(i)] for i in np.argsort(angles)]


def cross(place: Iterable[float], reach: float = MARK) -> Floats:
    """Three lines through a place along the world's axes, (6, 3) m."""
    arms = np.concatenate([np.eye(3), -np.eye(3)]).reshape(2, 3, 3).transpose(1, 0, 2)
    return np.asarray(tuple(place), float) + arms.reshape(6, 3) * reach


def picture_of(review: Review, moves: Mapping[str, Floats]) -> Picture | None:
    """The picture of the chosen finding; ``None`` if none is chosen.

    What was measured in the scene (overlaps, gaps, the mark) is drawn only while the members are
    where they were judged; once the subject moved it would be a picture of the past.
    """
    finding = review.chosen
    if finding is None:
        return None
    subject = [finding.subject] if finding.subject_kind == "member" else []
    others = [name for name in finding.related if name != finding.subject]
    moved = any(name in moves for name in [*subject, *others])
    return Picture(
        fault=member_boxes(review, subject, moves),
        related=member_boxes(review, others, moves),
        overlap=Solid() if moved else _overlap(finding, review.unit),
        marks=np.zeros((0, 3)) if moved else _marks(finding) / review.unit,
        anchor=_anchor(review, finding, moves),
    )


def _overlap(finding: Finding, unit: float) -> Solid:
    points = finding.detail.get("solid")
    return hull(np.asarray(points, float) / unit) if points is not None else Solid()


def _marks(finding: Finding) -> Floats:
    lines = []
    if finding.location is not None and "solid" not in finding.detail:
        lines.append(cross(finding.location))
    if "from" in finding.detail and "to" in finding.detail:
        lines.append(np.array([finding.detail["from"], finding.detail["to"]], float))
    return np.concatenate(lines) if lines else np.zeros((0, 3))


def _anchor(
    review: Review, finding: Finding, moves: Mapping[str, Floats]
) -> tuple[float, float, float] | None:
    row = review.member_index.get(finding.subject) if finding.subject_kind == "member" else None
    matrix = moves.get(finding.subject)
    if row is None or (finding.location is not None and matrix is None):
        place = finding.location
        if place is None:
            return None
        x, y, z = (c / review.unit for c in place)
        return (x, y, z)
    center = review.structure.center[row] / review.unit
    if matrix is not None:
        center = matrix[:3, :3] @ center + matrix[:3, 3]
    return (float(center[0]), float(center[1]), float(center[2]))
