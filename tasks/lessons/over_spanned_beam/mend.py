# SPDX-License-Identifier: GPL-3.0-or-later
"""The second post under the back beam, like the one under the front beam."""

import bpy

model = bpy.data.objects["Post_S_2"]
post = model.copy()
post.data = model.data.copy()
post.name = "Post_N_2"
post.location.y += 3.603
bpy.context.scene.collection.objects.link(post)
