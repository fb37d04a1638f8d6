# SPDX-License-Identifier: GPL-3.0-or-later
"""Which member a person points at in a 3D view. Main thread only; nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from ...checks.voxel.cells import block_name
from .. import review
from ..scene.block_reading import MARK, SCHEMA
from ..scene.members import unit_scale


@dataclass(frozen=True)
class Picked:
    """A member by the name that checks know it by, and a place on it, m."""

    member: str
    location: tuple[float, float, float]


# Surfaces that one click passes through, and how far behind each it goes on, units of the scene.
_MOST_SKIPPED, _STEP = 1000, 1e-4

_kept: Picked | None = None


def keep(picked: Picked) -> None:
    """Remember what was pointed at, for the question what is wrong with it."""
    global _kept
    _kept = picked


def kept() -> Picked | None:
    """What was pointed at last."""
    return _kept


def under_pointer(context: bpy.types.Context, x: int, y: int) -> Picked | None:
    """The member under a point of the window (pixels), ``None`` where there is none.

    What is hidden can't be pointed at.
    """
    region = _view_at(context.area, x, y)
    if region is None:
        return None
    at = (x - region.x, y - region.y)
    view = region.data or context.space_data.region_3d  # each of four views has its own
    origin = region_2d_to_origin_3d(region, view, at)
    direction = region_2d_to_vector_3d(region, view, at)
    graph = context.evaluated_depsgraph_get()
    for _ in range(_MOST_SKIPPED):
        hit, place, normal, _, obj, matrix = context.scene.ray_cast(graph, origin, direction)
        if not hit:
            return None
        space = context.space_data
        if space.local_view is None or obj.original.visible_in_viewport_get(space):
            if obj.original.get(MARK) == SCHEMA:
                return _block(context, place, normal)
            return _picked(context, obj, place, matrix)
        origin = place + direction * _STEP  # not in this local view: what is behind it?
    return None


def active(context: bpy.types.Context) -> Picked | None:
    """The active object as a member, at the middle of it; ``None`` if it is none."""
    obj = context.view_layer.objects.active if context.view_layer else None
    if obj is None or obj.type != "MESH" or obj.get(MARK) == SCHEMA:
        return None  # blocks are one object: which of them is meant can't be told
    corners = [obj.matrix_world @ corner_of(c) for c in obj.bound_box]
    middle = [sum(c[k] for c in corners) / len(corners) for k in range(3)]
    return _picked(context, obj, middle, obj.matrix_world)


def corner_of(corner: Any) -> Any:
    """A corner of a bounding box as a vector."""
    from mathutils import Vector

    return Vector(corner)


def _view_at(area: Any, x: int, y: int) -> Any:
    """The region of the view at a point of the window, if no sidebar or header lies over it."""
    if area is None or area.type != "VIEW_3D":
        return None

    def holds(region: Any) -> bool:
        inside = 0 <= x - region.x < region.width and 0 <= y - region.y < region.height
        return inside and region.width > 1

    over = [r for r in area.regions if r.type != "WINDOW" and holds(r)]
    return (
        None if over else next((r for r in area.regions if r.type == "WINDOW" and holds(r)), None)
    )


def _block(context: bpy.types.Context, place: Any, normal: Any) -> Picked:
    """The block on one of whose faces a ray has ended: half a block behind it is its middle."""
    scale = unit_scale(context.scene)
    x, y, z = (float(p) * scale - 0.5 * float(n) for p, n in zip(place, normal, strict=True))
    name = block_name((round(x), round(z), round(-y)))
    location = (float(place[0]) * scale, float(place[1]) * scale, float(place[2]) * scale)
    return Picked(name, location)


def _picked(context: bpy.types.Context, obj: Any, place: Any, matrix: Any) -> Picked:
    scale = context.scene.unit_settings.scale_length
    location = tuple(float(x) * scale for x in place)
    return Picked(_member(context, obj.original, matrix), location)


def _member(context: bpy.types.Context, obj: Any, matrix: Any) -> str:
    """The name by which the checks know an object: of an instance the nearest of its members."""
    found = review.of(context.scene)
    if found is None or obj.name in found.member_index:
        return obj.name
    instances = [n for n in found.member_index if n.rpartition("/")[2].startswith(obj.name)]
    if not instances:
        return obj.name
    middle = matrix @ (sum((corner_of(c) for c in obj.bound_box), corner_of((0, 0, 0))) / 8)
    places = found.subjects.corners.mean(axis=1)

    def distance(name: str) -> float:
        at = places[found.member_index[name]] / found.unit
        return float(sum((at[k] - middle[k]) ** 2 for k in range(3)))

    return min(instances, key=distance)
