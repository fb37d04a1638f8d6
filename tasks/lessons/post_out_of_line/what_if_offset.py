# SPDX-License-Identifier: GPL-3.0-or-later
"""The upper post moves sideways."""

import bpy


def change(value):
    """The post stands ``value`` m beside the one below it."""
    bpy.data.objects["Post_M_2_Upper"].location.y += value
