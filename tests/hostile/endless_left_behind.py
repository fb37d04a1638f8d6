# SPDX-License-Identifier: GPL-3.0-or-later
# title: Nodes that repeat without end, left for whoever reads the scene
# route: a repeat zone of geometry nodes
# policy: passes
# contained: deadline
# ends: finished raised timeout memory crashed
import bpy

bpy.ops.mesh.primitive_cube_add()
cube = bpy.context.object
cube.name = "Stud_01"
tree = bpy.data.node_groups.new("Repeat", "GeometryNodeTree")
tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
first = tree.nodes.new("GeometryNodeRepeatInput")
last = tree.nodes.new("GeometryNodeRepeatOutput")
first.pair_with_output(last)
first.inputs["Iterations"].default_value = 2_000_000_000
finer = tree.nodes.new("GeometryNodeSubdivideMesh")
tree.links.new(start.outputs[0], first.inputs["Geometry"])
tree.links.new(first.outputs["Geometry"], finer.inputs[0])
tree.links.new(finer.outputs[0], last.inputs["Geometry"])
tree.links.new(last.outputs["Geometry"], end.inputs[0])
cube.modifiers.new("Repeat", "NODES").node_group = tree
