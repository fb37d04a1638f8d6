# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking physics beside an open window: on a copy of the scene, as a job. Main thread only.

The person's scene is never touched. A copy goes as soon as its job is over, however it ended, and
before a file is written, so that no file holds one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .. import review
from ..simulation import copying, probes
from ..simulation.copying import SceneCopy
from ..simulation.probes import Outcome, Probe, StageGone
from . import jobs, playback, scenes
from .gallery import redraw
from .job import Job

#: Results kept for a scene: older ones go.
KEPT = 12
_SWEEP = 0.1  # between two looks whether a copy can go, s
_SAVED = "the file was saved, and no copy is written into it; run it again"


@dataclass(frozen=True)
class Result:
    """What a probe found for a scene, and with which values. ``serial`` is unique."""

    serial: int
    probe: Probe
    values: Mapping[str, float]
    outcome: Outcome


@dataclass
class _Trial:
    """A copy, and the work on it once that has begun."""

    stage: SceneCopy
    work: jobs.Work | None = None

    @property
    def over(self) -> bool:
        return self.work is not None and self.work.job.over


_results: dict[int, list[Result]] = {}
_open: dict[int, "_Trial"] = {}
_troubles: dict[int, str] = {}
_serial = [0]


class PlumblineProbeValue(bpy.types.PropertyGroup):
    """What a person set a parameter of a probe to; its name is ``probe.parameter``."""

    value: bpy.props.FloatProperty(
        name="Value", description="Value of this parameter, in the unit that stands beside it"
    )


class PlumblinePhysics(bpy.types.PropertyGroup):
    """What was set for probes."""

    values: bpy.props.CollectionProperty(type=PlumblineProbeValue)


def kind_of(scene: bpy.types.Scene) -> str:
    """The kind of structure that a scene holds, by its check; timber where nobody knows yet."""
    found = review.of(scene)
    return found.kind if found is not None else "timber"


def given(context: bpy.types.Context, probe: Probe) -> dict[str, float]:
    """The values that the person set for a probe."""
    items = context.window_manager.plumbline_physics.values
    found = {}
    for parameter in probe.parameters:
        item = items.get(f"{probe.id}.{parameter.id}")
        if item is not None:
            found[parameter.id] = item.value
    return probe.values(found)


def results(scene: bpy.types.Scene) -> tuple[Result, ...]:
    """What was found for a scene, the newest first."""
    return tuple(_results.get(scene.session_uid, ()))


def trouble(scene: bpy.types.Scene) -> str:
    """Why the last probe of a scene gave no answer; empty if it did."""
    return _troubles.get(scene.session_uid, "")


def at_work(scene: bpy.types.Scene) -> jobs.Work | None:
    """The probe that runs for a scene, ``None`` if none does."""
    trial = _open.get(scene.session_uid)
    return trial.work if trial is not None and not trial.over else None


def run(
    context: bpy.types.Context,
    probe: Probe,
    values: Mapping[str, float],
    then: Callable[[Result], None] = lambda _: None,
) -> jobs.Work:
    """Run a probe on a copy of the scene that is open; its result is kept, then ``then`` is called.

    Raises ``ValueError`` if the scene can't be copied.
    """
    scene = context.scene
    uid = scene.session_uid
    sweep()
    _troubles.pop(uid, None)
    stage = copying.copy_of(scene, context.window, f"Copy of {scene.name} for {probe.title}")
    taken = probe.values(values)

    def done(outcome: Outcome) -> None:
        _close(uid)
        _serial[0] += 1
        result = Result(_serial[0], probe, taken, outcome)
        kept = _results.setdefault(uid, [])
        kept.insert(0, result)
        del kept[KEPT:]
        redraw()
        then(result)

    def failed(sentence: str) -> None:
        _troubles[uid] = f"{probe.title}: {sentence}"
        _close(uid)
        redraw()

    trial = _open[uid] = _Trial(stage)
    trial.work = work = jobs.start(probe.title, _steps(probe, stage, taken), done, failed, wait=0.0)
    sweep()
    if _open and not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=_SWEEP, persistent=True)
    return work


def _steps(probe: Probe, stage: SceneCopy, values: Mapping[str, float]) -> Callable[[Job], Outcome]:
    """The work of the job's thread: it asks the main thread for one step after the other."""

    def work(job: Job) -> Outcome:
        steps = job.main.call(lambda: probe.run(stage, values), scenes.busy)

        def step() -> tuple[bool, Any]:
            stage.scene  # noqa: B018 - raises in words once the copy is gone
            try:
                return False, next(steps)
            except StopIteration as end:
                return True, end.value

        while True:
            over, told = job.main.call(step, scenes.busy)
            if over:
                if not isinstance(told, Outcome):
                    raise ValueError(f"the probe {probe.id} ended without an outcome")
                return told
            done, total = told
            job.tell("progress", done=done, total=total, words=f"{done} of {total}")

    return work


def _close(uid: int) -> None:
    """Take the copy away that a probe of this scene worked on."""
    trial = _open.pop(uid, None)
    if trial is not None and trial.stage.there:
        copying.remove(trial.stage.scene)


def sweep() -> None:
    """Take away the copies of all probes that are over, and of those whose scene is gone."""
    there = {scene.session_uid for scene in bpy.data.scenes}
    for uid, trial in list(_open.items()):
        if uid not in there and trial.work is not None:
            trial.work.cancel()
        if trial.over or uid not in there:
            _close(uid)


def _on_timer() -> float | None:
    sweep()
    return _SWEEP if _open else None


@persistent
def _before_saving(*_: Any) -> None:
    """No copy gets into a file."""
    playback.stop()
    for trial in _open.values():
        trial.stage.why_gone = _SAVED
    copying.remove_all()


def _fit_values() -> None:
    """A place for every parameter of every probe, with its default."""
    for manager in bpy.data.window_managers:
        items = manager.plumbline_physics.values
        for probe in probes.every():
            for parameter in probe.parameters:
                name = f"{probe.id}.{parameter.id}"
                if items.get(name) is None:
                    item = items.add()
                    item.name, item.value = name, parameter.default


CLASSES = (PlumblineProbeValue, PlumblinePhysics)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_physics = bpy.props.PointerProperty(type=PlumblinePhysics)
    bpy.app.handlers.save_pre.append(_before_saving)
    probes.listeners.append(_fit_values)
    if hasattr(bpy.data, "window_managers"):
        _fit_values()
    else:  # while Blender enables an extension, no data can be looked at
        bpy.app.timers.register(_fit_values, first_interval=0.0)


def detach() -> None:
    """Take it away again, with copies and results."""
    for trial in _open.values():
        if trial.work is not None:
            trial.work.cancel()
    copying.remove_all()
    _open.clear()
    _results.clear()
    _troubles.clear()
    for timer in (_on_timer, _fit_values):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    if _fit_values in probes.listeners:
        probes.listeners.remove(_fit_values)
    if _before_saving in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(_before_saving)
    del bpy.types.WindowManager.plumbline_physics


__all__ = ["CLASSES", "Result", "StageGone", "attach", "detach", "results", "run"]
