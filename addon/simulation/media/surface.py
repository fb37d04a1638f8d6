# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluated surfaces in the world, SI: points, triangles, weights of vertex groups."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Bools, Floats, Ints, edges_of


def mesh_of(evaluated: bpy.types.Object) -> bpy.types.Mesh | None:
    """The evaluated mesh of an object, also of a curve; ``None`` where it has no surface."""
    if evaluated.type == "MESH":
        return evaluated.data
    try:
        return evaluated.to_mesh()
    except RuntimeError:  # lattices, empties and so on
        return None


def points_of(mesh: bpy.types.Mesh) -> Floats:
    """Vertices in the object's own axes, (v, 3), in the scene's units."""
    flat = np.empty(3 * len(mesh.vertices), np.float32)
    position: Any = mesh.attributes.get("position")
    if position is not None and len(position.data) == len(mesh.vertices):
        position.data.foreach_get("vector", flat)
    else:
        mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def placed(points: Floats, matrix: Any, scale: float) -> Floats:
    """Points (v, 3) of an object with a world matrix, in the world, m."""
    whole = np.array(matrix, np.float64)
    world: Floats = (points @ whole[:3, :3].T + whole[:3, 3]) * scale
    return world


def own_axes(world: Floats, matrix: Any, scale: float) -> Floats:
    """World points, m, in the axes of the pose of a world matrix: its place and its turn."""
    location, turn, _ = matrix.decompose()
    rotation = np.array(turn.to_matrix(), np.float64)
    local: Floats = (world - np.array(location, np.float64) * scale) @ rotation
    return local


def triangles_of(mesh: bpy.types.Mesh) -> Ints:
    """Triangles of the mesh, (t, 3)."""
    mesh.calc_loop_triangles()
    flat = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", flat)
    return flat.reshape(-1, 3).astype(np.int64)


def is_closed(triangles: Ints) -> bool:
    """Whether every edge belongs to two triangles."""
    if not len(triangles):
        return False
    every = np.concatenate((triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]))
    _, count = np.unique(np.sort(every, axis=1), axis=0, return_counts=True)
    return bool((count == 2).all())


def lengths_of(points: Floats, triangles: Ints, mesh: bpy.types.Mesh) -> Floats:
    """Lengths of the edges of the triangles, as ``edges_of`` lists them, (e,).

    0 for those that aren't edges of the mesh: across a face a woven cloth gives way freely.
    """
    edges = edges_of(triangles)
    length: Floats = np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)
    flat = np.empty(2 * len(mesh.edges), np.int32)
    mesh.edges.foreach_get("vertices", flat)
    own = np.sort(flat.reshape(-1, 2).astype(np.int64), axis=1)
    count = len(points)
    length[~np.isin(edges[:, 0] * count + edges[:, 1], own[:, 0] * count + own[:, 1])] = 0
    return length


def weights_of(obj: bpy.types.Object, mesh: bpy.types.Mesh, group: str) -> Floats:
    """Weight of every vertex of the evaluated mesh in a vertex group, (v,); 0 outside of it."""
    weights = np.zeros(len(mesh.vertices))
    found = obj.vertex_groups.get(group) if group else None
    if found is None:
        return weights
    for vertex in mesh.vertices:
        for one in vertex.groups:
            if one.group == found.index:
                weights[vertex.index] = one.weight
    return weights


def held(weights: Floats, snap: float) -> Bools:
    """Which vertices a solver holds in place: the fourth power of the weight is over ``snap``."""
    whole: Bools = weights**4 >= snap
    return whole
