# SPDX-License-Identifier: GPL-3.0-or-later
"""What a picture of a judged structure shows: who is at fault, what follows, where nothing is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ...checks.voxel.cells import block_name
from ..ranking import findings_of, grouped

Colour = list[float]

# sRGB and opacity; the same as in the report's legend.
AT_FAULT: Colour = [0.83, 0.10, 0.07, 1.0]
FOLLOWS: Colour = [0.88, 0.50, 0.05, 1.0]

SIZE = (960, 640)  # pixels, 3:2 as the report shows it
VIEW = "front_right"

# Half the edge of the cube that marks a place where something is missing, m.
_MARK = 0.09

# A picture stays readable with this many overlaps and marks.
_MOST_SOLIDS = 200


def colours_of(record: Mapping[str, Any]) -> dict[str, Colour]:
    """Colour of each member or block that a finding is about; what is at fault itself wins."""
    colours: dict[str, Colour] = {}
    for finding in findings_of(record):
        for name in _subjects(finding):
            if not finding.get("follows"):
                colours[name] = AT_FAULT
            else:
                colours.setdefault(name, FOLLOWS)
    return colours


def _subjects(finding: Mapping[str, Any]) -> Iterator[str]:
    """Names of what is at fault: all blocks of a finding of blocks, else its member."""
    if finding.get("subject_kind", "member") == "member":
        yield finding["subject"]
    for cell in (finding.get("detail") or {}).get("blocks") or ():
        if _is_point(cell):
            yield block_name(cell)


def solids_of(record: Mapping[str, Any]) -> list[list[list[float]]]:
    """Hulls to be drawn red: overlaps of clashes, and a cube at each place where nothing is."""
    roots = (group.root for group in grouped(findings_of(record)))
    solids = [solid for root in roots for solid in _solids(root)]
    return solids[:_MOST_SOLIDS]


def _solids(finding: Mapping[str, Any]) -> Iterator[list[list[float]]]:
    hull = (finding.get("detail") or {}).get("solid")
    if hull is not None and _is_hull(hull):
        yield hull
    elif finding.get("subject_kind") == "place" and _is_point(finding.get("location")):
        yield _cube(finding["location"])


def _is_hull(points: Any) -> bool:
    return isinstance(points, Sequence) and len(points) >= 4 and all(map(_is_point, points))


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, Sequence)
        and len(point) == 3
        and all(isinstance(x, (int, float)) for x in point)
    )


def _cube(centre: Sequence[float]) -> list[list[float]]:
    corners = product((-_MARK, _MARK), repeat=3)
    return [[c + d for c, d in zip(centre, corner, strict=True)] for corner in corners]
