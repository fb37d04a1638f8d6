# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening a lesson, answering, mending, asking what if, and the quiz."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bpy

from ..addon.lessons import results
from ..addon.lessons.model import STEP_TIPS, STEPS, LessonError
from ..addon.lessons.quiz import make
from ..addon.scene.new_scene import BuildError
from ..addon.session import learning, lesson_scene, quizzing, what_if

_IDS = tuple(step for step, _ in STEPS)


def _free(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Scenes can be made and left in Object Mode only."""
    if context.mode == "OBJECT":
        return True
    cls.poll_message_set("Leave Edit Mode first (Tab): lessons open and change in Object Mode")
    return False


def _in_lesson(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    if learning.open_now(context) is None:
        cls.poll_message_set("Open a lesson first")
        return False
    return _free(cls, context)


class PLUMBLINE_OT_open_lesson(bpy.types.Operator):
    """Open this lesson: its building comes in a scene of its own, your scenes stay as they are"""

    bl_idname = "plumbline.open_lesson"
    bl_label = "Open Lesson"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    lesson: bpy.props.StringProperty(name="Lesson", description="Id of the lesson")

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What the lesson is about."""
        found = next((one for one in learning.lessons() if one.id == properties.lesson), None)
        return found.see if found is not None else cls.bl_description

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode."""
        return _free(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Build its house and show it."""
        found = next((one for one in learning.lessons() if one.id == self.lesson), None)
        if found is None:
            self.report({"ERROR"}, learning.trouble() or f"There is no lesson {self.lesson!r}")
            return {"CANCELLED"}
        try:
            learning.open_lesson(context, found)
        except (BuildError, LessonError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_leave_lesson(bpy.types.Operator):
    """Go back to your own scene; the lesson's building is taken away (undo brings it back)"""

    bl_idname = "plumbline.leave_lesson"
    bl_label = "Leave the Lesson"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson and Object Mode."""
        return _in_lesson(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Leave it."""
        learning.leave(context)
        return {"FINISHED"}


class PLUMBLINE_OT_lesson_step(bpy.types.Operator):
    """Turn to this step of the lesson"""

    bl_idname = "plumbline.lesson_step"
    bl_label = "Step of the Lesson"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    step: bpy.props.EnumProperty(
        name="Step",
        description="The step to turn to",
        items=[(i, t, STEP_TIPS[i]) for i, t in STEPS],
    )

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """Which step the button turns to."""
        return f"Turn to the step: {dict(STEPS)[properties.step]}"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson and Object Mode."""
        return _in_lesson(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Turn to it."""
        try:
            learning.go(context, self.step)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_answer(bpy.types.Operator):
    """Choose this answer, and read why it is right or wrong"""

    bl_idname = "plumbline.answer"
    bl_label = "Answer"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    choice: bpy.props.IntProperty(name="Answer", description="Place of the answer", min=0)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson."""
        return _in_lesson(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Remember it."""
        learning.state_of(context).answer = self.choice
        learning.redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_mend_lesson(bpy.types.Operator):
    """Mend the building by a small program and check it again; undo breaks it again"""

    bl_idname = "plumbline.mend_lesson"
    bl_label = "Mend It"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson that isn't mended."""
        if not _in_lesson(cls, context):
            return False
        if lesson_scene.mended(context.scene):
            cls.poll_message_set("It is mended. Undo (Ctrl Z) brings the fault back")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Mend and check."""
        try:
            learning.mend(context)
        except (BuildError, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_what_if(bpy.types.Operator):
    """Put this slider there, and see what the checks say"""

    bl_idname = "plumbline.what_if"
    bl_label = "What If"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    slider: bpy.props.StringProperty(name="Slider", description="Id of the slider")
    value: bpy.props.FloatProperty(name="Value", description="Where to put it, in its unit")

    @classmethod
    def description(cls, context: Any, properties: Any) -> str:
        """Where the button puts the slider."""
        lesson = learning.open_now(context)
        found = [s for s in lesson.sliders if s.id == properties.slider] if lesson else []
        if not found:
            return cls.bl_description
        return f"Put it at {found[0].words(properties.value)} and see what the checks say"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson that is mended."""
        if not _in_lesson(cls, context):
            return False
        if not lesson_scene.mended(context.scene):
            cls.poll_message_set("Mend the building first, then ask what if")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Put it there."""
        try:
            slider = learning.open_now(context).slider(self.slider)
        except KeyError as error:
            self.report({"ERROR"}, str(error.args[0]))
            return {"CANCELLED"}
        what_if.set_slider(context, slider, self.value)
        return {"FINISHED"}


class PLUMBLINE_OT_start_quiz(bpy.types.Operator):
    """Begin a quiz over all lessons: the first answer to each question counts"""

    bl_idname = "plumbline.start_quiz"
    bl_label = "Start the Quiz"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs lessons and Object Mode."""
        if not learning.lessons():
            cls.poll_message_set(learning.trouble() or "There are no lessons")
            return False
        return _free(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Mix the questions and show the first building."""
        state = learning.state_of(context)
        kinds = ("choice", "find") if state.quiz_finds else ("choice",)
        quizzing.begin(make(learning.lessons(), state.quiz_seed, state.quiz_count, kinds))
        return _show_building(self, context)


class PLUMBLINE_OT_quiz_building(bpy.types.Operator):
    """Show the building that the question is about, as it was"""

    bl_idname = "plumbline.quiz_building"
    bl_label = "Show the Building"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a question."""
        quiz = quizzing.now()
        if quiz is None or quiz.over:
            cls.poll_message_set("There is no question now")
            return False
        return _free(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Build it anew."""
        return _show_building(self, context)


class PLUMBLINE_OT_quiz_choose(bpy.types.Operator):
    """Choose this answer; the first one counts"""

    bl_idname = "plumbline.quiz_choose"
    bl_label = "Answer"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    place: bpy.props.IntProperty(name="Answer", description="Place of the answer", min=0)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Give it, if a question waits for one."""
        quizzing.choose(context.scene, self.place)
        learning.redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_quiz_point(bpy.types.Operator):
    """Answer with the member that you clicked in the 3D view; the first one counts"""

    bl_idname = "plumbline.quiz_point"
    bl_label = "This One"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a member that is selected in the question's building."""
        if not quizzing.in_sight(context.scene):
            cls.poll_message_set("Show the building of this question first")
            return False
        active = context.view_layer.objects.active
        if active is None or not active.select_get():
            cls.poll_message_set("Click a member in the 3D view first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Give it."""
        quizzing.point_at_active(context)
        learning.redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_quiz_next(bpy.types.Operator):
    """Go on to the next question"""

    bl_idname = "plumbline.quiz_next"
    bl_label = "Next Question"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an answer."""
        quiz = quizzing.now()
        if quiz is None or quiz.over or quiz.answer is None:
            cls.poll_message_set("Answer this question first")
            return False
        return _free(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Go on, and show the next building."""
        quiz = quizzing.now()
        quiz.go_on()
        return {"FINISHED"} if quiz.over else _show_building(self, context)


class PLUMBLINE_OT_end_quiz(bpy.types.Operator):
    """End the quiz; save its result before if you want to keep it"""

    bl_idname = "plumbline.end_quiz"
    bl_label = "End the Quiz"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a quiz and Object Mode."""
        if quizzing.now() is None:
            cls.poll_message_set("There is no quiz")
            return False
        return _free(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """End it, and leave its building."""
        quizzing.end()
        if learning.open_now(context) is not None:
            learning.leave(context)
        return {"FINISHED"}


class PLUMBLINE_OT_save_quiz(bpy.types.Operator):
    """Save who answered what, and the score, as a JSON or CSV file"""

    bl_idname = "plumbline.save_quiz"
    bl_label = "Save the Result"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    filepath: bpy.props.StringProperty(
        name="File", description="Ends in .csv for a spreadsheet or in .json", subtype="FILE_PATH"
    )
    filter_glob: bpy.props.StringProperty(
        description="What the file browser shows", default="*.csv;*.json", options={"HIDDEN"}
    )
    check_existing: bpy.props.BoolProperty(
        description="Ask before a file is overwritten", default=True, options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an answer."""
        quiz = quizzing.now()
        if quiz is None or not quiz.first:
            cls.poll_message_set("Nothing was answered yet")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: Any) -> set[Any]:
        """Ask where."""
        if not self.filepath:
            self.filepath = "quiz.csv"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Write it."""
        quiz, pupil = quizzing.now(), learning.state_of(context).pupil
        when = datetime.now(UTC).isoformat(timespec="seconds")
        path = Path(bpy.path.abspath(self.filepath))
        as_text = {".csv": results.as_csv, ".json": results.as_json}.get(path.suffix.lower())
        if as_text is None:
            self.report({"ERROR"}, f"{path.name}: no such format; end its name in .csv or .json")
            return {"CANCELLED"}
        try:
            with path.open("w", encoding="utf-8", newline="") as file:
                file.write(as_text(quiz, pupil, when))
        except OSError as error:
            self.report({"ERROR"}, f"{path}: can't be written ({error.strerror}); choose another")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Saved {path.name}")
        return {"FINISHED"}


def _show_building(operator: bpy.types.Operator, context: bpy.types.Context) -> set[Any]:
    """The building of the present question, anew; the question stays even if that fails."""
    quiz = quizzing.now()
    try:
        learning.open_lesson(context, quiz.question.lesson, f"Question {quiz.number + 1}")
    except (BuildError, LessonError) as error:
        operator.report({"ERROR"}, str(error))
    return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_open_lesson,
    PLUMBLINE_OT_leave_lesson,
    PLUMBLINE_OT_lesson_step,
    PLUMBLINE_OT_answer,
    PLUMBLINE_OT_mend_lesson,
    PLUMBLINE_OT_what_if,
    PLUMBLINE_OT_start_quiz,
    PLUMBLINE_OT_quiz_building,
    PLUMBLINE_OT_quiz_choose,
    PLUMBLINE_OT_quiz_point,
    PLUMBLINE_OT_quiz_next,
    PLUMBLINE_OT_end_quiz,
    PLUMBLINE_OT_save_quiz,
)
