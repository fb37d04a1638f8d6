# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking the open scene, and clearing what a check left in the window."""

import math
from collections.abc import Callable
from typing import Any

import bpy

from ..addon import properties, review
from ..addon.review import Review
from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.session import blind, checking, jobs, playback, tab
from ..addon.session.gallery import redraw
from ..addon.words import check_title


class PLUMBLINE_OT_check_scene(bpy.types.Operator):
    """Judge what stands in this scene, piece by piece; nothing in the scene is changed"""

    bl_idname = "plumbline.check_scene"
    bl_label = "Check Scene"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode: edits in progress are not part of the scene yet."""
        return _may_check(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Pressed: the window stays free while it is judged, and the panel tells how far it is."""
        return _check(self, context, None, jobs.MOMENT)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Called by a script: the result is there when it returns."""
        return _check(self, context, None, math.inf)


class PLUMBLINE_OT_check_one(bpy.types.Operator):
    """Make this one check again; the others keep their answers"""

    bl_idname = "plumbline.check_one"
    bl_label = "Check Only This Again"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    check: bpy.props.StringProperty(name="Check", description="Id of the check")

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What the button beside this check does."""
        title = check_title(properties.check)
        return (
            f"Make only the check '{title}' again. The others keep their answers, marked as older "
            "if something was edited since"
        )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a result, and Object Mode."""
        if review.of(context.scene) is None:
            cls.poll_message_set("This scene was not checked yet: press Check Scene")
            return False
        return _may_check(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Pressed: the window stays free while it is judged."""
        return self._again(context, jobs.MOMENT)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Called by a script: the result is there when it returns."""
        return self._again(context, math.inf)

    def _again(self, context: bpy.types.Context, wait: float) -> set[Any]:
        judgement = review.of(context.scene).judgement
        if self.check not in [result.id for result in judgement.checks]:
            self.report({"ERROR"}, f"The rules '{judgement.profile}' have no check {self.check!r}")
            return {"CANCELLED"}
        return _check(self, context, self.check, wait)


class PLUMBLINE_OT_clear_review(bpy.types.Operator):
    """Forget the result for this scene and take the highlight out of the view"""

    bl_idname = "plumbline.clear_review"
    bl_label = "Clear Result"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a result."""
        if review.of(context.scene) is not None:
            return True
        cls.poll_message_set("There is no result to clear: this scene was not checked yet")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Drop the review of this scene."""
        checking.call_off(context.scene)
        review.forget(context.scene)
        properties.fit_rows(context.window_manager)
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_show_tab(bpy.types.Operator):
    """Open the sidebar of the 3D view with the Plumbline tab: checks, findings, tasks"""

    bl_idname = "plumbline.show_tab"
    bl_label = "Open the Plumbline Tab"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it in the largest 3D view of this window."""
        if context.window is None or not tab.show(context.window):
            self.report({"ERROR"}, "This window has no 3D view to show the tab in: open one first")
            return {"CANCELLED"}
        return {"FINISHED"}


def _may_check(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the scene can be judged now; says why not to who asks."""
    if playback.is_playback(context.scene):
        cls.poll_message_set("This is a copy that shows a motion: stop it, then check your scene")
        return False
    if context.mode == "OBJECT":
        return True
    cls.poll_message_set("Leave Edit Mode first (Tab): unfinished edits can't be judged")
    return False


def _check(
    operator: bpy.types.Operator, context: bpy.types.Context, only: str | None, wait: float
) -> set[Any]:
    """Start a check; what is over by the time it returns is reported, the rest by the panel."""
    state = context.window_manager.plumbline
    scene = context.scene
    found = review.of(scene)
    kind = review.kind_of_scene(scene)
    again = found is not None and only is not None and found.kind == kind
    profile = found.judgement.profile if again else state.rules(kind)
    failures: list[str] = []
    with _waiting(context):
        try:
            work = checking.check(
                scene,
                profile,
                _all_listed(state) if only is None else lambda _: None,
                failures.append,
                brief=found.overrides if again else state.overrides(kind),
                only=only,
                keep=True,
                wait=wait,
            )
        except ValueError as error:  # a sentence for people
            operator.report({"ERROR"}, str(error))
            return {"CANCELLED"}
    if failures:
        # The panel says it until it is dismissed; only a script needs to stumble over it.
        operator.report({"ERROR" if wait == math.inf else "WARNING"}, failures[0])
        return {"CANCELLED"}
    if work.job.over and not blind.hidden(context):
        operator.report({"INFO"}, _summary(review.of(scene)))
    redraw()
    return {"FINISHED"}


class _waiting:
    """The cursor tells that the window stands still for a moment."""

    def __init__(self, context: bpy.types.Context) -> None:
        self._window = context.window

    def __enter__(self) -> None:
        if self._window is not None:
            self._window.cursor_modal_set("WAIT")

    def __exit__(self, *_: object) -> None:
        if self._window is not None:
            self._window.cursor_modal_restore()


def _all_listed(state: Any) -> Callable[[Review], None]:
    """Every finding is listed once all checks were made."""

    def then(_found: Review) -> None:
        state.filter_check = ""

    return then


def _summary(found: Review) -> str:
    nouns = {"voxel": ("block", "blocks"), "reconstruction": ("body", "bodies")}
    members = count(len(found.structure), *nouns.get(found.kind, ("member", "members")))
    faults = count(found.table.root_count, "fault")
    return f"{members}: {VERDICT_WORDS[found.judgement.verdict]}, {faults}"


CLASSES = (
    PLUMBLINE_OT_check_scene,
    PLUMBLINE_OT_check_one,
    PLUMBLINE_OT_clear_review,
    PLUMBLINE_OT_show_tab,
)
