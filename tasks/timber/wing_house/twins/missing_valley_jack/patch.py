# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects.remove(bpy.data.objects["ValleyJack_S_10"])
