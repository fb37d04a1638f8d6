# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a structure with its failing members in colour, rendered in a scene of their own.

Failing members shine through what stands before them, weaker than where they are seen. The open
scene isn't touched: everything is made in a temporary scene and removed afterwards.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...checks.timber.structure import TimberStructure
from .build import scene_from_structure
from .cameras import LENS, SENSOR, VIEWS, Camera, camera_for
from .fitting import BOX_NORMALS, Floats
from .pixels import Pixels, draw_ring, on_colour, over, shrunk, write_png

Colour = Sequence[float]

#: Members without a colour of their own: pale wood, sRGB.
REST: Colour = (0.89, 0.82, 0.71)
#: Overlaps of clashing members.
SOLID: Colour = (0.85, 0.02, 0.05)
#: Background where none is asked for.
WHITE = (1.0, 1.0, 1.0)
#: How strongly coloured members show through what hides them.
SHINE = 0.6
#: Edges between members.
OUTLINE = (0.10, 0.07, 0.05)
#: Light from the upper left behind the camera's shoulder, in the camera's axes.
LIGHT = np.array([-0.45, 0.65, 0.61])
#: Brightness of a face in the shade and of one square to the light: wood, then marked members.
SHADES, MARKED_SHADES = (0.58, 1.0), (0.80, 1.0)
#: How far the farthest wood fades into the background.
HAZE = 0.45
#: The colour attribute of meshes that are drawn.
COLOURS = "plumbline_colours"
#: A solid smaller than this in the picture gets a ring round it, pixels.
TINY = 24.0
#: Pictures are rendered so much larger and shrunk: smooth edges for a third of the time that
#: Workbench's own smoothing takes on a machine without a graphics card.
OVERSAMPLING = 2
#: Pictures that a person can still mean, pixels a side.
LARGEST = 8192


class PictureError(ValueError):
    """A picture that can't be made as asked; the message says why."""


def render(
    structure: TimberStructure,
    out: str | Path,
    view: str = "front_right",
    size: Sequence[int] = (1200, 800),
    colours: Mapping[str, Colour] | None = None,
    solids: Sequence[Sequence[Sequence[float]]] = (),
    background: Colour | None = WHITE,
    engine: str = "workbench",
) -> Path:
    """Render members to a PNG and return its path.

    ``view`` is one of :data:`.cameras.VIEWS`; ``colours`` maps member names to RGBA in 0..1 (sRGB,
    as written in style sheets); ``solids`` are point sets, m, whose convex hulls are drawn red;
    ``background`` is an RGB, or ``None`` for a transparent one. ``engine`` ``"cycles"`` draws
    without edges but on the processor alone: where there is no drawing surface Workbench ends the
    whole process. Raises :class:`PictureError`.
    """
    width, height = _checked_size(size)
    if engine not in ENGINES:
        raise PictureError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    if view not in VIEWS:
        raise PictureError(f"no view {view!r}; there are {', '.join(VIEWS)}")
    if not len(structure):
        raise PictureError("there are no members to draw")
    camera = camera_for(view, structure.corners.reshape(-1, 3), (width, height))
    colours = colours or {}
    with _studio(camera, engine) as scene:
        members = _draw_members(structure, colours, scene, camera)
        marked = [obj for name, obj in members.items() if name in colours]
        marked += [_draw_hull(points, scene, camera) for points in solids]
        picture = _shoot(scene)
        if marked:
            _show_only(marked, scene, camera)
            picture = over(_shoot(scene), picture, SHINE)
    for points in solids:
        _ring_if_tiny(points, camera, picture)
    if background is not None:
        red, green, blue = background[:3]
        picture = on_colour(picture, (red, green, blue))
    out = Path(out)
    write_png(out, picture)
    return out


def _checked_size(size: Sequence[int]) -> tuple[int, int]:
    if len(size) != 2 or not all(isinstance(n, int) and 1 <= n <= LARGEST for n in size):
        raise PictureError(f"a picture's size is two whole numbers from 1 to {LARGEST}")
    return size[0], size[1]


def _shaded(normals: Floats, base: Floats, shades: tuple[float, float], camera: Camera) -> Floats:
    """Colours (n, 4), linear RGBA, of faces with world ``normals`` (n, 3), sRGB ``base`` (n, 3)."""
    lit = np.clip(normals @ camera.rotation @ (LIGHT / np.linalg.norm(LIGHT)), -0.2, 1.0)
    dark, bright = shades
    rgb = base * (dark + (bright - dark) * (lit + 0.2) / 1.2)[:, None]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.concatenate([linear, np.ones((len(rgb), 1))], axis=1)


