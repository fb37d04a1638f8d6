# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses in the panel Annotate. What is said is in :mod:`.sitting`, on the disk."""

from functools import cache

import bpy

from .. import bundled, review
from ..kinds import kind_named
from ..runs.judging import check_ids
from . import edits, exporting, sitting
from .gallery import redraw

#: A fault that no check looks for.
OTHER = "other"


@cache
def _ids(kind: str, profile: str, task: str | None) -> tuple[str, ...]:
    known = bundled.known(task)
    brief = kind_named(kind).brief_of(known if known is not None and known.kind == kind else None)
    return check_ids(profile, kind, brief)


def faults(context: bpy.types.Context) -> tuple[str, ...]:
    """Ids of the checks that a person can choose for a fault, and at the end something else.

    Those of the rules by which the scene was judged, or that are chosen.
    """
    found = review.of(context.scene)
    if found is not None:
        return (*(result.id for result in found.judgement.checks), OTHER)
    kind = review.kind_of_scene(context.scene)
    rules = context.window_manager.plumbline.rules(kind)
    return (*_ids(kind, rules, review.task_of(context.scene)), OTHER)


class PlumblineAnnotating(bpy.types.PropertyGroup):
    """Choices of the person in the panel Annotate."""

    annotator: bpy.props.StringProperty(
        name="Annotator",
        description="Your name: everything that you judge is kept in a file of this name",
        maxlen=200,
    )
    blind: bpy.props.BoolProperty(
        name="Blind",
        description="Hide verdict, findings and colours of the checks until you have said whether "
        "this structure is sound, so that they can't sway you",
        update=lambda _state, _context: redraw(),
    )
    step: bpy.props.BoolProperty(
        name="Go on after each",
        description="After a judgment go to the next finding in the list that you have not judged",
        default=True,
    )
    tags: bpy.props.StringProperty(
        name="Tags", description="Words for your next judgment, separated by commas"
    )
    comment: bpy.props.StringProperty(
        name="Comment", description="What you want to say with your next judgment"
    )
    first: bpy.props.IntProperty(
        name="From", description="From which of your judgments on they are listed", min=1, default=1
    )


CLASSES = (PlumblineAnnotating,)


def attach() -> None:
    """Put the state on every window manager; the class is registered before."""
    bpy.types.WindowManager.plumbline_annotating = bpy.props.PointerProperty(
        type=PlumblineAnnotating
    )
    edits.listeners.append(sitting.note_edited)


def detach() -> None:
    """Take it away again."""
    del bpy.types.WindowManager.plumbline_annotating
    edits.listeners.remove(sitting.note_edited)
    sitting.forget_all()
    exporting.forget()
