# SPDX-License-Identifier: GPL-3.0-or-later
"""Showing the motion that a probe found, in a copy of the scene that goes when one stops.

Blender's own timeline plays it, so that a person can scrub, slow down and look from everywhere. No
key is written: before each frame a handler puts the bodies where they were. Main thread only.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent
from mathutils import Matrix

from ..simulation import copying
from ..simulation.copying import SceneCopy
from ..simulation.probes import Trajectory
from . import what_if
from .gallery import redraw

_shown: list[tuple[SceneCopy, Trajectory, int]] = []


def is_playback(scene: Any) -> bool:
    """Whether a scene is the one in which a motion is shown."""
    return bool(_shown) and scene is not None and scene.session_uid == _shown[0][0].uid


def play(window: bpy.types.Window, trajectory: Trajectory) -> None:
    """Show a motion from its beginning in the window, in place of the scene that it is of.

    Raises ``ValueError`` if the scene can't be copied.
    """
    stop()
    scene = window.scene
    stage = copying.copy_of(scene, window, f"Motion of {scene.name}")
    copy = stage.scene
    if copy.rigidbody_world is not None:
        with bpy.context.temp_override(window=window, scene=copy):
            bpy.ops.rigidbody.world_remove()
    copy.frame_start, copy.frame_end = 1, max(1, len(trajectory.matrices))
    copy.render.fps = max(1, round(trajectory.fps))
    copy.render.fps_base = 1.0
    _shown.append((stage, trajectory, scene.session_uid))
    bpy.app.handlers.frame_change_pre.append(_place)
    window.scene = copy
    copy.frame_set(1)
    _animate(window, True)
    redraw()


def stop() -> None:
    """Back to the scene that the motion is of; the copy goes. Nothing if none is shown."""
    if _place in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(_place)
    if not _shown:
        return
    stage, _, uid = _shown.pop()
    if not stage.there:
        return
    others = [s for s in bpy.data.scenes if s.session_uid != stage.uid]
    back = next((s for s in others if s.session_uid == uid), others[0] if others else None)
    for window in what_if.windows():
        if window.scene.session_uid == stage.uid and back is not None:
            _animate(window, False)
            window.scene = back
    if back is not None:
        copying.remove(stage.scene)
    redraw()


def _animate(window: bpy.types.Window, wanted: bool) -> None:
    """Start or stop Blender's own player; in background there is none."""
    playing = window.screen is not None and window.screen.is_animation_playing
    if bpy.app.background or playing == wanted:
        return
    with bpy.context.temp_override(window=window):
        bpy.ops.screen.animation_play()


@persistent
def _place(scene: bpy.types.Scene, *_: Any) -> None:
    """Put the bodies where they were in the frame that comes."""
    if not is_playback(scene):
        return
    stage, trajectory, _uid = _shown[0]
    frame = min(max(scene.frame_current - 1, 0), len(trajectory.matrices) - 1)
    places = {name: body for body, name in enumerate(trajectory.names)}
    for obj in scene.objects:
        body = places.get(stage.names.get(obj.name, ""))
        if body is not None:
            obj.matrix_world = Matrix(trajectory.matrices[frame, body].tolist())


def detach() -> None:
    """The extension goes: stop, and leave no handler."""
    stop()
