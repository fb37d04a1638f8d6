# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a slider tips a building over, worked out by the span tables that the checks use."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ...checks.timber.brief import TimberBrief
from ...checks.timber.spans import allowable_beam_span, allowable_span
from .model import PA, Slider

#: How finely the range of a slider is looked through, and how often a step of it is halved.
_STEPS, _HALVINGS = 64, 40


def tip_of(slider: Slider, brief: TimberBrief | None) -> float | None:
    """The value at which the slider leaves what is allowed; ``None`` if it never does.

    ``brief`` is needed where the span tables are asked. With stops it is the middle between the
    last that holds and the first that doesn't. Raises
    ``SpanError`` or ``LumberError`` if the table can't be asked such a thing.
    """
    if slider.tip.at is not None:
        return slider.tip.at
    table = slider.tip.table or {}
    brief = brief if brief is not None else TimberBrief()

    def spare(value: float) -> float:
        return _spare(table, slider, value, brief)

    if slider.stops:
        values = list(slider.stops)
    else:
        step = (slider.high - slider.low) / _STEPS
        values = [slider.low + i * step for i in range(_STEPS + 1)]
    pairs = [(a, b) for a, b in pairwise(values) if (spare(a) >= 0.0) != (spare(b) >= 0.0)]
    if not pairs:
        return None
    low, high = min(pairs, key=lambda pair: abs(sum(pair) / 2 - slider.default))
    if slider.stops:
        return (low + high) / 2
    holds = spare(low) >= 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (spare(middle) >= 0.0) == holds:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _spare(table: Mapping[str, Any], slider: Slider, value: float, brief: TimberBrief) -> float:
    """What is allowed less what there is, m; negative once it is too far."""
    asked: dict[str, Any] = {
        name: value if entry == "value" else entry for name, entry in table.items()
    }
    role: Any = asked["role"]
    if role == "joist":
        loads: dict[str, Any] = {"live": brief.floor_live, "dead": brief.floor_dead}
    else:
        loads = {"live": brief.roof_live, "dead": brief.roof_dead, "snow": brief.ground_snow}
    for name in loads:
        if name in asked:
            loads[name] = asked[name] * (PA[slider.unit] if table[name] == "value" else 1.0)
    sizes = asked["width"], asked["depth"], asked["spacing"]
    loads |= {"species": brief.species, "grade": brief.grade, "plies": int(asked.get("plies", 1))}
    if role == "beam":
        limit = allowable_beam_span(*sizes, roof=True, **loads)
    else:
        limit = allowable_span(role, *sizes, ceiling=asked.get("ceiling", False), **loads)
    return float(limit.length) - float(asked["span"])
