# SPDX-License-Identifier: GPL-3.0-or-later
# title: A handler runs when the result is saved
# route: bpy.app.handlers.save_pre
# policy: refused lasting
# contained: outlives
# ends: finished raised timeout
import bpy


def later(*_):
    for _ in range(3):
        mesh = bpy.data.meshes.new("Forged")
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Stud_Forged", mesh))
    while True:
        pass


bpy.app.handlers.save_pre.append(later)
bpy.app.handlers.depsgraph_update_post.append(later)
