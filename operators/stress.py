# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving the stress of the blocks of a scene, and taking what was found out of sight."""

from typing import Any

import bpy

from ..addon.session import block_choices, blocks_now, stress


class PLUMBLINE_OT_solve_stress(bpy.types.Operator):
    """Work out the stress of these blocks and show it as a heat map; the scene stays as it is"""

    bl_idname = "plumbline.solve_stress"
    bl_label = "Solve Stress"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks, and no solver at work."""
        now = blocks_now.of(context.scene)
        why = None
        if now is None or not len(now.structure):
            why = blocks_now.trouble(context.scene) or "There are no blocks in this scene"
        elif stress.at_work(context.scene) is not None:
            why = "The stress is being solved: wait for it or cancel it"
        if why is not None:
            cls.poll_message_set(why)
        return why is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start it."""
        state = block_choices.stress_of(context)
        try:
            stress.solve(context.scene, state.method, state.reference)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_clear_stress(bpy.types.Operator):
    """Forget the stress that was found for this scene, and take its colours away"""

    bl_idname = "plumbline.clear_stress"
    bl_label = "Clear Stress"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs something that was found."""
        if stress.of(context.scene) is not None or stress.trouble(context.scene):
            return True
        cls.poll_message_set("No stress was solved for this scene yet")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Forget it."""
        stress.forget(context.scene)
        stress.redraw()
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_solve_stress, PLUMBLINE_OT_clear_stress)
