# SPDX-License-Identifier: GPL-3.0-or-later
"""The tie moves away from its rafters."""

import bpy


def change(value):
    """There are ``value`` m of air between the tie and its rafters."""
    bpy.data.objects["CollarTie_3"].location.x -= value
