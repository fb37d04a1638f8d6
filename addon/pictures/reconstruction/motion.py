# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion that physics don't allow: jumps, wrong acceleration, blows, slip, too lively impacts."""

from __future__ import annotations

import numpy as np

from ....checks.reconstruction.near import near
from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Floats, Picture, Shown
from ..marks import place, unit
from .inside import passed_through
from .parts import (
    about,
    anchor,
    arrows,
    at_hand,
    away,
    company,
    ghost,
    measure,
    middle,
    number,
    own_row,
    pointing,
    size_of,
    told,
    track,
    trajectory_of,
    words,
)
from .plain import plain

#: How long an arrow is for a speed at which the body goes its own size in a tenth of a second.
_TENTH = 0.1
#: Arrows are no longer and no shorter than this, in sizes of the body.
_LONGEST, _SHORTEST = 2.5, 0.5
_THIRD = 3  # frames before and after an impact from which speeds are taken


def stability(shown: Shown) -> Picture | None:
    """A jump as a dimension between both places; a body that flies off with its velocity."""
    run = trajectory_of(shown)
    fault = about(shown, run)[0] if run is not None else []
    if run is None or not fault:
        return None
    body, own = fault[0], own_row(shown, run)
    if told(shown, "to") is not None and own > 0:
        return _jump(shown, run, body, own)
    if shown.finding.unit == "m/s":
        speed = number(shown.finding.measured)
        text = "" if speed is None else f"{speed:.3g} m/s"
        return _moving(shown, run, body, max(own, 1), text)
    return plain(shown)


def _jump(shown: Shown, run: Trajectory, body: int, own: int) -> Picture:
    start, end = middle(run, body, own - 1), middle(run, body, own)
    size = size_of(run, body)
    faces = company(shown, run)
    lines = track(run, body, own)
    text = away(shown, run, "jumps")
    if at_hand(shown, run):
        faces += (*ghost(run, body, own - 1), *ghost(run, body, own, "fault"))
        lines += (*measure(start, end, run.up, size), *arrows([start], [end], "fault"))
        far, limit = number(shown.finding.measured), number(shown.finding.limit)
        if far is not None:
            bound = "" if limit is None else f", {shown.length(limit)} at its speed"
            said = f"{shown.length(far)} in one frame{bound}"
            text = words(said, (start + end) / 2)
    return Picture(faces, lines, words=text, anchor=anchor(shown, run))


def _moving(shown: Shown, run: Trajectory, body: int, row: int, said: str) -> Picture:
    """A body with its way and an arrow along the step before a row."""
    size = size_of(run, body)
    lines = track(run, body, row)
    step = run.position[row, body] - run.position[row - 1, body]
    text = away(shown, run)
    if at_hand(shown, run) and np.isfinite(step).all():
        at = middle(run, body, row)
        speed = float(np.linalg.norm(step)) / run.dt
        length = np.clip(speed * _TENTH, _SHORTEST * size, _LONGEST * size)
        lines += pointing(at, step, float(length), "fault")
        text = words(said, at + float(length) * unit(step))
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))


def gravity(shown: Shown) -> Picture | None:
    """The acceleration that was measured beside that of the scene's gravity."""
    run = trajectory_of(shown)
    found = told(shown, "acceleration")
    if run is None or not isinstance(found, (list, tuple)) or len(found) != 3:
        return None
    fault, _ = about(shown, run)
    values = [number(v) for v in found]
    if not fault or any(v is None for v in values):
        return None
    measured = np.array(values, float)
    body, own = fault[0], own_row(shown, run)
    size = size_of(run, body)
    most = max(run.g, float(np.linalg.norm(measured)), 1e-9)
    at = middle(run, body, own)
    lines = track(run, body, own)
    text = away(shown, run, "falls wrongly")
    if at_hand(shown, run):
        aside = 0.15 * size * np.array([1.0, 0.0, 0.0])
        ends = [at + v / most * 2.0 * size for v in (measured, run.gravity)]
        lines += arrows([at - aside], [ends[0] - aside], "fault")
        lines += arrows([at + aside], [ends[1] + aside], "allowed")
        text = words(f"{np.linalg.norm(measured):.3g} m/s² measured", ends[0] - aside, "fault")
        text += words(f"{run.g:.3g} m/s² of gravity", ends[1] + aside, "allowed")
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))


