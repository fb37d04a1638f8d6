# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person wants to be otherwise, as data in SI units, from the fields of the panel."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ...checks.reconstruction.interventions import Intervention
from ...checks.reconstruction.reading import BriefError
from .. import physics_words
from ..scene.members import unit_scale
from ..simulation.falling.asked import WhatIf
from ..simulation.steps import SimulationError
from .intervention_fields import CLASSES, PlumblineChange, PlumblineOtherwise

#: Standard gravity, m/s2 (CGPM 1901).
G = 9.80665

#: How many members each kind needs: (least, most), ``None`` for any number.
_PAIR, _SOME, _ONE, _NONE = (2, 2), (1, None), (1, 1), (0, 0)
NEEDS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("remove", "release", "velocity", "mass", "friction", "restitution"), _SOME),
    **dict.fromkeys(("shift", "weaken", "push", "bound_support"), _SOME),
    **dict.fromkeys(("remove_contact", "add_contact", "cut"), _PAIR),
    **dict.fromkeys(("remove_constraint", "field"), _ONE),
    **dict.fromkeys(("gravity", "add_support", "none"), _NONE),
}
_WHAT = {"remove_constraint": "the joint", "field": "the force field"}


def state(context: bpy.types.Context) -> PlumblineOtherwise:
    """What is set in this session."""
    return context.window_manager.plumbline_otherwise


def changes_of(asked: PlumblineOtherwise) -> list[PlumblineChange]:
    """All changes, the first one first."""
    return [asked.first, *asked.more]


def kind_of(change: PlumblineChange, static: bool, control: bool = False) -> str:
    """Which kind is chosen, for a structure that stands still or a simulated scene."""
    if static:
        return str(change.falls)
    return str(change.control if control else change.kind)


def names_of(change: PlumblineChange) -> tuple[str, ...]:
    """Who is meant."""
    return tuple(item.name for item in change.members if item.name)


def missing(kind: str, names: tuple[str, ...], who: str = "body") -> str:
    """What still has to be picked, as a sentence; empty if nothing has."""
    least, most = NEEDS[kind]
    what = _WHAT.get(kind, f"a {who}" if least == 1 else f"two {_many(who)}")
    if len(names) < least:
        return f"Pick {what}: select in the view, then Use Selected"
    if most is not None and most and len(names) > most:
        return f"Pick only {what}: {len(names)} are picked"
    return ""


def _many(who: str) -> str:
    return "bodies" if who == "body" else f"{who}s"


def interventions(
    change: PlumblineChange, scene: bpy.types.Scene, control: bool = False
) -> list[Intervention]:
    """What a change comes to in a simulated scene: one intervention for each body.

    Raises :class:`SimulationError` with what is to be picked or set.
    """
    kind, names = kind_of(change, False, control), names_of(change)
    if need := missing(kind, names):
        raise SimulationError(need)
    given: dict[str, Any] = {"kind": kind, **_values(change, kind, unit_scale(scene), scene)}
    if change.late and kind != "none":
        given["at_frame"] = change.at_frame
    if kind in ("remove_contact", "add_contact"):
        every = [{**given, "pair": list(names)}]
    elif kind in ("remove_constraint", "field"):
        every = [{**given, "constraint" if kind != "field" else "field": names[0]}]
    elif NEEDS[kind] == _NONE:
        every = [given]
    else:
        every = [{**given, "object": name} for name in names]
    try:
        return [Intervention.from_mapping(one) for one in every]
    except BriefError as error:
        raise SimulationError(str(error)) from None


def _values(
    change: PlumblineChange, kind: str, unit: float, scene: bpy.types.Scene
) -> dict[str, Any]:
    """The values of a kind in SI units."""

    def lengths(value: Any) -> list[float]:
        return [float(v) * unit for v in value]

    if kind == "gravity":
        return _gravity(change, unit, [float(v) * unit for v in scene.gravity])
    if kind == "release":
        return {"offset": lengths(change.offset), "rotation": _axis_angle(change.rotation)}
    if kind == "velocity":
        return {"linear": lengths(change.linear), "angular": [float(v) for v in change.spin]}
    if kind == "mass":
        return {"scale": change.times} if change.amount == "TIMES" else {"value": change.mass}
    if kind in ("friction", "restitution"):
        return {"value": change.value}
    if kind == "field":
        return {"scale": change.times}
    if kind == "add_support":
        return {"centre": lengths(change.centre), "size": lengths(change.size)}
    return {}


def _gravity(change: PlumblineChange, unit: float, now: list[float]) -> dict[str, Any]:
    strength = math.hypot(*now) or G
    if change.gravity in ("OFF", "TIMES"):
        return {"scale": 0.0 if change.gravity == "OFF" else change.times}
    return {
        "vector": {
            "UP": [0.0, 0.0, strength],
            "X": [strength, 0.0, 0.0],
            "Y": [0.0, strength, 0.0],
        }.get(change.gravity, [float(v) * unit for v in change.vector])
    }


def _axis_angle(angles: Any) -> list[float]:
    """Axis times angle of turns about X, Y, Z."""
    axis, angle = angles.to_quaternion().to_axis_angle()
    return [float(v) * angle for v in axis]


def what_ifs(change: PlumblineChange, scene: bpy.types.Scene) -> list[WhatIf]:
    """What a change comes to in a structure that stands still.

    Raises :class:`SimulationError` with what is to be picked or set.
    """
    kind, names = kind_of(change, True), names_of(change)
    if need := missing(kind, names, "member"):
        raise SimulationError(need)
    unit = unit_scale(scene)
    if kind == "gravity":
        given = _gravity(change, unit, [0.0, 0.0, -G])
        if "scale" in given:
            return [WhatIf("gravity", vector=(0.0, 0.0, -given["scale"]))]
        x, y, z = (v / G for v in given["vector"])
        return [WhatIf("gravity", vector=(x, y, z))]
    if kind == "shift":
        x, y, z = (float(v) * unit for v in change.offset)
        return [WhatIf("shift", names, offset=(x, y, z))]
    if kind == "weaken":
        return [WhatIf("weaken", names, factor=change.share)]
    if kind == "push":
        x, y, z = (float(v) for v in change.force)
        return [WhatIf("push", names, vector=(x, y, z), unit=change.push)]
    return [WhatIf("cut" if kind == "cut" else "remove", names)]


def words_of(
    change: PlumblineChange, scene: bpy.types.Scene, static: bool, control: bool = False
) -> str:
    """What is otherwise, in a few words."""
    kind = kind_of(change, static, control)
    unit = unit_scale(scene)
    values = _values(change, kind, unit, scene)
    return physics_words.change_words(kind, values, names_of(change))


def attach() -> None:
    """Put the fields on every window manager."""
    bpy.types.WindowManager.plumbline_otherwise = bpy.props.PointerProperty(type=PlumblineOtherwise)


def detach() -> None:
    """Take them away again."""
    del bpy.types.WindowManager.plumbline_otherwise


__all__ = ["CLASSES", "PlumblineChange", "PlumblineOtherwise", "interventions", "what_ifs"]
