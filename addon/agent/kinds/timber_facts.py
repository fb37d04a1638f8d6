# SPDX-License-Identifier: GPL-3.0-or-later
"""What prompts say of a timber task: its values, and the tables that it is judged by.

Every figure comes from the tables of the checks or from the task itself, so that a prompt can't ask
for one thing while a check measures another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ....checks.timber import lumber, roles, spans
from ....checks.timber.brief import CATEGORIES, PSF, TimberBrief
from ....tasks import Task
from .timber_limits import limits

#: Spacings of the span tables, m: 12, 16 and 24 in.
_SPACINGS = (0.305, 0.406, 0.610)
_SIZES = ("2x4", "2x6", "2x8", "2x10", "2x12")
#: Strips that a beam carries in its table, m, and how many plies it has.
_TRIBUTARY = (1.5, 2.5, 3.5)
_PLIES = (2, 3)
#: What is repeated of a task in a plan, and how it is called for people.
ECHOED = ("lot_size", "stories", "roof_type", "complexity")


def facts(task: Task, profile: str) -> Mapping[str, str]:
    """What the templates of timber may refer to. Raises ``ValueError`` for a bad brief."""
    brief = TimberBrief.from_mapping(task.brief)
    spacing = brief.spacing or 0.610
    return {
        "title": task.title,
        "style": task.style or "not said",
        "description": task.description or "None beside the figures below.",
        "figures": _figures(task.constraints, spacing),
        "echo": json.dumps(echo(task.constraints)),
        "loads": _loads(brief),
        "wood": f"{brief.species}, grade {brief.grade}",
        "spacing": f"{spacing:.3f}",
        "sizes": ", ".join(f"{name} {_mm(*lumber.SIZES[name])}" for name in (*_SIZES, "4x4")),
        "members": _members(),
        "spans": _spans(brief),
        "limits": limits(profile, brief),
        "profile": profile,
    }


def echo(constraints: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan must repeat, as far as the task says it: lengths in m to two decimals."""
    found: dict[str, Any] = {}
    width, depth = constraints.get("lot_width"), constraints.get("lot_depth")
    if width is not None and depth is not None:
        found["lot_size"] = {"width": round(float(width), 2), "depth": round(float(depth), 2)}
    for name in ("stories", "roof_type", "complexity"):
        if constraints.get(name) is not None:
            found[name] = constraints[name]
    return found


def _figures(given: Mapping[str, Any], spacing: float) -> str:
    """The constraints of a task as lines, as far as it has them."""
    lines = []
    if {"footprint_x", "footprint_y"} <= set(given):
        lines.append(
            f"- footprint: {given['footprint_x']:g} m along x, {given['footprint_y']:g} m along y"
        )
    if {"lot_width", "lot_depth"} <= set(given):
        lines.append(f"- lot: {given['lot_width']:g} m along x, {given['lot_depth']:g} m along y")
    words = {
        "stories": "storeys: {}",
        "roof_type": "roof: {}",
        "roof_pitch": "roof pitch: {} degrees",
        "overhang": "overhang of the roof: {} m",
        "wings": "wings beside the main house: {}",
        "complexity": "complexity: {}",
    }
    lines += [f"- {text.format(given[key])}" for key, text in words.items() if key in given]
    lines.append(f"- joists, studs and rafters at most {spacing:.3f} m on centre")
    return "\n".join(lines)


def _loads(brief: TimberBrief) -> str:
    """The loads of a brief in the units of a model's textbooks."""
    parts = [
        f"floor live {_load(brief.floor_live)}",
        f"floor dead {_load(brief.floor_dead)}",
        f"roof live {_load(brief.roof_live)}",
        f"roof dead {_load(brief.roof_dead)}",
    ]
    if brief.ground_snow:
        parts.append(f"ground snow {_load(brief.ground_snow)}")
    return ", ".join(parts)


def _load(pascals: float) -> str:
    return f"{pascals / 1000:.2f} kPa ({pascals / PSF:.0f} psf)"


def _mm(*lengths: float) -> str:
    return " x ".join(f"{1000 * length:.0f}" for length in lengths) + " mm"


def _members() -> str:
    """The names of members, phase by phase, from the table of roles."""
    lines = []
    for category in (*CATEGORIES, "accessory"):
        names = [role for role in roles.ROLES if roles.CATEGORY_OF[role] == category]
        if category == "foundation":
            names += ["Post", "BeamPost"]
        title = f"{category} (drawn, not judged)" if category == "accessory" else category
        lines.append(f"- {title}: {', '.join(names)}")
    return "\n".join(lines)


def _spans(brief: TimberBrief) -> str:
    """Longest clear spans by size and spacing, for the wood and the loads of the brief."""
    wood = {"species": brief.species, "grade": brief.grade}
    floor = {"live": brief.floor_live, "dead": brief.floor_dead}
    roof = {"live": brief.roof_live, "dead": brief.roof_dead, "snow": brief.ground_snow}
    joists = _table("joist", {**wood, **floor})
    rafters = _table("rafter", {**wood, **roof, "ceiling": brief.ceiling_on_rafters})
    head = " / ".join(f"{spacing:.3f}" for spacing in _SPACINGS)
    strips = " / ".join(f"{strip:.1f}" for strip in _TRIBUTARY)
    return "\n".join(
        [
            f"Floor joists, spacing {head} m on centre:",
            *joists,
            f"Rafters, measured in plan, spacing {head} m on centre:",
            *rafters,
            f"Floor beams of plies side by side, carrying a strip of floor {strips} m wide:",
            *_beams({**wood, **floor}),
        ]
    )


def _table(kind: spans.RoleKind, loads: Mapping[str, Any]) -> list[str]:
    lines = []
    for size in _SIZES[1:]:
        found = spans.allowable_span(kind, *lumber.SIZES[size], _SPACINGS, **loads).length
        lines.append(f"- {size}: {_metres(found)}")
    return lines


def _beams(loads: Mapping[str, Any]) -> list[str]:
    lines = []
    for size in _SIZES[2:]:
        for plies in _PLIES:
            width, depth = lumber.SIZES[size]
            found = spans.allowable_beam_span(
                plies * width, depth, _TRIBUTARY, plies=plies, **loads
            ).length
            lines.append(f"- {plies} x {size}: {_metres(found)}")
    return lines


def _metres(lengths: Any) -> str:
    return " / ".join(f"{int(100 * length) / 100:.2f} m" for length in lengths)
