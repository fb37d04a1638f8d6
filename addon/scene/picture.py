# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of members or blocks, the failing ones in colour, rendered in a scene of their own.

What fails shines through what stands before them, weaker than where they are seen. The open
scene isn't touched: everything is made in a temporary scene and removed afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Vector

from ...checks.timber.structure import TimberStructure
from ...checks.voxel.cells import block_name
from ...checks.voxel.structure import VoxelStructure
from .block_faces import BlockFaces, corners_of_blocks, material_colours
from .build import scene_from_structure
from .cameras import VIEWS, Camera, camera_for
from .fitting import BOX_NORMALS, Floats
from .pixels import Pixels, draw_ring, on_colour, over, write_png
from .plain import Standing
from .studio import PictureError, checked_size, paint, point_camera, shaded, shoot, studio

__all__ = ["PictureError", "corners_of", "render"]

Colour = Sequence[float]

#: Members without a colour of their own: pale wood, sRGB.
REST: Colour = (0.89, 0.82, 0.71)
#: Overlaps of clashing members.
SOLID: Colour = (0.85, 0.02, 0.05)
#: Background where none is asked for.
WHITE = (1.0, 1.0, 1.0)
#: How strongly coloured members show through what hides them.
SHINE = 0.6
#: Brightness of a face in the shade and of one square to the light: wood, then marked members.
SHADES, MARKED_SHADES = (0.58, 1.0), (0.80, 1.0)
#: The same for blocks without a colour of their own, and how much paler than life these are.
BLOCK_SHADES, PALE = (0.66, 1.0), 0.55
#: How far the farthest wood fades into the background.
HAZE = 0.45
#: A solid smaller than this in the picture gets a ring round it, pixels.
TINY = 24.0


def render(
    structure: Standing,
    out: str | Path,
    view: str = "front_right",
    size: Sequence[int] = (1200, 800),
    colours: Mapping[str, Colour] | None = None,
    solids: Sequence[Sequence[Sequence[float]]] = (),
    background: Colour | None = WHITE,
    engine: str = "workbench",
) -> Path:
    """Render members or blocks to a PNG and return its path.

    ``view`` is one of :data:`.cameras.VIEWS`; ``colours`` maps names of members or blocks to RGBA
    in 0..1 (sRGB, as written in style sheets), all others are pale; ``solids`` are point sets, m,
    whose convex hulls are drawn red; ``background`` is an RGB, or ``None`` for a transparent one.
    ``engine`` as for :func:`.studio.studio`. Raises :class:`PictureError`.
    """
    width, height = checked_size(size)
    if view not in VIEWS:
        raise PictureError(f"no view {view!r}; there are {', '.join(VIEWS)}")
    if not len(structure):
        what = "blocks" if isinstance(structure, VoxelStructure) else "members"
        raise PictureError(f"there are no {what} to draw")
    camera = camera_for(view, corners_of(structure), (width, height))
    colours = colours or {}
    with studio((width, height), engine) as scene:
        point_camera(scene, camera)
        if isinstance(structure, VoxelStructure):
            marked = _draw_blocks(structure, colours, scene, camera)
        else:
            marked = _draw_members(structure, colours, scene, camera)
        marked += [_draw_hull(points, scene, camera) for points in solids]
        picture = shoot(scene)
        if marked:
            _show_only(marked, scene, camera)
            picture = over(shoot(scene), picture, SHINE)
    for points in solids:
        _ring_if_tiny(points, camera, picture)
    if background is not None:
        red, green, blue = background[:3]
        picture = on_colour(picture, (red, green, blue))
    out = Path(out)
    write_png(out, picture)
    return out


def corners_of(structure: Standing) -> Floats:
    """Points (m, 3), m, that a picture of all of it is framed on."""
    if isinstance(structure, VoxelStructure):
        return corners_of_blocks(structure)
    return structure.corners.reshape(-1, 3)


