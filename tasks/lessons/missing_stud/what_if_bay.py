# SPDX-License-Identifier: GPL-3.0-or-later
"""The stud slides along its plates."""

import bpy


def change(value):
    """The bay before it is ``value`` m wide on centre."""
    stud = bpy.data.objects["Stud_N_04"]
    stud.location.x = bpy.data.objects["Stud_N_03"].location.x + value
