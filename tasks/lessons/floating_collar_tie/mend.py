# SPDX-License-Identifier: GPL-3.0-or-later
"""The tie lies against its rafters again."""

import bpy

bpy.data.objects["CollarTie_3"].location.x += 0.150
