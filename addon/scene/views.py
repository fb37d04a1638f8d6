# SPDX-License-Identifier: GPL-3.0-or-later
"""The canonical views of a structure, plain, for models to see and for the metric S to compare.

S compares colours, so that the look is part of the metric: all members have one colour, lit from
the camera's shoulder, on nothing (alpha 0). The colour is chosen so that a pixel that only one of
two structures covers costs at least the 0.1 at which S reaches nought: an empty picture has S = 0
(unless all members are thinner than a pixel). Nothing of the look depends on what is shown, or a
target and a candidate would be drawn unlike. Whoever changes it counts :data:`.similarity.LOOK` up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...checks.timber.structure import TimberStructure
from ...checks.voxel.structure import VoxelStructure
from .block_faces import BlockFaces, material_colours
from .build import scene_from_structure
from .cameras import VIEWS, Camera, camera_for
from .fitting import BOX_NORMALS, Floats
from .picture import BLOCK_SHADES, corners_of
from .pixels import png_bytes
from .plain import Standing
from .studio import PictureError, checked_size, paint, point_camera, shaded, shoot, studio

__all__ = ["SIZE", "VIEWS", "PictureError", "render_views"]

#: Pixels, as published.
SIZE = (512, 512)
#: Wood, sRGB, squarely in the light.
WOOD = (0.80, 0.68, 0.54)
#: Brightness of a face in the shade and of one square to the light.
SHADES = (0.80, 1.0)
#: What is nearer to the camera than this isn't seen, m.
_NEAREST = 0.05


def render_views(
    structure: Standing,
    target_points: Floats,
    names: Sequence[str] = tuple(VIEWS),
    size: Sequence[int] = SIZE,
    engine: str = "workbench",
) -> dict[str, bytes]:
    """PNG with alpha of each named view, framed on ``target_points`` (n, 3), m.

    Members are drawn as the checks read them: as boxes, blocks in the colours of their materials.
    A structure without any gives empty pictures. ``engine`` as for :func:`.studio.studio`. Raises
    :class:`PictureError`.
    """
    width, height = checked_size(size)
    unknown = [name for name in names if name not in VIEWS]
    if unknown:
        raise PictureError(f"no view {unknown[0]!r}; there are {', '.join(VIEWS)}")
    if not len(target_points):
        raise PictureError("there is nothing to frame the views on")
    cameras = [(name, camera_for(name, target_points, (width, height))) for name in names]
    with studio((width, height), engine) as scene:
        colour = (
            _blocks(structure, scene)
            if isinstance(structure, VoxelStructure)
            else _members(structure, scene)
        )
        pictures = {}
        for name, camera in cameras:
            camera = _seeing(camera, corners_of(structure))
            colour(camera)
            point_camera(scene, camera)
            pictures[name] = png_bytes(shoot(scene))
    return pictures


def _members(structure: TimberStructure, scene: bpy.types.Scene) -> Callable[[Camera], None]:
    """Draw members; what lights them for a camera."""
    collection = scene_from_structure(structure, "plumbline_members", scene)
    meshes = [obj.data for obj in collection.objects]
    normals = np.einsum("fk,nkj->nfj", BOX_NORMALS, structure.axes).reshape(-1, 3)
    base = np.broadcast_to(np.array(WOOD), normals.shape)

    def colour(camera: Camera) -> None:
        colours = shaded(normals, base, SHADES, camera)
        for mesh, faces in zip(meshes, colours.reshape(-1, 6, 4), strict=True):
            paint(mesh, np.repeat(faces, 4, axis=0))

    return colour


def _blocks(structure: VoxelStructure, scene: bpy.types.Scene) -> Callable[[Camera], None]:
    """Draw blocks; what lights them for a camera."""
    faces = BlockFaces.draw(structure, np.arange(len(structure)), scene)
    base = material_colours(structure)
    return lambda camera: faces.colour(base, BLOCK_SHADES, camera)


def _seeing(camera: Camera, points: Floats) -> Camera:
    """The camera with the same picture, but nothing of ``points`` cut off before or behind."""
    if not len(points):
        return camera
    depth = (points - camera.position) @ -camera.rotation[:, 2]
    near, far = float(depth.min()), float(depth.max())
    if camera.ortho_scale is not None and near < camera.near:
        back = camera.near - near  # parallel light: further away the picture is the same
        position = camera.position + back * camera.rotation[:, 2]
        return replace(camera, position=position, far=max(camera.far, far) + back)
    near = min(camera.near, max(0.9 * near, _NEAREST))
    return replace(camera, near=near, far=max(camera.far, 1.1 * far))
