# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing a person to members of the scene: unhide, select, make active, aim the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy

from ...checks.timber.structure import TimberStructure
from ...checks.voxel.structure import VoxelStructure
from .members import object_of_member

# A framed place shows this much round it, so that one sees where in the building it is.
PLACE_RADIUS = 1.6  # m

# Distance of the eye in radii of what is framed: the same air round it as Blender's Frame Selected.
_AIR = 1.35

View = tuple[bpy.types.Window, bpy.types.Area, bpy.types.Region]


def go_to(
    context: bpy.types.Context,
    structure: TimberStructure,
    members: Sequence[str],
    company: Sequence[str] = (),
    place: Sequence[float] | None = None,
    radius: float | None = None,
    poses: Mapping[str, Any] | None = None,
) -> list[str]:
    """Unhide members of ``structure``, select and frame them, make the first one active.

    Nothing else stays selected. An instanced member stands for the object that instances it.
    ``company`` are members that come into the picture too, unhidden but not selected. Without
    members, when none of them is there any more, or with a ``radius``, m, the view is aimed at
    ``place``: an overlap of a few centimetres is lost in a picture of the whole beam. ``poses`` are
    those of the check: members that have another name since are found by them. Returns sentences on
    what was in the way: what was unhidden, what is gone.
    """
    view = view_to_use(context)
    space = view[1].spaces.active if view else None
    notes: list[str] = []
    subjects = []
    for name in members:
        obj = object_now(name, structure, context.scene, poses or {})
        if obj is None:
            notes.append(f"{name} is no longer in the scene: check again")
            continue
        subjects.append(obj)
        instanced = name in structure.source.get("instancers", {})
        if obj.name != name and not instanced:
            notes.append(f"{name} is called {obj.name} now: check again")
    beside = [object_now(name, structure, context.scene, poses or {}) for name in company]
    others = [obj for obj in beside if obj is not None and obj not in subjects]
    for obj in subjects + others:
        notes += _unhide(obj, context.view_layer, space)
    aim = place if radius is not None or not subjects else None
    if subjects and aim is None:
        _select_only(subjects + others, context.view_layer)
        _frame_selected(view, context)
    notes += _select_only(subjects, context.view_layer)
    context.view_layer.objects.active = subjects[0] if subjects else None
    if aim is not None:
        unit = structure.source.get("unit_scale", 1.0)
        _frame_place(view, [c / unit for c in aim], (radius or PLACE_RADIUS) / unit)
    return notes


def go_to_blocks(
    context: bpy.types.Context,
    structure: VoxelStructure,
    place: Sequence[float] | None,
    radius: float,
) -> list[str]:
    """Unhide the blocks of ``structure`` and aim the view at ``place``, (3,) m, and round it.

    Nothing is selected: all blocks are one object, which would be outlined as a whole. Returns
    sentences on what was in the way.
    """
    view = view_to_use(context)
    space = view[1].spaces.active if view else None
    notes = []
    name = structure.source.get("object")
    obj = context.scene.objects.get(name) if name else None
    if obj is not None:
        notes += _unhide(obj, context.view_layer, space)
    elif name:
        notes.append(f"{name} is no longer in the scene: check again")
    if place is not None:
        unit = structure.source.get("unit_scale", 1.0)
        _frame_place(view, [c / unit for c in place], radius / unit)
    return notes


def object_now(
    name: str, structure: TimberStructure, scene: bpy.types.Scene, poses: Mapping[str, Any]
) -> bpy.types.Object | None:
    """The object that shows a member, whatever it is called since the check; ``None``: it is gone.

    ``poses`` maps names at the time of the check to what has the object's ``uid``.
    """
    obj = object_of_member(name, structure, scene)
    pose = poses.get(structure.source.get("instancers", {}).get(name, name))
    if pose is None or not pose.uid or (obj is not None and obj.session_uid == pose.uid):
        return obj
    same = next((o for o in scene.objects if o.session_uid == pose.uid), None)
    return same if same is not None else obj  # made anew under its old name


