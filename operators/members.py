# SPDX-License-Identifier: GPL-3.0-or-later
"""Timber's building aid: a member where it belongs, and a row of copies."""

from typing import Any

import bpy
import numpy as np

from ..addon.scene import member_maker
from ..addon.scene.member_boxes import FLAT_ROLES, Box, MemberError, along, between, row, section
from ..addon.scene.members import unit_scale
from ..addon.session.member_choice import (
    MEMBER_FIELDS,
    ROW_FIELDS,
    MemberChoice,
    RowChoice,
    take_over,
)


def _direction(axis: str) -> np.ndarray:
    """Unit vector of an entry such as ``-X``."""
    return np.eye(3)["XYZ".index(axis[-1])] * (-1.0 if axis.startswith("-") else 1.0)


class _InObjectMode:
    """Needs Object Mode: new objects are made."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode."""
        if context.mode == "OBJECT":
            return True
        cls.poll_message_set("Leave Edit Mode first (Tab): members are objects of their own")
        return False


class PLUMBLINE_OT_add_member(_InObjectMode, MemberChoice, bpy.types.Operator):
    """Add a member with its dressed section, named after its role so that the checks know it"""

    bl_idname = "plumbline.add_member"
    bl_label = "Add Member"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """As the fields in the panel say; they can still be changed in the corner of the view."""
        take_over(context.window_manager.plumbline_member, self, MEMBER_FIELDS)
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Place and make it; what can't be placed is said and nothing is made."""
        try:
            box = self._box(context)
        except MemberError as error:
            self.report({"ERROR"}, f"No member was added: {error}")
            return {"CANCELLED"}
        made = member_maker.add(box, self.role, context.scene, context.collection)
        _select_only(context, made)
        self.report({"INFO"}, f"Added {made.name}")
        return {"FINISHED"}

    def _box(self, context: bpy.types.Context) -> Box:
        scene = context.scene
        unit = unit_scale(scene)
        width, depth = section(self.size, self.plies)
        flat = self.turn == "FLAT" or (self.turn == "USUAL" and self.role in FLAT_ROLES)
        at = member_maker.cursor(scene)
        if self.placing == "BETWEEN":
            chosen = context.selected_objects
            if len(chosen) != 2:
                raise MemberError(f"select two members, not {len(chosen)}, and try again")
            return between(*member_maker.boxes_of(chosen, scene), at, width, depth, flat)
        if self.placing == "POINTS":
            start = np.array(self.point, dtype=np.float64) * unit
            return along(start, at, width, depth, flat, self.under)
        end = at + _direction(self.axis) * self.length * unit
        return along(at, end, width, depth, flat)


class PLUMBLINE_OT_repeat_member(_InObjectMode, RowChoice, bpy.types.Operator):
    """Copy the active member in a row, so far from one middle to the next"""

    bl_idname = "plumbline.repeat_member"
    bl_label = "Repeat in a Row"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode and an active member."""
        if context.mode != "OBJECT":
            return super().poll(context)
        if context.active_object is not None and context.active_object.type == "MESH":
            return True
        cls.poll_message_set("Click the member that begins the row: it must be the active object")
        return False

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """As the fields in the panel say; they can still be changed in the corner of the view."""
        take_over(context.window_manager.plumbline_member, self, ROW_FIELDS)
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make the copies; they are selected, with the first member still active."""
        unit = unit_scale(context.scene)
        length = self.reach * unit if self.extent == "LENGTH" else None
        try:
            places = row(self.spacing * unit, self.count, length)
        except MemberError as error:
            self.report({"ERROR"}, f"No row was made: {error}")
            return {"CANCELLED"}
        first = context.active_object
        offsets = [_direction(self.row_axis) * place for place in places]
        made = member_maker.repeat(first, offsets, context.scene)
        for obj in made:
            obj.select_set(True)
        self.report({"INFO"}, f"Added {made[0].name} to {made[-1].name}")
        return {"FINISHED"}


class PLUMBLINE_OT_note_point(bpy.types.Operator):
    """Remember where the 3D cursor is as the point where the next member begins"""

    bl_idname = "plumbline.note_point"
    bl_label = "Note the Cursor as Start"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Note it in the panel's field."""
        context.window_manager.plumbline_member.point = context.scene.cursor.location
        return {"FINISHED"}


def _select_only(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    for other in context.selected_objects:
        other.select_set(False)
    if obj.name in context.view_layer.objects:
        obj.select_set(True)
        context.view_layer.objects.active = obj


CLASSES = (PLUMBLINE_OT_add_member, PLUMBLINE_OT_repeat_member, PLUMBLINE_OT_note_point)