def _draw_blocks(
    structure: VoxelStructure,
    colours: Mapping[str, Colour],
    scene: bpy.types.Scene,
    camera: Camera,
) -> list[bpy.types.Object]:
    """Draw all blocks; the object that holds those with a colour of their own, if there are any."""
    base = PALE + (1.0 - PALE) * material_colours(structure)
    marked = np.zeros(len(structure), dtype=bool)
    if colours:
        for row, cell in enumerate(structure.positions):
            own = colours.get(block_name(cell))
            if own is not None:
                base[row], marked[row] = own[:3], True
    made = []
    for chosen, shades in ((~marked, BLOCK_SHADES), (marked, MARKED_SHADES)):
        rows = np.flatnonzero(chosen)
        if len(rows):
            faces = BlockFaces.draw(structure, rows, scene)
            faces.colour(base, shades, camera)
            made.append(faces.obj)
    return made[-1:] if marked.any() else []


def _draw_members(
    structure: TimberStructure,
    colours: Mapping[str, Colour],
    scene: bpy.types.Scene,
    camera: Camera,
) -> list[bpy.types.Object]:
    """Draw all members; the objects of those with a colour of their own."""
    collection = scene_from_structure(structure, "plumbline_members", scene)
    members = dict(zip(structure.names, collection.objects, strict=True))
    marked = np.array([name in colours for name in structure.names])
    base = np.array([tuple(colours.get(name, REST)[:3]) for name in structure.names])
    # Far wood fades, so that one sees what stands in front; marked members never do.
    depth = (structure.center - camera.position) @ -camera.rotation[:, 2]
    haze = HAZE * (depth - depth.min()) / max(float(np.ptp(depth)), 1e-9)
    haze[marked] = 0.0
    normals = np.einsum("fk,nkj->nfj", BOX_NORMALS, structure.axes)  # (n, 6, 3)
    faces = np.empty((len(structure), 6, 4))
    for chosen, shades in ((~marked, SHADES), (marked, MARKED_SHADES)):
        colour = np.repeat(base[chosen], 6, axis=0)
        faces[chosen] = shaded(normals[chosen].reshape(-1, 3), colour, shades, camera).reshape(
            -1, 6, 4
        )
    faces[..., :3] += haze[:, None, None] * (1.0 - faces[..., :3])
    for obj, colour in zip(members.values(), np.repeat(faces, 4, axis=1), strict=True):
        paint(obj.data, colour)
    return [obj for name, obj in members.items() if name in colours]


def _draw_hull(points: Any, scene: bpy.types.Scene, camera: Camera) -> bpy.types.Object:
    """The convex hull of points, m, as a red object."""
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise PictureError("a solid is a list of points with three finite coordinates each")
    mesh = bpy.data.meshes.new("plumbline_solid")
    shape = bmesh.new()
    for point in points:
        shape.verts.new(point)
    if len(points) >= 4:
        made = bmesh.ops.convex_hull(shape, input=shape.verts)
        bmesh.ops.delete(shape, geom=made["geom_interior"], context="VERTS")
    shape.normal_update()
    shape.to_mesh(mesh)
    shape.free()
    normals = np.array([f.normal for f in mesh.polygons for _ in f.loop_indices]).reshape(-1, 3)
    base = np.broadcast_to(np.array(SOLID), normals.shape)
    paint(mesh, shaded(normals, base, MARKED_SHADES, camera))
    obj = bpy.data.objects.new("plumbline_solid", mesh)
    scene.collection.objects.link(obj)
    return obj


def _show_only(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene, camera: Camera) -> None:
    """Hide every other mesh, and render no more of the picture than these objects take."""
    chosen = set(objects)
    for obj in scene.objects:
        obj.hide_render = obj.type == "MESH" and obj not in chosen
    corners = [np.array(obj.matrix_basis @ Vector(c)) for obj in objects for c in obj.bound_box]
    seen = camera.project(np.array(corners))
    edge = 4.0 / np.array(camera.size)  # outlines reach beyond
    low, high = np.clip(seen.min(axis=0) - edge, 0, 1), np.clip(seen.max(axis=0) + edge, 0, 1)
    render = scene.render
    render.use_border, render.use_crop_to_border = True, False
    render.border_min_x, render.border_min_y = low
    render.border_max_x, render.border_max_y = high


def _ring_if_tiny(points: Any, camera: Camera, picture: Pixels) -> None:
    """A ring round an overlap that is but a few pixels large, so that it is seen at all."""
    seen = camera.project(np.asarray(points, dtype=np.float64)) * np.array(camera.size)
    if float(np.ptp(seen, axis=0).max()) < TINY:
        column, row = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
        draw_ring(picture, (column, camera.size[1] - row), TINY * 0.75, 2.5, tuple(SOLID))
