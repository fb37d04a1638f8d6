# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

alone = [False, True, *[False] * 18]
bpy.data.objects["Knight"].rigid_body.collision_collections = alone
