# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Rafter_S_07"].location.z += 0.070
