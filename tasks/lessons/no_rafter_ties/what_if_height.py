# SPDX-License-Identifier: GPL-3.0-or-later
"""The ties go up from the feet of the rafters towards the ridge."""

import bpy


def change(value):
    """All ties but those in the gables sit ``value`` m above the plates."""
    for obj in bpy.data.objects:
        if obj.name.startswith("CeilingJoist_") and 0.1 < obj.location.x < 8.0:
            obj.location.z += value
