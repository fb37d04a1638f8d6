# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening run folders, their attempts, and two of them side by side."""

from pathlib import Path
from typing import Any

import bpy

from ..addon.session import attempt_scene, open_run, recent, side_by_side, texts, tries
from ..addon.session.gallery import redraw
from ..addon.session.open_run import OpenRun


def _needs_run(cls: type) -> OpenRun | None:
    found = open_run.now()
    if found is None:
        cls.poll_message_set("No run is open")
    return found


def _needs_attempt(cls: type) -> OpenRun | None:
    found = _needs_run(cls)
    if found is not None and found.record is None:
        cls.poll_message_set("Choose an attempt in the list first")
        return None
    return found


def _needs_object_mode(cls: type, context: bpy.types.Context) -> bool:
    if context.mode != "OBJECT":
        cls.poll_message_set("Leave Edit Mode first (Tab)")
        return False
    return True


class PLUMBLINE_OT_open_run(bpy.types.Operator):
    """Open a run folder: every attempt in it, with what the checks said then and say today"""

    bl_idname = "plumbline.open_run"
    bl_label = "Open Run Folder"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    directory: bpy.props.StringProperty(
        name="Folder", description="The folder that holds run.json", subtype="DIR_PATH"
    )
    filter_folder: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Ask for the folder, unless it is given."""
        if self.directory:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Read it as a job; what can't be read stays to be seen in the panel."""
        path = open_run.run_above(Path(self.directory))
        told: list[str] = []
        open_run.open_folder(path, failed=told.append)
        if told:
            self.report({"ERROR"}, told[0])
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_recent_runs(bpy.types.Operator):
    """Choose among the runs that were opened lately and the episodes of this window"""

    bl_idname = "plumbline.recent_runs"
    bl_label = "Recent Runs"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Look what is there now, then show the menu."""
        recent.look()
        bpy.ops.wm.call_menu(name="PLUMBLINE_MT_recent_runs")
        return {"FINISHED"}


class PLUMBLINE_OT_close_run(bpy.types.Operator):
    """Show this run no more; scenes that came from it stay in the file"""

    bl_idname = "plumbline.close_run"
    bl_label = "Close Run"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs a run."""
        return _needs_run(cls) is not None

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Close it."""
        open_run.close()
        return {"FINISHED"}


class PLUMBLINE_OT_remove_run_scenes(bpy.types.Operator):
    """Take the scenes that came from this run out of the file again; the run itself stays"""

    bl_idname = "plumbline.remove_run_scenes"
    bl_label = "Remove Its Scenes"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs scenes of the run."""
        found = _needs_run(cls)
        if found is None or not _needs_object_mode(cls, context):
            return False
        if not found.landed:
            cls.poll_message_set("No scene of this run is in the file")
            return False
        return True

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Remove them."""
        count = attempt_scene.remove_all(open_run.now())
        self.report({"INFO"}, f"{count} scenes removed")
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_open_attempt(bpy.types.Operator):
    """Bring the scene of this attempt in as a scene of its own, and judge it by today's checks"""

    bl_idname = "plumbline.open_attempt"
    bl_label = "Show Its Scene"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an attempt with a scene, and Object Mode."""
        found = _needs_attempt(cls)
        if found is None or not _needs_object_mode(cls, context):
            return False
        if found.files.scene is None and attempt_scene.scene_of(found, found.chosen) is None:
            cls.poll_message_set(found.files.why)
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Show it; large ones come a little later, as a job."""
        found = open_run.now()
        try:
            attempt_scene.show(context, found, found.chosen)
        except attempt_scene.NoScene as error:
            self.report({"INFO"}, str(error))
            return {"CANCELLED"}
        if found.chosen in found.trouble:
            self.report({"ERROR"}, found.trouble[found.chosen])
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_step_attempt(bpy.types.Operator):
    """Go to the attempt before or after this one in the list, and show its scene if it has one"""

    bl_idname = "plumbline.step_attempt"
    bl_label = "Step Through Attempts"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    step: bpy.props.IntProperty(
        name="Step", description="-1 for the attempt before, 1 for the next one", default=1
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a run with attempts, and Object Mode."""
        return _needs_attempt(cls) is not None and _needs_object_mode(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Go there."""
        found, state = open_run.now(), context.window_manager.plumbline_run
        view = found.table.view(state.query())
        here = view.place.get(found.chosen, -1 if self.step > 0 else len(view.shown))
        place = here + (1 if self.step > 0 else -1)
        if not 0 <= place < len(view.shown):
            self.report({"INFO"}, f"This is the {'last' if self.step > 0 else 'first'} of the list")
            return {"CANCELLED"}
        found.choose(view.shown[place])
        if found.files.scene is not None:
            attempt_scene.show(context, found, found.chosen)
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_attempt_code(bpy.types.Operator):
    """Read the program of this attempt in a Text Editor, as a text of its own"""

    bl_idname = "plumbline.attempt_code"
    bl_label = "Code of This Attempt"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt that has one."""
        found = _needs_attempt(cls)
        if found is not None and found.files.program is None:
            cls.poll_message_set("This attempt has left no program")
            return False
        return found is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it."""
        found = open_run.now()
        try:
            name, code = attempt_scene.program_of(found)
        except OSError as error:
            self.report({"ERROR"}, f"The program can't be read: {error}")
            return {"CANCELLED"}
        texts.show(context, texts.put(f"code {found.files.program}", name, code))
        return {"FINISHED"}


class PLUMBLINE_OT_attempt_talk(bpy.types.Operator):
    """Read what was asked, answered, run and found in this attempt, in a Text Editor"""

    bl_idname = "plumbline.attempt_talk"
    bl_label = "Conversation of This Attempt"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt that has one."""
        found = _needs_attempt(cls)
        if found is not None and not found.files.transcript:
            cls.poll_message_set("This attempt has no transcript")
            return False
        return found is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it."""
        found = open_run.now()
        try:
            tries.show_transcript(context, found.files.folder, found.table.rows[found.chosen].name)
        except OSError as error:
            self.report({"ERROR"}, f"The transcript can't be read: {error}")
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_run_report(bpy.types.Operator):
    """Open the report of this run in the browser; it is written first if there is none yet"""

    bl_idname = "plumbline.run_report"
    bl_label = "Report of This Run"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs a run."""
        return _needs_run(cls) is not None

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Open it."""
        open_run.with_report(open_run.now(), _open_page)
        return {"FINISHED"}


def _open_page(path: Path) -> None:
    bpy.ops.wm.url_open(url=path.resolve().as_uri())


class PLUMBLINE_OT_use_side(bpy.types.Operator):
    """Take this attempt as one of the two that are compared"""

    bl_idname = "plumbline.use_side"
    bl_label = "Compare This"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    side: bpy.props.EnumProperty(
        name="Side",
        description="As which of the two",
        items=(("A", "A", "The first of the two"), ("B", "B", "The second of the two")),
    )

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an attempt."""
        return _needs_attempt(cls) is not None

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Note it; what was compared before is over."""
        found = open_run.now()
        setattr(found, self.side.lower(), found.chosen)
        found.compared = None
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_compare_attempts(bpy.types.Operator):
    """Show A here and B in a window of its own, from the same side, and list what differs"""

    bl_idname = "plumbline.compare_attempts"
    bl_label = "Compare A and B"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs two attempts."""
        found = _needs_run(cls)
        if found is None or not _needs_object_mode(cls, context):
            return False
        if found.a < 0 or found.b < 0 or found.a == found.b:
            cls.poll_message_set("Choose two attempts first: one as A, another one as B")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Compare them."""
        side_by_side.start(context, open_run.now())
        return {"FINISHED"}


class PLUMBLINE_OT_flip_sides(bpy.types.Operator):
    """Change between A and B in this window: what moves is what differs"""

    bl_idname = "plumbline.flip_sides"
    bl_label = "Flip A and B"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a comparison."""
        found = _needs_run(cls)
        if found is None or not _needs_object_mode(cls, context):
            return False
        if found.compared is None:
            cls.poll_message_set("Compare A and B first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Flip."""
        if not side_by_side.flip(context, open_run.now()):
            self.report({"INFO"}, "One of the two has no scene in the file")
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_open_run,
    PLUMBLINE_OT_recent_runs,
    PLUMBLINE_OT_close_run,
    PLUMBLINE_OT_remove_run_scenes,
    PLUMBLINE_OT_open_attempt,
    PLUMBLINE_OT_step_attempt,
    PLUMBLINE_OT_attempt_code,
    PLUMBLINE_OT_attempt_talk,
    PLUMBLINE_OT_run_report,
    PLUMBLINE_OT_use_side,
    PLUMBLINE_OT_compare_attempts,
    PLUMBLINE_OT_flip_sides,
)
