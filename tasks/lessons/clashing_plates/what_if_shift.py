# SPDX-License-Identifier: GPL-3.0-or-later
"""The plate is pushed along the wall, into the next one."""

import bpy


def change(value):
    """The plate reaches ``value`` m into the plate of the back wall."""
    bpy.data.objects["TopPlate_W_Upper"].location.y += value
