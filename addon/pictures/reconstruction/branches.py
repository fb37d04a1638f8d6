# SPDX-License-Identifier: GPL-3.0-or-later
"""Counterfactuals: how a body goes in the altered scene beside how it goes in the unchanged one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....checks.reconstruction.counterfactual import Runs
from ....checks.reconstruction.simulation import Simulation
from ....checks.reconstruction.trajectory import Trajectory
from ....checks.reconstruction.words import alteration_words
from ..drawing import Lines, Picture, Shown, Words
from ..marks import FINE, STRONG, polyline
from .inside import region
from .parts import (
    about,
    anchor,
    bodies,
    middle,
    number,
    row_of,
    rows_named,
    size_of,
    trajectory_of,
    words,
)
from .parts import through as seen_through
from .places import corners_of

_BASE, _BRANCH = (0.05, 0.16), (0.14, 0.40)
_PREFIX = "counterfactual."


def runs_of(shown: Shown) -> Runs | None:
    """The runs of the finding's criterion, ``None`` where none are known."""
    structure = shown.structure
    if not isinstance(structure, Simulation):
        return None
    return structure.runs.get(str(shown.finding.check).removeprefix(_PREFIX))


def what_was_altered(shown: Shown) -> Mapping[str, Any]:
    """The intervention of the finding's criterion as plain data; empty where it isn't known."""
    for check in shown.judgement.checks:
        if check.id.removeprefix(_PREFIX) == str(shown.finding.check).removeprefix(_PREFIX):
            told = check.figures.get("intervention")
            if isinstance(told, Mapping):
                return told
    return {}


def counterfactual(shown: Shown) -> Picture | None:
    """The altered run's body and way, the unchanged one's as a ghost with a dashed way."""
    run, runs = trajectory_of(shown), runs_of(shown)
    if run is None or runs is None or runs.branch is None:
        return None
    branch = runs.branch
    fault, _ = about(shown, branch)
    if not fault:
        return None
    row = row_of(shown, run)
    there = branch.row(int(run.frames[row]))
    others = rows_named(branch, shown.finding.related)
    faces = [*bodies(branch, others, there, "related", _BASE)]
    lines: list[Lines] = []
    for k in rows_named(run, [branch.names[fault[0]]]):
        faces += bodies(run, [k], row, "sound", _BASE)
        lines += way(run, k, row, "sound", dashed=True)
    faces += bodies(branch, fault[:1], there, "fault", _BRANCH)
    lines += way(branch, fault[0], there, "fault")
    for other in others[:1]:
        faces += seen_through(region(branch, fault[0], other, there))
    lines += _height(shown, branch, fault[0])
    text = words(
        f"{alteration_words(what_was_altered(shown))}: here",
        middle(branch, fault[0], there),
        "fault",
    )
    text += _unchanged_words(run, branch, fault[0], row, there)
    return Picture(tuple(faces), tuple(lines), words=text, anchor=anchor(shown, branch))


def _unchanged_words(
    run: Trajectory, branch: Trajectory, body: int, row: int, there: int
) -> tuple[Words, ...]:
    """What the ghost is, where it stands apart from the altered run's body."""
    rows = rows_named(run, [branch.names[body]])
    if not rows:
        return ()
    at = middle(run, rows[0], row)
    if np.linalg.norm(at - middle(branch, body, there)) < 0.5 * size_of(branch, body):
        return ()
    return words("unchanged: here", at, "sound")


def way(run: Trajectory, body: int, row: int, tone: Any, dashed: bool = False) -> tuple[Lines, ...]:
    """The way of a body over all frames; up to the one that is shown it is strong."""
    points = run.position[:, body]
    made = []
    for part, width in ((points[: row + 1], STRONG), (points[row:], FINE)):
        good = part[np.isfinite(part).all(1)]
        if len(good) > 1:
            made.append(Lines(polyline(good), tone, width, dashed))
    return tuple(made)


def _height(shown: Shown, branch: Trajectory, body: int) -> tuple[Lines, ...]:
    """The height that the body should get below, as an outline, where that is what is asked."""
    wanted = [
        r.get("height")
        for check in shown.judgement.checks
        for r in check.figures.get("responses") or ()
        if check.id.removeprefix(_PREFIX) == str(shown.finding.check).removeprefix(_PREFIX)
        and isinstance(r, Mapping)
        and r.get("predicate") == "falls_below"
    ]
    height = number(wanted[0]) if wanted else None
    if height is None:
        return ()
    corners = corners_of(branch, 0)[body]
    low, high = corners.min(0)[:2], corners.max(0)[:2]
    ring = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]
    points = np.array([[*xy, height] for xy in ring])
    return (Lines(polyline(points, closed=True), "allowed", FINE * 2, dashed=True),)
