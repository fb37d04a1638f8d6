# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of code on the main thread: with an alarm, its output caught, and put right afterwards.

This contains nothing: it is order, not safety. Main thread only.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import bpy

from ..agent.bench import Outcome
from ..sandbox.program import run_program
from ..scene.blocks import BlockSession, BlocksLost
from .alarm import Alarm
from .alarm import available as has_alarm
from .guard import Guard

#: How long code may run in the session if nobody says otherwise, s.
SECONDS = 20.0


@dataclass(frozen=True)
class Ran:
    """How a run went; ``left`` names what it left behind in Blender, which was taken away."""

    outcome: Outcome
    message: str | None
    output: str
    traceback: str | None
    seconds: float
    left: tuple[str, ...] = ()


def run_here(code: str, scene: bpy.types.Scene, seconds: float = SECONDS) -> Ran:
    """Run ``code`` as ``__main__`` with ``scene`` in the window; no exception of its gets out.

    What it builds of blocks is in the scene afterwards, however it ended.
    """
    alarm, guard, done = Alarm(seconds), Guard(), None
    main = sys.modules["__main__"]
    window = bpy.context.window_manager.windows[0]
    window.scene = scene
    layer = scene.view_layers[0]
    blocks, lost = BlockSession(scene), None
    with bpy.context.temp_override(window=window, scene=scene, view_layer=layer):
        try:
            with guard, alarm:
                done = run_program(code, blocks.names)
        finally:
            sys.modules["__main__"] = main  # the alarm may ring in the midst of putting it back
            try:
                blocks.flush()
            except BlocksLost as error:
                lost = f"{type(error).__name__}: {error}"
    output = done.stdout if done is not None else ""
    took = done.seconds if done is not None else seconds
    left = tuple(guard.left)
    if alarm.rang:
        why = f"it ran longer than {seconds:g} s and was stopped"
        trace = done.traceback if done is not None else None
        return Ran("timeout", why, output, trace, took, left)
    assert done is not None
    if done.ok and lost is not None:
        return Ran("raised", lost, output, lost, took, left)
    if not done.ok:
        return Ran("raised", _last_line(done.traceback), output, done.traceback, took, left)
    return Ran("finished", None, output, None, took, left)


def _last_line(trace: str | None) -> str:
    lines = [line for line in (trace or "").splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it stopped with an error"


def to_object_mode(scene: bpy.types.Scene) -> None:
    """Leave whatever mode code left the scene's active object in."""
    layer = scene.view_layers[0]
    active = layer.objects.active
    if active is None or active.mode == "OBJECT":
        return
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window, scene=scene, view_layer=layer):
        bpy.ops.object.mode_set(mode="OBJECT")


def alarm_note() -> str:
    """What can stop an endless loop here, for people."""
    if has_alarm():
        return "an endless loop of Python is stopped; a call into C that never returns is not"
    return "nothing can stop an endless loop here: this system has no alarm"
