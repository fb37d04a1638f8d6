# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that messages of probes and of counterfactuals share: lengths, and what was altered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def lengths(*metres: float) -> tuple[str, ...]:
    """Lengths in m that stand in one sentence, in one unit: mm where all of them are below 1 m."""
    if all(abs(value) < 1 for value in metres):
        return tuple(f"{_figure(value * 1000, 3)} mm" for value in metres)
    return tuple(f"{_figure(value, 6)} m" for value in metres)


def _figure(value: float, places: int) -> str:
    """Three digits that count, to a micrometre; never with an exponent."""
    value = float(f"{value:.3g}")
    if abs(value) >= 100:
        return f"{value:.0f}"
    told = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if told == "-0" else told


def alteration_words(told: Mapping[str, Any], name_of: Callable[[str], str] = str) -> str:
    """``gravity off``, ``without dish``, ``table ends where it is seen``.

    ``told`` is an intervention as plain data; ``name_of`` gives an object's name for its role.
    """
    kind = str(told.get("kind", "altered"))
    who = [told.get(key) for key in ("object", "constraint", "field")]
    name = next((name_of(str(one)) for one in who if one), "")
    pair = told.get("pair")
    both = " and ".join(name_of(str(n)) for n in pair) if isinstance(pair, (list, tuple)) else ""
    value = told.get("value", told.get("scale"))
    if kind == "gravity" and told.get("scale") == 0:
        return "gravity off"
    if kind == "field" and told.get("scale") == 0:
        return f"{name} off"
    words_of = {
        "gravity": "other gravity",
        "remove": f"without {name}",
        "remove_contact": f"no contact of {both}",
        "add_contact": f"contact of {both}",
        "remove_constraint": f"without {name}",
        "field": f"{name} times {value}",
        "release": f"{name} released elsewhere",
        "velocity": f"{name} starts otherwise",
        "add_support": "with a support",
        "bound_support": f"{name} ends where it is seen",
        "none": "nothing altered",
    }
    return words_of.get(kind) or f"other {kind.replace('_', ' ')} of {name}"
