# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page of the preferences can do by itself."""

from typing import Any

import bpy

from ..addon.session import isolation


class PLUMBLINE_OT_try_isolation(bpy.types.Operator):
    """Try what programs of models can be locked into on this machine; takes a moment"""

    bl_idname = "plumbline.try_isolation"
    bl_label = "Find Out"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Try it; the answer stands on the page."""
        isolation.find_out(_show)
        return {"FINISHED"}


def _show(_offer: isolation.Offer) -> None:
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "PREFERENCES":
                area.tag_redraw()


CLASSES = (PLUMBLINE_OT_try_isolation,)
