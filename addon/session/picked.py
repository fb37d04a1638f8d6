# SPDX-License-Identifier: GPL-3.0-or-later
"""Who a person means by what is selected: bodies, members, or blocks. Main thread only."""

from __future__ import annotations

import bpy

from ...checks.voxel.cells import block_name
from .. import review
from ..pictures.voxel import told
from . import kind_here, pointing

_BODIES = ("MESH", "CURVE", "SURFACE", "FONT", "META", "EMPTY")
#: No more blocks of a finding are taken.
_MOST_BLOCKS = 256


def names(context: bpy.types.Context) -> tuple[str, ...]:
    """Names of what is selected, the active one last; of blocks as findings call them."""
    scene = context.scene
    if scene is None:
        return ()
    if kind_here.kind_here(scene) == "voxel":
        return _blocks(scene)
    chosen = [obj for obj in context.selected_objects if obj.type in _BODIES]
    active = context.view_layer.objects.active
    return tuple(obj.name for obj in sorted(chosen, key=lambda obj: (obj == active, obj.name)))


def _blocks(scene: bpy.types.Scene) -> tuple[str, ...]:
    """The block that was pointed at, else those of the chosen finding."""
    pointed = pointing.of(scene)
    if pointed is not None:
        return (block_name(pointed.cell),)
    found = review.of(scene)
    finding = found.chosen if found is not None else None
    if finding is None:
        return ()
    places = told.cells(finding, "blocks")[:_MOST_BLOCKS].tolist()
    if not places and told.cell_of(finding.subject) is not None:
        return (finding.subject,)
    return tuple(block_name((x, y, z)) for x, y, z in places)


def advice(context: bpy.types.Context) -> str:
    """What to do where nothing is selected."""
    if context.scene is not None and kind_here.kind_here(context.scene) == "voxel":
        return "Point at a block first (Findings > Ask a Block), or choose a finding"
    return "Select in the 3D view what you mean, then press this"
