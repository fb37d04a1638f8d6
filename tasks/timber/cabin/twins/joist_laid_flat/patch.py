# SPDX-License-Identifier: GPL-3.0-or-later
import math

import bpy

joist = bpy.data.objects["Joist_06"]
joist.rotation_euler.y = math.pi / 2
joist.location.z -= (0.235 - 0.038) / 2
