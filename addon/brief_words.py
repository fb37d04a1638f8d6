# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task asks for, in plain words with units: for the panel, and as a page to build from."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..checks.reconstruction.brief import Criterion, ReconstructionBrief
from ..checks.reconstruction.words import alteration_words
from ..checks.timber.brief import CATEGORIES, PSF, TimberBrief
from ..checks.voxel.brief import VoxelBrief
from ..tasks import Task
from .block_words import asked
from .units import length_words
from .words import check_title

Length = Callable[[float], str]

#: On-centre spacing where a task names none, m (24 in).
_WIDEST_SPACING = 0.610
_GRADES = {"SS": "select structural", "1": "grade No. 1", "2": "grade No. 2", "3": "grade No. 3"}
#: Width of the lines of a page, characters.
_LINE = 78


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a task asks for: what it is about, and what is asked."""

    label: str
    value: str


def lines_of(task: Task, system: str = "metric") -> list[Line]:
    """Everything that a task asks for, the shape of the building first, in ``system``'s units.

    Of a kind that has no words of its own the fields of the brief are given as they stand.
    """
    length = length_words(system)
    shape = [*_shape(task.constraints, length), *_wording(task)]
    words = _BRIEFS.get(task.kind)
    if words is None:
        return shape + [Line(_plain(name), str(value)) for name, value in task.brief.items()]
    return shape + list(words(task.brief, length, system))


def _wording(task: Task) -> Iterator[Line]:
    """How the task is worded, where that is one of several ways."""
    words = getattr(getattr(task.origin, "problem", None), "words", None)
    if words:
        yield Line("Worded", ", ".join(f"{_plain(k).lower()}: {v}" for k, v in words.items()))


def _shape(given: Mapping[str, Any], length: Length) -> Iterator[Line]:
    """The constraints that a task has, in words."""
    if {"footprint_x", "footprint_y"} <= set(given):
        both = length(given["footprint_x"]), length(given["footprint_y"])
        yield Line("Footprint", f"{both[0]} along X, {both[1]} along Y")
    if given.get("stories"):
        yield Line("Storeys", str(given["stories"]))
    roof = [str(given["roof_type"])] if given.get("roof_type") else []
    if given.get("roof_pitch"):
        roof.append(_pitch(float(given["roof_pitch"])))
    if given.get("overhang"):
        roof.append(f"overhanging {length(given['overhang'])}")
    if roof:
        yield Line("Roof", ", ".join(roof))
    if {"lot_width", "lot_depth"} <= set(given):
        yield Line("Lot", f"{length(given['lot_width'])} by {length(given['lot_depth'])}")
    if given.get("wings"):
        yield Line("Wings", str(given["wings"]))


def _pitch(degrees: float) -> str:
    """``33.7° (8 in 12)``: the angle, and what a framing square is set to."""
    rise = 12.0 * math.tan(math.radians(min(degrees, 85.0)))
    return f"{degrees:.1f}° ({rise:.3g} in 12)"


def _timber(given: Mapping[str, Any], length: Length, system: str) -> Iterator[Line]:
    brief = TimberBrief.from_mapping(given)
    yield Line("On centre", f"at most {length(brief.spacing or _WIDEST_SPACING)}")
    grade = _GRADES.get(brief.grade, f"grade {brief.grade}")
    yield Line("Lumber", f"{brief.species.replace('-', ' ')}, {grade}")
    yield Line("On floors", _loads(brief.floor_live, brief.floor_dead, system))
    yield Line("On the roof", _loads(brief.roof_live, brief.roof_dead, system))
    if brief.ground_snow:
        yield Line("Snow", f"{_load(brief.ground_snow, system)} on the ground")
    if brief.ceiling_on_rafters:
        yield Line("Ceiling", "hangs on the rafters, which may bend less")
    parts = [c for c in CATEGORIES if c in brief.required_categories]
    if parts:
        yield Line("Must have", ", ".join(parts))
    if brief.ground:
        yield Line("Ground", f"at a height of {length(brief.ground)}")
    for names, words in ((brief.required, "Also needed"), (brief.optional, "Not needed")):
        if names:
            yield Line(words, ", ".join(map(check_title, names)))
    for check, reason in brief.not_applicable.items():
        yield Line("Not judged", f"{check_title(check)}: {reason}")


def _loads(live: float, dead: float, system: str) -> str:
    return f"{_load(live, system)} live, {_load(dead, system)} dead"


def _load(pascals: float, system: str) -> str:
    return f"{pascals / PSF:.0f} psf" if system == "imperial" else f"{pascals / 1000:.2f} kPa"


def _voxel(given: Mapping[str, Any], _length: Length, _system: str) -> Iterator[Line]:
    """The checks that are asked for, a line each, by turn where there are several."""
    brief = VoxelBrief.from_mapping(given)
    for number, calls in enumerate(brief.turns, start=1):
        before = f"Turn {number}: " if len(brief.turns) > 1 else ""
        for call in calls:
            yield Line(f"{before}{check_title(call.fn)}", asked({"args": call.args}) or "yes")
    if brief.bottom:
        yield Line("Bottom surface", brief.bottom)
    for fn, reason in brief.not_applicable.items():
        yield Line("Not judged", f"{check_title(fn)}: {reason}")


def _motion(given: Mapping[str, Any], _length: Length, _system: str) -> Iterator[Line]:
    """What must hold, a line each, then who is who and what is let pass."""
    brief = ReconstructionBrief.from_mapping(given)
    for one in brief.criteria:
        yield Line(one.id, _criterion(one))
    for role, name in brief.roles.items():
        yield Line(_plain(role), f"is the object {name}")
    if brief.core:
        yield Line("Moved by physics", ", ".join(map(_plain, brief.core)))
    for role, drivers in brief.admitted.items():
        who = "Any body" if role == "*" else _plain(role)
        yield Line(who, f"may be moved by {', '.join(drivers).replace('_', ' ')}")
    if brief.sources:
        yield Line("Give energy", ", ".join(map(_plain, brief.sources)))
    if brief.rolling:
        yield Line("Roll", ", ".join(map(_plain, brief.rolling)))
    for probe, reason in brief.not_applicable.items():
        yield Line("Not judged", f"{check_title(probe)}: {reason}")


def _criterion(one: Criterion) -> str:
    """Its mechanism, what judges it, of whom, and what it weighs."""
    parts = [one.mechanism.replace("_", " ")] if one.mechanism else []
    if one.probes:
        parts.append(" and ".join(check_title(probe).lower() for probe in one.probes))
    if one.counterfactual is not None:
        altered = alteration_words(one.counterfactual.intervention.to_plain())
        parts.append(f"run again: {altered}")
    if one.roles:
        parts.append(f"of {', '.join(map(_plain, one.roles)).lower()}")
    weight = f"weight {one.weight:g}"
    if one.cap is not None:
        weight += f", at most {one.cap:g} if broken"
    return f"{'; '.join(dict.fromkeys(parts)) or 'by its evidence'} ({weight})"


_BRIEFS: dict[str, Callable[[Mapping[str, Any], Length, str], Iterator[Line]]] = {
    "timber": _timber,
    "voxel": _voxel,
    "reconstruction": _motion,
}


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()


def page(task: Task, rules: str, system: str = "metric") -> str:
    """The whole task as a text to have open while building; ``rules`` is what it is judged by."""
    rows = lines_of(task, system)
    width = max((len(row.label) for row in rows), default=0) + 2
    table = [
        textwrap.fill(
            row.value,
            _LINE,
            initial_indent=f"{row.label}:".ljust(width),
            subsequent_indent=" " * width,
        )
        for row in rows
    ]
    title = task.title
    parts = [
        f"{title}\n{'=' * len(title)}",
        "\n".join(textwrap.fill(line, _LINE) for line in task.description.splitlines()),
        "\n".join(table),
        f"It is judged by the rules {rules}. Lengths in the scene are metres, Z is up.",
    ]
    told = _HOW.get(task.kind)
    return "\n\n".join(parts + ([told] if told else [])) + "\n"


_HOW = {
    "reconstruction": (
        "What moves must be moved by Blender's solvers: rigid bodies, cloth, soft bodies, liquids\n"
        "and forces, from how it starts. Every object that the task speaks of has its role in the\n"
        "custom property plumbline_role. The scene is simulated on a copy; yours stays as it is."
    ),
    "voxel": (
        "Blocks are cubes of 1 m with their middles at whole coordinates. The name of a cube's\n"
        "material says what it is: oak_planks, stone. The task's (x, y, z), y up, is Blender's\n"
        "(x, -z, y). Built so, nobody knows in which order the blocks came: what asks for the\n"
        "order is not judged."
    ),
    "timber": (
        "Every member is an object of its own, box-shaped, with its dressed size, and named\n"
        "after what it is: Sill, Joist, Stud, TopPlate, Rafter ... with a number (Stud_07).\n"
        "Members touch where one bears on another, and never run into each other."
    ),
}
