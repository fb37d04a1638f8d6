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

from ..simulation import copying, probes
from ..simulation.kept import forget_trajectories
from ..simulation.probes import Outcome, Probe, StageGone
from ..simulation.steps import Steps
from . import jobs, kind_here, playback, stepping

#: Results kept for a scene: older ones go.
KEPT = 12

at_work, trouble, sweep = stepping.at_work, stepping.trouble, stepping.sweep


@dataclass(frozen=True)
class Result:
    """What a probe found for a scene, and with which values. ``serial`` is unique."""

    serial: int
    probe: Probe
    values: Mapping[str, float]
    outcome: Outcome


_results: dict[int, list[Result]] = {}
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
    """The kind of structure that a scene holds."""
    return kind_here.kind_here(scene)


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


def result(scene: bpy.types.Scene, serial: int) -> Result | None:
    """The result of that serial, ``None`` if it isn't kept any more."""
    return next((found for found in results(scene) if found.serial == serial), None)


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
    taken = probe.values(values)

    def done(outcome: Outcome) -> None:
        _serial[0] += 1
        found = Result(_serial[0], probe, taken, outcome)
        kept = _results.setdefault(uid, [])
        kept.insert(0, found)
        del kept[KEPT:]
        then(found)

    return stepping.start(scene, probe.title, _steps(probe, scene, context.window, taken), done)


def _steps(
    probe: Probe, scene: bpy.types.Scene, window: bpy.types.Window, values: Mapping[str, float]
) -> Steps[Outcome]:
    """The probe's own steps on a copy that is there as long as they last."""
    stage = copying.copy_of(scene, window, f"Copy of {scene.name} for {probe.title}")
    try:
        steps = probe.run(stage, values)
        while True:
            stage.scene  # noqa: B018 - raises in words once the copy is gone
            try:
                told = next(steps)
            except StopIteration as end:
                if not isinstance(end.value, Outcome):
                    raise ValueError(f"the probe {probe.id} ended without an outcome") from None
                return end.value
            yield told
    finally:
        if stage.there:
            copying.remove(stage.scene)


@persistent
def _before_saving(*_: Any) -> None:
    """No copy gets into a file."""
    playback.stop()
    stepping.remove_copies()


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
    stepping.detach()
    forget_trajectories()
    _results.clear()
    if bpy.app.timers.is_registered(_fit_values):
        bpy.app.timers.unregister(_fit_values)
    if _fit_values in probes.listeners:
        probes.listeners.remove(_fit_values)
    if _before_saving in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(_before_saving)
    del bpy.types.WindowManager.plumbline_physics


__all__ = ["CLASSES", "Result", "StageGone", "attach", "detach", "results", "run"]
