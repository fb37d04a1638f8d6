# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.ops.object.select_all(action="SELECT")
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
