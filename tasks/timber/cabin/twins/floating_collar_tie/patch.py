# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["CollarTie_3"].location.x -= 0.150
