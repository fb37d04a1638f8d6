# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["TopPlate_W_Upper"].location.y += 0.060
