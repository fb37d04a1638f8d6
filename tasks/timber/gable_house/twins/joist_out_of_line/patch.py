# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Joist_S_08"].location.x += 0.150
