# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated meshes of a copy's objects; one that many objects share is read and judged once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from .surfaces import Floats, Ints, Surface, ball_radius, surface

_NONE = Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64), False, False)


@dataclass(frozen=True, eq=False)
class Read:
    """A surface in an object's own axes, without its scale."""

    surface: Surface

    def turned(self, linear: Floats) -> Surface:
        """The surface through a (3, 3) matrix: what is convex or closed stays so."""
        one = self.surface
        if not len(one.vertices):
            return one
        vertices = one.vertices @ linear.T
        mirrored = np.linalg.det(linear) < 0
        triangles = one.triangles[:, ::-1] if mirrored else one.triangles
        radius = ball_radius(vertices, triangles, one.closed) if one.radius else 0.0
        return replace(one, vertices=vertices, triangles=triangles, radius=radius)


class MeshReader:
    """Reads the objects of one depsgraph in one frame."""

    def __init__(self, graph: bpy.types.Depsgraph) -> None:
        self._graph = graph
        self._kept: dict[int, Read] = {}
        self._alike: dict[bytes, Surface] = {}

    def read(self, obj: bpy.types.Object) -> Read:
        """An object's evaluated surface; an empty one of what has none."""
        key = _shared(obj)
        if key is None:
            return Read(self._surface(obj))
        if key not in self._kept:
            self._kept[key] = Read(self._surface(obj))
        return self._kept[key]

    def _surface(self, obj: bpy.types.Object) -> Surface:
        evaluated = obj.evaluated_get(self._graph)
        if obj.type == "MESH":
            return self._surface_of(evaluated.data)
        try:
            mesh = evaluated.to_mesh()
        except RuntimeError:  # what has no surface
            return _NONE
        if mesh is None:  # what is excluded from the view layer, and was never evaluated
            return _NONE
        try:
            return self._surface_of(mesh)
        finally:
            evaluated.to_mesh_clear()

    def _surface_of(self, mesh: Any) -> Surface:
        """The surface of a mesh; many objects have equal ones without sharing them."""
        vertices, faces = positions(mesh), triangles(mesh)
        vertices[~np.isfinite(vertices)] = 0.0
        key = hashlib.blake2b(vertices.tobytes() + faces.tobytes(), digest_size=16).digest()
        if key not in self._alike:
            self._alike[key] = surface(vertices, faces)
        return self._alike[key]

    def source(self, obj: bpy.types.Object, kind: str) -> Floats:
        """Vertices (v, 3) that Blender makes a collision shape of: ``BASE`` or the evaluated ones.

        Boxes, balls and the like are made round the evaluated ones whatever ``kind`` says.
        """
        hull = obj.rigid_body.collision_shape in ("CONVEX_HULL", "MESH")
        if kind == "BASE" and hull and obj.type == "MESH":
            return positions(obj.data)
        return self.read(obj).surface.vertices


def _shared(obj: bpy.types.Object) -> int | None:
    """The mesh that an object shows unchanged, by its uid; ``None`` if it has its own form."""
    if obj.type != "MESH" or obj.modifiers or getattr(obj.data, "shape_keys", None):
        return None
    return int(obj.data.session_uid)


def positions(mesh: bpy.types.Mesh) -> Floats:
    """Vertices of a mesh, (v, 3)."""
    found = np.empty(3 * len(mesh.vertices), np.float32)
    if len(found):
        mesh.attributes["position"].data.foreach_get("vector", found)
    return found.reshape(-1, 3).astype(np.float64)


def triangles(mesh: bpy.types.Mesh) -> Ints:
    """Triangles of a mesh's faces, (t, 3)."""
    mesh.calc_loop_triangles()
    found = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", found)
    return found.reshape(-1, 3).astype(np.int64)
