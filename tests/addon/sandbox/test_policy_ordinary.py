# SPDX-License-Identifier: GPL-3.0-or-later
"""What ordinary programs write is never refused."""

from __future__ import annotations

import pytest
from plumbline import tasks
from plumbline.addon.sandbox.policy import vet

CLEARING = """
import bpy
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)
for block in (bpy.data.meshes, bpy.data.materials, bpy.data.objects):
    for item in list(block):
        block.remove(item)
for name in ("meshes", "curves", "cameras"):
    for item in list(getattr(bpy.data, name)):
        getattr(bpy.data, name).remove(item)
for collection in list(bpy.data.collections):
    bpy.data.collections.remove(collection)
for o in list(bpy.data.objects):
    bpy.data.objects.remove(o, do_unlink=True)
bpy.ops.outliner.orphans_purge(do_recursive=True)
"""

PRIMITIVES = """
import bpy, math
from math import *
from mathutils import *
scene = bpy.context.scene
scene.unit_settings.system = 'METRIC'
scene.unit_settings.scale_length = 1.0
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
cube = bpy.context.active_object
cube.name = f"Sill_{1:02d}"
cube.dimensions = (4.0, 0.089, 0.038)
bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
bpy.context.view_layer.objects.active = cube
cube.select_set(True)
bpy.ops.object.origin_set(type='ORIGIN_GEOMETRY', center='BOUNDS')
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.transform.translate(value=(0, 0, 1))
bpy.ops.transform.rotate(value=radians(30), orient_axis='Y')
bpy.ops.object.mode_set(mode='OBJECT')
modifier = cube.modifiers.new("Bevel", 'BEVEL')
bpy.ops.object.modifier_apply(modifier=modifier.name)
bpy.ops.object.shade_smooth()
bpy.ops.object.camera_add(location=(10, -10, 8))
scene.camera = bpy.context.object
bpy.ops.object.light_add(type='SUN')
scene.render.filepath = "//house.png"
scene.render.engine = 'BLENDER_WORKBENCH'
bpy.context.view_layer.update()
print("built", len(bpy.data.objects), "objects")
"""

BMESH = """
import bmesh
import bpy
import numpy as np
from bpy_extras.object_utils import object_data_add

def box(name, size, location):
    mesh = bpy.data.meshes.new(name)
    bm = bmesh.new()
    try:
        bmesh.ops.create_cube(bm, size=1.0)
        bmesh.ops.scale(bm, vec=size, verts=bm.verts)
        bm.to_mesh(mesh)
    finally:
        bm.free()
    obj = bpy.data.objects.new(name, mesh)
    obj.location = location
    bpy.context.collection.objects.link(obj)
    obj["role"] = name.split("_")[0]
    return obj

points = np.linspace(0.0, 4.88, 13)
grid = np.random.default_rng(7).normal(size=(3, 3))
if np.linalg.norm(grid) > 0 and np.__version__:
    for i, x in enumerate(points):
        box("Stud_{:02d}".format(i), (0.038, 0.089, 2.4), (float(x), 0, 1.2))
deps = bpy.context.evaluated_depsgraph_get()
evaluated = bpy.data.objects["Stud_00"].evaluated_get(deps)
corners = [evaluated.matrix_world @ v.co for v in evaluated.data.vertices]
"""

CLASSES = '''
"""A house by classes; {0.__class__} in a docstring is only words."""
from __future__ import annotations
import bpy, json, random, time, itertools, functools
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import Iterable, Optional

Beam = namedtuple("Beam", "name load")

class Role(Enum):
    STUD = "Stud"

@dataclass
class Member:
    name: str
    size: tuple[float, float, float]
    load: float = 0.0
    tags: list[str] = field(default_factory=list)

    def __post_init__(self):
        self._volume = self.size[0] * self.size[1] * self.size[2]

    @property
    def volume(self) -> float:
        return self._volume

class House(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._count = defaultdict(int)
        self.__hidden = 1

    def save(self, member):
        self._count[member.name] += 1
        return self._count, self.__hidden

house = House()
start = time.time()
for name, (i, j) in zip("abc", itertools.product(range(2), repeat=2)):
    m = Member(name, (1, 2, 3), load=1.9)
    house.save(m)
    print(type(m).__name__, m.__class__.__name__, m.load, m.volume, Beam("b", 2).load)
total = functools.reduce(lambda a, b: a + b, [1, 2])
print(json.dumps({"seconds": time.time() - start, "total": total}))
_, direction = 1, None
for dir in ("x", "y"):
    print(dir, isinstance(house, dict), hasattr(house, "keys"))

def main():
    try:
        with bpy.context.temp_override(scene=bpy.context.scene):
            bpy.ops.object.select_all(action='DESELECT')
    except RuntimeError as error:
        print(f"failed: {error!r:>20}")

if __name__ == "__main__":
    main()
'''

ALIASES = """
import bpy
from bpy import context as C, data as D, ops
O = bpy.ops
data, scene = bpy.data, bpy.context.scene

def material(name, colour, alpha=1.0):
    mat = D.materials.get(name) or D.materials.new(name)
    mat.use_nodes = True
    nodes, links = mat.node_tree.nodes, mat.node_tree.links
    shader = nodes.get("Principled BSDF")
    shader.inputs["Base Color"].default_value = (*colour, alpha)
    return mat

def link(obj, collection=None):
    data = obj.data
    data.materials.append(material("Wood", (0.6, 0.4, 0.2)))
    data.attributes.new("role", 'INT', 'POINT')
    (collection or C.scene.collection).objects.link(obj)

walls = D.collections.new("Walls")
C.scene.collection.children.link(walls)
curve = data.curves.new("Path", 'CURVE')
curve.splines.new('POLY').points.add(3)
link(D.objects.new("Rail", curve), walls)
ops.object.select_all(action='SELECT')
O.mesh.primitive_cylinder_add(radius=0.1, depth=2)
add = bpy.ops.mesh.primitive_plane_add
add(size=2)
obj = C.object
obj.keyframe_insert("location", frame=1)
obj.rigid_body_constraint
for attribute in ("location", "scale"):
    print(getattr(obj, attribute))
if hasattr(bpy.types, "Scene") and bpy.app.version >= (4, 2, 0):
    layer = C.view_layer.layer_collection.children[walls.name]
    C.view_layer.active_layer_collection = layer
match obj.type:
    case "MESH" | "CURVE":
        print(obj.name)
print(isinstance(obj, bpy.types.Object), bpy.path.clean_name("a b"))
"""

BEGINNING = """
import bpy
import bmesh
import math
import os
import sys
from os import path

try:
    print(os.path.join("a", "b"), path.basename("a/b"), file=sys.stderr)
    if sys.float_info.epsilon > 1:
        sys.exit(1)
except Exception as e:
    print(f"failed: {e}")
    raise
"""

ORDINARY = {
    "beginning": BEGINNING,
    "clearing": CLEARING,
    "primitives": PRIMITIVES,
    "bmesh": BMESH,
    "classes": CLASSES,
    "aliases": ALIASES,
}


@pytest.mark.parametrize("name", ORDINARY)
def test_what_models_write_passes(name: str) -> None:
    assert vet(ORDINARY[name]) == ()


@pytest.mark.parametrize("task", tasks.select(), ids=lambda task: task.id)
def test_bundled_programs_pass(task) -> None:
    programs = {task.id: task.program()}
    programs |= {f"{task.id} [{twin.id}]": twin.program() for twin in task.twins}
    assert {name: found for name, code in programs.items() if (found := vet(code))} == {}
