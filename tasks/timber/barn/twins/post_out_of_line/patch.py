# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Post_M_2_Upper"].location.y += 0.050
