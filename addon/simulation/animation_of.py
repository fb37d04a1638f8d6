# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation curves and drivers of a data-block, as Blender keeps them in every version.

Up to 4.3 an action holds its curves, from 4.4 on each data-block has a slot in it and the curves
lie in layers, strips and channel bags. Curves are evaluated by Blender's own C code; drivers never
are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

# Frames at which a curve is looked at; of longer ranges, so many spread over it.
_LOOKS = 400
# Values that differ by less are the same.
_SAME = 1e-6


def curves(block: bpy.types.ID) -> Iterator[bpy.types.FCurve]:
    """The curves of the action that a data-block plays, muted ones left out."""
    data = block.animation_data
    if data is None or data.action is None or data.action_influence == 0:
        return
    yield from _of_action(data.action, getattr(data, "action_slot", None))


def strip_curves(block: bpy.types.ID) -> Iterator[tuple[str, bpy.types.FCurve]]:
    """The curves that strips of the nonlinear animation play, with the strip's name."""
    data = block.animation_data
    if data is None or not data.use_nla:
        return
    solo = [track for track in data.nla_tracks if track.is_solo]
    for track in solo or data.nla_tracks:
        if not track.mute:
            for strip in _strips(track.strips):
                for curve in _of_action(strip.action, getattr(strip, "action_slot", None)):
                    yield strip.name, curve


def drivers(block: bpy.types.ID) -> Iterator[bpy.types.FCurve]:
    """The drivers of a data-block, muted ones left out."""
    data = block.animation_data
    if data is not None:
        yield from (one for one in data.drivers if not one.mute)


def varies(curve: bpy.types.FCurve, first: int, last: int) -> bool:
    """Whether a curve has different values in the frames from ``first`` to ``last``."""
    step = max(1, -(-(last - first + 1) // _LOOKS))
    start = curve.evaluate(first)
    frames = (*range(first, last + 1, step), last)
    return any(abs(curve.evaluate(frame) - start) > _SAME for frame in frames)


def is_python(curve: bpy.types.FCurve) -> bool:
    """Whether a driver's expression needs Python, which never runs here."""
    driver = curve.driver
    return driver.type == "SCRIPTED" and not driver.is_simple_expression


def _strips(strips: Any) -> Iterator[Any]:
    for strip in strips:
        if strip.mute:
            continue
        if strip.type == "META":
            yield from _strips(strip.strips)
        elif strip.type == "CLIP" and strip.action is not None:
            yield strip


def _of_action(action: bpy.types.Action, slot: Any) -> Iterator[bpy.types.FCurve]:
    if not hasattr(action, "layers"):  # up to 4.3
        yield from (curve for curve in action.fcurves if not curve.mute)
    elif slot is not None:
        for layer in action.layers:
            for strip in layer.strips:
                bag = strip.channelbag(slot) if strip.type == "KEYFRAME" else None
                if bag is not None:
                    yield from (curve for curve in bag.fcurves if not curve.mute)
