# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a task by hand: begin, try, hand in, give up, and take an attempt up again."""

from pathlib import Path
from typing import Any

import bpy

from ..addon import bundled
from ..addon.preferences import look
from ..addon.properties import profile_title
from ..addon.runs.runfolder import RunFolderError
from ..addon.runs.storage import StorageError
from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.scene.new_scene import empty_scene
from ..addon.session import brief_text, by_hand, task_pictures
from ..addon.session import by_hand_session as attempts
from . import members
from .tasks import hindrance

_NONE = "You are not building anything by hand: press Begin first"


class _WhileBuilding:
    """Needs an attempt that is under way, its scene, and Object Mode."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Says what is missing."""
        reason = cls.missing(context)
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str | None:
        """Why it can't be done now, as a sentence."""
        session = attempts.now()
        if session is None:
            return _NONE
        if session.handing_in:
            return "What you handed in is being judged"
        if session.scene is None:
            return "The scene of your attempt is gone: redo (Ctrl Shift Z) or Bring It Back"
        if context.mode != "OBJECT" and context.scene == session.scene:
            return "Leave Edit Mode first (Tab): unfinished edits can't be judged"
        return None


class PLUMBLINE_OT_begin_by_hand(bpy.types.Operator):
    """Open an empty scene for the chosen task and start the clock; your scenes stay as they are"""

    bl_idname = "plumbline.begin_by_hand"
    bl_label = "Begin Building by Hand"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a task, Object Mode, and no attempt under way."""
        reason = hindrance(context)
        if attempts.now() is not None:
            reason = "You are building already: hand in or give up first"
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """A scene of its own, the brief as a text, the pictures on their way, the clock running."""
        state, chosen = context.window_manager.plumbline, by_hand.choices(context)
        task = bundled.find(state.task)
        before = context.window.scene
        scene = empty_scene(f"{task.title} by hand", context.window)
        try:
            attempts.begin(task, state.rules(task.kind), chosen.person, chosen.count_tries, scene)
        except OSError as error:
            context.window.scene = before
            bpy.data.scenes.remove(scene)
            self.report({"ERROR"}, f"Nothing has begun: your work could not be kept ({error})")
            return {"CANCELLED"}
        rules = profile_title(task.kind, state.rules(task.kind))
        brief_text.write(task, rules, look(context).units)
        if not bpy.app.background:
            task_pictures.make(task)
        by_hand.watch()
        self.report(
            {"INFO"}, "The clock runs. What to build stands in the panel and the text Brief"
        )
        return {"FINISHED"}


class PLUMBLINE_OT_pause_by_hand(bpy.types.Operator):
    """Stop the clock while you do something else, or let it go on"""

    bl_idname = "plumbline.pause_by_hand"
    bl_label = "Pause or Go On"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt that is under way."""
        session = attempts.now()
        if session is not None and not session.handing_in:
            return True
        cls.poll_message_set(_NONE if session is None else "What you handed in is being judged")
        return False

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """The work is kept whenever the clock stops."""
        session = attempts.now()
        if session.clock.running:
            session.clock.pause()
            attempts.keep(session)
        else:
            session.clock.resume()
        by_hand.redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_try_by_hand(_WhileBuilding, bpy.types.Operator):
    """Have what you built checked without handing it in; the findings are listed below"""

    bl_idname = "plumbline.try_by_hand"
    bl_label = "Try What I Built"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Check it by the rules of the attempt."""
        session = attempts.now()
        told: list[Any] = []
        by_hand.try_it(session, told.append)
        if told and isinstance(told[0], str):
            self.report({"ERROR"}, told[0])
            return {"CANCELLED"}
        if context.window.scene != session.scene:
            context.window.scene = session.scene
        return {"FINISHED"}


class PLUMBLINE_OT_hand_in(_WhileBuilding, bpy.types.Operator):
    """Have what you built judged, and stored as your attempt; it can't be changed afterwards"""

    bl_idname = "plumbline.hand_in"
    bl_label = "Hand In"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask first: it ends the attempt."""
        message = "What stands is judged and stored, and your attempt ends"
        return context.window_manager.invoke_confirm(self, event, message=message)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Judge and store; the panel shows the verdict."""
        session = attempts.now()
        if context.window.scene != session.scene:
            context.window.scene = session.scene
        told: list[Any] = []
        by_hand.hand_in(session, told.append)
        if told and isinstance(told[0], str):
            self.report({"ERROR"}, told[0])
            return {"CANCELLED"}
        if told:
            outcome = told[0]
            verdict = VERDICT_WORDS[outcome.verdict]
            self.report({"INFO"}, f"Handed in: {verdict}, {count(outcome.faults, 'fault')}")
        return {"FINISHED"}


