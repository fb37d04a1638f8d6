# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the fields of a submission tell one story: corners, location, dimensions, matrix.

The released harness draws a member as its dimensions under its matrix. Two idioms of Blender
scripts make that another box than the one in the corners, without a word: ``transform_apply`` moves
the origin to the world's, so that all members collapse there; an unapplied scale is in the
dimensions already and squared by the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import CORNER_SIGNS
from .fitting import Boxes, Floats
from .reading import Reading, shown

#: Within this the fields agree, m (timber specification, section 3).
TOLERANCE = 1e-3
#: Slack for what printing decimals does to a value at the limit, m.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Fields:
    """Fields of ``n`` members: corners (n, 8, 3), location and dimensions (n, 3), m, matrix
    (n, 4, 4). NaN where a member lacks one."""

    corners: Floats
    location: Floats
    dimensions: Floats
    matrix: Floats

    def expected_corners(self) -> Floats:
        """Where the corners lie if the dimensions stand under the matrix (n, 8, 3)."""
        local = 0.5 * CORNER_SIGNS * self.dimensions[:, None, :]
        return local @ self.matrix[:, :3, :3].transpose(0, 2, 1) + self.matrix[:, None, :3, 3]


def compare(
    names: list[str],
    fields: Fields,
    boxes: Boxes,
    keep: NDArray[np.bool_],
    reading: Reading,
) -> None:
    """One finding for each kept member whose fields disagree by more than :data:`TOLERANCE`."""
    limit = TOLERANCE + _ROUNDING
    with np.errstate(all="ignore"):
        moved = np.linalg.norm(fields.location - fields.matrix[:, :3, 3], axis=1)
        apart = _farthest(fields.expected_corners(), boxes)
        odd_box = keep & ~boxes.exact
        # NaN (a missing field) compares false: that member has a finding of its own already.
        wrong = keep & ((moved > limit) | (apart > limit) | odd_box)
    for i in np.flatnonzero(wrong):
        told = _Disagreement(fields, boxes, int(i), limit)
        worst = max(float(np.nan_to_num(moved[i])), float(np.nan_to_num(apart[i])))
        reading.fault(
            names[i],
            f"{shown(names[i])}: {told.sentence()}",
            boxes.center[i],
            measured=worst if worst > limit else None,
            limit=TOLERANCE if worst > limit else None,
            unit="m" if worst > limit else None,
            margin=TOLERANCE - worst if worst > limit else None,
            detail={"fields": told.fields, "used": "bbox_world_corners", "way": told.ways},
        )


def _farthest(expected: Floats, boxes: Boxes) -> Floats:
    """Largest distance of an expected corner (n, 8, 3) from the box corner nearest to it, (n,).

    In the box's own axes the nearest corner is the one with the same signs.
    """
    along = (expected - boxes.center[:, None]) @ boxes.axes.transpose(0, 2, 1)
    off = np.abs(along) - 0.5 * boxes.size[:, None]
    return np.sqrt(np.einsum("nij,nij->ni", off, off).max(axis=1, initial=0.0))


class _Disagreement:
    """Says which fields of one member disagree, how, and what would bring them together."""

    def __init__(self, fields: Fields, boxes: Boxes, i: int, limit: float) -> None:
        self.fields: list[str] = []
        self.ways: list[str] = []
        self._said: list[str] = []
        self._remedy: list[str] = []
        center, matrix = boxes.center[i], fields.matrix[i]
        origin, location = matrix[:3, 3], fields.location[i]
        if not boxes.exact[i]:
            self._add(
                "no box",
                ("bbox_world_corners",),
                "its corners are not those of a box",
                "write the eight corners of its box",
            )
        if np.linalg.norm(location - origin) > limit:
            self._add(
                "location",
                ("location", "matrix_world"),
                f"location says {_point(location)} and matrix_world {_point(origin)}",
                "update the view layer before the export",
            )
        if np.linalg.norm(center - origin) > limit:
            at_origin = max(np.abs(origin).max(), np.abs(location).max()) <= limit
            self._add(
                "collapsed" if at_origin else "off centre",
                ("bbox_world_corners", "location" if at_origin else "matrix_world"),
                f"the corners lie round {_point(center)} and the origin at {_point(origin)}",
                "apply the scale alone: transform_apply(location=False, rotation=False, scale=True)"
                if at_origin
                else "put the object's origin at the middle of its box",
            )
        self._size(fields, boxes.size[i], i, limit)

    def _size(self, fields: Fields, size: Floats, i: int, limit: float) -> None:
        """Dimensions against the corners' extent along the matrix' own axes."""
        linear, dimensions = fields.matrix[i, :3, :3], fields.dimensions[i]
        with np.errstate(all="ignore"):
            scale = np.linalg.norm(linear, axis=0)
            extent = np.ptp(fields.corners[i] @ (linear / scale), axis=0)
        if not np.isfinite(extent).all():
            self._add(
                "no direction",
                ("matrix_world",),
                "matrix_world squeezes it to nothing",
                "export the object's matrix_world",
            )
        elif np.abs(np.sort(extent) - np.sort(size)).max() > limit:
            self._add(
                "direction",
                ("bbox_world_corners", "matrix_world"),
                "the corners stand in another direction than matrix_world",
                "export both at the same moment",
            )
        elif np.abs(scale * dimensions - extent).max() <= limit:
            return
        elif np.abs(dimensions - extent).max() <= limit:
            times = " × ".join(f"{s:.3g}" for s in scale)
            self._add(
                "scale squared",
                ("dimensions", "matrix_world"),
                f"dimensions hold the scale of matrix_world ({times}) already, which would count "
                "twice",
                "apply the scale",
            )
        else:
            self._add(
                "dimensions",
                ("bbox_world_corners", "dimensions"),
                f"the corners span {_sizes(extent)} and dimensions say {_sizes(dimensions)}",
                "export the object's dimensions",
            )

    def _add(self, way: str, fields: tuple[str, ...], said: str, remedy: str) -> None:
        self.ways.append(way)
        self.fields += [field for field in fields if field not in self.fields]
        self._said.append(said)
        self._remedy.append(remedy)

    def sentence(self) -> str:
        """What disagrees, what was used, what helps."""
        verb = "disagree" if len(self.fields) > 1 else "can't be right"
        return (
            f"{_and(self.fields)} {verb}: {'; '.join(self._said)}. Its corners were used. "
            f"Remedy: {'; '.join(self._remedy)}."
        )


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _point(point: Floats) -> str:
    return "(" + ", ".join(f"{x:.3f}" for x in point) + ") m"


def _sizes(size: Floats) -> str:
    return " × ".join(f"{x:.3f}" for x in size) + " m"
