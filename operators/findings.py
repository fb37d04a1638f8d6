# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to a finding, and choosing which findings are listed."""

from typing import Any

import bpy

from ..addon import preferences, review
from ..addon.findings import as_text
from ..addon.pictures.framing import aim_of, body_aim, radius_of
from ..addon.pictures.voxel.told import cell_of
from ..addon.scene import focus
from ..addon.session import at_frame, blind, sitting
from ..checks.voxel.cells import to_blender
from ..checks.voxel.structure import VoxelStructure

# Members that take part are brought into the picture too if they are few; the hundred members that
# hang on a missing sill would only show the whole building.
_FRAMED_WITH = 3
# Round a single block that one goes to, m.
_BLOCK_RADIUS = 6.0


def _needs_findings(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    found = review.of(context.scene)
    if found is None:
        cls.poll_message_set("This scene was not checked yet: press Check Scene")
    elif not len(found.table):
        cls.poll_message_set("The check found nothing at fault")
    elif blind.hidden(context):
        cls.poll_message_set(blind.NOTE)
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
    stay: bpy.props.BoolProperty(
        name="Stay",
        description="Leave the view as it is: the person points at the place already",
        default=False,
        options={"SKIP_SAVE", "HIDDEN"},
    )

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
        if self.stay:
            found.active = self.row
            sitting.shown(found)
        else:
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
        """What the button with this step does, and which key does the same."""
        which, key = ("next", "Page Down") if properties.step > 0 else ("previous", "Page Up")
        return (
            f"Go to the {which} finding in the list. Key: {key}, with the pointer over the 3D "
            "view; another one can be chosen in Preferences > Keymap > 3D View"
        )

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


class PLUMBLINE_OT_show_member(bpy.types.Operator):
    """Go to this member: select it, unhide it, and aim the view at it"""

    bl_idname = "plumbline.show_member"
    bl_label = "Show Member"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    member: bpy.props.StringProperty(name="Member", description="Name of the member")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a checked scene and Object Mode."""
        return _needs_findings(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Go there; the chosen finding stays chosen."""
        found = review.of(context.scene)
        cell = cell_of(self.member)
        if isinstance(found.structure, VoxelStructure) and cell is not None:
            place = to_blender(cell)[0].tolist()
            notes = focus.go_to_blocks(context, found.structure, place, _BLOCK_RADIUS)
        else:
            notes = focus.go_to(context, found.structure, [self.member], poses=found.poses)
        _told(self, found, notes)
        return {"FINISHED"}


class PLUMBLINE_OT_copy_finding(bpy.types.Operator):
    """Copy the chosen finding as text to the clipboard: to paste it into a message or a report"""

    bl_idname = "plumbline.copy_finding"
    bl_label = "Copy Finding"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a chosen finding that may be seen."""
        found = review.of(context.scene)
        if found is not None and found.chosen is not None and not blind.hidden(context):
            return True
        cls.poll_message_set("Choose a finding in the list first")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Copy it."""
        finding = review.of(context.scene).chosen
        units = preferences.look(context).units
        context.window_manager.clipboard = as_text(finding, units)
        self.report({"INFO"}, f"Copied: {finding.subject}")
        return {"FINISHED"}


class PLUMBLINE_OT_filter_role(bpy.types.Operator):
    """List only findings about members of this role; press again to list all"""

    bl_idname = "plumbline.filter_role"
    bl_label = "List Only This Role"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    role: bpy.props.StringProperty(name="Role", description="Role of the members; empty lists all")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set the filter, or take it away."""
        state = context.window_manager.plumbline
        state.filter_role = "" if state.filter_role == self.role else self.role
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
    sitting.shown(found)
    finding = found.table.findings[row]
    if isinstance(found.structure, VoxelStructure):
        aim = aim_of(finding, found.structure)
        place, radius = aim if aim is not None else (finding.location, None)
        _told(operator, found, focus.go_to_blocks(context, found.structure, place, radius or 4.0))
        return
    members = [finding.subject] if finding.subject_kind == "member" else []
    if found.in_motion:
        _go_in_motion(operator, found, members, context)
        return
    company = finding.related if len(finding.related) <= _FRAMED_WITH else ()
    radius = radius_of(finding)
    notes = focus.go_to(
        context, found.structure, members, company, finding.location, radius, found.poses
    )
    _told(operator, found, notes)


def _go_in_motion(
    operator: bpy.types.Operator,
    found: review.Review,
    members: list[str],
    context: bpy.types.Context,
) -> None:
    """Go to the frame of the chosen finding and aim the view at its body there."""
    finding = found.chosen
    notes = []
    if finding.frame is not None:
        notes = at_frame.go_to(found, context.scene, finding.frame)
    place, radius = body_aim(finding, found.structure)
    notes += focus.go_to(context, found.structure, members, (), place, radius, found.poses)
    _told(operator, found, notes)


def _told(operator: bpy.types.Operator, found: review.Review, notes: list[str]) -> None:
    """Say what was in the way. A click on the list reaches us through a property, where reports go
    to the console only: the panel says it too."""
    found.told = tuple(notes)
    if notes:
        operator.report({"INFO"}, "; ".join(notes))


CLASSES = (
    PLUMBLINE_OT_show_finding,
    PLUMBLINE_OT_step_finding,
    PLUMBLINE_OT_show_member,
    PLUMBLINE_OT_copy_finding,
    PLUMBLINE_OT_filter_check,
    PLUMBLINE_OT_filter_role,
)
