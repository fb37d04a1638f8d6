# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Task*: load one of the buildings that come with Plumbline."""

import bpy

from ..addon import bundled
from .text import wrapped


class PLUMBLINE_PT_task(bpy.types.Panel):
    """Load a building to look at or to practise on; it opens in a scene of its own"""

    bl_idname = "PLUMBLINE_PT_task"
    bl_label = "Task"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """The building, its version, what is wrong with it, and the button."""
        layout = self.layout
        state = context.window_manager.plumbline
        trouble = bundled.trouble()
        if trouble is not None:
            wrapped(layout, context, f"No bundled task: {trouble}", icon="ERROR")
        else:
            column = layout.column(align=True)
            column.prop(state, "task", text="")
            column.prop(state, "variant", text="")
            chosen = next((v for v in bundled.variants(state.task) if v.id == state.variant), None)
            if chosen is not None:
                wrapped(layout, context, chosen.explanation)
        layout.operator("plumbline.build_task", icon="ADD")


CLASSES = (PLUMBLINE_PT_task,)
