# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to the frame of a finding, with bodies where they are in it. Main thread only.

Blender simulates only what is played: a jump to a frame that was never reached shows bodies where
they began. So the scene is played up to the frame first, as a person would, if that takes but
moments.
"""

from __future__ import annotations

import time

import bpy
import numpy as np

from ..i18n import say
from ..review import Review
from . import standing

#: How long playing up to a frame may hold up the window, s.
MOMENT = 1.5
#: What deforms is elsewhere if its middle is so far off, of its size.
_OFF = 0.02


def go_to(found: Review, scene: bpy.types.Scene, frame: int) -> list[str]:
    """Show a frame of a checked scene in motion; returns sentences on what is in the way."""
    if not found.in_motion:
        return []
    if found.structure.trajectory.meshes:
        return _play(found, scene, frame)
    if scene.frame_current != frame:
        scene.frame_set(frame)
    if found.stale or not standing.of(found, scene).moved.any():
        return []
    told = _play(found, scene, frame)
    scene.frame_set(frame)
    return told


def _play(found: Review, scene: bpy.types.Scene, frame: int) -> list[str]:
    """Play up to a frame as long as it takes but moments.

    Cloth and soft bodies must never be jumped to a frame: Blender keeps what it makes of the jump,
    and shows it for that frame ever after.
    """
    first = min(scene.frame_start, int(found.structure.trajectory.frames[0]))
    if first < scene.frame_current <= frame and _as_checked(found, scene):
        first = scene.frame_current
    end = time.monotonic() + MOMENT
    for each in range(first, frame + 1):
        scene.frame_set(each)
        if time.monotonic() > end and each < frame:
            return [say("Play the scene up to frame {n} to see the bodies move there", n=frame)]
    return []


def _as_checked(found: Review, scene: bpy.types.Scene) -> bool:
    """Whether bodies are where the check had them in the frame that is shown."""
    if standing.of(found, scene).moved.any():
        return False
    run = found.structure.trajectory
    row = run.row(scene.frame_current)
    graph = bpy.context.evaluated_depsgraph_get()
    for name, mesh in run.meshes.items():  # what deforms may do so while its object stays
        obj = scene.objects.get(name)
        points = mesh[row]
        if obj is None or not len(points) or not np.isfinite(points).all():
            continue
        matrix = np.array(obj.evaluated_get(graph).matrix_world)
        corners = np.array(obj.evaluated_get(graph).bound_box)
        here = (corners @ matrix[:3, :3].T + matrix[:3, 3]) * found.unit
        # A box round turned corners is larger than one round the points: middles are compared.
        middle = (points.min(0) + points.max(0)) / 2
        off = np.abs((here.min(0) + here.max(0)) / 2 - middle).max()
        if off > _OFF * run.bodies[run.index(name)].size:
            return False
    return True
