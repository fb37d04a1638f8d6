# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations in plain words: what each probe asks, and what is made otherwise. No ``bpy`` here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Each probe as the sentence that holds if it passes, and how it is told, in the order of the
#: specification.
PROBES: Mapping[str, tuple[str, str]] = {
    "numerical_stability": (
        "Nothing explodes or jumps",
        "Every place is a number, and nothing moves farther in a frame than its speed allows",
    ),
    "gravity": (
        "What flies falls by gravity",
        "Bodies that touch nothing gain speed as the gravity of the scene says",
    ),
    "mass": (
        "Masses fit the materials",
        "Mass and size of a body give a density that its material can have",
    ),
    "prescribed_motion": (
        "The solver moves it, no keys",
        "Bodies are moved by the simulation, and not by keys, drivers, parents or scripts",
    ),
    "interpenetration": (
        "Nothing is inside another",
        "No two solid bodies share a place, for long or deeply",
    ),
    "support": (
        "What rests is held up",
        "A body at rest touches what carries it, and that can be seen",
    ),
    "contact": (
        "Only contact stops or turns",
        "Speed changes abruptly only where something is touched, and touching has an effect",
    ),
    "energy": (
        "No energy from nowhere",
        "Motion and height together never gain energy unless something gives it",
    ),
    "rigidity": (
        "Rigid bodies keep their shape",
        "Edges of rigid bodies keep their length, and joints hold together",
    ),
    "cloth": ("Cloth doesn't cross itself", "Cloth keeps its pins and its length as well"),
    "liquid": ("Liquid is kept and kept in", "Its volume stays, and it stays within its walls"),
    "wind": ("Wind makes a difference", "Without its fields the scene goes otherwise"),
    "friction": (
        "Sliding slows as declared",
        "What slides is slowed as its friction says, and what rolls doesn't slip",
    ),
    "restitution": (
        "Nothing bounces too high",
        "Bodies part no faster after an impact than their bounciness allows",
    ),
    "soft_body": ("Soft bodies keep their volume", "They keep volume and lengths within bounds"),
}

#: What it is called where a probe found a fault.
FAULTS: Mapping[str, str] = {
    "numerical_stability": "It explodes or jumps",
    "gravity": "It doesn't fall by gravity",
    "mass": "Masses don't fit",
    "prescribed_motion": "Moved by keys or scripts",
    "interpenetration": "Bodies inside each other",
    "support": "Resting on nothing",
    "contact": "Contact has no effect, or effect no contact",
    "energy": "Energy from nowhere",
    "rigidity": "A rigid body bends",
    "cloth": "Cloth crosses itself or stretches",
    "liquid": "Liquid is lost or leaks",
    "wind": "Wind makes no difference",
    "friction": "Friction isn't as declared",
    "restitution": "It bounces too high",
    "soft_body": "A soft body doesn't keep its volume",
}

#: What can be made otherwise in a simulated scene: button text and tooltip, by the kinds of
#: ``checks.reconstruction.interventions``.
CHANGES: Mapping[str, tuple[str, str]] = {
    "remove": ("Take Away", "The bodies aren't there"),
    "gravity": ("Gravity", "Gravity is off, turned or of another strength"),
    "release": ("Start Elsewhere", "The bodies start at another place, or turned"),
    "velocity": ("Start with a Push", "The bodies start with a velocity"),
    "mass": ("Heavier or Lighter", "The bodies have another mass"),
    "friction": ("Rougher or Smoother", "The bodies have another friction"),
    "restitution": ("Bouncier or Duller", "The bodies have another bounciness"),
    "remove_contact": ("Pass through", "Two bodies don't feel each other any more"),
    "add_contact": ("Feel Each Other", "Two bodies feel each other where their surfaces meet"),
    "remove_constraint": ("Undo a Joint", "A joint doesn't hold any more"),
    "field": ("Wind or Field", "A force field is off, weaker or stronger"),
    "add_support": ("Put a Block There", "A still box stands where you say"),
    "bound_support": (
        "End the Support",
        "A support ends where its visible surface ends, whatever its collision shape",
    ),
    "none": ("Nothing, Once More", "The same scene again: shows how far two runs differ anyway"),
}

#: The same for a structure that stands still: kinds of ``addon.simulation.falling.asked``.
FALLS: Mapping[str, tuple[str, str]] = {
    "remove": ("Take Away", "The members aren't there"),
    "shift": ("Shift", "The members stand elsewhere"),
    "weaken": ("Weaken", "The joints of the members hold less"),
    "cut": ("Cut a Contact", "Two members don't hold each other any more"),
    "gravity": ("Turn Gravity", "Gravity is turned, off or of another strength"),
    "push": ("Push", "The members are pushed"),
}


def items(table: Mapping[str, tuple[str, str]], *without: str) -> list[tuple[str, str, str]]:
    """A table as the choices of a field."""
    return [(name, *words) for name, words in table.items() if name not in without]


def probe_title(check: str) -> str:
    """A probe's sentence; of a counterfactual criterion its id."""
    if check in PROBES:
        return PROBES[check][0]
    return check.removeprefix("counterfactual.").replace("_", " ")


def fault_title(check: str) -> str:
    """What a probe's fault is called; of a counterfactual criterion its id."""
    return FAULTS.get(check) or probe_title(check)


def named(names: Any, most: int = 2) -> str:
    """``Stud_01``, ``Stud_01 and Stud_02``, ``Stud_01 and 4 more``."""
    listed = list(names)
    if len(listed) <= most:
        return " and ".join(listed)
    return f"{listed[0]} and {len(listed) - 1} more"


def change_words(kind: str, values: Mapping[str, Any], members: tuple[str, ...]) -> str:
    """What is otherwise, short enough for a view's corner: ``without Stud_03``, ``gravity off``."""
    who = named(members)
    scale = values.get("scale")
    if kind == "remove":
        return f"without {who}"
    if kind == "gravity":
        if scale == 0 or not any(values.get("vector", (1,))):
            return "gravity off"
        return f"gravity x {scale:g}" if scale is not None else "gravity turned"
    if kind in ("mass", "field") and scale is not None:
        what = "mass" if kind == "mass" else "strength"
        return f"{who} off" if scale == 0 else f"{who}: {what} x {scale:g}"
    if kind in ("mass", "friction", "restitution"):
        unit = " kg" if kind == "mass" else ""
        return f"{who}: {kind} {values.get('value', 0):g}{unit}"
    words = {
        "release": "{} starts elsewhere",
        "shift": "{} shifted",
        "velocity": "{} is pushed",
        "push": "{} is pushed",
        "weaken": "{} weakened",
        "cut": "{} don't hold each other",
        "remove_contact": "{} pass through each other",
        "add_contact": "{} feel each other",
        "remove_constraint": "without joint {}",
        "add_support": "with a block to stand on",
        "bound_support": "{} ends where it is seen",
        "none": "the same once more",
    }
    return words.get(kind, kind).format(who)
