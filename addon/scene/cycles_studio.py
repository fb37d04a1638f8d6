# SPDX-License-Identifier: GPL-3.0-or-later
"""Lit pictures with shadows in Cycles: on the processor alone, noise-free, the same every time.

One sun over the camera's left shoulder throws hard shadows; the light of the sky is a share of the
colour that grows with how much a face looks up. Nothing of this is drawn by lot, so that a few
samples are enough: they only smooth edges. The scene is set up once for any number of pictures.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from .cameras import Camera
from .fitting import Floats
from .pixels import Pixels
from .studio import (
    COLOURS,
    LIGHT,
    PictureError,
    checked_size,
    paint,
    point_camera,
    rendered,
    set_up_render,
    temporary_scene,
)

#: Samples a pixel; they smooth edges, the light itself has no noise.
SAMPLES = 4
#: Share of a colour that the sun adds to a face square to it, and that the sky adds to a face that
#: looks down and to one that looks up (linear).
SUN, SKY = 0.70, (0.28, 0.42)

Faces = Sequence[Sequence[int]]


class CyclesStudio:
    """A scene for pictures of one size; :meth:`show` sets what they show, :meth:`shoot` takes one.

    Made by :func:`cycles_studio`.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._scene = scene
        self._shown: bpy.types.Object | None = None
        self._material = _painted_material()
        sun = bpy.data.lights.new("plumbline_sun", "SUN")
        sun.energy, sun.angle = np.pi * SUN, 0.0
        self._sun = bpy.data.objects.new("plumbline_sun", sun)
        scene.collection.objects.link(self._sun)

    def show(self, vertices: Floats, faces: Faces, colours: Floats) -> None:
        """Show these faces and nothing else: ``vertices`` (n, 3), m, and an sRGB colour a face."""
        self._clear()
        mesh = bpy.data.meshes.new("plumbline_shown")
        mesh.from_pydata(vertices.tolist(), [], [tuple(face) for face in faces])
        corners = np.repeat(_linear(np.asarray(colours, float)), [len(f) for f in faces], axis=0)
        paint(mesh, np.column_stack([corners, np.ones(len(corners))]))
        mesh.materials.append(self._material)
        self._shown = bpy.data.objects.new("plumbline_shown", mesh)
        self._scene.collection.objects.link(self._shown)

    def shoot(self, camera: Camera) -> Pixels:
        """A picture of what is shown. Raises :class:`PictureError`."""
        towards = camera.rotation @ (LIGHT / np.linalg.norm(LIGHT))
        self._sun.matrix_world = Matrix(_with_z(towards).tolist()).to_4x4()
        point_camera(self._scene, camera)
        eye = self._scene.camera
        try:
            return rendered(self._scene)
        finally:
            data = eye.data
            bpy.data.objects.remove(eye)
            bpy.data.cameras.remove(data)

    def _clear(self) -> None:
        if self._shown is not None:
            mesh = self._shown.data
            bpy.data.objects.remove(self._shown)
            bpy.data.meshes.remove(mesh)
            self._shown = None


@contextlib.contextmanager
def cycles_studio(size: Sequence[int], samples: int = SAMPLES) -> Iterator[CyclesStudio]:
    """A studio for pictures of ``size`` pixels; nothing of it stays behind.

    Raises :class:`PictureError` for a size that no picture can have, and where Cycles is missing.
    """
    width, height = checked_size(size)
    with temporary_scene() as scene:
        set_up_render(scene, (width, height))
        try:
            scene.render.engine = "CYCLES"
        except TypeError:
            raise PictureError(
                "this Blender has no Cycles: enable the add-on Cycles Render Engine"
            ) from None
        _make_repeatable(scene, samples)
        yield CyclesStudio(scene)


def _make_repeatable(scene: bpy.types.Scene, samples: int) -> None:
    scene.render.dither_intensity = 0.0
    scene.render.use_persistent_data = False  # what is shown changes, and memory stays flat
    cycles: Any = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.use_adaptive_sampling = samples, False
    cycles.seed, cycles.use_animated_seed = 0, False
    cycles.sampling_pattern = "TABULATED_SOBOL"
    cycles.use_denoising = False
    cycles.max_bounces = cycles.transparent_max_bounces = 0
    cycles.caustics_reflective = cycles.caustics_refractive = False


def _painted_material() -> bpy.types.Material:
    """The colours of the mesh, lit by the sun, and by a sky that needs no rays."""
    material = bpy.data.materials.new("plumbline_painted")
    material.use_nodes = True
    material.cycles.emission_sampling = "NONE"
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    colour = nodes.new("ShaderNodeAttribute")
    colour.attribute_name = COLOURS
    geometry = nodes.new("ShaderNodeNewGeometry")
    height = nodes.new("ShaderNodeSeparateXYZ")
    sky = nodes.new("ShaderNodeMapRange")
    seen = nodes.new("ShaderNodeMath")
    seen.operation = "MULTIPLY"
    rays = nodes.new("ShaderNodeLightPath")
    for name, value in zip(
        ("From Min", "From Max", "To Min", "To Max"), (-1, 1, *SKY), strict=True
    ):
        sky.inputs[name].default_value = value
    diffuse = nodes.new("ShaderNodeBsdfDiffuse")
    emission = nodes.new("ShaderNodeEmission")
    both = nodes.new("ShaderNodeAddShader")
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(geometry.outputs["Normal"], height.inputs[0])
    links.new(height.outputs["Z"], sky.inputs["Value"])
    links.new(sky.outputs["Result"], seen.inputs[0])
    links.new(rays.outputs["Is Camera Ray"], seen.inputs[1])  # it lights nothing else
    links.new(seen.outputs[0], emission.inputs["Strength"])
    links.new(colour.outputs["Color"], emission.inputs["Color"])
    links.new(colour.outputs["Color"], diffuse.inputs["Color"])
    links.new(diffuse.outputs[0], both.inputs[0])
    links.new(emission.outputs[0], both.inputs[1])
    links.new(both.outputs[0], output.inputs["Surface"])
    return material


def _linear(srgb: Floats) -> Floats:
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _with_z(axis: Floats) -> Floats:
    """A rotation (3, 3) whose third column is ``axis``."""
    side = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    side /= np.linalg.norm(side)
    return np.stack([np.cross(side, axis), side, axis], axis=1)
