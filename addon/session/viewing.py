# SPDX-License-Identifier: GPL-3.0-or-later
"""How a structure is coloured in the 3D view, as the window remembers it."""

from typing import Any

import bpy

from .gallery import redraw

MODES = (
    (
        "finding",
        "Chosen finding",
        "Colour only the finding that is chosen in the list",
        "RESTRICT_SELECT_OFF",
        0,
    ),
    (
        "verdict",
        "Verdict",
        "Colour every member by what was found: at fault, follows from a fault, takes part in "
        "one, nothing found",
        "CHECKMARK",
        1,
    ),
    ("check", "Check", "Colour every member at fault by the check that fails there", "PRESET", 2),
    ("role", "Role", "Colour every member by its role: joist, stud, rafter", "GROUP", 3),
    (
        "margin",
        "Margin",
        "Heat map: how much of what is allowed each member uses. 100 % is the limit",
        "COLORSET_02_VEC",
        4,
    ),
)


def _changed(_state: Any, _context: Any) -> None:
    redraw()


class PlumblineViewing(bpy.types.PropertyGroup):
    """How the person wants to see a checked structure."""

    mode: bpy.props.EnumProperty(
        name="Colour by",
        description="What the colours of the members in the 3D view mean",
        items=MODES,
        update=_changed,
    )
    check: bpy.props.StringProperty(
        name="Check",
        description="The check whose margins are shown; empty shows the worst of all checks",
        update=_changed,
    )
    ghost: bpy.props.BoolProperty(
        name="Fade the rest",
        description="Fade everything that has no colour, so that what has one stands out",
        default=True,
        update=_changed,
    )
    isolate: bpy.props.BoolProperty(
        name="Only the chosen finding",
        description="Fade everything but the members of the chosen finding",
        update=_changed,
    )
    xray: bpy.props.BoolProperty(
        name="See through",
        description="Show what is at fault through whatever stands before it",
        default=True,
        update=_changed,
    )
    legend: bpy.props.BoolProperty(
        name="Legend",
        description="Say in the 3D view what the colours mean",
        default=True,
        update=_changed,
    )
    energy: bpy.props.BoolProperty(
        name="Energy over time",
        description="Show in the 3D view how kinetic, potential and total energy go over the "
        "frames, where they rise from nowhere, and where the present frame is",
        default=True,
        update=_changed,
    )
    load_path: bpy.props.BoolProperty(
        name="Load path of the active member",
        description="Show with moving arrows how the load of the member that you select gets down "
        "to the ground",
        update=_changed,
    )
    target: bpy.props.BoolProperty(
        name="Ghosts of the target",
        description="Show what differs from the known-good building of the task: ghosts of what is "
        "missing, marks on what is extra, arrows to where displaced members belong. It is no part "
        "of the verdict",
        update=_changed,
    )


def state_of(context: bpy.types.Context) -> PlumblineViewing:
    """The state of this window manager."""
    return context.window_manager.plumbline_view


CLASSES = (PlumblineViewing,)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_view = bpy.props.PointerProperty(type=PlumblineViewing)


def detach() -> None:
    """Take it away again."""
    del bpy.types.WindowManager.plumbline_view
