# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what came of an intervention: each predicate of :mod:`.expectations` on a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .bodies import Floats, TrajectoryError
from .expectations import Expectation
from .limits import Limits
from .motion import boxes, lows
from .near import near
from .trajectory import Trajectory
from .words import lengths

_AXES = {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True)
class Response:
    """Whether an expectation holds, by how much, and where.

    ``holds`` is ``None`` where it can't be told; ``reason`` says why. ``witness`` is whether a
    failure is intrusion or motion that nothing supports, rather than a mere change of trajectory.
    """

    expectation: Expectation
    holds: bool | None
    message: str
    measured: float | None = None
    limit: float | None = None
    unit: str | None = None
    frame: int | None = None
    location: tuple[float, float, float] | None = None
    witness: bool = False
    figures: dict[str, Any] = field(default_factory=dict)


def measure(
    expectation: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits
) -> Response:
    """Measure one expectation on the altered run. What can't be measured is told, never guessed."""
    try:
        rows = _rows(expectation, branch)
        for name in expectation.subjects:
            k = branch.index(name)
            if not branch.finite[rows, k].all():
                return _unknown(expectation, f"{name} has no place in some frames")
        return _MEASURES[expectation.predicate](expectation, branch, baseline, limits, rows)
    except TrajectoryError as error:
        return _unknown(expectation, str(error))


def _unknown(expectation: Expectation, reason: str) -> Response:
    return Response(expectation, None, reason)


def _unmeasured(e: Expectation, branch: Trajectory, one: str, other: str) -> Response:
    both = f"{named(branch, one)} and {named(branch, other)}"
    return _unknown(e, f"the distance of {both} was not measured")


def _rows(expectation: Expectation, branch: Trajectory) -> slice:
    """The rows of the frames that count."""
    first = 0 if expectation.from_frame is None else branch.row(expectation.from_frame)
    last = len(branch) - 1
    if expectation.to_frame is not None:
        last = branch.row(expectation.to_frame)
    return slice(first, last + 1)


def _told(
    expectation: Expectation,
    branch: Trajectory,
    subject: str,
    row: int,
    holds: bool,
    message: str,
    measured: float,
    limit: float,
    unit: str,
    witness: bool = False,
    **figures: Any,
) -> Response:
    x, y, z = (float(v) for v in places(branch, branch.index(subject))[row])
    frame = int(branch.frames[row])
    return Response(
        *(expectation, holds, message, float(measured), float(limit), unit, frame, (x, y, z)),
        *(witness, figures),
    )


