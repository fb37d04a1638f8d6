# SPDX-License-Identifier: GPL-3.0-or-later
"""What if, on the scene that is open: baseline, altered and control run on copies, and compared.

A simulated scene is simulated again; a structure that stands still becomes rigid bodies with joints
that can break. The person's scene is only read. Main thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import bpy

from ...checks.reconstruction.brief import ReconstructionBrief
from ...checks.reconstruction.interventions import Intervention
from ...checks.reconstruction.trajectory import Trajectory
from ...checks.result import Finding
from .. import bundled, review
from ..i18n import say
from ..scene.blocks import structure_of_scene
from ..scene.members import unit_scale
from ..simulation import experiments
from ..simulation.falling import answers
from ..simulation.falling.asked import WhatIf
from ..simulation.falling.offering import PIECES
from ..simulation.steps import SimulationError, Steps
from . import interventions_here as here
from . import jobs, kind_here, motion, stepping
from .motion import Motion, Show, Take
from .otherwise_words import falls_already, moves_words, otherwise_words

T = TypeVar("T")

#: Comparisons kept for a scene: older ones go, since motions are large.
KEPT = 4
_serials = count(1)
_kept: dict[int, list[Compared]] = {}

AS_IT_IS = "As it is"
_NONE = Intervention("none")


@dataclass(frozen=True, eq=False)
class Compared:
    """What came of a question: its words, what is played, the figures as sentences, findings."""

    serial: int
    title: str
    show: Show
    says: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def is_static(scene: bpy.types.Scene | None) -> bool:
    """Whether a scene holds a structure that stands still: it has to be made to fall."""
    return kind_here.kind_here(scene) != "reconstruction"


def of(scene: bpy.types.Scene) -> tuple[Compared, ...]:
    """What was compared in a scene, the newest first."""
    return tuple(_kept.get(scene.session_uid, ()))


def find(scene: bpy.types.Scene, serial: int) -> Compared | None:
    """The comparison of that serial, ``None`` if it isn't kept any more."""
    return next((one for one in of(scene) if one.serial == serial), None)


def forget(scene: bpy.types.Scene, serial: int) -> None:
    """Drop one comparison."""
    _kept[scene.session_uid] = [one for one in of(scene) if one.serial != serial]


def compare(
    context: bpy.types.Context, then: Callable[[Compared], None] = lambda _: None
) -> jobs.Work:
    """Run what is set in the panel as a job; the answer is kept, then ``then`` is called.

    Raises :class:`SimulationError` with what is missing.
    """
    scene, asked = context.scene, here.state(context)
    if is_static(scene):
        steps = _static(scene, asked)
    else:
        steps = _simulated(scene, asked)
    return stepping.start(scene, say("What if"), steps, _keeper(scene.session_uid, then))


def missing(context: bpy.types.Context) -> str:
    """What still has to be picked before :func:`compare`, as a sentence; empty if nothing has."""
    scene, asked = context.scene, here.state(context)
    static = is_static(scene)
    wanted = [(change, False) for change in here.changes_of(asked)]
    if asked.compare:
        wanted.append((asked.third, True))
    for change, control in wanted:
        kind = here.kind_of(change, static, control)
        said = here.missing(kind, here.names_of(change), "member" if static else "body")
        if said:
            return said
    return ""


def _keeper(uid: int, then: Callable[[Compared], None]) -> Callable[[Compared], None]:
    def keep(found: Compared) -> None:
        kept = _kept.setdefault(uid, [])
        kept.insert(0, found)
        del kept[KEPT:]
        then(found)

    return keep


def _structure(scene: bpy.types.Scene) -> tuple[Any, Any]:
    """What is read of a scene that stands still, and the brief that its check judged it by."""
    try:
        structure = structure_of_scene(scene)
    except ValueError as error:
        raise SimulationError(str(error)) from None
    if not len(structure):
        raise SimulationError("there is nothing in this scene that could fall: build something")
    found = review.of(scene)
    return structure, found.brief if found is not None else None


def _answer(
    title: str,
    takes: Sequence[Take],
    findings: Sequence[Finding] = (),
    notes: Sequence[str] = (),
) -> Compared:
    marks = motion.marks_of([(f.frame, f.subject) for f in findings])
    if not findings:
        marks = motion.marks_of([_first(take) for take in takes[1:2] if _first(take)])
    says = [f"{take.title}: {take.says}" if len(takes) > 1 else take.says for take in takes]
    return Compared(
        next(_serials), title, Show(tuple(takes), marks), (*says, *notes), tuple(findings)
    )


def _first(take: Take) -> tuple[int | None, str]:
    found = motion.first_mover(take)
    return (found[1], found[0]) if found is not None else (None, "")


def _control_title(asked: here.PlumblineOtherwise, scene: bpy.types.Scene, static: bool) -> str:
    """What the third view is called; empty if there is none."""
    if not asked.compare:
        return ""
    words = here.words_of(asked.third, scene, static, control=True)
    if here.kind_of(asked.third, static, control=True) == _NONE.kind:
        return say("Control: {title}", title=words)
    return say("Control: also {what}", what=words)


# ---- a simulated scene -------------------------------------------------------------------------


