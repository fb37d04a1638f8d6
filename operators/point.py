# SPDX-License-Identifier: GPL-3.0-or-later
"""Pointing at blocks: what each is, and what the checks have found there."""

from typing import Any

import bpy

from ..addon import review
from ..addon.pictures.voxel.told import cell_of
from ..addon.session import blind, blocks_now, picking, pointing
from ..addon.session.kind_here import has_blocks


class PLUMBLINE_OT_point_at_block(bpy.types.Operator):
    """Click blocks to see what each is and what was found there; Esc ends it"""

    bl_idname = "plumbline.point_at_block"
    bl_label = "Ask a Block"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks, Object Mode and a 3D view."""
        if not has_blocks(context.scene) or blocks_now.of(context.scene) is None:
            why = blocks_now.trouble(context.scene)
            cls.poll_message_set(why or "There are no blocks in this scene")
        elif context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first (Tab): blocks are clicked in Object Mode")
        elif context.area is None or context.area.type != "VIEW_3D":
            cls.poll_message_set("Works in a 3D view: there is no block to click here")
        else:
            return True
        return False

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Wait for clicks."""
        context.window_manager.modal_handler_add(self)
        context.window.cursor_modal_set("EYEDROPPER")
        context.area.header_text_set("Click a block; again for its next finding. Esc ends it")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Let the view be turned; take clicks until the person has seen enough."""
        if event.type in {"ESC", "RIGHTMOUSE", "RET"} and event.value == "PRESS":
            self._end(context)
            return {"FINISHED"}
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            picked = picking.under_pointer(context, event.mouse_x, event.mouse_y)
            cell = cell_of(picked.member) if picked is not None else None
            if cell is None:
                return {"PASS_THROUGH"}  # the sidebar, say: it is used as ever
            self._ask(context, cell)
            return {"RUNNING_MODAL"}
        return {"PASS_THROUGH"}

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Without a pointer there is nothing to click."""
        self.report({"ERROR"}, "Press the button in a 3D view, then click a block")
        return {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender calls it off: another file, or it quits."""
        self._end(context)

    def _ask(self, context: bpy.types.Context, cell: pointing.Cell) -> None:
        """Say what the block is, and choose the next finding about it."""
        pointed = pointing.point_at(context.scene, cell)
        if pointed is None:
            self.report({"INFO"}, "There is no block any more")
            return
        context.area.header_text_set(f"{pointed.caption}. Esc ends it")
        found = review.of(context.scene)
        if found is None or blind.hidden(context):
            return
        rows = pointing.rows_about(found, cell)
        if rows and bpy.ops.plumbline.show_finding.poll():
            later = [row for row in rows if row > found.active] if found.active in rows else rows
            row = later[0] if later else rows[0]
            bpy.ops.plumbline.show_finding("EXEC_DEFAULT", True, row=row, stay=True)

    def _end(self, context: bpy.types.Context) -> None:
        context.window.cursor_modal_restore()
        if context.area is not None:
            context.area.header_text_set(None)


CLASSES = (PLUMBLINE_OT_point_at_block,)
