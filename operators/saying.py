# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators of annotating share: a name is needed, a row is written, words are used up."""

from typing import Any

import bpy

from ..addon.annotations import row as rows
from ..addon.runs.storage import StorageError
from ..addon.session import sitting
from ..addon.session.gallery import redraw


def needs_name(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is an annotator; says so to who asks why the button is grey."""
    if sitting.name_of(context):
        return True
    cls.poll_message_set("Write your name first (Annotate > Annotator)")
    return False


def write(
    operator: bpy.types.Operator, context: bpy.types.Context, subject: dict[str, Any], **said: Any
) -> rows.Row | None:
    """Write a row down; ``None`` and a sentence if no disk takes it."""
    try:
        made = sitting.give(context, subject, **said)
    except (ValueError, StorageError) as error:
        operator.report({"ERROR"}, str(error))
        return None
    told = sitting.sitting(context).desk.told
    if told:
        operator.report({"WARNING"}, told)
    redraw()
    return made


def words(context: bpy.types.Context) -> dict[str, Any]:
    """Tags and comment for the next judgment; they are used up by it."""
    state = sitting.state_of(context)
    return {"tags": state.tags.split(","), "comment": state.comment}


def used(context: bpy.types.Context) -> None:
    """A judgment took them."""
    state = sitting.state_of(context)
    state.tags = state.comment = ""
