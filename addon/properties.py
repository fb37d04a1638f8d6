# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels remember while Blender runs: choices and filters, on the window manager.

Nothing here is written into a .blend file. Results themselves are in :mod:`.review`; the list
widget only gets as many blank rows as there are findings and asks the review what they say.
"""

from typing import Any

import bpy

from . import review, task_choice
from .findings import Query

PROFILES = (
    (
        "engineering",
        "Engineering",
        "Would it stand and pass inspection: load path, bearing, spans, spacing, clashes. "
        "Start with this one",
    ),
    ("paper", "Paper", "The ten tests of the DreamHouse paper, with the paper's own limits"),
    ("release", "Release", "The ten tests as the released DreamHouse server runs them"),
)

BLOCK_PROFILES = (
    ("paper", "Paper", "The checks as the text of the MineCEraft paper has them"),
    ("code", "Code", "The checks as the public graders of MineCEraft run them"),
)

MOTION_PROFILES = (
    ("paper", "Paper", "The fifteen probes of physical validity, after PhysCodeGym"),
)

#: How a bottom surface is judged: as the rules say, or otherwise.
BOTTOMS = (
    ("RULES", "As the Rules Say", "Soffit by the paper's rules, belly by the code's"),
    ("soffit", "Soffit", "It must bulge up between its supports, as an arch does"),
    ("belly", "Belly", "It must bulge down, as the public graders have it"),
)

#: Rules by kind, each with its title and what it means.
PROFILES_OF = {
    "timber": PROFILES,
    "voxel": BLOCK_PROFILES,
    "reconstruction": MOTION_PROFILES,
}


def profile_title(kind: str, profile: str) -> str:
    """What a set of rules is called; one that isn't known by its id."""
    return {name: title for name, title, _ in PROFILES_OF.get(kind, ())}.get(profile, profile)


SORTS = (
    ("worst", "Worst first", "The fault with the most consequences first, then the largest excess"),
    ("margin", "Excess", "The figure furthest beyond its limit first, as a share of the limit"),
    ("check", "Check", "By check, then by member"),
    ("member", "Member", "By the member's name"),
)


def _get_active(state: Any) -> int:
    """Place of the chosen finding in the list as it is shown now, -1 if it is not."""
    found = review.of(bpy.context.scene)
    return found.table.view(state.query()).place.get(found.active, -1) if found else -1


def _set_active(state: Any, place: int) -> None:
    """A row was clicked: do what the operator does, with its undo step."""
    if not bpy.ops.plumbline.show_finding.poll():
        return  # the panel says why and greys the list; scripts can still get here
    shown = review.of(bpy.context.scene).table.view(state.query()).shown
    bpy.ops.plumbline.show_finding("EXEC_DEFAULT", True, row=shown[place])


class PlumblineRow(bpy.types.PropertyGroup):
    """A blank row of the findings list, which stands for a place in it, not for a finding."""


class PlumblineState(task_choice.TaskChoice, bpy.types.PropertyGroup):
    """Choices of the person in the Plumbline tab."""

    profile: bpy.props.EnumProperty(
        name="Rules",
        description="Which set of rules the building is judged by",
        items=PROFILES,
    )
    block_profile: bpy.props.EnumProperty(
        name="Rules",
        description="Which set of rules a construction of blocks is judged by",
        items=BLOCK_PROFILES,
    )
    bottom: bpy.props.EnumProperty(
        name="Bottom Surface",
        description="Which way the bottom of an arch must bulge. Paper and public code disagree",
        items=BOTTOMS,
    )
    filter_text: bpy.props.StringProperty(
        name="Search",
        description="Show only findings with these words in member, check or explanation",
        options={"TEXTEDIT_UPDATE"},
    )
    filter_check: bpy.props.StringProperty(
        name="Check", description="Show only findings of this check; empty shows all"
    )
    filter_role: bpy.props.StringProperty(
        name="Role",
        description="Show only findings about members of this role; empty shows all",
    )
    roots_only: bpy.props.BoolProperty(
        name="Causes only",
        description="Hide findings that merely follow from another one",
    )
    sort: bpy.props.EnumProperty(
        name="Order", description="Which finding comes first in the list", items=SORTS
    )
    reverse: bpy.props.BoolProperty(name="Reverse", description="Turn the order round")
    show_highlight: bpy.props.BoolProperty(
        name="Highlight",
        description="Colour the chosen finding in the 3D view: red for what is at fault, "
        "amber for what takes part in it",
        default=True,
    )
    rows: bpy.props.CollectionProperty(type=PlumblineRow)
    active_row: bpy.props.IntProperty(
        name="Finding",
        description="Click to select the member, bring it into view and read what is wrong",
        get=_get_active,
        set=_set_active,
    )

    def rules(self, kind: str) -> str:
        """The chosen set of rules for structures of a kind."""
        if kind == "reconstruction":  # there is but one
            return MOTION_PROFILES[0][0]
        return str(self.block_profile if kind == "voxel" else self.profile)

    def overrides(self, kind: str) -> dict[str, str]:
        """What of a task's brief the person wants otherwise, for structures of a kind."""
        if kind != "voxel" or self.bottom == "RULES":
            return {}
        return {"bottom": str(self.bottom)}

    def query(self) -> Query:
        """What the filters ask for."""
        return Query(
            self.filter_text,
            self.filter_check,
            self.roots_only,
            self.sort,
            self.reverse,
            self.filter_role,
        )


def fit_rows(window_manager: bpy.types.WindowManager) -> None:
    """Give the list widget exactly as many blank rows as the longest list of findings needs."""
    rows = window_manager.plumbline.rows
    wanted = review.longest()
    if len(rows) > wanted:
        rows.clear()
    for _ in range(wanted - len(rows)):
        rows.add()


CLASSES = (*task_choice.CLASSES, PlumblineRow, PlumblineState)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline = bpy.props.PointerProperty(type=PlumblineState)


def detach() -> None:
    """Take it away again, with what it held."""
    del bpy.types.WindowManager.plumbline
    task_choice.detach()
