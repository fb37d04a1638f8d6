# SPDX-License-Identifier: GPL-3.0-or-later
"""The joist stands on edge again."""

import bpy

joist = bpy.data.objects["Joist_06"]
joist.rotation_euler.y = 0.0
joist.location.z += (0.235 - 0.038) / 2
