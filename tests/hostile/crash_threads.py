# SPDX-License-Identifier: GPL-3.0-or-later
# title: Blender from four threads at once
# route: threading
# policy: refused import
# contained: crash
# ends: crashed finished raised timeout memory
import threading

import bpy


def build():
    for number in range(3000):
        mesh = bpy.data.meshes.new("m")
        mesh.from_pydata([(0, 0, number)] * 50, [], [])
        bpy.data.meshes.remove(mesh)
        bpy.context.view_layer.update()


threads = [threading.Thread(target=build) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
