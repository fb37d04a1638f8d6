# SPDX-License-Identifier: GPL-3.0-or-later
# title: Blender's own way to the network
# route: extensions.repo_sync_all
# policy: refused outside
# contained: network
# ends: finished raised timeout
import bpy

bpy.context.preferences.system.use_online_access = True
repository = bpy.context.preferences.extensions.repos.new(
    name="Evil", module="evil", remote_url="http://127.0.0.1:@PORT@/index.json"
)
repository.enabled = True
bpy.ops.extensions.repo_sync_all(use_active_only=False)
