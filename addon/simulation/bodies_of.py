# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies of a scene copy: which objects are some, how each takes part, what it is made of.

A body is what takes part in the rigid-body world, and every other object with a surface that a
camera sees: a table without collision is one, or nobody could tell that things fall through it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...checks.reconstruction.bodies import Body, Driver, Medium, Part
from ...checks.reconstruction.probes.mass import DENSITIES
from .collision import collision_shape
from .copying import SceneCopy, members
from .inertia import inertia_of
from .media.liquid_solver import domain_modifier
from .meshes_of import MeshReader
from .poses import Floats, split

#: Custom properties of objects: the role that a task speaks of, and the material.
ROLE_KEY = "plumbline_role"
MATERIAL_KEY = "plumbline_material"

#: Marks a body of a copy that only stands still until the run begins.
STANDS_KEY = "plumbline_stands"

_SOLID = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})
_MEDIA: dict[str, Medium] = {"CLOTH": "cloth", "SOFT_BODY": "soft"}
_KINEMATIC = "rigid_body.kinematic"

#: What moves an object of a copy, by the rules of ``drivers_of``.
Drivers = Callable[[Any], tuple[Driver, ...]]


@dataclass(frozen=True)
class Chosen:
    """An object that is a body; ``within`` are the parts of a compound, the object itself first."""

    obj: bpy.types.Object
    simulated: bool
    seen: bool
    within: tuple[bpy.types.Object, ...] = ()


def show_what_is_rendered(stage: SceneCopy) -> set[int]:
    """Make all that a camera sees be evaluated in the copy; uids of those objects.

    What is only hidden in the window of the person who works at it is in the picture all the same.
    """
    seen: set[int] = set()

    def walk(layer: bpy.types.LayerCollection) -> None:
        if layer.exclude or layer.collection.hide_render:
            return
        if layer.hide_viewport:
            layer.hide_viewport = False
        if layer.collection.library is None and layer.collection.hide_viewport:
            layer.collection.hide_viewport = False
        seen.update(
            o.session_uid
            for o in layer.collection.objects
            if not o.hide_render and o.visible_camera
        )
        for child in layer.children:
            walk(child)

    layer = stage.layer
    walk(layer.layer_collection)
    for obj in layer.objects:
        if obj.session_uid in seen and obj.library is None:
            if obj.hide_viewport:
                obj.hide_viewport = False
            if obj.hide_get(view_layer=layer):
                obj.hide_set(False, view_layer=layer)
    layer.update()
    return seen


def chosen(stage: SceneCopy, seen: set[int]) -> list[Chosen]:
    """The objects of a copy that are bodies, in the order of the scene."""
    scene = stage.scene
    world = scene.rigidbody_world
    within: set[bpy.types.Object] = set()
    if world is not None and world.enabled and world.collection is not None:
        within = {o for o in world.collection.all_objects if o.rigid_body is not None}
    parts = {o for o in within if _compound(o.parent, within)}
    found = []
    for obj in members(scene):
        visible = obj.session_uid in seen
        if obj in parts or not (obj in within or (visible and obj.type in _SOLID)):
            continue
        whole: tuple[Any, ...] = ()
        if _compound(obj, within):
            whole = (obj, *(o for o in obj.children_recursive if o in within))
        found.append(Chosen(obj, obj in within, visible, whole))
    return found


def _compound(obj: bpy.types.Object | None, within: set[bpy.types.Object]) -> bool:
    return obj is not None and obj in within and obj.rigid_body.collision_shape == "COMPOUND"


def toggled(obj: bpy.types.Object) -> bool:
    """Whether something switches between the solver and animation while the scene plays."""
    if obj.get(STANDS_KEY):
        return True
    animation = obj.animation_data
    if animation is None:
        return False
    if any(curve.data_path == _KINEMATIC for curve in animation.drivers):
        return True
    return animation.action is not None and _has_curve(animation.action, _KINEMATIC)


def _has_curve(action: bpy.types.Action, path: str) -> bool:
    """Whether an action, in layers or of the old kind, moves a property."""
    bags: list[Any] = [action] if hasattr(action, "fcurves") else []
    for layer in getattr(action, "layers", ()):
        for strip in layer.strips:
            bags.extend(getattr(strip, "channelbags", ()))
    return any(curve.data_path == path for bag in bags for curve in bag.fcurves)


def part_of(one: Chosen, drivers: tuple[Driver, ...]) -> Part:
    """How an object takes part in the simulation."""
    body = one.obj.rigid_body
    if not one.simulated or body is None:
        return "active" if medium_of(one.obj) != "rigid" else "none"
    if body.type == "ACTIVE" and body.enabled and (not body.kinematic or toggled(one.obj)):
        return "active"
    return "animated" if body.kinematic or any(d.kind != "solver" for d in drivers) else "passive"


def medium_of(obj: bpy.types.Object) -> Medium:
    """Which solver moves an object, by its modifiers."""
    for modifier in obj.modifiers:
        if modifier.type in _MEDIA and modifier.show_viewport:
            return _MEDIA[modifier.type]
    domain = domain_modifier(obj)
    if domain is not None and domain.domain_settings.domain_type == "LIQUID":
        return "liquid"
    return "rigid"


