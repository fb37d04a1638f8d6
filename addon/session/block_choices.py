# SPDX-License-Identifier: GPL-3.0-or-later
"""How a person wants to see blocks, as the window remembers it: the path, and the stress."""

from typing import Any

import bpy

from ...checks.voxel.stress.named import LAYOUTS, NONE, OF_TASK
from .gallery import redraw

METHODS = (
    (
        "fem",
        "Finite elements",
        "Sound statics: own weight and stiffness of the real materials, the ground holds. Start "
        "with this one",
    ),
    (
        "sph",
        "Published score (sph)",
        "The particle solver of the MineCEraft benchmark with its constants, to compare with "
        "published scores. It shows stress that isn't there in parts one block thick",
    ),
)
_REFERENCES = (
    (OF_TASK, "Of the task", "The reference of the task that the scene was built for, if any"),
    (NONE, "None", "Only show the stress, and judge nothing"),
    *(
        (name, layout.title[:1].upper() + layout.title[1:], "Greatest stress of this layout")
        for name, layout in LAYOUTS.items()
    ),
)


def _seen(_state: Any, _context: Any) -> None:
    redraw()


def _judge_again(_state: Any, context: bpy.types.Context) -> None:
    from . import stress  # which needs this module

    stress.judge_again(context)


class PlumblineStress(bpy.types.PropertyGroup):
    """Which stress the person wants, and how it is drawn."""

    method: bpy.props.EnumProperty(
        name="Solver", description="How the stress is worked out", items=METHODS
    )
    reference: bpy.props.EnumProperty(
        name="Reference",
        description="The stress that may be reached: the score is this over the greatest stress",
        items=_REFERENCES,
        update=_judge_again,
    )
    show: bpy.props.BoolProperty(
        name="Heat Map",
        description="Colour the blocks in the 3D view by their stress; the scene stays as it is",
        default=True,
        update=_seen,
    )
    auto_range: bpy.props.BoolProperty(
        name="Fitting range",
        description="Let the colours go from nothing to the greatest stress",
        default=True,
        update=_seen,
    )
    low: bpy.props.FloatProperty(
        name="From (kPa)",
        description="Stress at the dark end of the colours",
        default=0.0,
        min=0.0,
        soft_max=1e5,
        update=_seen,
    )
    high: bpy.props.FloatProperty(
        name="To (kPa)",
        description="Stress at the bright end of the colours",
        default=100.0,
        min=0.001,
        soft_max=1e5,
        update=_seen,
    )
    deform: bpy.props.BoolProperty(
        name="Deformed Shape",
        description="Draw the blocks where they move to, many times enlarged",
        update=_seen,
    )
    auto_scale: bpy.props.BoolProperty(
        name="Fitting scale",
        description="Enlarge so that the largest displacement is 1/20 of the structure's size",
        default=True,
        update=_seen,
    )
    scale: bpy.props.FloatProperty(
        name="Scale",
        description="How many times larger the displacement is drawn",
        default=1000.0,
        min=0.0,
        soft_max=1e5,
        update=_seen,
    )
    label: bpy.props.BoolProperty(
        name="Name the worst block",
        description="Write the greatest stress beside the block that has it",
        default=True,
        update=_seen,
    )


class PlumblineBlocks(bpy.types.PropertyGroup):
    """How the person wants to see the placement order."""

    path: bpy.props.BoolProperty(
        name="Draw Path",
        description="Draw a line from block to block in the order of their placement: blue where "
        "it begins, yellow where it ends, jumps as thick dashes",
        update=lambda _state, _context: redraw(),
    )


def blocks_of(context: bpy.types.Context) -> PlumblineBlocks:
    """How the placement order is shown in this window manager."""
    return context.window_manager.plumbline_blocks


def stress_of(context: bpy.types.Context) -> PlumblineStress:
    """How the stress is solved and shown in this window manager."""
    return context.window_manager.plumbline_stress


CLASSES = (PlumblineStress, PlumblineBlocks)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    manager = bpy.types.WindowManager
    manager.plumbline_stress = bpy.props.PointerProperty(type=PlumblineStress)
    manager.plumbline_blocks = bpy.props.PointerProperty(type=PlumblineBlocks)


def detach() -> None:
    """Take it away again."""
    del bpy.types.WindowManager.plumbline_stress
    del bpy.types.WindowManager.plumbline_blocks
