# SPDX-License-Identifier: GPL-3.0-or-later
"""Blind mode: nobody is told what the checks think before having judged for themselves."""

from __future__ import annotations

import bpy

from . import sitting

#: What stands where a verdict would.
NOTE = "Hidden until you have judged this structure (Annotate > Blind)"


def hidden(context: bpy.types.Context) -> bool:
    """Whether verdict, figures, findings and colours of the shown scene are to be kept from sight.

    True while blind mode is on and this annotator has not yet said whether the structure is sound;
    also while there is no name yet. Cheap enough for every redraw.
    """
    state = sitting.state_of(context)
    if state is None or not state.blind:
        return False
    found = sitting.sitting(context)
    return found is None or not found.judged
