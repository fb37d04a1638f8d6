# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks as one mesh of the faces that can be seen, for pictures: an object a block takes minutes.

Each face carries its light as a colour, and a darker rim where there are few enough, so that blocks
of one material are told apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...checks.voxel.cells import FACES, Ints, find, shift, to_blender
from ...checks.voxel.structure import VoxelStructure
from ..block_colours import colour_of
from .cameras import Camera
from .fitting import Floats
from .studio import PictureError, paint, shaded

__all__ = ["BlockFaces", "corners_of_blocks", "material_colours"]

#: Outward normals of a block's faces in Blender's axes, (6, 3), in the order of ``FACES``.
NORMALS: Floats = to_blender(FACES)
# Corners of each face from its centre, (6, 4, 3), anticlockwise seen from outside.
_SIDE = np.array([np.roll(normal, 1) for normal in NORMALS])
_UP = np.cross(NORMALS, _SIDE)
_CORNERS: Floats = 0.5 * (
    NORMALS[:, None] + np.stack([-_SIDE - _UP, _SIDE - _UP, _SIDE + _UP, _UP - _SIDE], axis=1)
)
# Share of a face's width that its rim takes, and how dark that is.
_RIM, _RIM_SHADE = 0.05, 0.66
# Beyond so many faces rims are finer than a pixel.
_MOST_RIMMED = 40_000
# A mesh of so many faces takes some GB.
_MOST = 4_000_000


def corners_of_blocks(structure: VoxelStructure) -> Floats:
    """Points (m, 3), m, in Blender's axes that span the same box as all blocks and more closely.

    All corners up to some thousands of blocks, else those of the outermost blocks.
    """
    if not len(structure):
        return np.zeros((0, 3))
    centres = to_blender(structure.positions)
    if len(centres) > 4096:
        directions = np.concatenate([np.eye(3), NORMALS, _diagonals()])
        along = centres @ directions.T
        centres = centres[np.unique([along.argmax(axis=0), along.argmin(axis=0)])]
    corners: Floats = centres[:, None] + 0.5 * _diagonals()
    return corners.reshape(-1, 3)


def _diagonals() -> Floats:
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def material_colours(structure: VoxelStructure) -> Floats:
    """sRGB of each block by its material, (n, 3)."""
    palette = np.array([colour_of(name) for name in structure.palette]).reshape(-1, 3)
    return palette[structure.material_codes]


@dataclass(frozen=True)
class BlockFaces:
    """Faces that nothing of ``structure[rows]`` covers: the ``block`` and side of each, (f,)."""

    block: Ints
    side: Ints
    obj: bpy.types.Object
    rimmed: bool

    @classmethod
    def draw(cls, structure: VoxelStructure, rows: Ints, scene: bpy.types.Scene) -> BlockFaces:
        """Put the faces of these blocks into a scene, without colour yet. Raises for too many."""
        keys = structure.keys[rows]
        near = find(keys, keys[:, None] + shift(FACES)[None, :])
        which, side = np.nonzero(near < 0)
        if len(which) > _MOST:
            raise PictureError(f"{len(which):,} faces are too many to draw, {_MOST:,} is the most")
        block = rows[which]
        centres = to_blender(structure.positions[block])
        quads = centres[:, None] + _CORNERS[side]  # (f, 4, 3)
        rimmed = len(quads) <= _MOST_RIMMED
        if rimmed:
            middle = quads.mean(axis=1, keepdims=True)
            quads = _with_rims(quads, middle + (1 - 2 * _RIM) * (quads - middle))
        obj = bpy.data.objects.new("plumbline_blocks", _mesh(quads.reshape(-1, 4, 3)))
        scene.collection.objects.link(obj)
        return cls(block, side, obj, rimmed)

    def colour(self, base: Floats, shades: tuple[float, float], camera: Camera) -> None:
        """Paint every face as lit for a camera; ``base`` (n, 3) is the sRGB of all blocks."""
        rgb = base[self.block]
        if self.rimmed:
            rims = np.repeat(_RIM_SHADE * rgb[:, None], 4, axis=1)
            rgb = np.concatenate([rgb[:, None], rims], axis=1).reshape(-1, 3)
        times = 5 if self.rimmed else 1
        lit = shaded(np.repeat(NORMALS[self.side], times, axis=0), rgb, shades, camera)
        paint(self.obj.data, np.repeat(lit, 4, axis=0))


def _with_rims(outer: Floats, inner: Floats) -> Floats:
    """The inner square and the four pieces of its rim, (f, 5, 4, 3)."""
    after_outer, after_inner = np.roll(outer, -1, axis=1), np.roll(inner, -1, axis=1)
    rims = np.stack([outer, after_outer, after_inner, inner], axis=2)  # (f, 4 sides, 4, 3)
    return np.concatenate([inner[:, None], rims], axis=1)


def _mesh(quads: Floats) -> bpy.types.Mesh:
    """A mesh of separate quads (k, 4, 3)."""
    mesh = bpy.data.meshes.new("plumbline_blocks")
    count = 4 * len(quads)
    mesh.vertices.add(count)
    mesh.loops.add(count)
    mesh.polygons.add(len(quads))
    if count:
        points = np.ascontiguousarray(quads, dtype=np.float32).ravel()
        mesh.attributes["position"].data.foreach_set("vector", points)
        mesh.loops.foreach_set("vertex_index", np.arange(count, dtype=np.int32))
        mesh.polygons.foreach_set("loop_start", np.arange(0, count, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    return mesh
