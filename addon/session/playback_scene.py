# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene of ours in which motions are shown: plain objects with the looks of the person's.

Nothing of the person's scene is copied but what is seen: no physics, no keys, no drivers, no
scripts. Each take has its own objects, so that several run on one timeline. Main thread only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..simulation.copying import COPY_KEY
from .motion import Floats, Show, Take

_SEEN = ("MESH", "CURVE", "SURFACE", "FONT", "META")
_BESIDE = ("CAMERA", "LIGHT", "LIGHT_PROBE")
#: Blocks and the like that are no bodies: more pieces than this are not shown.
_MOST_PIECES = 20_000


@dataclass
class Body:
    """A body of a take as it is shown: its object, its row in the motion, how it is placed.

    ``scale`` belongs to the object and isn't in the motion. A body with ``mesh`` changes its shape.
    """

    uid: int
    name: str
    row: int
    scale: Matrix
    mesh: Floats | None = None
    painted: int = -1


@dataclass
class Stage:
    """The scene that was made: its ``session_uid``, and each take's bodies and objects."""

    uid: int
    bodies: list[list[Body]] = field(default_factory=list)
    sets: list[list[int]] = field(default_factory=list)

    @property
    def scene(self) -> bpy.types.Scene | None:
        """The scene, ``None`` once it is gone."""
        return next((s for s in bpy.data.scenes if s.session_uid == self.uid), None)


@dataclass
class _Piece:
    """Something that is seen: whose it is, what it is made of, where it stands."""

    owner: str
    evaluated: Any
    source: int
    matrix: Matrix
    color: tuple[float, ...]


def build(scene: bpy.types.Scene, show: Show) -> Stage:
    """Make the scene for a show of a scene that a window shows, out of what is seen of it."""
    graph = bpy.context.evaluated_depsgraph_get()
    pieces = _pieces(scene, graph)
    made = bpy.data.scenes.new(f"Motion of {scene.name}")
    made[COPY_KEY] = True
    made.world = scene.world
    made.unit_settings.scale_length = scene.unit_settings.scale_length
    made.unit_settings.system = scene.unit_settings.system
    made.frame_start, made.frame_end = show.first, max(show.last, show.first + 1)
    made.render.fps = max(1, round(show.takes[0].motion.fps))
    made.render.fps_base = 1.0
    stage = Stage(made.session_uid)
    beside = _surroundings(scene, made)
    every = {name for take in show.takes for name in take.motion.names}
    meshes = _Meshes(graph)
    for take in show.takes:
        _build_take(made, take, pieces, every, meshes, stage)
        stage.sets[-1] += beside
    for mark in show.marks:
        made.timeline_markers.new(mark.title, frame=mark.frame)
    return stage


