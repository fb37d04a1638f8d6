# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings and results in words and figures for people who look at a narrow panel."""

from __future__ import annotations

from ..checks.result import Finding, Status, Verdict

# What a status means to somebody who never read the specification.
STATUS_WORDS: dict[Status, str] = {
    "passed": "passed",
    "failed": "failed",
    "vacuous": "nothing to check",
    "not_applicable": "does not apply",
    "not_run": "not run",
    "inconclusive": "undecided",
}

VERDICT_WORDS: dict[Verdict, str] = {
    "passed": "Passed",
    "failed": "Failed",
    "not_judged": "Not judged",
}

# Check ids that do not read well with their underscores taken out.
_TITLES = {
    "oc_spacing": "On-centre spacing",
    "dual_end": "Both ends connected",
    "dual_end_connection": "Both ends connected",
    "stability_index": "Stability index",
}


def check_title(check_id: str) -> str:
    """``clear_span`` -> ``Clear span``."""
    return _TITLES.get(check_id) or check_id.replace("_", " ").capitalize()


def counted(count: int, noun: str) -> str:
    """``1 member``, ``2 members``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def figure(value: float, unit: str | None, with_unit: bool = True) -> str:
    """A measured value as people write it: lengths under a metre in millimetres."""
    if unit == "m" and abs(value) < 1.0:
        value, unit = value * 1000.0, "mm"
    if unit == "mm":
        text = f"{value:.0f}" if abs(value) >= 10 or value == round(value) else f"{value:.1f}"
    elif unit in (None, "", "1", "ratio") or abs(value) < 100:
        text = f"{value:.2f}".rstrip("0").rstrip(".") if unit != "m" else f"{value:.2f}"
    else:
        text = f"{value:,.0f}"
    shown = "" if unit in (None, "", "1", "ratio") else f" {unit}"
    return text + shown if with_unit else text


def comparison(finding: Finding) -> str:
    """``4.12 > 3.91 m``, ``19 < 38 mm``; empty where the fault is not a quantity."""
    measured, limit, unit = finding.measured, finding.limit, finding.unit
    if measured is None:
        return ""
    if limit is None:
        return figure(measured, unit)
    sign = "<" if measured < limit else ">" if measured > limit else "="
    if unit == "m" and abs(measured) < 1.0 and abs(limit) < 1.0:
        measured, limit, unit = measured * 1000.0, limit * 1000.0, "mm"
    if unit == "m":
        return f"{measured:.2f} {sign} {limit:.2f} m"
    return f"{figure(measured, unit, with_unit=False)} {sign} {figure(limit, unit)}"
