# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings and results in words and figures for people who look at a narrow panel."""

from __future__ import annotations

from ..checks.result import Finding
from .block_words import block_check_title
from .runs.wording import METRES, printable
from .units import tape_or_decimals

# Check ids that do not read well with their underscores taken out.
_TITLES = {
    "oc_spacing": "On-centre spacing",
    "dual_end": "Both ends connected",
    "dual_end_connection": "Both ends connected",
    "stability_index": "Stability index",
}

#: Checks that run the scene again with something made otherwise.
_ALTERED = "counterfactual."


def check_title(check_id: str) -> str:
    """``clear_span`` -> ``Clear span``; of blocks ``shape.has_rooms`` -> ``Closed rooms``."""
    if check_id.startswith(_ALTERED):
        return f"Altered scene {check_id.removeprefix(_ALTERED)}"
    if "." in check_id:
        title = block_check_title(check_id)
        if title is not None:
            return title
    return _TITLES.get(check_id) or check_id.replace("_", " ").capitalize()


def subject(finding: Finding) -> str:
    """The name of the member or place, with nothing in it that a label can't show."""
    return printable(finding.subject)


def comparison(finding: Finding, units: str = "metric") -> str:
    """``4.12 > 3.91 m``, ``19 < 38 mm``; empty where the fault is not a quantity.

    Short enough for a row of a list: one unit for both figures, no more digits than one compares.
    With ``units`` ``"imperial"`` lengths are in feet and inches: ``13' 6 3/16" > 12' 10"``.
    """
    measured, limit, unit = finding.measured, finding.limit, finding.unit or ""
    if measured is None:
        return ""
    both = [measured] if limit is None else [measured, limit]
    if unit in METRES:
        both = [value * METRES[unit] for value in both]
        if units == "imperial":
            return f" {_sign(measured, limit)} ".join(tape_or_decimals(both))
        unit = "m" if max(map(abs, both)) >= 1.0 else "mm"
        texts = _metres(both) if unit == "m" else _millimetres([v * 1000.0 for v in both])
    else:
        size, unit = _unit_of_size(unit, max(map(abs, both)))
        texts = [_short(value / size) for value in both]
    return f" {_sign(measured, limit)} ".join(texts) + (f" {unit}" if unit not in ("", "1") else "")


def _unit_of_size(unit: str, most: float) -> tuple[float, str]:
    """The unit in which a figure is read, and how many of the given one it has."""
    if unit == "Pa" and most >= 1e3:
        return (1e6, "MPa") if most >= 1e6 else (1e3, "kPa")
    return 1.0, unit


def _sign(measured: float, limit: float | None) -> str:
    if limit is None:
        return ""
    return "<" if measured < limit else ">" if measured > limit else "="


def _metres(values: list[float]) -> list[str]:
    return [f"{value:.2f}" for value in values]


def _millimetres(values: list[float]) -> list[str]:
    """Whole millimetres, with tenths only where they make the difference."""
    whole = [f"{value:.0f}" for value in values]
    return whole if len(set(whole)) == len(values) else [f"{value:.1f}" for value in values]


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
