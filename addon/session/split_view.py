# SPDX-License-Identifier: GPL-3.0-or-later
"""Several views of one scene beside each other, each with some of its objects. Main thread only.

The person's largest 3D view is split; each part is a local view, and all turn together. The parts
that were added are closed again, and the person's view is as it was. Blender's areas are found by
their address each time: what Python holds of one is no more after another was closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

#: Narrower parts than this show nothing, pixels at interface scale 1.
_LEAST_WIDE = 170
#: Between two looks whether a view was turned, s.
_TURNED = 0.04
_ROUNDED = 1e-5
#: Half of what a view sees at distance 1 along its longer side with Blender's lens of 50 mm:
#: sensor 36 mm, twice as wide in the viewport (view3d_camera: CAMERA_PARAM_ZOOM_INIT_PERSP).
_LENS, _HALF = 50.0, 0.72


@dataclass
class Split:
    """The person's window and view, the parts that were added, and how the view was."""

    window: int
    main: int
    added: list[int] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    aim: tuple[float, ...] = ()
    local: list[str] | None = None

    @property
    def parts(self) -> list[int]:
        """From left to right."""
        return [*self.added, self.main]


_now: list[Split] = []


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
    split = Split(window.as_pointer(), area.as_pointer())
    _keep(split, window, area)
    beside = _sidebar_wide(area)
    scale = bpy.context.preferences.system.ui_scale or 1.0
    each = (area.width - beside) / count
    whole = window.screen.show_fullscreen or each < _LEAST_WIDE * scale
    for number in range(0 if whole else count - 1):
        left = area.width - number * each
        made = _split_once(window, split, each / left)
        if made is None:
            break
        split.added.append(made)
    _now[:] = [split]
    for pointer in split.parts:
        _quiet(area_at(split, pointer), pointer == split.main)
    if split.added and not bpy.app.timers.is_registered(_together):
        split.aim = _aim(area_at(split, split.main))
        bpy.app.timers.register(_together, first_interval=_TURNED, persistent=True)
    return split


def _sidebar_wide(area: bpy.types.Area) -> float:
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


def frame(split: Split, centre: Sequence[float], radius: float) -> None:
    """Aim every part so that a ball of that radius is seen whole, from the side it is seen from."""
    parts = [area_at(split, pointer) for pointer in split.parts]
    main = area_at(split, split.main)
    if main is None or radius <= 0:
        return
    view = main.spaces.active.region_3d
    if view.view_perspective == "CAMERA":
        return
    window = next(r for r in main.regions if r.type == "WINDOW")
    high = window.height
    wide = (main.width + sum(a.width for a in parts if a is not None and a != main)) / len(parts)
    if not split.added:
        wide = window.width
    free = max(60.0, wide - (_sidebar_wide(main) if not split.added else 0.0))
    half = _HALF * _LENS / main.spaces.active.lens
    share = min(free, high) / max(wide, high)
    view.view_location = centre
    view.view_distance = 1.15 * radius / (half * share)
    for pointer in split.added:
        _copy_view(split, split.main, pointer)
    split.aim = _aim(main)


def local_off(split: Split) -> None:
    """Leave the local views, before the scene goes."""
    window = window_at(split.window)
    for pointer in split.parts:
        area = area_at(split, pointer)
        if window is None or area is None or area.type != "VIEW_3D":
            continue
        if area.spaces.active.local_view is not None:
            _toggle(window, area)


def close(split: Split) -> None:
    """Close the parts that were added, and put the person's view back as it was."""
    if split in _now:
        _now.remove(split)
    window = window_at(split.window)
    if window is None:
        return
    for pointer in reversed(split.added):
        area = area_at(split, pointer)
        if area is not None and area_at(split, split.main) is not None:
            with bpy.context.temp_override(window=window, screen=window.screen, area=area):
                bpy.ops.screen.area_close()
    area = area_at(split, split.main)
    if area is not None and area.type == "VIEW_3D":
        _put_back(split, window, area)


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


def _copy_view(split: Split, source: int, target: int) -> None:
    one, other = area_at(split, source), area_at(split, target)
    if one is None or other is None or "VIEW_3D" not in (one.type, other.type):
        return
    here, there = one.spaces.active.region_3d, other.spaces.active.region_3d
    there.view_perspective = here.view_perspective
    there.view_location = here.view_location
    there.view_rotation = here.view_rotation
    there.view_distance = here.view_distance
    other.tag_redraw()


def _aim(area: bpy.types.Area | None) -> tuple[float, ...]:
    if area is None or area.type != "VIEW_3D":
        return ()
    view = area.spaces.active.region_3d
    return (*view.view_location, *view.view_rotation, view.view_distance)


def _differ(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two views look from elsewhere; Blender rounds what it is given."""
    return len(one) == len(other) and any(
        abs(x - y) > _ROUNDED * max(1.0, abs(x)) for x, y in zip(one, other, strict=True)
    )


def _together() -> float | None:
    """Carry what turned in one part over to the others."""
    if not _now or not _now[0].added:
        return None
    split = _now[0]
    for source in split.parts:
        aim = _aim(area_at(split, source))
        if aim and _differ(aim, split.aim):
            for target in split.parts:
                if target != source:
                    _copy_view(split, source, target)
            split.aim = aim
            break
    return _TURNED


def detach() -> None:
    """Stop turning views together."""
    _now.clear()
    if bpy.app.timers.is_registered(_together):
        bpy.app.timers.unregister(_together)
