# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to a moment: the frame, the body, the place. In the person's scene, or in a playback.

Only a click does this: the playhead of the person's scene is moved, nothing else of it is changed.
Main thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

from ..i18n import say
from ..review import Review
from ..scene import focus
from . import at_frame, playback

#: What is seen of a body and round it, times its own radius.
_ROUND = 5.0
_LEAST = 0.25  # radius round a place where there is no body, in the scene's units


def go(
    context: bpy.types.Context,
    body: str,
    frame: int | None,
    place: Sequence[float] | None = None,
    found: Review | None = None,
) -> list[str]:
    """Stand still at a frame, select a body, aim the view at it, or at a place in scene units.

    A simulated scene is played up to the frame, as ``found``, its check, had it. Returns sentences
    on what is in the way: the body may have been renamed or removed since.
    """
    scene = context.scene
    told: list[str] = []
    if frame is not None and playback.is_playback(scene):
        playback.go_to(scene, frame)
    elif frame is not None and found is not None:
        playback.stand_still(scene)
        told = at_frame.go_to(found, scene, frame)
    objects = playback.objects_of(scene, body)
    if not objects and body in scene.objects:
        objects = [scene.objects[body]]
    layer = context.view_layer
    seen = [o for o in objects if o.name in layer.objects and o.visible_get(view_layer=layer)]
    for obj in layer.objects:
        obj.select_set(obj in seen, view_layer=layer)
    layer.objects.active = seen[0] if seen else None
    _aim(context, seen, place)
    if not seen:
        told.append(say("{body} can't be selected here; its frame is shown", body=body))
    return told


def _aim(
    context: bpy.types.Context, seen: list[bpy.types.Object], place: Sequence[float] | None
) -> None:
    if not seen and place is None:
        return
    radius = _LEAST
    middle = Vector(place) if place is not None else None
    if seen:
        corners = [seen[0].matrix_world @ Vector(corner) for corner in seen[0].bound_box]
        centre = sum(corners, Vector()) / 8
        radius = max(radius, max((c - centre).length for c in corners))
        middle = centre if middle is None else middle
    view = focus.view_to_use(context)
    if view is None or middle is None:
        return
    region_3d = view[1].spaces.active.region_3d
    if region_3d.view_perspective != "CAMERA":
        region_3d.view_location = middle
        region_3d.view_distance = 2.0 * _ROUND * radius