@contextlib.contextmanager
def _studio(camera: Camera, engine: str = "workbench") -> Iterator[bpy.types.Scene]:
    """A temporary scene with camera and light; it and all that was made in it goes away again."""
    before = _blocks()
    scene = bpy.data.scenes.new("plumbline_picture")
    try:
        scene.unit_settings.system = "METRIC"
        _set_up_render(scene, camera.size)
        ENGINES[engine](scene)
        _set_up_camera(scene, camera)
        yield scene
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.batch_remove([b for b in _all_blocks() if b.session_uid not in before])


def _all_blocks() -> Iterator[bpy.types.ID]:
    """All blocks of the kinds that a picture makes."""
    for kind in ("objects", "meshes", "cameras", "collections", "images", "materials"):
        yield from getattr(bpy.data, kind)


def _blocks() -> set[int]:
    return {block.session_uid for block in _all_blocks()}


def _set_up_render(scene: bpy.types.Scene, size: tuple[int, int]) -> None:
    render = scene.render
    render.resolution_x, render.resolution_y = (OVERSAMPLING * n for n in size)
    render.resolution_percentage = 100
    render.film_transparent = True
    render.use_file_extension = False
    render.image_settings.file_format = "PNG"
    render.image_settings.color_mode = "RGBA"
    render.image_settings.compression = 0
    render.use_compositing = render.use_sequencer = False
    scene.view_settings.view_transform = "Standard"


def _use_workbench(scene: bpy.types.Scene) -> None:
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.render_aa = "OFF"
    shading = scene.display.shading
    shading.light = "FLAT"  # faces carry their own light
    shading.color_type = "VERTEX"
    shading.show_object_outline = True
    shading.object_outline_color = OUTLINE
    shading.show_cavity = shading.show_shadows = False


def _use_cycles(scene: bpy.types.Scene) -> None:
    """The same flat colours by emission: one ray a pixel, no bounces."""
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 0
    material = bpy.data.materials.new("plumbline_flat")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    colour = nodes.new("ShaderNodeAttribute")
    colour.attribute_name = COLOURS
    emission = nodes.new("ShaderNodeEmission")
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(colour.outputs["Color"], emission.inputs["Color"])
    links.new(emission.outputs["Emission"], output.inputs["Surface"])
    scene.view_layers[0].material_override = material


ENGINES = {"workbench": _use_workbench, "cycles": _use_cycles}


def _set_up_camera(scene: bpy.types.Scene, camera: Camera) -> None:
    data = bpy.data.cameras.new("plumbline_camera")
    data.lens, data.sensor_width = LENS, SENSOR
    data.shift_x, data.shift_y = camera.shift
    data.clip_start, data.clip_end = camera.near, camera.far
    if camera.ortho_scale is not None:
        data.type, data.ortho_scale = "ORTHO", camera.ortho_scale
    obj = bpy.data.objects.new("plumbline_camera", data)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = camera.rotation, camera.position
    obj.matrix_world = Matrix(matrix.tolist())
    scene.collection.objects.link(obj)
    scene.camera = obj


def _draw_members(
    structure: TimberStructure,
    colours: Mapping[str, Colour],
    scene: bpy.types.Scene,
    camera: Camera,
) -> dict[str, bpy.types.Object]:
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
        faces[chosen] = _shaded(normals[chosen].reshape(-1, 3), colour, shades, camera).reshape(
            -1, 6, 4
        )
    faces[..., :3] += haze[:, None, None] * (1.0 - faces[..., :3])
    for obj, colour in zip(members.values(), np.repeat(faces, 4, axis=1), strict=True):
        _paint(obj.data, colour)
    return members


def _paint(mesh: bpy.types.Mesh, colours: Floats) -> None:
    """Linear RGBA (corners, 4) as the colours that Workbench shows."""
    attribute = mesh.color_attributes.new(COLOURS, "FLOAT_COLOR", "CORNER")
    attribute.data.foreach_set("color", colours.astype(np.float32).ravel())


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
    _paint(mesh, _shaded(normals, base, MARKED_SHADES, camera))
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


def _shoot(scene: bpy.types.Scene) -> Pixels:
    """Render the scene as it stands now."""
    with tempfile.TemporaryDirectory(prefix="plumbline-picture-") as folder:
        path = str(Path(folder, "shot.png"))
        scene.render.filepath = path
        try:
            bpy.ops.render.render(scene=scene.name, write_still=True)
        except RuntimeError as error:
            raise PictureError(f"Blender couldn't render: {str(error).strip()}") from None
        if not Path(path).is_file():
            raise PictureError("Blender rendered nothing: this machine offers no drawing surface")
        image = bpy.data.images.load(path)
        image.alpha_mode = "CHANNEL_PACKED"
        width, height = image.size
        flat = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(flat)
        bpy.data.images.remove(image)
    return shrunk(flat.reshape(height, width, 4)[::-1], OVERSAMPLING)
