# SPDX-License-Identifier: GPL-3.0-or-later
"""The upper post stands on the lower one again."""

import bpy

bpy.data.objects["Post_M_2_Upper"].location.y -= 0.050