def _pieces(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> list[_Piece]:
    """All that is seen of the scene now, instances too."""
    found = []
    for instance in graph.object_instances:
        obj = instance.object
        if obj.type not in _SEEN or not instance.show_self:
            continue
        owner = (instance.parent or obj).original if instance.is_instance else obj.original
        if owner.type == "EMPTY" or owner.name in scene.objects:
            uid = obj.original.session_uid
            matrix, color = instance.matrix_world.copy(), tuple(owner.color)
            found.append(_Piece(owner.name, obj, uid, matrix, color))
        if len(found) >= _MOST_PIECES:
            break
    return found


class _Meshes:
    """Meshes as they are seen, one for each object whatever the number of its instances."""

    def __init__(self, graph: bpy.types.Depsgraph) -> None:
        self._graph = graph
        self._made: dict[Any, bpy.types.Mesh] = {}

    def of(self, piece: _Piece) -> bpy.types.Mesh | None:
        """The mesh of a piece, ``None`` if it has no faces or the like to show."""
        if piece.source not in self._made:
            try:
                mesh = bpy.data.meshes.new_from_object(piece.evaluated, depsgraph=self._graph)
            except RuntimeError:
                return None
            for k, slot in enumerate(piece.evaluated.material_slots):
                if slot.link == "OBJECT" and k < len(mesh.materials):
                    mesh.materials[k] = slot.material.original if slot.material else None
            self._made[piece.source] = mesh
        return self._made[piece.source]

    def of_shape(self, name: str, shape: tuple[Floats, Any]) -> bpy.types.Mesh:
        """The mesh of a body that is no object of the scene; bodies of one shape share it."""
        key = shape[0].tobytes(), shape[1].tobytes()
        if key not in self._made:
            self._made[key] = _mesh_from(name, *shape)
        return self._made[key]


def _mesh_from(name: str, vertices: Floats, triangles: Any) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    mesh.update()
    return mesh


def _build_take(
    scene: bpy.types.Scene,
    take: Take,
    pieces: list[_Piece],
    every: set[str],
    meshes: _Meshes,
    stage: Stage,
) -> None:
    """The objects of one take: what stands still as it is seen, and its bodies."""
    collection = bpy.data.collections.new(take.title)
    scene.collection.children.link(collection)
    motion = take.motion
    rows = {name: k for k, name in enumerate(motion.names)}
    bodies: list[Body] = []
    uids: list[int] = []
    shown: set[str] = set()
    replaced = set(motion.replaces)

    def add(name: str, mesh: bpy.types.Mesh, matrix: Matrix, color: Any) -> bpy.types.Object:
        obj = bpy.data.objects.new(name, mesh)
        obj.matrix_world, obj.color = matrix, color
        collection.objects.link(obj)
        uids.append(obj.session_uid)
        return obj

    for piece in pieces:
        if piece.owner in replaced or (piece.owner in every and piece.owner not in rows):
            continue
        deforms = piece.owner in motion.meshes
        if (deforms and piece.owner in shown) or (mesh := meshes.of(piece)) is None:
            continue
        if deforms:
            mesh = _own(mesh, piece.owner, take)
            if mesh is None:
                continue
        obj = add(piece.owner, mesh, piece.matrix, piece.color)
        if piece.owner in rows:
            shown.add(piece.owner)
            bodies.append(_body(obj, piece, rows[piece.owner], take))
    for name in motion.names:
        if name not in shown and name in motion.shapes:
            mesh = meshes.of_shape(name, motion.shapes[name])
            obj = add(name, mesh, Matrix.Identity(4), (1.0, 1.0, 1.0, 1.0))
            bodies.append(Body(obj.session_uid, name, rows[name], Matrix.Identity(4)))
    stage.bodies.append(bodies)
    stage.sets.append(uids)


def _body(obj: bpy.types.Object, piece: _Piece, row: int, take: Take) -> Body:
    motion = take.motion
    scale = Matrix.Identity(4)
    if not motion.scaled:
        scale = Matrix.Diagonal((*piece.matrix.to_scale(), 1.0))
    return Body(obj.session_uid, piece.owner, row, scale, motion.meshes.get(piece.owner))


def _own(mesh: bpy.types.Mesh, name: str, take: Take) -> bpy.types.Mesh | None:
    """A mesh of its own for what changes its shape, with as many vertices as were recorded."""
    count = take.motion.meshes[name].shape[1]
    if len(mesh.vertices) == count:
        return mesh.copy()
    if name in take.motion.shapes and len(take.motion.shapes[name][0]) == count:
        return _mesh_from(name, *take.motion.shapes[name])
    return None


def _surroundings(scene: bpy.types.Scene, made: bpy.types.Scene) -> list[int]:
    """Cameras and lights, where they are now; they share the person's settings."""
    uids = []
    for obj in scene.objects:
        if obj.type in _BESIDE and obj.data is not None and obj.visible_get():
            new = bpy.data.objects.new(obj.name, obj.data)
            new.matrix_world = obj.matrix_world.copy()
            made.collection.objects.link(new)
            uids.append(new.session_uid)
            if obj == scene.camera:
                made.camera = new
    return uids


def remove(scene: bpy.types.Scene) -> None:
    """Take the scene away with its objects, meshes and collections; looks and lights are shared."""
    objects = list(scene.objects)
    meshes = {obj.data for obj in objects if obj.type == "MESH"}
    collections = list(scene.collection.children_recursive)
    bpy.data.scenes.remove(scene)
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove([block for block in (*meshes, *collections) if not block.users])


def place(stage: Stage, show: Show, scene: bpy.types.Scene, tones: Mapping[str, Any]) -> None:
    """Put every body of every take where it was in the scene's present frame, in its colour.

    ``tones`` has the colours ``plain``, ``moved`` and ``fault``, linear RGBA.
    """
    frame = scene.frame_current
    objects = {obj.session_uid: obj for obj in scene.objects}
    for take, bodies in zip(show.takes, stage.bodies, strict=True):
        row = take.motion.row(frame)
        matrices = take.motion.matrices[row].tolist()
        for body in bodies:
            obj = objects.get(body.uid)
            if obj is None:
                continue
            if body.mesh is None:
                obj.matrix_world = Matrix(matrices[body.row]) @ body.scale
            else:
                _reshape(obj, body.mesh[row])
            _paint(obj, body, take, row, tones)


def _reshape(obj: bpy.types.Object, vertices: Floats) -> None:
    obj.matrix_world = Matrix.Identity(4)
    obj.data.vertices.foreach_set("co", np.ascontiguousarray(vertices, np.float32).ravel())
    obj.data.update()


def _paint(
    obj: bpy.types.Object, body: Body, take: Take, row: int, tones: Mapping[str, Any]
) -> None:
    moved = take.moved[body.row]
    tone = 1 if 0 <= moved <= row else 0
    if body.name in take.at_fault:
        tone = 2
    if tone != body.painted:
        body.painted = tone
        obj.color = tones[("plain", "moved", "fault")[tone]]