class BodyMaker:
    """Makes bodies of a copy's objects as they are evaluated in the present frame."""

    def __init__(self, stage: SceneCopy, drivers: Drivers) -> None:
        self._stage = stage
        self._unit = float(stage.scene.unit_settings.scale_length)
        self._drivers = drivers
        self._meshes = MeshReader(stage.graph)
        self._parents = {o.parent for o in stage.scene.objects if o.parent is not None}

    def bodies(self, chosen: list[Chosen], matrices: Floats) -> tuple[Body, ...]:
        """The bodies of objects with their world matrices, (k, 4, 4), in the present frame."""
        _, turned, scale = split(matrices)
        return tuple(
            self._body(one, *placed)
            for one, *placed in zip(chosen, matrices, turned, scale, strict=True)
        )

    def _body(self, one: Chosen, matrix: Floats, turned: Floats, scale: Floats) -> Body:
        obj, settings = one.obj, one.obj.rigid_body if one.simulated else None
        drivers = tuple(replace(d, detail=self._told(d.detail)) for d in self._drivers(obj))
        medium = medium_of(obj)
        values: dict[str, Any] = self._shape(one, matrix, turned, scale)
        if settings is not None:
            values |= {
                "mass": float(settings.mass) if settings.type == "ACTIVE" else None,
                "friction": float(settings.friction),
                "restitution": float(settings.restitution),
                "linear_damping": float(settings.linear_damping),
                "angular_damping": float(settings.angular_damping),
                "layers": sum(1 << k for k, on in enumerate(settings.collision_collections) if on),
                "shape": settings.collision_shape,
            }
        role = next((o[ROLE_KEY] for o in (one.within or (obj,)) if o.get(ROLE_KEY)), None)
        return Body(
            self._stage.name(obj),
            role=str(role) if role is not None else None,
            medium=medium,
            part=part_of(one, drivers),
            material=material_of(obj),
            drivers=drivers,
            visible=one.seen,
            group=self._group(one),
            **values,
        )

    def _told(self, detail: str) -> str:
        """Words on where something was found, with the names that the person knows."""
        for copy, name in self._stage.names.items():
            if copy != name and copy in detail:
                return detail.replace(copy, name)
        return detail

    def _shape(self, one: Chosen, matrix: Floats, turned: Floats, scale: Floats) -> dict[str, Any]:
        """Surface, solid and collision shape, in metres along the body's axes."""
        if one.within:
            return self._compound(one, matrix, turned)
        linear = turned.T @ matrix[:3, :3]
        read = self._meshes.read(one.obj)
        seen = read.turned(linear * self._unit)
        values: dict[str, Any] = {
            "vertices": seen.vertices,
            "triangles": seen.triangles,
            "convex": seen.convex,
            "closed": seen.closed,
        }
        if seen.radius and medium_of(one.obj) == "rigid":
            values |= {"pieces": (np.zeros((1, 3)),), "rounding": seen.radius, "convex": True}
        settings = one.obj.rigid_body if one.simulated else None
        if settings is not None:
            felt = collision_shape(
                settings.collision_shape,
                self._meshes.source(one.obj, settings.mesh_source),
                scale,
                float(settings.collision_margin),
                settings.use_margin,
            )
            values["margin"] = felt.margin * self._unit
            values["embedded"] = felt.embedded * self._unit
            if felt.vertices is not None:
                values["collision_vertices"] = felt.vertices * self._unit
                values["collision_rounding"] = felt.rounding * self._unit
                extents = np.ptp(felt.vertices, axis=0) + 2 * felt.rounding
                mass = float(settings.mass) if settings.type == "ACTIVE" else 0.0
                if mass:
                    shape = settings.collision_shape
                    values["inertia"] = inertia_of(shape, extents * self._unit, mass)
        return values

    def _compound(self, one: Chosen, matrix: Floats, turned: Floats) -> dict[str, Any]:
        """A compound is one body: all that belongs to it, in the axes of the object that leads."""
        place = matrix[:3, 3]
        vertices, triangles, pieces, count, solid, margin = [], [], [], 0, True, 0.0
        for obj in one.within:
            if obj.type not in _SOLID:
                continue
            at = np.array(obj.evaluated_get(self._stage.graph).matrix_world, np.float64)
            read = self._meshes.read(obj)
            own = read.turned(turned.T @ at[:3, :3] * self._unit)
            points = own.vertices + turned.T @ (at[:3, 3] - place) * self._unit
            vertices.append(points)
            triangles.append(own.triangles + count)
            count += len(points)
            solid &= own.closed
            if own.convex:
                pieces.append(points)
            elif len(points):
                solid = False
        if not vertices:
            return {"convex": False, "closed": False, "margin": margin}
        return {
            "vertices": np.concatenate(vertices),
            "triangles": np.concatenate(triangles),
            "pieces": tuple(pieces) if solid else (),
            "convex": False,
            "closed": solid,
        }

    def _group(self, one: Chosen) -> str | None:
        """The root of what is parented together, where the solver doesn't part it."""
        if one.simulated and not one.obj.rigid_body.kinematic and one.obj.parent is None:
            return self._stage.name(one.obj) if one.obj in self._parents else None
        top = one.obj
        while top.parent is not None and not (one.simulated and _free(top)):
            top = top.parent
            if _free(top):
                break
        if top is one.obj and one.obj not in self._parents:
            return None
        return self._stage.name(top)


def _free(obj: bpy.types.Object) -> bool:
    """Whether the solver moves an object whatever its parent does."""
    body = obj.rigid_body
    return body is not None and body.type == "ACTIVE" and body.enabled and not body.kinematic


def material_of(obj: bpy.types.Object) -> str | None:
    """What an object is declared to be made of, or what its materials' names say."""
    told = obj.get(MATERIAL_KEY)
    if told:
        return str(told)
    for slot in obj.material_slots:
        if slot.material is not None:
            for word in re.findall(r"[a-z]+", slot.material.name.lower()):
                if word in DENSITIES:
                    return str(word)
    return None
