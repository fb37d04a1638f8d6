# SPDX-License-Identifier: GPL-3.0-or-later
"""How the structure is coloured in the 3D view."""

from typing import Any

import bpy

from ..addon import review
from ..addon.colouring import MODES
from ..addon.session import ghosts, texts, viewing


def _needs_review(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    if review.of(context.scene) is None:
        cls.poll_message_set("This scene was not checked yet: press Check Scene")
        return False
    return True


class PLUMBLINE_OT_cycle_colours(bpy.types.Operator):
    """Colour the members by the next thing: chosen finding, verdict, check, role, margin"""

    bl_idname = "plumbline.cycle_colours"
    bl_label = "Next Colours"
    bl_description = __doc__

    step: bpy.props.IntProperty(
        name="Step", description="1 is the next mode, -1 the previous", default=1
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a checked scene."""
        return _needs_review(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Step round the modes."""
        state = viewing.state_of(context)
        place = MODES.index(state.mode)
        state.mode = MODES[(place + self.step) % len(MODES)]
        return {"FINISHED"}


class PLUMBLINE_OT_isolate_finding(bpy.types.Operator):
    """Fade everything but the members of the chosen finding; again brings it back"""

    bl_idname = "plumbline.isolate_finding"
    bl_label = "Isolate Finding"
    bl_description = __doc__

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a chosen finding."""
        if not _needs_review(cls, context):
            return False
        if review.of(context.scene).chosen is None:
            cls.poll_message_set("Choose a finding in the list first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Turn it on or off."""
        state = viewing.state_of(context)
        state.isolate = not state.isolate
        return {"FINISHED"}


class PLUMBLINE_OT_margin_of(bpy.types.Operator):
    """Show the margins of this check as a heat map"""

    bl_idname = "plumbline.margin_of"
    bl_label = "Margins of a Check"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    check: bpy.props.StringProperty(
        name="Check", description="Id of the check; empty shows the worst of all"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a checked scene."""
        return _needs_review(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Choose the check."""
        viewing.state_of(context).check = self.check
        return {"FINISHED"}


class PLUMBLINE_OT_list_differences(bpy.types.Operator):
    """List in a Text Editor what differs from the target, member by member, with the way back"""

    bl_idname = "plumbline.list_differences"
    bl_label = "List What Differs"
    bl_description = __doc__

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a comparison that may be seen."""
        if not _needs_review(cls, context):
            return False
        why = ghosts.withheld(context)
        known = ghosts.of(review.of(context.scene))
        if why is None and (known is None or not known.findings):
            why = "Nothing is known to differ: turn on Ghosts of the target first"
        if why is not None:
            cls.poll_message_set(why)
        return why is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Write the list and show it."""
        found = review.of(context.scene)
        name = f"{context.scene.name}: differences"
        text = texts.put(f"differences/{found.serial}", name, ghosts.listing(ghosts.of(found)))
        if not texts.show(context, text):
            self.report({"INFO"}, f"{text.name} lies among the texts")
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_cycle_colours,
    PLUMBLINE_OT_isolate_finding,
    PLUMBLINE_OT_margin_of,
    PLUMBLINE_OT_list_differences,
)