def _simulated(scene: bpy.types.Scene, asked: here.PlumblineOtherwise) -> Steps[Compared]:
    """Baseline and altered run, and the control where one is asked for."""
    changes = here.changes_of(asked)
    wanted = [one for change in changes for one in here.interventions(change, scene)]
    title = ", ".join(here.words_of(change, scene, False) for change in changes)
    control: list[Intervention] = []
    if asked.compare:
        more = here.interventions(asked.third, scene, control=True)
        # As in rubrics: altered, and one thing more; or the scene as it is.
        control = more if more == [_NONE] else [*wanted, *more]
    control_title = _control_title(asked, scene, False)
    unit, roles = unit_scale(scene), _roles(scene)

    def steps() -> Steps[Compared]:
        parts = 2 if control else 1
        run = experiments.what_if(scene, wanted, roles=roles, kept=True)
        base, altered = yield from _part(run, 0, parts)
        takes = _two(base, altered, unit, title, _objects(wanted))
        if control:
            run = experiments.what_if(scene, control, roles=roles, kept=True)
            again, other = yield from _part(run, 1, parts)
            takes.append(_third(again, other, unit, control_title, _objects(control)))
        return _answer(_sentence(title), takes, notes=altered.notes)

    return steps()


def _roles(scene: bpy.types.Scene) -> dict[str, str]:
    """Which objects the task's rubric binds its roles to."""
    task = bundled.known(scene.get(bundled.TASK_KEY))
    brief = bundled.brief_of(task.id) if task is not None else None
    return dict(brief.roles) if isinstance(brief, ReconstructionBrief) else {}


def _part(steps: Steps[T], number: int, parts: int) -> Steps[T]:
    """Steps as one of several parts of the whole."""
    try:
        while True:
            try:
                done, total = next(steps)
            except StopIteration as end:
                made: T = end.value
                return made
            yield number * total + done, parts * total
    finally:
        steps.close()


def _objects(wanted: Sequence[Intervention]) -> frozenset[str]:
    """Bodies that are themselves altered; of a pair it is what is between them that is."""
    return frozenset(one.values["object"] for one in wanted if "object" in one.values)


def _two(
    base: Trajectory, altered: Trajectory, unit: float, title: str, who: frozenset[str]
) -> list[Take]:
    one, other = Motion.of_run(base, unit), Motion.of_run(altered, unit)
    first = Take(say(AS_IT_IS), one, motion.moved_otherwise(one, one))
    moved = motion.moved_otherwise(other, one)
    second = Take(_sentence(title), other, moved, altered=who)
    return [
        motion.told(first, moves_words(first)),
        motion.told(second, otherwise_words(second, one)),
    ]


def _third(
    again: Trajectory, other: Trajectory, unit: float, title: str, who: frozenset[str]
) -> Take:
    """The control, against the baseline that was run with it."""
    home, here_ = Motion.of_run(again, unit), Motion.of_run(other, unit)
    take = Take(title, here_, motion.moved_otherwise(here_, home), altered=who)
    return motion.told(take, otherwise_words(take, home))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---- a structure that stands still --------------------------------------------------------------


def _static(scene: bpy.types.Scene, asked: here.PlumblineOtherwise) -> Steps[Compared]:
    """The structure falls as it is, and as it would be; and the control where one is asked for."""
    changes = here.changes_of(asked)
    wanted = [one for change in changes for one in here.what_ifs(change, scene)]
    title = ", ".join(here.words_of(change, scene, True) for change in changes)
    control: list[WhatIf] = [*wanted, *here.what_ifs(asked.third, scene)] if asked.compare else []
    control_title = _control_title(asked, scene, True)
    structure, brief = _structure(scene)
    seconds, uid, unit = asked.seconds, scene.session_uid, unit_scale(scene)

    def steps() -> Steps[Compared]:
        parts = 2 if control else 1
        run = answers.what_if(structure, wanted, brief, seconds=seconds, pieces=PIECES)
        found = yield from _part(run, 0, parts)
        other = None
        if control:
            run = answers.what_if(
                structure, control, brief, seconds=seconds, pieces=PIECES, baseline=found.baseline
            )
            other = yield from _part(run, 1, parts)
        still = next((s for s in bpy.data.scenes if s.session_uid == uid), None)
        takes = [
            _fallen(found.baseline, still, unit, say(AS_IT_IS)),
            _fallen(found.altered, still, unit, _sentence(title)),
        ]
        takes[0] = motion.told(takes[0], falls_already(found))
        if other is not None:
            takes.append(_fallen(other.altered, still, unit, control_title))
        notes = (found.says, *found.altered.notes)
        return _answer(_sentence(title), takes, found.altered.damage.findings, notes)

    return steps()


def _fallen(fallen: Any, scene: bpy.types.Scene | None, unit: float, title: str) -> Take:
    """What fell, as it is played."""
    played = Motion.of_probe(answers.trajectory(fallen, scene), unit)
    frames = {f.subject: f.frame for f in fallen.damage.findings}
    moved = motion.moved_by_frame(played, frames)
    return Take(title, played, moved, fallen.damage.says, leader=fallen.damage.first or "")


CLASSES = here.CLASSES


def attach() -> None:
    """Put the state in place."""
    here.attach()


def detach() -> None:
    """Forget everything."""
    _kept.clear()
    here.detach()
