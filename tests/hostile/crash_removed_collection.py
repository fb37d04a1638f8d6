# SPDX-License-Identifier: GPL-3.0-or-later
# title: Objects of a collection that is gone
# route: collection.objects after remove
# policy: passes
# contained: crash
# ends: crashed finished raised
import bpy

collection = bpy.data.collections.new("Walls")
bpy.context.scene.collection.children.link(collection)
objects = collection.objects
bpy.data.collections.remove(collection)
for _ in range(100):
    bpy.data.meshes.new("m").from_pydata([(0, 0, 0)] * 1000, [], [])
print(len(objects), list(objects))
