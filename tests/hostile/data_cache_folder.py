# SPDX-License-Identifier: GPL-3.0-or-later
# title: A simulation writes its cache to any folder
# route: point_cache.filepath
# policy: refused file
# contained: writes
# ends: finished raised
import bpy

bpy.ops.rigidbody.world_add()
cache = bpy.context.scene.rigidbody_world.point_cache
cache.use_external = True
cache.use_disk_cache = True
cache.filepath = "@OUTSIDE@/"
bpy.ops.ptcache.bake_all(bake=True)
