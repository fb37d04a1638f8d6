# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of timber: which maker draws the findings of which check."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....checks.result import Judgement
from ....checks.timber.roles import resolve
from ....checks.timber.structure import TimberStructure
from ..drawing import Faces, Floats, Lines, Picture, Place, Shown, Subjects
from ..solids import boxes, cross, grown, hull, moved

# Opacity of faces behind something and of faces in front. An overlap is what one looks for: it
# shines through everything, edged in white, and its members are only hinted at.
_FAULT, _RELATED = (0.18, 0.55), (0.14, 0.44)
_OVERLAP, _BESIDE_OVERLAP = (0.9, 0.0), (0.08, 0.25)


class TimberPictures:
    """See :class:`..kind.KindPictures`."""

    def subjects(self, structure: TimberStructure) -> Subjects:
        """Every member."""
        roles = resolve(structure, "engineering")
        return Subjects(
            structure.names, structure.corners, tuple(role or "" for role in roles.role)
        )

    def explain(self, structure: TimberStructure, brief: Any, judgement: Judgement) -> Any:
        """Nothing is needed beyond the judgement yet."""
        return None

    def picture(self, shown: Shown) -> Picture:
        """Members, the overlap if there is one, the measured length, and a mark at the place."""
        finding = shown.finding
        subject = [finding.subject] if finding.subject_kind == "member" else []
        others = [name for name in finding.related if name != finding.subject]
        still = not any(name in shown.moves for name in [*subject, *others])
        points = finding.detail.get("solid") if still else None
        overlap = hull(np.asarray(points, float)) if points is not None else None
        beside = overlap is not None and len(overlap.triangles) > 0
        faces = [
            members(shown, others, "related", *(_BESIDE_OVERLAP if beside else _RELATED)),
            members(shown, subject, "fault", *(_BESIDE_OVERLAP if beside else _FAULT)),
        ]
        if overlap is not None and beside:
            faces.append(Faces(overlap, "fault", *_OVERLAP, outline="plain"))
        marks = _marks(shown) if still else np.zeros((0, 3))
        lines = (Lines(marks, "fault"),) if len(marks) else ()
        filled = tuple(f for f in faces if len(f.solid.triangles))
        return Picture(filled, lines, anchor=anchor(shown))

    def path(self, explained: Any, subjects: Subjects, name: str) -> Picture | None:
        """Not known yet."""
        return None


def members(shown: Shown, names: list[str], tone: Any, behind: float, front: float) -> Faces:
    """The boxes of the named members, where they are now; names of no members are left out."""
    index = {name: i for i, name in enumerate(shown.subjects.names)}
    wanted = [name for name in dict.fromkeys(names) if name in index]
    corners = grown(shown.subjects.corners[[index[name] for name in wanted]])
    return Faces(boxes(moved(corners, wanted, shown.moves)), tone, behind, front, outline=tone)


def anchor(shown: Shown) -> Place | None:
    """Where the label stands: at the place of the finding, on the member once it was moved."""
    finding = shown.finding
    matrix = shown.moves.get(finding.subject)
    if finding.location is not None and matrix is None:
        x, y, z = finding.location
        return (float(x), float(y), float(z))
    if finding.subject_kind != "member" or finding.subject not in shown.subjects.names:
        return None
    row = shown.subjects.names.index(finding.subject)
    center = shown.subjects.corners[row].mean(axis=0)
    if matrix is not None:
        center = matrix[:3, :3] @ center + matrix[:3, 3]
    return (float(center[0]), float(center[1]), float(center[2]))


def _marks(shown: Shown) -> Floats:
    finding = shown.finding
    lines = []
    if finding.location is not None and "solid" not in finding.detail:
        lines.append(cross(finding.location))
    if "from" in finding.detail and "to" in finding.detail:
        lines.append(np.array([finding.detail["from"], finding.detail["to"]], float))
    return np.concatenate(lines) if lines else np.zeros((0, 3))


PICTURES = TimberPictures()