def contact(shown: Shown) -> Picture | None:
    """A blow in free flight, momentum that is lost, or a body that goes through another."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault:
        return None
    if related and "keeps" in str(shown.finding.message):
        return passed_through(shown)
    change = number(shown.finding.measured)
    said = "velocities before and after"
    if not related and change is not None:
        said = f"{change:.3g} m/s without a touch"
    elif change is not None:
        said = f"{change:.0%} of the momentum lost"
    return _before_and_after(shown, run, [*fault[:1], *related[:1]], said)


def restitution(shown: Shown) -> Picture | None:
    """Velocities before and after the impact, and how much faster the two part than they may."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    ratio, limit = number(shown.finding.measured), number(shown.finding.limit)
    if not fault or ratio is None:
        return None
    bound = "" if limit is None else f", {limit:.0%} allowed"
    moving = [k for k in [*fault[:1], *related[:1]] if run.bodies[k].moves]
    return _before_and_after(shown, run, moving, f"{ratio:.0%} of the speed back{bound}")


def _before_and_after(shown: Shown, run: Trajectory, rows: list[int], said: str) -> Picture:
    """Of each body two arrows at its place: one that arrives, one that leaves, to one scale."""
    own = own_row(shown, run)
    lines = tuple(line for k in rows for line in track(run, k, own))
    text = away(shown, run)
    if at_hand(shown, run) and rows:
        speeds = {k: _speeds(run, k, own) for k in rows}
        most = max(float(np.linalg.norm(v)) for pair in speeds.values() for v in pair)
        length = _LONGEST * 0.6 * size_of(run, *rows)
        for k, (before, after) in speeds.items():
            at = middle(run, k, own)
            if most > 0:
                lines += arrows([at - before / most * length], [at], "related")
                lines += arrows([at], [at + after / most * length], "fault")
        text = words(said, middle(run, rows[0], own))
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))


def _speeds(run: Trajectory, body: int, row: int) -> tuple[Floats, Floats]:
    """Velocities of the steps some frames before and after a row, (3,) m/s each."""
    ends = (
        (max(row - _THIRD, 0), max(row - 1, 1)),
        (
            min(row + 1, len(run) - 2),
            min(row + _THIRD, len(run) - 1),
        ),
    )
    found = []
    for first, last in ends:
        frames = max(last - first, 1)
        step = run.position[min(first + frames, len(run) - 1), body] - run.position[first, body]
        found.append(np.nan_to_num(step / (frames * run.dt)))
    return found[0], found[1]


def friction(shown: Shown) -> Picture | None:
    """Slip at the contact against the speed of the body, or how a slide slows down."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault:
        return None
    body, own = fault[0], own_row(shown, run)
    value = number(shown.finding.measured)
    if related or value is None:
        unit_of = shown.finding.unit if isinstance(shown.finding.unit, str) else ""
        said = "" if value is None else f"{value:.3g} {unit_of.replace('m/s2', 'm/s²')} off"
        return _moving(shown, run, body, max(own, 1), said)
    velocity = _speeds(run, body, own)[1]
    size, at = size_of(run, body), middle(run, body, own)
    foot = _foot(shown, run, body, own)
    lines = track(run, body, own)
    text = away(shown, run, "slips")
    if at_hand(shown, run) and np.linalg.norm(velocity) > 0:
        way, length = unit(velocity), 1.5 * size
        lines += arrows([at], [at + length * way], "related")
        lines += arrows([foot], [foot + length * min(value, 1.5) * way], "fault")
        text = words(f"slips by {value:.0%} of its speed", place(foot))
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))


def _foot(shown: Shown, run: Trajectory, body: int, row: int) -> Floats:
    """Where a body touches in a row of frames; its lowest place where that isn't known."""
    limits = getattr(shown.brief, "limits", None)
    key = ("near", limits)
    at = middle(run, body, row)
    if limits is not None and key in run.workings:
        found = near(run, limits)
        rows = found.of(body)
        rows = rows[(found.rows.frame[rows] == row) & found.touch[rows]]
        if len(rows) and np.isfinite(found.rows.point[rows[0]]).all():
            touch: Floats = found.rows.point[rows[0]]
            return touch
    lowest: Floats = at - run.up * size_of(run, body) / 2
    return lowest
