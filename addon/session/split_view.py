# SPDX-License-Identifier: GPL-3.0-or-later
"""Several views of one scene beside each other, each with some of its objects. Main thread only.

The person's largest 3D view is split; each part is a local view. The parts that were added are
closed again, and the person's view is as it was. Blender's areas are found by
their address each time: what Python holds of one is no more after another was closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

#: Narrower parts than this show nothing, pixels at interface scale 1.
_LEAST_WIDE = 170


@dataclass
class Split:
    """The person's window and view, the parts that were added, and how the view was."""

    window: int
    main: int
    screen: str = ""
    added: list[int] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    local: list[str] | None = None

    @property
    def parts(self) -> list[int]:
        """From left to right."""
        return [*self.added, self.main]


def window_at(pointer: int) -> bpy.types.Window | None:
    """The window of that address, if it is open."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            if window.as_pointer() == pointer:
                return window
    return None


def area_at(split: Split, pointer: int) -> bpy.types.Area | None:
    """The area of that address, if it is still there."""
    window = window_at(split.window)
    if window is None:
        return None
    return next((a for a in window.screen.areas if a.as_pointer() == pointer), None)


def largest(window: bpy.types.Window) -> bpy.types.Area | None:
    """The largest 3D view of a window."""
    views = [area for area in window.screen.areas if area.type == "VIEW_3D"]
    return max(views, key=lambda area: area.width * area.height, default=None)


def open_parts(window: bpy.types.Window, count: int) -> Split | None:
    """Split the window's largest 3D view into ``count`` equal ones beside each other.

    ``None`` where there is no view. Where it can't be split (it fills the window, it is too
    narrow) there is one part.
    """
    area = largest(window) if window.screen is not None and not bpy.app.background else None
    if area is None:
        return None
    split = Split(window.as_pointer(), area.as_pointer(), window.screen.name)
    _keep(split, window, area)
    beside = sidebar_wide(area)
    scale = bpy.context.preferences.system.ui_scale or 1.0
    each = (area.width - beside) / count
    whole = window.screen.show_fullscreen or each < _LEAST_WIDE * scale
    for number in range(0 if whole else count - 1):
        left = area.width - number * each
        made = _split_once(window, split, each / left)
        if made is None:
            break
        split.added.append(made)
    if len(split.parts) < count:
        _close_parts(split, window)
    for pointer in split.parts:
        _quiet(area_at(split, pointer), pointer == split.main)
    return split


def sidebar_wide(area: bpy.types.Area) -> float:
    """How much of a view its sidebar covers, pixels."""
    regions = [r for r in area.regions if r.type == "UI"]
    return regions[0].width if regions and area.spaces.active.show_region_ui else 0.0


def _split_once(window: bpy.types.Window, split: Split, share: float) -> int | None:
    """A new part at the left of what is left of the view; Blender puts the smaller one there."""
    screen, before = window.screen, {a.as_pointer() for a in window.screen.areas}
    area = area_at(split, split.main)
    with bpy.context.temp_override(window=window, screen=screen, area=area):
        try:
            bpy.ops.screen.area_split(direction="VERTICAL", factor=min(share, 0.5))
        except RuntimeError:
            return None
    made = [a.as_pointer() for a in screen.areas if a.as_pointer() not in before]
    return made[0] if made else None


def _keep(split: Split, window: bpy.types.Window, area: bpy.types.Area) -> None:
    """Remember how the view is, and leave the local view that it may be in."""
    space = area.spaces.active
    view = space.region_3d
    split.kept = {
        "color_type": space.shading.color_type,
        "toolbar": space.show_region_toolbar,
        "text": space.overlay.show_text,
        "cursor": space.overlay.show_cursor,
        "gizmo": space.show_gizmo,
        "perspective": view.view_perspective,
        "location": view.view_location.copy(),
        "rotation": view.view_rotation.copy(),
        "distance": view.view_distance,
    }
    if space.local_view is not None:
        split.local = [o.name for o in window.scene.objects if o.local_view_get(space)]
        _toggle(window, area)


def _quiet(area: bpy.types.Area | None, main: bool) -> None:
    """What the view needs for a motion: bodies in their own colours, nothing in the way."""
    if area is None:
        return
    space = area.spaces.active
    space.shading.color_type = "OBJECT"
    space.show_region_toolbar = False
    space.overlay.show_text = False
    space.overlay.show_cursor = False
    space.show_gizmo = False
    if not main:
        space.show_region_ui = False


def _toggle(window: bpy.types.Window, area: bpy.types.Area) -> None:
    """Enter or leave the local view of what is selected."""
    region = next(r for r in area.regions if r.type == "WINDOW")
    space = area.spaces.active
    with bpy.context.temp_override(window=window, area=area, region=region, space_data=space):
        if bpy.ops.view3d.localview.poll():
            bpy.ops.view3d.localview(frame_selected=False)


def show_sets(split: Split, sets: Sequence[Sequence[bpy.types.Object]]) -> None:
    """Show each part one set of the objects of the scene that the window has."""
    window = window_at(split.window)
    if window is None or len(split.parts) != len(sets) or len(sets) < 2:
        return
    layer = window.view_layer
    for pointer, objects in zip(split.parts, sets, strict=True):
        area = area_at(split, pointer)
        if area is None:
            continue
        _select(layer, {obj.session_uid for obj in objects})
        _toggle(window, area)
    _select(layer, set())


def _select(layer: bpy.types.ViewLayer, uids: set[int]) -> None:
    for obj in layer.objects:
        obj.select_set(obj.session_uid in uids, view_layer=layer)


def local_off(split: Split) -> None:
    """Leave the local views, before the scene goes."""
    window = window_at(split.window)
    for pointer in split.parts:
        area = area_at(split, pointer)
        if window is None or area is None or area.type != "VIEW_3D":
            continue
        if area.spaces.active.local_view is not None:
            _toggle(window, area)


def close(split: Split) -> bool:
    """Close the parts that were added, and put the person's view back as it was.

    Whether that is done: not while the window shows another workspace, whose areas alone it has.
    """
    window = window_at(split.window)
    if window is None:
        return True
    if window.screen.name != split.screen:
        return split.screen not in bpy.data.screens
    local_off(split)
    # The view first: what it shows may not be touched while its new size isn't reckoned yet.
    area = area_at(split, split.main)
    if area is not None and area.type == "VIEW_3D":
        _put_back(split, window, area)
    _close_parts(split, window)
    return True


def _close_parts(split: Split, window: bpy.types.Window) -> None:
    """Close what was added, the part beside the person's view first."""
    while split.added:
        area = area_at(split, split.added.pop())
        if area is not None and area_at(split, split.main) is not None:
            with bpy.context.temp_override(window=window, screen=window.screen, area=area):
                bpy.ops.screen.area_close()


def _put_back(split: Split, window: bpy.types.Window, area: bpy.types.Area) -> None:
    space, kept = area.spaces.active, split.kept
    space.shading.color_type = kept["color_type"]
    space.show_region_toolbar = kept["toolbar"]
    space.overlay.show_text = kept["text"]
    space.overlay.show_cursor = kept["cursor"]
    space.show_gizmo = kept["gizmo"]
    view = space.region_3d
    view.view_location, view.view_rotation = kept["location"], kept["rotation"]
    view.view_distance, view.view_perspective = kept["distance"], kept["perspective"]
    if split.local is not None and space.local_view is None:
        layer, local = window.view_layer, set(split.local)
        selected = {obj.session_uid for obj in layer.objects if obj.select_get(view_layer=layer)}
        inside = {obj.session_uid for obj in layer.objects if obj.name in local}
        if inside:
            _select(layer, inside)
            _toggle(window, area)
            _select(layer, selected)
