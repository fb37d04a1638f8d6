# SPDX-License-Identifier: GPL-3.0-or-later
import math

import bpy

header = bpy.data.objects["Header_N_01"]
header.rotation_euler.x = math.pi / 2
header.location.z -= (0.184 - 0.089) / 2
