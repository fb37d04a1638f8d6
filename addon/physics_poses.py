# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a scene holds physics, and what an edit of such a scene changes.

Bodies move by themselves when another frame is shown: that is no edit. So what is compared is what
a simulation starts from: where objects are put, their shapes and keys, and every setting of their
physics. No ``bpy`` is imported: scenes are only looked at through what is passed in.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Modifiers that a solver stands behind.
_SOLVERS = frozenset({"CLOTH", "SOFT_BODY", "FLUID"})
#: Modifiers whose settings a simulation starts from.
_SETTINGS_OF = {
    "CLOTH": ("settings", "collision_settings"),
    "SOFT_BODY": ("settings",),
    "COLLISION": ("settings",),
    "FLUID": ("domain_settings", "flow_settings", "effector_settings"),
}
#: Settings of the scene that every run depends on.
_OF_SCENE = ("gravity", "use_gravity", "frame_start", "frame_end")
_OF_WORLD = (
    "enabled",
    "substeps_per_frame",
    "solver_iterations",
    "time_scale",
    "use_split_impulse",
)


def has_rigid_bodies(scene: Any) -> bool:
    """Whether rigid bodies are in the scene's world."""
    world = scene.rigidbody_world
    return world is not None and world.collection is not None and bool(world.collection.objects)


def has_solvers(scene: Any) -> bool:
    """Whether any object has cloth, a soft body or a fluid."""
    return any(m.type in _SOLVERS for obj in scene.objects for m in obj.modifiers)


def has_physics(scene: Any) -> bool:
    """Whether there is anything that a simulation would move."""
    return has_rigid_bodies(scene) or has_solvers(scene)


@dataclass(frozen=True, slots=True)
class PhysicsPose:
    """What a simulation takes of an object: ``basis`` where it is put (empty for what is keyed),
    ``shape`` of its mesh and ``settings`` of its physics as digests.

    ``matrix`` is where it was when it was read, and is no part of what is compared; ``uid`` is the
    object's ``session_uid``.
    """

    basis: tuple[float, ...]
    shape: int
    settings: int
    uid: int
    matrix: Any = field(compare=False)

    @classmethod
    def of(cls, evaluated: Any) -> PhysicsPose:
        """The pose of an evaluated object, read from the one that the person edits."""
        obj = evaluated.original
        keyed = _is_keyed(obj)
        rows = () if keyed else tuple(x for row in obj.matrix_basis for x in row)
        settings = zlib.crc32(repr([*_settings(obj)]).encode())
        if keyed:
            settings = _keys(obj, settings)
        return cls(rows, _shape(obj), settings, obj.session_uid, evaluated.matrix_world.copy())


class PhysicsPoses(dict[str, PhysicsPose]):
    """The pose of every object of a scene by its name, and ``world``, a digest of its settings."""

    def __init__(self, scene: Any, depsgraph: Any) -> None:
        super().__init__(
            (obj.name, PhysicsPose.of(obj.evaluated_get(depsgraph))) for obj in scene.objects
        )
        self.world = world_of(scene)


def world_of(scene: Any) -> int:
    """A digest of gravity, frames, rate and the rigid-body world's own settings."""
    found = [_plain(getattr(scene, name)) for name in _OF_SCENE]
    found += [scene.render.fps, scene.render.fps_base, scene.unit_settings.scale_length]
    world = scene.rigidbody_world
    if world is not None:
        found += [getattr(world, name) for name in _OF_WORLD]
        found.append(world.point_cache.frame_start)
        # The solver's own frames follow the last one that is asked for.
    return zlib.crc32(repr(found).encode())


def _is_keyed(obj: Any) -> bool:
    data = obj.animation_data
    return data is not None and (data.action is not None or bool(data.drivers) or data.use_nla)


def _keys(obj: Any, digest: int) -> int:
    from .simulation.animation_of import curves

    for curve in curves(obj):
        points = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", points)
        digest = zlib.crc32(points.tobytes(), zlib.crc32(curve.data_path.encode(), digest))
    return digest


def _shape(obj: Any) -> int:
    mesh = obj.data if obj.type == "MESH" else None
    if mesh is None:
        return 0
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    return zlib.crc32(points.tobytes())


def _settings(obj: Any) -> Iterator[Any]:
    """All settings of an object's physics, as plain values."""
    for part in (obj.rigid_body, obj.rigid_body_constraint, obj.field):
        yield _values(part)
    for modifier in obj.modifiers:
        yield modifier.type, modifier.show_viewport
        for name in _SETTINGS_OF.get(modifier.type, ()):
            yield _values(getattr(modifier, name, None))
    yield obj.hide_render, obj.parent.name if obj.parent is not None else ""


def _values(struct: Any) -> list[Any]:
    """The plain settings of a part of Blender's data; what it points to by name."""
    if struct is None:
        return []
    found = []
    for prop in struct.bl_rna.properties:
        if prop.identifier in ("rna_type", "effector_weights", "point_cache", "name"):
            continue
        if prop.type == "COLLECTION" or (prop.is_readonly and prop.type != "POINTER"):
            continue
        value: Any = getattr(struct, prop.identifier, None)
        found.append(value.name if hasattr(value, "name") else _plain(value))
    return found


def _plain(value: Any) -> Any:
    """Vectors and flags as tuples; what has no plain form by its type alone."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    try:
        return tuple(value)
    except TypeError:
        return type(value).__name__
