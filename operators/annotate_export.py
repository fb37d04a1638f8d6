# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing what everybody said of a run: the agreement page, a table, BCF."""

from typing import Any

import bpy

from ..addon.session import exporting


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


CLASSES = (PLUMBLINE_OT_export_annotations,)
