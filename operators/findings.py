# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to a finding, and choosing which findings are listed."""

from typing import Any

import bpy

from ..addon import review
from ..addon.scene import focus

# Members that take part are brought into the picture too if they are few; the hundred members that
# hang on a missing sill would only show the whole building.
_FRAMED_WITH = 3


def _needs_findings(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    found = review.of(context.scene)
    if found is None:
        cls.poll_message_set("This scene was not checked yet: press Check Scene")
    elif not len(found.table):
        cls.poll_message_set("The check found nothing at fault")
    elif context.mode != "OBJECT":
        cls.poll_message_set("Leave Edit Mode first (Tab): members are selected in Object Mode")
    else:
        return True
    return False


class PLUMBLINE_OT_show_finding(bpy.types.Operator):
    """Select the member that is at fault, unhide it, and aim the view at it"""

    bl_idname = "plumbline.show_finding"
    bl_label = "Show Finding"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    row: bpy.props.IntProperty(name="Finding", description="Row of the finding", min=0)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs findings and Object Mode."""
        return _needs_findings(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Choose the row and go there."""
        found = review.of(context.scene)
        if self.row >= len(found.table):
            self.report({"ERROR"}, f"There is no finding {self.row + 1}; check the scene again")
            return {"CANCELLED"}
        _choose(self, self.row, context)
        return {"FINISHED"}


class PLUMBLINE_OT_step_finding(bpy.types.Operator):
    """Go to the next or the previous finding in the list"""

    bl_idname = "plumbline.step_finding"
    bl_label = "Next Finding"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    step: bpy.props.IntProperty(name="Step", description="1 is the next one, -1 the previous")

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What the button with this step does."""
        which = "next" if properties.step > 0 else "previous"
        return f"Go to the {which} finding in the list"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs findings and Object Mode."""
        return _needs_findings(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Step in the order of the list, round its ends."""
        found = review.of(context.scene)
        view = found.table.view(context.window_manager.plumbline.query())
        shown = view.shown
        if not shown:
            self.report({"WARNING"}, "No finding passes the filter")
            return {"CANCELLED"}
        if found.active in view.place:
            place = (view.place[found.active] + self.step) % len(shown)
        else:
            place = 0 if self.step > 0 else len(shown) - 1
        _choose(self, shown[place], context)
        return {"FINISHED"}


class PLUMBLINE_OT_filter_check(bpy.types.Operator):
    """List only the findings of this check; press again to list all"""

    bl_idname = "plumbline.filter_check"
    bl_label = "List Only This Check"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    check: bpy.props.StringProperty(name="Check", description="Id of the check; empty lists all")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set the filter, or take it away."""
        state = context.window_manager.plumbline
        state.filter_check = "" if state.filter_check == self.check else self.check
        return {"FINISHED"}


def _choose(operator: bpy.types.Operator, row: int, context: bpy.types.Context) -> None:
    """Make a row the chosen one and bring the person to it."""
    found = review.of(context.scene)
    found.active = row
    finding = found.table.findings[row]
    members = [finding.subject] if finding.subject_kind == "member" else []
    company = finding.related if len(finding.related) <= _FRAMED_WITH else ()
    close = "solid" in finding.detail
    notes = focus.go_to(context, found.structure, members, company, finding.location, close)
    # A click on the list reaches us through a property, where reports go to the console only: the
    # panel says it too.
    found.told = tuple(notes)
    if notes:
        operator.report({"INFO"}, "; ".join(notes))


CLASSES = (PLUMBLINE_OT_show_finding, PLUMBLINE_OT_step_finding, PLUMBLINE_OT_filter_check)