def _select_only(objects: list[bpy.types.Object], view_layer: bpy.types.ViewLayer) -> list[str]:
    for obj in [o for o in view_layer.objects if o.select_get(view_layer=view_layer)]:
        obj.select_set(False, view_layer=view_layer)
    for obj in objects:
        obj.select_set(True, view_layer=view_layer)
    locked = [o.name for o in objects if not o.select_get(view_layer=view_layer)]
    return [f"{name} is locked against selection" for name in locked]


def _unhide(
    obj: bpy.types.Object,
    view_layer: bpy.types.ViewLayer,
    space: bpy.types.SpaceView3D | None,
) -> list[str]:
    notes = []
    paths = _paths_to(obj, view_layer.layer_collection)
    if paths and not any(all(map(_is_open, path)) for path in paths):
        path = min(paths, key=lambda p: sum(not _is_open(c) for c in p))
        closed = [c.collection.name for c in path if not _is_open(c)]
        for layer_collection in path:
            _open(layer_collection)
        notes.append(f"collection {', '.join(closed)} is shown again")
        view_layer.update()
    if obj.hide_viewport or obj.hide_get(view_layer=view_layer):
        obj.hide_viewport = False
        obj.hide_set(False, view_layer=view_layer)
        notes.append(f"{obj.name} is shown again")
    if space is not None:
        if space.local_view is not None:
            obj.local_view_set(space, True)
        if obj.type == "MESH" and not space.show_object_viewport_mesh:
            space.show_object_viewport_mesh = True
            notes.append("meshes are shown again in this view")
    return notes


def _paths_to(
    obj: bpy.types.Object, root: bpy.types.LayerCollection
) -> list[list[bpy.types.LayerCollection]]:
    """All ways from the scene's collection down to a collection that holds the object."""
    holders = {collection.name_full for collection in obj.users_collection}
    paths = []
    waiting = [[root]]
    while waiting:
        path = waiting.pop()
        if path[-1].collection.name_full in holders:
            paths.append(path)
        waiting += [[*path, child] for child in path[-1].children]
    return paths


def _is_open(layer_collection: bpy.types.LayerCollection) -> bool:
    return not (
        layer_collection.exclude
        or layer_collection.hide_viewport
        or layer_collection.collection.hide_viewport
    )


def _open(layer_collection: bpy.types.LayerCollection) -> None:
    if layer_collection.exclude:
        layer_collection.exclude = False
    layer_collection.hide_viewport = False
    layer_collection.collection.hide_viewport = False


def view_to_use(
    context: bpy.types.Context,
) -> View | None:
    """The 3D view that the person is in, else the largest one of the window; ``None`` without."""
    window = context.window
    if window is None or window.screen is None:
        return None
    area = context.area
    if area is None or area.type != "VIEW_3D":
        areas = [a for a in window.screen.areas if a.type == "VIEW_3D"]
        if not areas:
            return None
        area = max(areas, key=lambda a: a.width * a.height)
    region = next(r for r in area.regions if r.type == "WINDOW")
    return window, area, region


def _frame_selected(view: View | None, context: bpy.types.Context) -> None:
    """Aim the view at what is selected by Blender's own Frame Selected."""
    if view is not None:
        window, area, region = view
        _leave_camera(area.spaces.active.region_3d)
        with context.temp_override(window=window, area=area, region=region):
            bpy.ops.view3d.view_selected()


def _frame_place(view: View | None, place: Sequence[float], radius: float) -> None:
    """Aim the view at a place in the scene, in its units, keeping the view's direction."""
    if view is not None:
        space = view[1].spaces.active
        _leave_camera(space.region_3d)
        space.region_3d.view_location = place
        # A lens of f mm on a 72 mm wide viewport sensor sees 36/f of the distance to either side.
        space.region_3d.view_distance = radius * _AIR * space.lens / 36.0


def _leave_camera(region_3d: bpy.types.RegionView3D) -> None:
    if region_3d.view_perspective == "CAMERA":
        region_3d.view_perspective = "PERSP"