def _falls(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    name, height = e.values["subject"], float(e.values["height"])
    k = branch.index(name)
    heights = places(branch, k) @ branch.up
    mesh = _deforms(branch, k)
    if e.values.get("part") == "whole" and mesh is not None:
        heights = (mesh @ branch.up).max(1)
    elif e.values.get("part") == "whole":
        heights = heights + np.ptp(_reach(branch, k), axis=1) / 2
    row = rows.start + int(heights[rows].argmin())
    holds = bool(heights[row] < height)
    what = "top" if e.values.get("part") == "whole" else "centre"
    lowest, wanted = f"{heights[row]:.3g} m", f"{height:.3g} m"
    message = f"{named(branch, name)} falls below {wanted}: its {what} gets down to {lowest}"
    if not holds:
        message = (
            f"{named(branch, name)} doesn't fall far enough: its {what} gets down to {lowest}, "
            f"below {wanted} was expected"
        )
    return _told(e, branch, name, row, holds, message, heights[row], height, "m", witness=True)


def named(run: Trajectory, role: str) -> str:
    """What people call a body that an expectation names by its role: the object's name."""
    return run.names[run.index(role)]


def _deforms(run: Trajectory, k: int) -> Floats | None:
    """The recorded vertices of cloth or a soft body, (f, v, 3); ``None`` of what keeps its form."""
    body = run.bodies[k]
    return run.meshes.get(body.name) if body.medium in ("cloth", "soft") else None


def places(run: Trajectory, k: int) -> Floats:
    """Where a body is, (f, 3) m: its centre of mass, the middle of its vertices if it deforms."""
    mesh = _deforms(run, k)
    if mesh is None or not mesh.shape[1]:
        return run.position[:, k]
    middle: Floats = mesh.mean(1)
    return middle


def _reach(branch: Trajectory, k: int) -> Floats:
    """Lowest and highest height of a body, (f, 2) m: its centre in the middle of both."""
    low = lows(branch)[:, k]
    centre = branch.position[:, k] @ branch.up
    return np.stack((low, 2 * centre - low), axis=1)


def _arrested(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    """It touches the object, and neither gets deeper than is let pass nor below it after."""
    name, other = e.values["subject"], e.values["object"]
    distance, known = _pair(branch, limits, name, other)
    if not known:
        return _unmeasured(e, branch, name, other)
    small = min(branch.bodies[branch.index(n)].size for n in (name, other))
    deep = float(e.values.get("tolerance", limits.depth_momentary * small))
    row = rows.start + int(distance[rows].argmin())
    depth = float(-distance[row])
    who, what = named(branch, name), named(branch, other)
    touch = bool(_touched(branch, limits, name, other)[rows].any())
    passed = depth > deep or _fallen_through(branch, name, other, rows)
    figures: dict[str, Any] = {
        "touches": touch,
        **_inside(branch, distance, rows, deep),
    }
    measured = max(depth, 0.0) if np.isfinite(depth) else 0.0
    if not touch and not passed:
        message = f"{who} never comes to {what}"
        return _told(e, branch, name, row, False, message, measured, deep, "m", **figures)
    message = f"{what} stops {who}"
    if depth > deep:
        far, most = lengths(measured, deep)
        message = f"{who} gets up to {far} into {what}, {most} is allowed"
    elif passed:
        message = f"{who} falls through {what}"
    return _told(
        *(e, branch, name, row, not passed, message, measured, deep, "m", passed), **figures
    )


def _fallen_through(branch: Trajectory, name: str, other: str, rows: slice) -> bool:
    """Whether a body that was above another is below it, within its outline from above.

    Heights are along z, as the boxes are; what slips over the edge isn't within the outline.
    """
    i, j = branch.index(name), branch.index(other)
    low, high = boxes(branch)
    above = low[rows, i, 2] >= (low[rows, j, 2] + high[rows, j, 2]) / 2
    below = high[rows, i, 2] <= low[rows, j, 2]
    within = ((low[rows, i] < high[rows, j]) & (low[rows, j] < high[rows, i]))[:, :2].all(1)
    return bool((np.maximum.accumulate(above & within) & below & within).any())


def _displaced(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    name = e.values["subject"]
    k = branch.index(name)
    place = places(branch, k)
    if e.values.get("against") == "baseline":
        there = places(baseline, baseline.index(name))
        frames = min(len(place), len(there))
        rows = slice(rows.start, min(rows.stop, frames))
        away = place[:frames] - there[:frames]
    else:
        away = place - place[rows.start]
    axis = e.values.get("axis", "any")
    far = np.linalg.norm(away, axis=1) if axis == "any" else np.abs(away[:, _AXES[axis]])
    size = branch.bodies[k].size if e.values.get("unit") == "size" else 1.0
    limit = float(e.values["limit"]) * size
    row = rows.start + int(far[rows].argmax())
    over = bool(far[row] >= limit)
    holds = over if e.predicate == "displacement_over" else not over
    most, wanted = lengths(float(far[row]), limit)
    least = "at least" if e.predicate == "displacement_over" else "less than"
    start = "the unchanged scene has it" if e.values.get("against") == "baseline" else "it was"
    message = (
        f"{named(branch, name)} gets up to {most} from where {start}, {least} {wanted} was expected"
    )
    return _told(e, branch, name, row, holds, message, far[row], limit, "m")


def apart(one: Trajectory, other: Trajectory, name: str) -> Floats:
    """How far a body is apart in two runs, (f,) m; NaN where it has no place.

    By centre and by turn, or by the vertex that is farthest if it deforms.
    """
    a, b = one.index(name), other.index(name)
    frames = min(len(one), len(other))
    here, there = _deforms(one, a), _deforms(other, b)
    if here is not None and there is not None and here.shape[1] == there.shape[1] > 0:
        whole: Floats = np.linalg.norm(here[:frames] - there[:frames], axis=2).max(1)
        return whole
    shift = np.linalg.norm(one.position[:frames, a] - other.position[:frames, b], axis=1)
    cosine = np.abs(np.einsum("fi,fi->f", one.quaternion[:frames, a], other.quaternion[:frames, b]))
    turn = 2 * np.arccos(np.clip(cosine, 0, 1))
    # arccos near 1 turns rounding into 1e-8 rad.
    turn[turn < 1e-7] = 0.0
    far: Floats = np.maximum(shift, turn * one.bodies[a].size / 2)
    return far


def _same(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    name = e.values["subject"]
    far = apart(branch, baseline, name)
    rows = slice(rows.start, min(rows.stop, len(far)))
    size = branch.bodies[branch.index(name)].size
    usual = limits.repeat_size if e.predicate == "unchanged" else limits.wind_response
    limit = float(e.values.get("tolerance", usual)) * size
    row = rows.start + int(far[rows].argmax())
    same = bool(far[row] <= limit)
    holds = same if e.predicate == "unchanged" else not same
    away, wanted = lengths(float(far[row]), limit)
    least = "at most" if e.predicate == "unchanged" else "more than"
    message = (
        f"{named(branch, name)} gets up to {away} from where the unchanged scene has it, "
        f"{least} {wanted} was expected"
    )
    return _told(e, branch, name, row, holds, message, far[row], limit, "m")


def _pair(branch: Trajectory, limits: Limits, one: str, other: str) -> tuple[Floats, bool]:
    """Signed distance of two bodies, (f,), infinite beyond reach, and whether it is known."""
    i, j = sorted((branch.index(one), branch.index(other)))
    found = near(branch, limits)
    at = np.flatnonzero((found.rows.first == i) & (found.rows.second == j))
    distance = np.full(len(branch), np.inf)
    distance[found.rows.frame[at]] = found.rows.distance[at]
    return distance, not any((i, j) == tuple(p) for p in found.unmeasured.tolist())


def _touched(branch: Trajectory, limits: Limits, one: str, other: str) -> Floats:
    i, j = sorted((branch.index(one), branch.index(other)))
    found = near(branch, limits)
    at = (found.rows.first == i) & (found.rows.second == j) & found.touch
    whole = np.zeros(len(branch), bool)
    whole[found.rows.frame[at]] = True
    return whole


def _contact(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    one, other = e.values["pair"]
    distance, known = _pair(branch, limits, one, other)
    if not known:
        return _unmeasured(e, branch, one, other)
    row = rows.start + int(distance[rows].argmin())
    touch = bool(_touched(branch, limits, one, other)[rows].any())
    holds = touch if e.predicate == "contact" else not touch
    both = f"{named(branch, one)} and {named(branch, other)}"
    message = f"{both} {'touch' if touch else 'never touch'}"
    least = float(distance[row]) if np.isfinite(distance[row]) else float("nan")
    return _told(e, branch, one, row, holds, message, least, 0.0, "m")


def _depth(
    e: Expectation, branch: Trajectory, baseline: Trajectory, limits: Limits, rows: slice
) -> Response:
    one, other = e.values["pair"]
    distance, known = _pair(branch, limits, one, other)
    if not known:
        return _unmeasured(e, branch, one, other)
    row = rows.start + int(distance[rows].argmin())
    depth = max(0.0, -float(distance[row])) if np.isfinite(distance[row]) else 0.0
    limit = float(e.values["limit"])
    inside = _inside(branch, distance, rows, limit)
    far, most = lengths(depth, limit)
    message = (
        f"{named(branch, one)} gets up to {far} inside {named(branch, other)}, {most} is allowed"
    )
    return _told(
        *(e, branch, one, row, depth <= limit, message, depth, limit, "m"),
        witness=depth > limit,
        **inside,
    )


def _inside(branch: Trajectory, distance: Floats, rows: slice, limit: float) -> dict[str, Any]:
    """In how many frames two bodies are deeper in each other, and the first of them."""
    deep = distance[rows] < -limit
    told: dict[str, Any] = {"frames_inside": int(deep.sum())}
    if deep.any():
        told["first_inside"] = int(branch.frames[rows.start + int(deep.argmax())])
    return told


_Measure = Callable[[Expectation, Trajectory, Trajectory, Limits, slice], Response]
_MEASURES: dict[str, _Measure] = {
    "falls_below": _falls,
    "arrested_at": _arrested,
    "displacement_over": _displaced,
    "displacement_under": _displaced,
    "unchanged": _same,
    "changed": _same,
    "no_contact": _contact,
    "contact": _contact,
    "penetration_under": _depth,
}
