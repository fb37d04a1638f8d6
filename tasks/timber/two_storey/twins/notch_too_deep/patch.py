# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Rafter_S_10"].location.z -= 0.035
