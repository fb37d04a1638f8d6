# SPDX-License-Identifier: GPL-3.0-or-later
"""Agreeing, disagreeing and marking what the checks have missed."""

from typing import Any

import bpy

from ..addon import review
from ..addon.annotations import row as rows
from ..addon.runs.storage import StorageError
from ..addon.session import blind, exporting, picking, sitting
from ..addon.session.gallery import redraw
from ..addon.words import check_title

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


def _needs_name(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    if sitting.name_of(context):
        return True
    cls.poll_message_set("Write your name first (Annotate > Annotator)")
    return False


def _write(
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


def _words(context: bpy.types.Context) -> dict[str, Any]:
    """Tags and comment for the next judgment; they are used up by it."""
    state = sitting.state_of(context)
    return {"tags": state.tags.split(","), "comment": state.comment}


def _used(context: bpy.types.Context) -> None:
    state = sitting.state_of(context)
    state.tags = state.comment = ""


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
        if not _needs_name(cls, context):
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
        made = _write(
            self,
            context,
            sitting.subjects(found)[found.active],
            judgment=self.judgment,
            seconds=sitting.seconds_shown(found),
            automatic=sitting.automatic(context.scene, found.chosen),
            **_words(context),
        )
        if made is None:
            return {"CANCELLED"}
        _used(context)
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
        if not _needs_name(cls, context):
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
        return _needs_name(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it; in blind mode the checks are shown from now on."""
        before = sitting.sitting(context).structure
        made = _structure(self, context, before, opinion=self.opinion)
        if made is None:
            return {"CANCELLED"}
        _used(context)
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
        return _needs_name(cls, context)

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
    words = {name: given for name, given in _words(context).items() if any(given)}
    automatic = sitting.automatic(context.scene)
    opinion = new.get("opinion", said.get("opinion"))
    said.update(words, **new, judgment=rows.judgment_of(opinion, automatic))
    seconds = sitting.sitting(context).seconds
    # What was judged blind stays so when only a rating is added later.
    hidden = blind.hidden(context) or bool(before and before["blind"] and "opinion" not in new)
    return _write(operator, context, {"type": "structure"}, seconds=seconds, blind=hidden, **said)


class PLUMBLINE_OT_pick_fault(bpy.types.Operator):
    """Click the member in the view that is at fault, then choose what is wrong with it"""

    bl_idname = "plumbline.pick_fault"
    bl_label = "Mark a Fault"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name and a 3D view."""
        if not _needs_name(cls, context):
            return False
        if context.area is None or context.area.type != "VIEW_3D":
            cls.poll_message_set("Works in a 3D view: there is no member to click here")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Wait for the click."""
        context.window_manager.modal_handler_add(self)
        context.window.cursor_modal_set("EYEDROPPER")
        context.area.header_text_set(
            "Click the member that is at fault; Return takes the active one, Esc calls it off"
        )
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Let the view be turned; take a click or the active member."""
        if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
            self._end(context)
            return {"CANCELLED"}
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS":
            self._end(context)
            return _ask(self, picking.active(context))
        if event.type == "LEFTMOUSE":
            if event.value != "PRESS":
                return {"RUNNING_MODAL"}
            picked = picking.under_pointer(context, event.mouse_x, event.mouse_y)
            if picked is None:
                self.report({"INFO"}, "There is no member; click one, or Esc")
                return {"RUNNING_MODAL"}
            self._end(context)
            return _ask(self, picked)
        return {"PASS_THROUGH"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Without a window to click in: the active member."""
        return _ask(self, picking.active(context))

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender calls it off: another file, or it quits."""
        self._end(context)

    def _end(self, context: bpy.types.Context) -> None:
        context.window.cursor_modal_restore()
        if context.area is not None:
            context.area.header_text_set(None)


def _ask(operator: bpy.types.Operator, picked: picking.Picked | None) -> set[Any]:
    """Ask for the check."""
    if picked is None:
        operator.report({"ERROR"}, "No member is active; click one in the view")
        return {"CANCELLED"}
    picking.keep(picked)
    bpy.ops.wm.call_menu(name="PLUMBLINE_MT_fault")
    return {"FINISHED"}


class PLUMBLINE_OT_mark_fault(bpy.types.Operator):
    """Write down that this member is at fault: this check should have found it"""

    bl_idname = "plumbline.mark_fault"
    bl_label = "Mark a Fault of This Kind"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    member: bpy.props.StringProperty(name="Member", description="The member that is at fault")
    location: bpy.props.FloatVectorProperty(
        name="Place", description="Where to look, in metres", size=3, subtype="XYZ"
    )
    check: bpy.props.StringProperty(
        name="Check", description="Id of the check that should have found it"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return _needs_name(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it, with the tags and the comment that are ready."""
        location = tuple(round(x, 4) for x in self.location)
        subject = rows.missed_subject(self.check, self.member or None, location)
        found = review.of(context.scene)
        automatic = sitting.automatic(context.scene)
        if automatic is not None:
            automatic["found"] = any(
                f.check == self.check and f.subject == self.member for f in found.table.findings
            )
        said = {"automatic": automatic, "seconds": sitting.sitting(context).seconds}
        if _write(self, context, subject, **said, **_words(context)) is None:
            return {"CANCELLED"}
        _used(context)
        told = f"Marked: {self.member}, {check_title(self.check).lower()}"
        if automatic and automatic["found"] and not blind.hidden(context):
            told += ". The checks have found that, too"
        self.report({"INFO"}, told)
        return {"FINISHED"}


class PLUMBLINE_OT_say_more(bpy.types.Operator):
    """Write tags and a comment for your next judgment; Tab goes from field to field"""

    bl_idname = "plumbline.say_more"
    bl_label = "Tags and Comment"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return _needs_name(cls, context)

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Open the two fields at the pointer, the first one ready to be written in."""
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
        if _write(self, context, subject, withdrawn=True) is None:
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


class PLUMBLINE_OT_export_annotations(bpy.types.Operator):
    """Write what everybody said of this run into a file that other programs open"""

    bl_idname = "plumbline.export_annotations"
    bl_label = "Export Annotations"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    form: bpy.props.EnumProperty(
        name="Form",
        description="What the judgments are written as",
        items=(
            ("page", "Agreement Page", "How far annotators agree, as a page for the browser"),
            ("csv", "Table (CSV)", "Every judgment as a row, for spreadsheets and statistics"),
            (
                "bcf",
                "BCF",
                "Findings with viewpoints and what people say of them, for the programs of "
                "building people (BCF 2.1)",
            ),
        ),
    )
    filepath: bpy.props.StringProperty(
        name="File", description="Where it is written", subtype="FILE_PATH"
    )
    open_page: bpy.props.BoolProperty(
        name="Show in Browser",
        description="Open the page in your browser once it is written",
        default=True,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What this button writes."""
        return {"page": "Write the agreement page and show it in the browser"}.get(
            properties.form, f"Write a file: {properties.form.upper()}"
        )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a run or a saved file with annotations."""
        reason = exporting.problem(context)
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Ask for the file; the page has its own place."""
        if self.form == "page":
            return self.execute(context)
        self.filepath = str(exporting.usual_path(context, self.form))
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read all annotators' files and write, as a job."""
        path = self.filepath or str(exporting.usual_path(context, self.form))
        exporting.export(context, self.form, path, self.open_page and self.form == "page")
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_judge_finding,
    PLUMBLINE_OT_next_unjudged,
    PLUMBLINE_OT_judge_structure,
    PLUMBLINE_OT_rate_structure,
    PLUMBLINE_OT_pick_fault,
    PLUMBLINE_OT_mark_fault,
    PLUMBLINE_OT_say_more,
    PLUMBLINE_OT_withdraw,
    PLUMBLINE_OT_toggle_tag,
    PLUMBLINE_OT_export_annotations,
)
