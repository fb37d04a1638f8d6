# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene of its own to draw members in: camera, light, a shot as pixels; nothing stays behind.

Faces carry their light as colours, so that every Blender and both engines draw them alike.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from .cameras import LENS, SENSOR, Camera
from .fitting import Floats
from .pixels import Pixels, shrunk

#: Edges between members.
OUTLINE = (0.10, 0.07, 0.05)
#: Light from the upper left behind the camera's shoulder, in the camera's axes.
LIGHT = np.array([-0.45, 0.65, 0.61])
#: The colour attribute of meshes that are drawn.
COLOURS = "plumbline_colours"
#: Pictures are rendered so much larger and shrunk: smooth edges for a third of the time that
#: Workbench's own smoothing takes on a machine without a graphics card.
OVERSAMPLING = 2
#: Pictures that a person can still mean, pixels a side.
LARGEST = 8192


class PictureError(ValueError):
    """A picture that can't be made as asked; the message says why."""


def checked_size(size: Sequence[int]) -> tuple[int, int]:
    """Width and height. Raises :class:`PictureError` for what no picture can have."""
    if len(size) != 2 or not all(isinstance(n, int) and 1 <= n <= LARGEST for n in size):
        raise PictureError(f"a picture's size is two whole numbers from 1 to {LARGEST}")
    return size[0], size[1]


@contextlib.contextmanager
def studio(size: tuple[int, int], engine: str = "workbench") -> Iterator[bpy.types.Scene]:
    """A temporary scene for pictures of ``size``; it and all that was made in it goes away again.

    ``engine`` ``"cycles"`` draws without edges but on the processor alone: where there is no
    drawing surface Workbench ends the whole process. Raises :class:`PictureError` for another.
    """
    if engine not in ENGINES:
        raise PictureError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    with temporary_scene() as scene:
        set_up_render(scene, (OVERSAMPLING * size[0], OVERSAMPLING * size[1]))
        ENGINES[engine](scene)
        yield scene


@contextlib.contextmanager
def temporary_scene() -> Iterator[bpy.types.Scene]:
    """A scene in metres; it and everything that was made while it was there goes away again."""
    before = _blocks()
    scene = bpy.data.scenes.new("plumbline_picture")
    try:
        scene.unit_settings.system = "METRIC"
        yield scene
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.batch_remove([b for b in _all_blocks() if b.session_uid not in before])


def _all_blocks() -> Iterator[bpy.types.ID]:
    """All blocks of the kinds that a picture makes."""
    for kind in ("objects", "meshes", "cameras", "lights", "collections", "images", "materials"):
        yield from getattr(bpy.data, kind)


def _blocks() -> set[int]:
    return {block.session_uid for block in _all_blocks()}


def set_up_render(scene: bpy.types.Scene, size: tuple[int, int]) -> None:
    """Pictures of ``size`` pixels with alpha, in the colours that are put in."""
    render = scene.render
    render.resolution_x, render.resolution_y = size
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


#: How to draw, by name.
ENGINES = {"workbench": _use_workbench, "cycles": _use_cycles}


def point_camera(scene: bpy.types.Scene, camera: Camera) -> None:
    """Put a camera into the scene and look through it."""
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


def shaded(normals: Floats, base: Floats, shades: tuple[float, float], camera: Camera) -> Floats:
    """Colours (n, 4), linear RGBA, of faces with world ``normals`` (n, 3), sRGB ``base`` (n, 3)."""
    lit = np.clip(normals @ camera.rotation @ (LIGHT / np.linalg.norm(LIGHT)), -0.2, 1.0)
    dark, bright = shades
    rgb = base * (dark + (bright - dark) * (lit + 0.2) / 1.2)[:, None]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.concatenate([linear, np.ones((len(rgb), 1))], axis=1)


def paint(mesh: bpy.types.Mesh, colours: Floats) -> None:
    """Linear RGBA (corners, 4) as the colours that Workbench shows."""
    attribute = mesh.color_attributes.get(COLOURS)
    if attribute is None:
        attribute = mesh.color_attributes.new(COLOURS, "FLOAT_COLOR", "CORNER")
    attribute.data.foreach_set("color", colours.astype(np.float32).ravel())


def shoot(scene: bpy.types.Scene) -> Pixels:
    """Render the scene as it stands now, and shrink what :func:`studio` draws larger."""
    return shrunk(rendered(scene), OVERSAMPLING)


def rendered(scene: bpy.types.Scene) -> Pixels:
    """Render the scene as it stands now, pixel by pixel."""
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
    return flat.reshape(height, width, 4)[::-1]
