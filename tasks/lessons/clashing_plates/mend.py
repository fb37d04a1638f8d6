# SPDX-License-Identifier: GPL-3.0-or-later
"""The plate ends at the back wall's plate again."""

import bpy

bpy.data.objects["TopPlate_W_Upper"].location.y -= 0.060
