# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of bodies in one frame: the one at fault red, what two share shining through, the rest
pale. Drawn in a scene of its own from plain data; the open scene isn't touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from .cameras import Camera, camera_for
from .fitting import Floats
from .pixels import on_colour, over, png_bytes
from .studio import PictureError, checked_size, paint, point_camera, shaded, shoot, studio

__all__ = ["SIZE", "PictureError", "render_stills"]

#: Pixels, 3:2 as the report shows its pictures.
SIZE = (600, 400)
VIEW = "front_right"
#: sRGB by what a solid is; red and green are those of the report's legend.
COLOURS = {
    "fault": (0.83, 0.10, 0.07),
    "shared": (0.55, 0.0, 0.10),
    "way": (0.95, 0.45, 0.10),
    "sound": (0.17, 0.50, 0.33),
    "rest": (0.86, 0.84, 0.80),
}
#: Brightness of a face in the shade and of one square to the light.
_SHADES, _MARKED = (0.60, 1.0), (0.76, 1.0)
#: How strongly what two share and a body's way show through what hides them.
_SHINE = 0.6
_THROUGH = ("shared", "way", "sound")
_WHITE = (1.0, 1.0, 1.0)
#: What is nearer to the camera than this share of what is framed isn't seen.
_NEAREST = 0.02


def render_stills(
    stills: Sequence[Mapping[str, Any]],
    size: Sequence[int] = SIZE,
    engine: str = "workbench",
) -> dict[str, bytes]:
    """PNG of each still by its name, as :meth:`..simulation.evidence.Still.to_plain` gives it.

    ``engine`` as for :func:`.studio.studio`. Raises :class:`PictureError` for a size that no
    picture can have and for what is no solid.
    """
    width, height = checked_size(size)
    made = {}
    for still in stills:
        with studio((width, height), engine) as scene:
            made[str(still["name"])] = _render(still, scene, (width, height))
    return made


def _render(still: Mapping[str, Any], scene: bpy.types.Scene, size: tuple[int, int]) -> bytes:
    solids = [_solid(one) for one in still["solids"]]
    framed = _points(still["framed"])
    if not len(framed) or not solids:
        raise PictureError("there is nothing to draw")
    camera = _seeing(camera_for(VIEW, framed, size), [points for _, points, _ in solids])
    objects = [(tone, _draw(tone, points, faces, scene, camera)) for tone, points, faces in solids]
    point_camera(scene, camera)
    picture = shoot(scene)
    marked = {obj for tone, obj in objects if tone in _THROUGH}
    if marked:
        _show_only(
            marked, [points for tone, points, _ in solids if tone in _THROUGH], scene, camera
        )
        picture = over(shoot(scene), picture, _SHINE)
    return png_bytes(on_colour(picture, _WHITE))


def _show_only(
    chosen: set[bpy.types.Object], points: list[Floats], scene: bpy.types.Scene, camera: Camera
) -> None:
    """Hide every other solid, and render no more of the picture than the chosen ones take."""
    for obj in scene.objects:
        obj.hide_render = obj.type == "MESH" and obj not in chosen
    every = np.concatenate(points)
    if (((every - camera.position) @ -camera.rotation[:, 2]) <= camera.near).any():
        return  # some of it is beside the eye, where nothing can be said of the picture
    seen, edge = camera.project(every), 4.0 / np.array(camera.size)
    low, high = np.clip(seen.min(0) - edge, 0, 1), np.clip(seen.max(0) + edge, 0, 1)
    render = scene.render
    render.use_border, render.use_crop_to_border = True, False
    render.border_min_x, render.border_min_y = low
    render.border_max_x, render.border_max_y = high


def _solid(given: Mapping[str, Any]) -> tuple[str, Floats, Any]:
    tone, points = str(given["tone"]), _points(given["points"])
    faces = np.asarray(given["triangles"], np.int64).reshape(-1, 3)
    if tone not in COLOURS:
        raise PictureError(f"no tone {tone!r}; there are {', '.join(COLOURS)}")
    if faces.size and (faces.min() < 0 or faces.max() >= len(points)):
        raise PictureError("a triangle names a point that there isn't")
    return tone, points, faces


def _points(given: Any) -> Floats:
    points = np.asarray(given, np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise PictureError("points are lists of three finite coordinates each")
    return points


def _draw(
    tone: str, points: Floats, faces: Any, scene: bpy.types.Scene, camera: Camera
) -> bpy.types.Object:
    """A solid as an object whose faces carry their light as colours."""
    mesh = bpy.data.meshes.new("plumbline_body")
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    normals = np.empty(3 * len(mesh.polygons), np.float32)
    mesh.polygons.foreach_get("normal", normals)
    base = np.broadcast_to(np.array(COLOURS[tone]), (len(mesh.polygons), 3))
    shades = _SHADES if tone == "rest" else _MARKED
    colours = shaded(normals.reshape(-1, 3).astype(np.float64), base, shades, camera)
    paint(mesh, np.repeat(colours, 3, axis=0))
    obj = bpy.data.objects.new("plumbline_body", mesh)
    scene.collection.objects.link(obj)
    return obj


def _seeing(camera: Camera, points: Sequence[Floats]) -> Camera:
    """The camera with the same picture, but nothing of the points cut off before or behind."""
    every = np.concatenate(points)
    depth = (every - camera.position) @ -camera.rotation[:, 2]
    ahead = depth[depth > 0]
    near = float(ahead.min()) if len(ahead) else camera.near
    return replace(
        camera,
        near=min(camera.near, max(0.9 * near, _NEAREST * camera.near)),
        far=max(camera.far, 1.1 * float(depth.max())),
    )
