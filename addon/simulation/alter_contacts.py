# SPDX-License-Identifier: GPL-3.0-or-later
"""Interventions on what feels what: contacts of one pair, bodies that go, supports that come.

A pair of rigid bodies is switched by collision collections, cloth and soft bodies by the collection
of what they collide with. All others feel what they felt.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product
from operator import or_
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ...checks.reconstruction.trajectory import FARTHEST
from . import alter_layers
from .alter_settings import has_field, hold, switch_off
from .alter_surfaces import add_body, give_surface
from .copying import SceneCopy
from .steps import SimulationError

_SOFT = ("CLOTH", "SOFT_BODY")


def bodies(stage: SceneCopy) -> list[bpy.types.Object]:
    """The rigid bodies of the copy."""
    world = stage.scene.rigidbody_world
    if world is None or world.collection is None:
        return []
    return [obj for obj in world.collection.all_objects if obj.rigid_body is not None]


def layers_of(obj: bpy.types.Object) -> int:
    """Collision collections as bits."""
    return sum(1 << k for k, on in enumerate(obj.rigid_body.collision_collections) if on)


def set_layers(obj: bpy.types.Object, bits: int) -> None:
    """Put a body into those collections and no others."""
    if layers_of(obj) != bits:
        hold(obj, "rigid_body.collision_collections")
        obj.rigid_body.collision_collections = [
            bool(bits >> k & 1) for k in range(alter_layers.LAYERS)
        ]


def remove_contact(
    stage: SceneCopy, one: bpy.types.Object, other: bpy.types.Object
) -> dict[str, Any]:
    """Two bodies don't feel each other. Raises :class:`SimulationError` where they don't anyway."""
    names = [stage.name(one), stage.name(other)]
    soft = _soft_pair(one, other)
    if soft is not None:
        return {"pair": names, **_soft_without(stage, *soft)}
    for obj, name in zip((one, other), names, strict=True):
        if not _felt(obj):
            raise SimulationError(f"{name} is no rigid body: there is no contact with it to remove")
    pairs = [
        (a, b)
        for a, b in product(_felt(one), _felt(other))
        if a != b and layers_of(a) & layers_of(b)
    ]
    if not pairs:
        raise SimulationError(f"{names[0]} and {names[1]} don't feel each other as it is")
    return {"pair": names, **_switch(stage, pairs, alter_layers.apart)}


def add_contact(stage: SceneCopy, one: bpy.types.Object, other: bpy.types.Object) -> dict[str, Any]:
    """Two bodies feel each other by their visible surfaces.

    What is no rigid body becomes one that stays where it is or goes on as it is moved, with all
    that is parented to it; a collision shape that isn't the visible surface gives way to it.
    """
    names = [stage.name(one), stage.name(other)]
    soft = _soft_pair(one, other)
    if soft is not None:
        return {"pair": names, **_soft_with(stage, *soft)}
    if not any(o.rigid_body is not None and _active(o) for o in (one, other)):
        raise SimulationError(
            f"neither {names[0]} nor {names[1]} is moved by the solver, so neither can feel the "
            f"other: make one an active rigid body"
        )
    parts = [_parts(stage, obj) for obj in (one, other)]
    shapes = {stage.name(obj): give_surface(stage, obj) for obj in (*parts[0], *parts[1])}
    for joint in (o.rigid_body_constraint for o in stage.scene.objects):
        if joint is not None and {joint.object1, joint.object2} == {one, other}:
            joint.disable_collisions = False
    pairs = list(product(*parts))
    return {"pair": names, "shapes": shapes, **_switch(stage, pairs, alter_layers.together)}


def _felt(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The rigid bodies that an object and what is parented to it are."""
    return [one for one in (obj, *obj.children_recursive) if one.rigid_body is not None]


