# SPDX-License-Identifier: GPL-3.0-or-later
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