class PLUMBLINE_OT_give_up(bpy.types.Operator):
    """End the attempt without a result; what you built stays in its scene and in the run folder"""

    bl_idname = "plumbline.give_up"
    bl_label = "Give Up"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an attempt that is under way."""
        return PLUMBLINE_OT_pause_by_hand.poll.__func__(cls, context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask first: it ends the attempt."""
        message = "Your attempt ends without a result; what you built is kept"
        return context.window_manager.invoke_confirm(self, event, message=message)

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Store that the person gave up."""
        try:
            outcome = by_hand.give_up(attempts.now())
        except (OSError, StorageError, RunFolderError) as error:
            self.report({"ERROR"}, f"It could not be stored: {error}")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Stored as given up: {outcome.stored.run}")
        return {"FINISHED"}


class PLUMBLINE_OT_take_up_by_hand(bpy.types.Operator):
    """Go on with an attempt that another file, or the end of Blender, broke off"""

    bl_idname = "plumbline.take_up_by_hand"
    bl_label = "Go On with It"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    draft: bpy.props.StringProperty(name="Draft", description="Name of the folder it is kept in")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a draft and no attempt under way."""
        reason = hindrance(context)
        if attempts.now() is not None:
            reason = "You are building already: hand in or give up first"
        elif not attempts.unfinished():
            reason = "There is no attempt that was broken off"
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Its scene comes back and the clock goes on where it stood."""
        found = attempts.unfinished()
        kept = next((k for k in found if k.folder.name == self.draft), None)
        if kept is None:
            self.report({"ERROR"}, f"There is no draft {self.draft!r} any more")
            return {"CANCELLED"}
        task = bundled.known(kept.draft.task)
        if task is None:
            self.report(
                {"ERROR"},
                f"Its task {kept.draft.task} isn't offered here: open {kept.draft.path} first",
            )
            return {"CANCELLED"}
        try:
            attempts.take_up(kept, task, lambda scene: _show(context, scene))
        except OSError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.window_manager.plumbline.task = task.id
        by_hand.watch()
        self.report({"INFO"}, "The clock goes on")
        return {"FINISHED"}


class PLUMBLINE_OT_bring_back_by_hand(bpy.types.Operator):
    """Bring the scene of your attempt back as it was kept last"""

    bl_idname = "plumbline.bring_back_by_hand"
    bl_label = "Bring It Back"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt whose scene is gone."""
        session = attempts.now()
        if session is not None and session.scene is None:
            return True
        cls.poll_message_set(_NONE if session is None else "The scene of your attempt is there")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Land what was kept."""
        try:
            attempts.bring_back(attempts.now(), lambda scene: _show(context, scene))
        except OSError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_show_by_hand(bpy.types.Operator):
    """Show the scene that you are building in"""

    bl_idname = "plumbline.show_by_hand"
    bl_label = "Show My Scene"
    bl_description = __doc__
    bl_options = {"REGISTER", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an attempt with a scene."""
        session = attempts.now()
        if session is None:
            cls.poll_message_set("You are building nothing by hand: begin first")
        elif session.scene is None:
            cls.poll_message_set("The scene of your attempt is no longer in the file")
        return session is not None and session.scene is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Show it in this window."""
        _show(context, attempts.now().scene)
        return {"FINISHED"}


class PLUMBLINE_OT_open_by_hand_folder(bpy.types.Operator):
    """Open the run folder of your last attempt in the file browser of your system"""

    bl_idname = "plumbline.open_by_hand_folder"
    bl_label = "Open Its Folder"
    bl_description = __doc__
    bl_options = {"REGISTER", "INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt that ended, and its folder."""
        found = by_hand.last()
        if found is not None and found.stored.run.is_dir():
            return True
        cls.poll_message_set("No attempt has ended in this session, or its folder was removed")
        return False

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Hand the folder to the system."""
        bpy.ops.wm.path_open(filepath=str(Path(by_hand.last().stored.run)))
        return {"FINISHED"}


def _show(context: bpy.types.Context, scene: bpy.types.Scene) -> None:
    context.window.scene = scene


CLASSES = (
    *members.CLASSES,
    PLUMBLINE_OT_begin_by_hand,
    PLUMBLINE_OT_pause_by_hand,
    PLUMBLINE_OT_try_by_hand,
    PLUMBLINE_OT_hand_in,
    PLUMBLINE_OT_give_up,
    PLUMBLINE_OT_take_up_by_hand,
    PLUMBLINE_OT_bring_back_by_hand,
    PLUMBLINE_OT_show_by_hand,
    PLUMBLINE_OT_open_by_hand_folder,
)
