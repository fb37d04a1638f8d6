# SPDX-License-Identifier: GPL-3.0-or-later
"""Views beside each other look from one place and turn together. Main thread only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import bpy
from mathutils import Vector

from .split_view import Split, area_at, sidebar_wide

#: Between two looks whether a view was turned, s.
_TURNED = 0.04
_ROUNDED = 1e-5
#: Half of what a view sees at distance 1 along its longer side with Blender's lens of 50 mm:
#: sensor 36 mm, twice as wide in the viewport (view3d_camera: CAMERA_PARAM_ZOOM_INIT_PERSP).
_LENS, _HALF = 50.0, 0.72
#: Of its radius, so that a ball isn't seen from edge to edge.
_MARGIN = 1.05


@dataclass
class _Turning:
    """The views, where each looked from last, and what is still to be aimed at."""

    split: Split
    goal: tuple[Vector, float] | None
    aims: dict[int, tuple[float, ...]] = field(default_factory=dict)


_now: list[_Turning] = []


def begin(split: Split, centre: Sequence[float], radius: float) -> None:
    """Aim every part so that a ball of that radius is seen whole, from the side it is seen from.

    Parts that are new have no size before Blender has drawn them: they are aimed after that, and
    turned together from then on.
    """
    turning = _Turning(split, (Vector(centre), radius) if radius > 0 else None)
    _now[:] = [turning]
    if not split.added:
        _aim_all(turning)
    elif not bpy.app.timers.is_registered(_together):
        bpy.app.timers.register(_together, first_interval=_TURNED, persistent=True)


def end() -> None:
    """Turn nothing any more."""
    _now.clear()
    if bpy.app.timers.is_registered(_together):
        bpy.app.timers.unregister(_together)


def _aim_all(turning: _Turning) -> bool:
    """Aim at what is to be seen, once every part has a size; whether that was done."""
    split = turning.split
    parts = [area_at(split, pointer) for pointer in split.parts]
    main = area_at(split, split.main)
    if turning.goal is None or main is None or any(a is None or a.width < 2 for a in parts):
        return turning.goal is None
    centre, radius = turning.goal
    turning.goal = None
    view = main.spaces.active.region_3d
    if view.view_perspective != "CAMERA":
        room, aside = _room([area for area in parts if area is not None])
        longer = max(main.width, main.height)
        seen = _half(main) * max(60.0, min(room, _free_high(main))) / longer
        view.view_distance = _distance(radius, seen, view.view_perspective == "PERSP")
        pixel = 2 * _half(main) * view.view_distance / longer
        right = view.view_rotation @ Vector((1.0, 0.0, 0.0))
        view.view_location = centre + right * (pixel * aside)
    for pointer in split.added:
        _copy_view(split, split.main, pointer)
    turning.aims = _aims(split)
    return True


def _half(area: bpy.types.Area) -> float:
    """Half of what the view sees at distance 1 along its longer side."""
    return _HALF * _LENS / float(area.spaces.active.lens)


def _distance(radius: float, seen: float, perspective: bool) -> float:
    """From how far a ball is seen whole where ``seen`` is half of what is seen at distance 1."""
    if not perspective:
        return _MARGIN * radius / seen
    return radius * math.hypot(1.0, _MARGIN / seen)  # its outline is where lines of sight touch it


def _room(areas: Sequence[bpy.types.Area]) -> tuple[float, float]:
    """How wide what is seen may be in every view, and how far left of their middles it stands.

    Views side by side must look along one line, or they seem to look from different sides. So all
    are as far off their middles, half way to what is best for the one with the sidebar. Pixels.
    """
    left = min(area.width / 2 for area in areas)
    right = min(area.width / 2 - sidebar_wide(area) for area in areas)
    return left + right, (left - right) / 2


def _free_high(area: bpy.types.Area) -> float:
    """How high a view is between its headers, as much kept free below as above, pixels."""
    heads = [r.height for r in area.regions if r.type in ("HEADER", "TOOL_HEADER")]
    return float(area.height - 2 * sum(high for high in heads if high > 1))


def _copy_view(split: Split, source: int, target: int) -> None:
    one, other = area_at(split, source), area_at(split, target)
    if one is None or other is None or "VIEW_3D" not in (one.type, other.type):
        return
    here, there = one.spaces.active.region_3d, other.spaces.active.region_3d
    there.view_perspective = here.view_perspective
    there.view_rotation = here.view_rotation
    there.view_distance = here.view_distance
    there.view_location = here.view_location
    _as_large(split)
    other.tag_redraw()


def _as_large(split: Split) -> None:
    """Give parts of another size a lens that shows things as large as the person's view does."""
    main = area_at(split, split.main)
    if main is None or main.type != "VIEW_3D":
        return
    product = main.spaces.active.lens * max(main.width, main.height)
    for pointer in split.added:
        area = area_at(split, pointer)
        if area is not None and area.type == "VIEW_3D":
            area.spaces.active.lens = product / max(area.width, area.height, 1)


def _aim(area: bpy.types.Area | None) -> tuple[float, ...]:
    if area is None or area.type != "VIEW_3D":
        return ()
    view = area.spaces.active.region_3d
    return (*view.view_location, *view.view_rotation, view.view_distance)


def _aims(split: Split) -> dict[int, tuple[float, ...]]:
    return {part: _aim(area_at(split, part)) for part in split.parts}


def _differ(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two views look from elsewhere; Blender rounds what it is given."""
    return len(one) != len(other) or any(
        abs(x - y) > _ROUNDED * max(1.0, abs(x)) for x, y in zip(one, other, strict=True)
    )


def _together() -> float | None:
    """Carry what turned in one part over to the others."""
    if not _now or not _now[0].split.added:
        return None
    turning, split = _now[0], _now[0].split
    if not _aim_all(turning):
        return _TURNED
    aims = turning.aims
    for source in split.parts:
        aim = _aim(area_at(split, source))
        if aim and _differ(aim, aims.get(source, ())):
            for target in split.parts:
                if target != source:
                    _copy_view(split, source, target)
            turning.aims = _aims(split)
            break
    return _TURNED
