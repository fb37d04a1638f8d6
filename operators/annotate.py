# SPDX-License-Identifier: GPL-3.0-or-later
"""Agreeing and disagreeing with findings, judging the structure, taking it back."""

from typing import Any

import bpy

from ..addon import review
from ..addon.annotations import row as rows
from ..addon.session import blind, sitting
from . import annotate_export, annotate_faults, saying

JUDGMENTS = (
    ("agree", "Agree", "The checks are right: this is a fault"),
    ("disagree", "Disagree", "The checks are wrong: this is no fault"),
    ("unsure", "Unsure", "You can't tell"),
)
OPINIONS = (
    ("sound", "Sound", "This structure would stand and pass inspection"),
    ("faulty", "Faulty", "Something in this structure is wrong"),
    ("unsure", "Unsure", "You can't tell"),
)
_NO_CHECK = "Check the scene first: there are no findings to judge"


class PLUMBLINE_OT_judge_finding(bpy.types.Operator):
    """Say whether the chosen finding is right; it is saved at once, and the next one is shown"""

    bl_idname = "plumbline.judge_finding"
    bl_label = "Judge Finding"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    judgment: bpy.props.EnumProperty(
        name="Judgment", description="What you say of the finding", items=JUDGMENTS
    )

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What this button says."""
        words = next(text for key, _, text in JUDGMENTS if key == properties.judgment)
        return f"{words}. Saved at once"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name and a chosen finding that is not hidden."""
        found = review.of(context.scene)
        if not saying.needs_name(cls, context):
            return False
        if found is None:
            cls.poll_message_set(_NO_CHECK)
        elif blind.hidden(context):
            cls.poll_message_set(blind.NOTE)
        elif found.chosen is None:
            cls.poll_message_set("Choose a finding first: click one in the list")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it, and go on to the next that is not judged."""
        found = review.of(context.scene)
        made = saying.write(
            self,
            context,
            sitting.subjects(found)[found.active],
            judgment=self.judgment,
            seconds=sitting.seconds_shown(found),
            automatic=sitting.automatic(context.scene, found.chosen),
            **saying.words(context),
        )
        if made is None:
            return {"CANCELLED"}
        saying.used(context)
        if sitting.state_of(context).step:
            _go_on(context, found)
        return {"FINISHED"}


def _go_on(context: bpy.types.Context, found: review.Review) -> bool:
    """Show the next finding that is not judged; whether there was one."""
    shown = found.table.view(context.window_manager.plumbline.query()).shown
    index = sitting.next_unjudged(found, sitting.sitting(context), shown)
    if index is None or not bpy.ops.plumbline.show_finding.poll():
        return False
    bpy.ops.plumbline.show_finding("EXEC_DEFAULT", True, row=index)
    return True


class PLUMBLINE_OT_next_unjudged(bpy.types.Operator):
    """Go to the next finding in the list that you have not judged yet"""

    bl_idname = "plumbline.next_unjudged"
    bl_label = "Next to Judge"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name and findings that are not hidden."""
        found = review.of(context.scene)
        if not saying.needs_name(cls, context):
            return False
        if found is None or not len(found.table):
            cls.poll_message_set(_NO_CHECK)
        elif blind.hidden(context):
            cls.poll_message_set(blind.NOTE)
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Choose it and go there."""
        if not _go_on(context, review.of(context.scene)):
            self.report({"INFO"}, "You have judged every finding in the list")
        return {"FINISHED"}


class PLUMBLINE_OT_judge_structure(bpy.types.Operator):
    """Say whether the structure as a whole is sound; it is saved at once"""

    bl_idname = "plumbline.judge_structure"
    bl_label = "Judge Structure"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    opinion: bpy.props.EnumProperty(
        name="Opinion", description="What you say of the whole structure", items=OPINIONS
    )

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What this button says."""
        words = next(text for key, _, text in OPINIONS if key == properties.opinion)
        return f"{words}. Saved at once"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return saying.needs_name(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it; in blind mode the checks are shown from now on."""
        before = sitting.sitting(context).structure
        made = _structure(self, context, before, opinion=self.opinion)
        if made is None:
            return {"CANCELLED"}
        saying.used(context)
        return {"FINISHED"}


class PLUMBLINE_OT_rate_structure(bpy.types.Operator):
    """Rate the structure from 1 (useless) to 5 (excellent); it is saved at once"""

    bl_idname = "plumbline.rate_structure"
    bl_label = "Rate Structure"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    rating: bpy.props.IntProperty(
        name="Rating",
        description="How good the structure is, from 1 (useless) to 5 (excellent)",
        min=1,
        max=5,
        default=3,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return saying.needs_name(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it beside what was said of the structure."""
        before = sitting.sitting(context).structure
        made = _structure(self, context, before, rating=self.rating)
        return {"CANCELLED"} if made is None else {"FINISHED"}


def _structure(
    operator: bpy.types.Operator, context: bpy.types.Context, before: rows.Row | None, **new: Any
) -> rows.Row | None:
    """A new row about the structure: what is new, and what was said before."""
    kept = ("opinion", "rating", "tags", "comment")
    said = {name: before[name] for name in kept} if before else {}
    words = {name: given for name, given in saying.words(context).items() if any(given)}
    automatic = sitting.automatic(context.scene)
    opinion = new.get("opinion", said.get("opinion"))
    said.update(words, **new, judgment=rows.judgment_of(opinion, automatic))
    seconds = sitting.sitting(context).seconds
    # What was judged blind stays so when only a rating is added later.
    hidden = blind.hidden(context) or bool(before and before["blind"] and "opinion" not in new)
    return saying.write(
        operator, context, {"type": "structure"}, seconds=seconds, blind=hidden, **said
    )


class PLUMBLINE_OT_say_more(bpy.types.Operator):
    """Write tags and a comment for your next judgment; Tab goes from field to field"""

    bl_idname = "plumbline.say_more"
    bl_label = "Tags and Comment"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return saying.needs_name(cls, context)

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Open the two fields at the pointer, the first one ready to be written in."""
        if bpy.app.background:  # Blender opens a panel without a window, and crashes
            self.report({"ERROR"}, "There is no window to write in")
            return {"CANCELLED"}
        bpy.ops.wm.call_panel(name="PLUMBLINE_PT_words", keep_open=False)
        return {"FINISHED"}


class PLUMBLINE_OT_withdraw(bpy.types.Operator):
    """Take back what you said last, or of this; the file keeps both, and only the last counts"""

    bl_idname = "plumbline.withdraw_judgment"
    bl_label = "Withdraw Judgment"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    place: bpy.props.IntProperty(
        name="Judgment",
        description="Its place among yours, from 0; -1 is the last one",
        default=-1,
        min=-1,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs something that was said."""
        here = sitting.sitting(context)
        if here is not None and here.standing:
            return True
        cls.poll_message_set("You have said nothing of this scene yet")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Write that it is withdrawn."""
        standing = list(sitting.sitting(context).standing.values())
        if self.place >= len(standing):
            self.report({"ERROR"}, f"There is no judgment {self.place + 1} any more")
            return {"CANCELLED"}
        subject = standing[self.place]["subject"]
        if saying.write(self, context, subject, withdrawn=True) is None:
            return {"CANCELLED"}
        self.report({"INFO"}, "Withdrawn")
        return {"FINISHED"}


class PLUMBLINE_OT_toggle_tag(bpy.types.Operator):
    """Put this tag on your next judgment, or take it off"""

    bl_idname = "plumbline.toggle_tag"
    bl_label = "Tag"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    tag: bpy.props.StringProperty(name="Tag", description="The word that is put on or taken off")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add or take away."""
        state = sitting.state_of(context)
        tags = [tag for part in state.tags.split(",") if (tag := part.strip())]
        tags = [t for t in tags if t != self.tag] if self.tag in tags else [*tags, self.tag]
        state.tags = ", ".join(tags)
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_judge_finding,
    PLUMBLINE_OT_next_unjudged,
    PLUMBLINE_OT_judge_structure,
    PLUMBLINE_OT_rate_structure,
    *annotate_faults.CLASSES,
    PLUMBLINE_OT_say_more,
    PLUMBLINE_OT_withdraw,
    PLUMBLINE_OT_toggle_tag,
    *annotate_export.CLASSES,
)