def _parts(stage: SceneCopy, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """What is to be felt of an object: it alone where the solver moves it, else with its parts."""
    if obj.rigid_body is not None and _active(obj):
        return [obj]
    parts = [o for o in (obj, *obj.children_recursive) if o.type == "MESH" and o.data.polygons]
    if not parts:
        raise SimulationError(f"{stage.name(obj)} has no surface of its own that could be felt")
    return parts


def _active(obj: bpy.types.Object) -> bool:
    return bool(obj.rigid_body.type == "ACTIVE" and obj.rigid_body.enabled)


def _switch(
    stage: SceneCopy,
    pairs: list[tuple[bpy.types.Object, bpy.types.Object]],
    assign: Callable[[list[int], list[bool], int, int], list[int]],
) -> dict[str, Any]:
    """Have pairs share a collection or none, with all other pairs as they were, and look."""
    every = bodies(stage)
    for obj in {one for pair in pairs for one in pair if one not in every}:
        raise SimulationError(f"{stage.name(obj)} isn't in the rigid-body world of the scene")
    old = [layers_of(obj) for obj in every]
    active = [_active(obj) for obj in every]
    places = [(every.index(one), every.index(other)) for one, other in pairs]
    meet = assign is alter_layers.together
    new = old
    for i, j in places:
        if bool(new[i] & new[j]) != meet:
            new = assign(new, active, i, j)
    for obj, bits in zip(every, new, strict=True):
        set_layers(obj, bits)
    found = [layers_of(obj) for obj in every]
    if any(bool(found[i] & found[j]) != meet for i, j in places):
        raise SimulationError("Blender didn't take the collision collections of the pair")
    changed = sum(a != b for a, b in zip(old, found, strict=True))
    return {"layers": [[found[i], found[j]] for i, j in places], "changed": changed}


def remove(stage: SceneCopy, obj: bpy.types.Object, running: bool = False) -> dict[str, Any]:
    """A body isn't there any more, nor what is parented to it.

    While the copy is ``running`` it stays in the file, without contact, joints, field or
    collision, so that what looks at it isn't left without it.
    """
    gone = [obj, *obj.children_recursive]
    told = {"object": stage.name(obj), "removed": [stage.name(one) for one in gone]}
    if not running:
        bpy.data.batch_remove(gone)
        return told
    for one in gone:
        _without_effect(one)
    for joint in [o for o in stage.scene.objects if o.rigid_body_constraint is not None]:
        if {joint.rigid_body_constraint.object1, joint.rigid_body_constraint.object2} & set(gone):
            joint.rigid_body_constraint.enabled = False
    return told


def _without_effect(obj: bpy.types.Object) -> None:
    if obj.rigid_body is not None:
        set_layers(obj, 0)
    if obj.collision is not None:
        obj.collision.use = False
    if has_field(obj):
        switch_off(obj)
    if obj.rigid_body_constraint is not None:
        obj.rigid_body_constraint.enabled = False


def add_support(stage: SceneCopy, centre: Any, size: Any) -> dict[str, Any]:
    """A still box, lengths in metres."""
    if min(size) <= 0:
        raise SimulationError(f"a support needs three lengths above 0, not {list(size)}")
    if max(map(abs, (*size, *centre))) > FARTHEST:
        raise SimulationError(f"a support must be within {FARTHEST:g} m, in size and place")
    unit = stage.scene.unit_settings.scale_length
    half = [v / unit / 2 for v in size]
    corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new("Support")
    mesh.from_pydata((np.array(corners) * half).tolist(), [], faces)
    obj = bpy.data.objects.new("Support", mesh)
    obj.location = [v / unit for v in centre]
    stage.scene.collection.objects.link(obj)
    stage.adopt(obj)
    stage.layer.update()
    add_body(stage, obj)
    obj.rigid_body.collision_shape = "BOX"
    every = [layers_of(o) for o in bodies(stage) if o != obj]
    set_layers(obj, reduce(or_, every, 1))
    obj.modifiers.new("Collision", "COLLISION")
    found = [float(v) * unit for v in obj.dimensions]
    return {"object": obj.name, "size": found, "centre": [float(v) * unit for v in obj.location]}


def bound_support(stage: SceneCopy, obj: bpy.types.Object) -> dict[str, Any]:
    """A support ends where its visible surface ends.

    A collision shape of its own that isn't its surface gives way to it. Where it has none, it gets
    one, and unseen still bodies that lie within or round it are felt no more.
    """
    name = stage.name(obj)
    if obj.hide_render:
        raise SimulationError(f"{name} is not seen, so it has no visible surface to end at")
    silenced = []
    if obj.rigid_body is None:
        low, high = _box(obj)
        margin = 0.05 * float((high - low).max())
        for other in bodies(stage):
            below, above = _box(other)
            near = bool(((below <= high + margin) & (above >= low - margin)).all())
            if other.hide_render and other.rigid_body.type == "PASSIVE" and near:
                silenced.append(stage.name(other))
                set_layers(other, 0)
        shared = [layers_of(o) for o in bodies(stage) if _active(o)]
        shape = give_surface(stage, obj)
        set_layers(obj, reduce(or_, shared, 1))
    else:
        shape = give_surface(stage, obj)
    if not silenced and obj.rigid_body is None:
        raise SimulationError(f"{name} bounds nothing: it is no rigid body")
    return {"object": name, "shape": shape, "silenced": silenced}


def _box(obj: bpy.types.Object) -> tuple[Any, Any]:
    corners = np.array([obj.matrix_world @ Vector(c) for c in obj.bound_box])
    return corners.min(0), corners.max(0)


def _soft_pair(
    one: bpy.types.Object, other: bpy.types.Object
) -> tuple[bpy.types.Object, Any, bpy.types.Object] | None:
    """The cloth or soft body of a pair, its modifier, and the other one."""
    for obj, rest in ((one, other), (other, one)):
        for modifier in obj.modifiers:
            if modifier.type in _SOFT:
                return obj, modifier, rest
    return None


def _colliders(stage: SceneCopy, modifier: Any) -> tuple[Any, str, list[bpy.types.Object]]:
    """Where the limit of a cloth's or soft body's collisions is set, and what it collides with."""
    soft = modifier.type == "SOFT_BODY"
    owner = modifier.settings if soft else modifier.collision_settings
    name = "collision_collection" if soft else "collection"
    limit = getattr(owner, name)
    every = limit.all_objects if limit is not None else stage.scene.objects
    return owner, name, [o for o in every if any(m.type == "COLLISION" for m in o.modifiers)]


def _soft_without(
    stage: SceneCopy, obj: bpy.types.Object, modifier: Any, other: bpy.types.Object
) -> dict[str, Any]:
    owner, name, felt = _colliders(stage, modifier)
    if other not in felt or (modifier.type == "CLOTH" and not owner.use_collision):
        raise SimulationError(
            f"{stage.name(obj)} doesn't feel {stage.name(other)} as it is: it has no collision"
        )
    return _limited(stage, owner, name, [o for o in felt if o != other])


def _soft_with(
    stage: SceneCopy, obj: bpy.types.Object, modifier: Any, other: bpy.types.Object
) -> dict[str, Any]:
    owner, name, felt = _colliders(stage, modifier)
    if modifier.type == "CLOTH" and not owner.use_collision:
        owner.use_collision = True
        felt = []
    if not any(m.type == "COLLISION" for m in other.modifiers):
        if other.type != "MESH":
            raise SimulationError(f"{stage.name(other)} has no surface that could be felt")
        other.modifiers.new("Collision", "COLLISION")
    other.collision.use = True
    return _limited(stage, owner, name, [*(o for o in felt if o != other), other])


def _limited(
    stage: SceneCopy, owner: Any, name: str, felt: list[bpy.types.Object]
) -> dict[str, Any]:
    """Collisions with those and nothing else; an unlinked collection is enough for the solver."""
    limit = bpy.data.collections.new("Collides with")
    for one in felt:
        limit.objects.link(one)
    setattr(owner, name, limit)
    return {"feels": [stage.name(o) for o in getattr(owner, name).objects]}
