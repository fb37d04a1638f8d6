# SPDX-License-Identifier: GPL-3.0-or-later
"""Prescribed motion: what moves each core body, and whether the task admits that."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Driver
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import moved
from ..trajectory import Trajectory
from .common import called, fault, result

ID = "prescribed_motion"

_WORDS = {
    "keyframes": "keyframes",
    "nla": "strips of the nonlinear animation editor",
    "driver": "drivers",
    "shape_keys": "shape keys",
    "parent": "its parent",
    "constraint": "an object constraint",
    "handler": "a frame handler",
    "force_field": "a force field that nobody sees",
    "geometry_nodes": "geometry nodes",
    "script": "a script",
    "modifier": "a modifier",
}


def prescribed_motion(
    trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits
) -> CheckResult:
    """The solver moves every core body that moves, or something that the task admits.

    Core are the roles that the task names: it is a fault if no solver could move any. Without any,
    every body that moves but those that the scene itself calls animated, which are actuators, and
    what is fixed to these. What is parented to a body of its own group that the solver moves is
    moved by the solver.
    """
    motion = moved(trajectory, limits.still_size)
    findings: list[Finding] = []
    still: list[Finding] = []
    told: dict[str, list[str]] = {}
    unread, judged = [], 0
    named = {name for body in trajectory.bodies for name in called(body)}
    actuators = _actuators(trajectory)
    unbound = [role for role in brief.core if role not in named]
    for k, body in enumerate(trajectory.bodies):
        core = bool(called(body) & set(brief.core)) if brief.core else k not in actuators
        if not core:
            continue
        if not (motion[k] or body.moves):
            still += _never_moved(trajectory, k, body) if brief.core else ()
            continue
        if body.drivers is None:
            unread.append(body.name)
            continue
        judged += 1
        told[body.name] = [d.kind for d in (*body.drivers, *_unseen(trajectory, body))]
        findings += _moved_by(trajectory, brief, k, body, bool(motion[k]))
    if not judged and not unread:
        findings += still
    findings += _handlers(trajectory, brief)
    figures = {"drivers": told, "moving": int(motion.sum()), "handlers": list(trajectory.handlers)}
    if unbound:
        missing = f"no object is bound to {', '.join(unbound)}"
        return result(ID, brief, findings, figures, not_run=missing)
    if unread:
        return result(
            ID,
            brief,
            findings,
            figures,
            not_run=f"what moves {', '.join(unread[:5])} was not recorded",
        )
    return result(ID, brief, findings, figures, vacuous=None if judged else "no core body moves")


def _never_moved(trajectory: Trajectory, k: int, body: Body) -> list[Finding]:
    """The fault of a body that the task wants the solver to move, and that no solver has."""
    carried = body.group is not None and any(
        other.moves and other.group == body.group for other in trajectory.bodies
    )
    if carried or body.medium != "rigid":
        return []
    words = (
        f"{body.name} is to be moved by the solver, but it stays where it is whatever happens: it "
        f"takes no active part in the simulation"
    )
    return [fault(trajectory, ID, k, 0, words, drivers=[])]


def _actuators(trajectory: Trajectory) -> set[int]:
    """Rows of bodies that the scene calls animated, and of what moves as one with them."""
    groups = {b.group for b in trajectory.bodies if b.part == "animated" and b.group}
    return {
        k
        for k, b in enumerate(trajectory.bodies)
        if b.part == "animated" or (b.part == "none" and b.group in groups)
    }


def _moved_by(
    trajectory: Trajectory, brief: ReconstructionBrief, k: int, body: Body, moves: bool
) -> list[Finding]:
    """The fault of one core body, if something moves it that isn't admitted, or nothing does."""
    drivers = (*(body.drivers or ()), *_unseen(trajectory, body))
    carried = body.group is not None and any(
        other.moves and other.group == body.group for other in trajectory.bodies
    )
    wrong = [
        d
        for d in drivers
        if d.kind != "solver"
        and not (d.kind == "parent" and carried)
        and not brief.admits(body.role, body.name, d.kind)
    ]
    if wrong:
        names = " and ".join(dict.fromkeys(_WORDS[d.kind] for d in wrong))
        where = "; ".join(d.detail for d in wrong if d.detail)
        words = (
            f"{body.name} is moved by {names}{f' ({where})' if where else ''}: its motion must "
            f"come from the solver, forces and how it starts"
        )
    elif moves and not body.drivers:
        words = f"{body.name} moves, but nothing is found that moves it"
    else:
        return []
    row = _first_motion(trajectory, k)
    return [fault(trajectory, ID, k, row, words, drivers=[d.kind for d in drivers])]


def _unseen(trajectory: Trajectory, body: Body) -> tuple[Driver, ...]:
    """Force fields that a body feels and that are hidden in the scene."""
    return tuple(
        Driver("force_field", one.name)
        for one in trajectory.fields
        if one.strength and not one.visible and (one.bodies is None or body.name in one.bodies)
    )


def _first_motion(trajectory: Trajectory, k: int) -> int:
    """The first row in which a body isn't where it was at the start."""
    with np.errstate(invalid="ignore"):
        shift = np.abs(trajectory.position[:, k] - trajectory.position[0, k]).max(1)
    away = np.flatnonzero(shift > 1e-6)
    return int(away[0]) if len(away) else 0


def _handlers(trajectory: Trajectory, brief: ReconstructionBrief) -> list[Finding]:
    """Scripts that run in every frame, of which nobody knows what they move."""
    if not trajectory.handlers or "handler" in brief.admitted.get("*", ()):
        return []
    names = ", ".join(trajectory.handlers[:3])
    return [
        Finding(
            ID,
            "handlers",
            f"scripts run in every frame ({names}): what they move can't be told",
            subject_kind="place",
            frame=int(trajectory.frames[0]),
        )
    ]
