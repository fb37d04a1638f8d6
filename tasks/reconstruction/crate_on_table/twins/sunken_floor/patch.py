# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for board in bpy.data.objects:
    if board.name.startswith("Crate_"):
        board.location.z -= 0.012
