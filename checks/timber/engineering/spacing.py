# SPDX-License-Identifier: GPL-3.0-or-later
"""Are neighbours close enough to each other?"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np

from ...result import Finding
from ..structure import Floats
from . import table
from .bay_marks import WidestBays, row_ticks, wall_centres, wall_ticks
from .eaves import edges
from .joints import Joints
from .lines import Bays, Rows, bounded, ceiling_rows, joist_rows, on_members, rafter_rows
from .outcome import Outcome, metres, place, point, points
from .walls import find_walls, wall_gaps, wall_studs

_CHECK = "spacing"
_WIDEST = table.SPACING + table.SPACING_TOLERANCE


def spacing(joints: Joints) -> Outcome:
    """Every bay is at most the task's spacing (610 mm where it names none) plus 20 mm wide.

    Bays are measured on centre between neighbours of one floor, ceiling, roof plane or wall, on
    the stretch where nobody lies between them; narrow bays and doubled members are fine (R502.3,
    R602.3, R802.4). Where the next thing on a plate or ridge beside a rafter is a hip or valley,
    the bay is measured there and held to 610 mm. All uprights of a wall hold up its sheathing and
    plates, whatever their name.

    Division of labour in walls: a bay is an *opening* if a header or beam closes it above, or if it
    is framed as one (a trimmer beside it, or a window sill below): those belong to
    ``opening_header`` and never to this check. Any other wide bay is this check's, also one
    between cripples above a header, which is held to 610 mm whatever the task's spacing. Bays
    under a window sill carry nothing and belong to neither, nor do those between two posts.
    """
    limit = limit_of(joints)
    findings: list[Finding] = []
    bays = 0
    widest = 0.0
    beside = WidestBays()
    families: list[tuple[Rows, str, str, int]] = [
        (joist_rows(joints), "joist", "IRC R502.3", 2),
        (ceiling_rows(joints), "ceiling joist", "IRC R802.5", 2),
        (rafter_rows(joints), "rafter", "IRC R802.4", 1),
    ]
    members = sum(int((~joints.frame.mask("RimJoist")[rows.member]).sum()) for rows, *_ in families)
    for rows, word, clause, shared in families:
        bays += len(rows.bays)
        over = rows.bays.take(rows.bays.width > limit + table.SLACK)
        wide = over.take(bounded(joints, rows, over, shared))
        sound = rows.bays.take(rows.bays.width <= limit + table.SLACK)
        widest = max(widest, float(sound.width.max(initial=0.0)))
        widest = max(widest, float(wide.width.max(initial=0.0)))
        for some in (sound, wide):
            beside.add(some.first, some.second, some.width, limit)
        findings += _of_rows(joints, rows, wide, word, clause, limit)
    allowed = max(limit, _WIDEST)
    for bay in edges(joints)[0]:
        # Jacks shorter than one bay are left out beside hips and valleys.
        if bay.width > allowed + table.SLACK:
            widest = max(widest, bay.width)
            findings.append(
                _finding(joints, bay.rafter, bay.hip, bay.width, allowed, "jack rafter",
                         "IRC R802.4", bay.beside, bay.beside)
            )  # fmt: skip
            _note(beside, bay.rafter, bay.hip, bay.width, allowed)
    in_walls = find_walls(joints).bays
    in_walls = in_walls.take(in_walls.width <= limit + table.SLACK)
    beside.add(in_walls.first, in_walls.second, in_walls.width, limit)
    for gap in wall_gaps(joints):
        # What stands on a header carries the plates only: the widest spacing of the code will do.
        allowed = max(limit, _WIDEST) if gap.on_header else limit
        if gap.opening or gap.width <= allowed + table.SLACK:
            continue
        widest = max(widest, gap.width)
        findings.append(
            _finding(joints, gap.first, gap.second, gap.width, allowed, "stud", "IRC R602.3",
                     wall_centres(joints, gap), gap.line, wall_ticks(joints, gap))
        )  # fmt: skip
        _note(beside, gap.first, gap.second, gap.width, allowed)
    subjects = members + wall_studs(joints)
    figures = {"bays": bays, "widest_bay": widest, "limit": limit}
    return Outcome(
        subjects,
        tuple(_one_each(findings)),
        figures,
        "no joists, rafters or studs",
        measures=beside.measures(joints.frame.names),
    )


def _note(beside: WidestBays, first: int, second: int, width: float, limit: float) -> None:
    beside.add(np.array([first]), np.array([second]), np.array([width]), limit)


def limit_of(joints: Joints) -> float:
    """Widest bay allowed on centre, m."""
    asked = joints.brief.spacing
    return (table.SPACING if asked is None else asked) + table.SPACING_TOLERANCE


def _of_rows(
    joints: Joints, rows: Rows, wide: Bays, word: str, clause: str, limit: float
) -> Iterator[Finding]:
    left, right = on_members(joints, rows, wide, 0.5)
    start = np.mean(on_members(joints, rows, wide, 0.0), axis=0)
    end = np.mean(on_members(joints, rows, wide, 1.0), axis=0)
    for b in np.argsort(wide.low - wide.high, kind="stable"):
        yield _finding(
            joints, int(wide.first[b]), int(wide.second[b]), float(wide.width[b]), limit, word,
            clause, (left[b], right[b]), (start[b], end[b]), row_ticks(joints, rows, wide, int(b)),
        )  # fmt: skip


def _finding(
    joints: Joints,
    first: int,
    second: int,
    width: float,
    limit: float,
    word: str,
    clause: str,
    beside: tuple[Any, Any],
    line: tuple[Any, Any],
    ticks: Floats | None = None,
) -> Finding:
    """One bay: ``beside`` are points on its neighbours, ``line`` is where a member is missing.

    ``ticks`` (k, 3) are the members of the row, in order.
    """
    middle = 0.5 * (line[0] + line[1])
    names = joints.frame.names[first], joints.frame.names[second]
    count = max(1, ceil(width / limit) - 1)
    what = f"a {word}" if count == 1 else f"{count} {word}s"
    return Finding(
        _CHECK,
        f"place between {names[0]} and {names[1]}",
        f"{names[0]} and {names[1]} are {metres(width)} apart on centre; the limit is "
        f"{metres(limit)}: put {what} between them, at {place(middle)} m.",
        subject_kind="place",
        related=names,
        measured=width,
        limit=limit,
        unit="m",
        margin=limit - width,
        location=point(middle),
        clause=clause,
        detail={
            "from": list(point(beside[0])),
            "to": list(point(beside[1])),
            "line": [list(point(end)) for end in line],
            **({} if ticks is None or len(ticks) < 2 else {"ticks": points(ticks)}),
        },
    )


def _one_each(findings: list[Finding]) -> Iterator[Finding]:
    """The first finding of every pair of neighbours: they may see each other on two stretches."""
    seen: set[str] = set()
    for finding in findings:
        if finding.subject not in seen:
            seen.add(finding.subject)
            yield finding
