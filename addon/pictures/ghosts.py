# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of what differs from a target: ghosts of what is missing, marks, arrows, a legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...checks.result import Finding
from ..colouring import Entry, Legend
from ..palette import Palette
from .drawing import Faces, Lines, Picture, Subjects, Tone
from .marks import STRONG, arrow
from .solids import boxes, cross, grown

#: What each kind of difference looks like; what there is of the rest stands as it should.
TONES: Mapping[str, Tone] = {
    "missing": "flow",
    "extra": "related",
    "displaced": "allowed",
    "wrong_section": "sound",
    "wrong_length": "sound",
    "turned": "sound",
}
#: The lines of the legend: what is said, and which kinds it is about.
LINES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("missing: belongs here", ("missing",)),
    ("extra: not in the target", ("extra",)),
    ("displaced: belongs there", ("displaced",)),
    ("wrong size or direction", ("wrong_section", "wrong_length", "turned")),
)
TITLE = "Against the target"
# Opacity of a ghost behind something and in front; heads of arrows, share of their length and m.
_GHOST, _MARKED, _OUTLINE = (0.10, 0.30), (0.16, 0.50), (0.0, 0.0)
_HEAD, _LARGEST_HEAD = 0.4, 0.15


def ghost_picture(findings: Sequence[Finding], subjects: Subjects) -> Picture:
    """Everything that differs, in one picture.

    Missing members, and where displaced ones belong, are outlined ghosts; members that are too many
    are filled and crossed; an arrow leads from each displaced one, outlined, to its place.
    ``subjects`` are those that still stand where they were found: of others only the target's place
    is drawn.
    """
    faces = [*_targets(findings), *_marked(findings, subjects)]
    return Picture(tuple(faces), tuple(_lines(findings, subjects)))


def legend(findings: Sequence[Finding], palette: Palette, note: str = "") -> Legend:
    """What the colours mean and how many members have each; ``note`` where there are none."""
    entries = []
    for words, kinds in LINES:
        number = sum(finding.check in kinds for finding in findings)
        if number:
            entries.append(Entry(words, palette.tone(TONES[kinds[0]]), number))
    return Legend(TITLE, tuple(entries), note=note)


def _targets(findings: Sequence[Finding]) -> list[Faces]:
    """Boxes of the target, a solid a tone, so that many cost as little as one."""
    corners: dict[Tone, list[object]] = {}
    for finding in findings:
        box = finding.detail.get("missing")
        if box is not None:
            corners.setdefault(TONES[finding.check], []).append(box)
    return [
        Faces(boxes(grown(np.asarray(found, float))), tone, *_GHOST, outline=tone)
        for tone, found in corners.items()
    ]


def _marked(findings: Sequence[Finding], subjects: Subjects) -> list[Faces]:
    """Members that are too many, filled, and displaced ones, in outline, where they are now."""
    made = []
    for kind, opacity in (("displaced", _OUTLINE), ("extra", _MARKED)):
        rows = [
            subjects.index[finding.subject]
            for finding in findings
            if finding.check == kind and finding.subject in subjects.index
        ]
        if rows:
            tone = TONES[kind]
            made.append(Faces(boxes(grown(subjects.corners[rows])), tone, *opacity, outline=tone))
    return made


def _lines(findings: Sequence[Finding], subjects: Subjects) -> list[Lines]:
    arrows, crosses = [], []
    for finding in findings:
        if finding.subject not in subjects.index:
            continue
        if finding.check == "displaced":
            start, end = (np.asarray(finding.detail[key], float) for key in ("from", "to"))
            long = float(np.linalg.norm(end - start))
            arrows.append(arrow(start, end, min(_HEAD * long, _LARGEST_HEAD)))
        elif finding.check == "extra" and finding.location is not None:
            crosses.append(cross(finding.location))
    made = [(arrows, TONES["displaced"]), (crosses, TONES["extra"])]
    return [Lines(np.concatenate(found), tone, STRONG) for found, tone in made if found]
