# SPDX-License-Identifier: GPL-3.0-or-later
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
    if obj.type == "MESH":
        data.attributes.new("role", "INT", "POINT")
    (collection or C.scene.collection).objects.link(obj)


walls = D.collections.new("Walls")
C.scene.collection.children.link(walls)
curve = data.curves.new("Path", "CURVE")
curve.splines.new("POLY").points.add(3)
link(D.objects.new("Rail", curve), walls)
ops.object.select_all(action="SELECT")
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
