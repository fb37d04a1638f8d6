# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to the frame of a finding, with bodies where they are in it. Main thread only.

Blender simulates only what is played: a jump to a frame that was never reached shows bodies where
they began. So the scene is played up to the frame first, as a person would, if that takes but
moments.
"""

from __future__ import annotations

import time

import bpy

from ..i18n import say
from ..review import Review
from . import standing

#: How long playing up to a frame may hold up the window, s.
MOMENT = 1.5


def go_to(found: Review, scene: bpy.types.Scene, frame: int) -> list[str]:
    """Show a frame of a checked scene in motion; returns sentences on what is in the way."""
    if not found.in_motion:
        return []
    if scene.frame_current != frame:
        scene.frame_set(frame)
    if found.stale or not standing.of(found, scene).moved.any():
        return []
    end = time.monotonic() + MOMENT
    first = min(scene.frame_start, int(found.structure.trajectory.frames[0]))
    for each in range(first, frame + 1):
        scene.frame_set(each)
        if time.monotonic() > end and each < frame:
            scene.frame_set(frame)
            return [say("Play the scene up to frame {n} to see the bodies move there", n=frame)]
    return []
