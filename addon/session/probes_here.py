# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes on the scene that is open, in plain words: asked by the check of the scene.

The check simulates the scene on copies and keeps what it found; here is what the panel *Physics*
asks of that. Main thread only.
"""

from __future__ import annotations

import bpy

from ...checks.reconstruction.brief import ReconstructionBrief
from ...checks.reconstruction.profiles import DEFAULT, check_ids
from ...checks.result import CheckResult, Finding
from .. import bundled, review
from ..i18n import say
from ..physics_words import fault_title
from ..review import Review
from ..scene.members import unit_scale
from . import checking, jobs, kind_here, motion
from .motion import Motion, Show, Take


def offered(scene: bpy.types.Scene | None) -> bool:
    """Whether a scene holds a simulation."""
    return scene is not None and kind_here.kind_here(scene) == "reconstruction"


def of(scene: bpy.types.Scene | None) -> Review | None:
    """What the probes said of a scene, ``None`` if they weren't run."""
    found = review.of(scene) if scene is not None else None
    return found if found is not None and found.kind == "reconstruction" else None


def asked(scene: bpy.types.Scene) -> tuple[str, ...]:
    """Ids of what a check of the scene asks: all probes, or those that its task's rubric names."""
    task = bundled.known(scene.get(bundled.TASK_KEY))
    brief = None
    if task is not None and task.kind == "reconstruction":
        brief = bundled.brief_of(task.id)
    return check_ids(brief if isinstance(brief, ReconstructionBrief) else None)


def check_of(found: Review, probe: str) -> CheckResult | None:
    """What one probe said, ``None`` if it wasn't asked."""
    return next((one for one in found.judgement.checks if one.id == probe), None)


def row_of(found: Review, finding: Finding) -> int:
    """The row of a finding in the table of findings, -1 if it isn't there."""
    return next((k for k, one in enumerate(found.table.findings) if one is finding), -1)


def run(scene: bpy.types.Scene, only: str | None = None) -> jobs.Work:
    """Simulate the scene and ask all, or ``only`` one, whose answer joins the others.

    Raises ``ValueError`` with a sentence where it can't be.
    """
    return checking.check(scene, DEFAULT, only=only, keep=only is not None, wait=0.0)


def show_of(scene: bpy.types.Scene, found: Review) -> Show:
    """The recorded motion as it is played, with a mark where something was found."""
    played = Motion.of_run(found.structure.trajectory, unit_scale(scene))
    checks = found.judgement.checks
    at_fault = frozenset(
        f.subject for check in checks for f in check.findings if f.subject_kind == "member"
    )
    take = Take(say("As it is"), played, motion.moved_otherwise(played, played), "", at_fault)
    marks = [
        (f.frame, f"{f.subject}: {say(fault_title(check.id))}")
        for check in checks
        for f in check.findings
    ]
    return Show((take,), motion.marks_of(marks))
