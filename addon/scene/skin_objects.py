# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a house as Blender objects: one a kind of surface, each with its material."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...tasks.houses.skin import Surface
from .gather import ROLE_PROPERTY
from .members import unit_scale

#: Colour of each kind, sRGB, and how glossy it is (roughness).
COLOURS: dict[str, tuple[tuple[float, float, float], float]] = {
    "wall": ((0.91, 0.88, 0.80), 0.80),
    "roof": ((0.42, 0.31, 0.28), 0.85),
    "trim": ((0.97, 0.97, 0.95), 0.60),
    "pane": ((0.30, 0.40, 0.48), 0.15),
    "door": ((0.38, 0.22, 0.15), 0.50),
    "foundation": ((0.60, 0.59, 0.57), 0.90),
    "frame": ((0.80, 0.68, 0.54), 0.70),
}
#: Marks objects of the skin, and names their kind: they are no members.
SKIN_PROPERTY = "plumbline_skin"


def write_skin(
    surfaces: Sequence[Surface], scene: bpy.types.Scene | None = None, name: str = "Skin"
) -> bpy.types.Collection:
    """Write a skin (:func:`..tasks.houses.skin.skin`) into ``scene`` (default: the open one).

    Returns the new collection. The reader of members takes each object for an accessory, which is
    listed and drawn, but not judged. Lengths are converted to the scene's unit.
    """
    scene = scene or bpy.context.scene
    collection = bpy.data.collections.new(name)
    unit = unit_scale(scene)
    for surface in surfaces:
        mesh = bpy.data.meshes.new(f"Skin {surface.kind}")
        mesh.from_pydata((surface.vertices / unit).tolist(), [], list(surface.faces))
        mesh.materials.append(_material(surface.kind))
        obj = bpy.data.objects.new(f"Skin {surface.kind}", mesh)
        obj[SKIN_PROPERTY] = surface.kind
        obj[ROLE_PROPERTY] = "Sheathing"  # listed, drawn, not judged
        collection.objects.link(obj)
    scene.collection.children.link(collection)
    return collection


def _material(kind: str) -> bpy.types.Material:
    """The material of a kind, made once a file."""
    name = f"Skin {kind}"
    found = bpy.data.materials.get(name)
    if found is not None:
        return found
    colour, roughness = COLOURS[kind]
    material = bpy.data.materials.new(name)
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    material.diffuse_color = (*linear, 1.0)
    material.roughness = roughness
    material.use_nodes = True
    shader = material.node_tree.nodes.get("Principled BSDF")
    if shader is not None:
        shader.inputs["Base Color"].default_value = (*linear, 1.0)
        shader.inputs["Roughness"].default_value = roughness
    return material
