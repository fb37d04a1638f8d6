# SPDX-License-Identifier: GPL-3.0-or-later
"""What the probes of a simulation measured, as short sentences for panels and reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .pictures.reconstruction.strip import energy_words
from .pictures.timber.parts import number
from .runs.wording import count, printable

#: What became of a criterion, for people.
OUTCOMES = {
    "passed": "holds",
    "failed": "broken",
    "unresolved": "not resolved",
    "not_applicable": "not asked",
}


def validity_words(metrics: Mapping[str, Any]) -> str:
    """``validity 0.75``, ``validity 0.50 to 0.80``; empty without a rubric."""
    ends = validity_of(metrics)
    if ends is None:
        return ""
    low, high = ends
    return f"validity {low:.2f}" if high - low < 0.005 else f"validity {low:.2f} to {high:.2f}"


def criteria_lines(metrics: Mapping[str, Any]) -> list[str]:
    """What became of the criteria of a rubric: those that hold together, each other one by name."""
    outcomes = metrics.get("criteria")
    if not isinstance(outcomes, Mapping) or not outcomes:
        return []
    by_outcome: dict[str, list[str]] = {}
    for name, outcome in outcomes.items():
        by_outcome.setdefault(str(outcome), []).append(str(name))
    told = [
        f"{OUTCOMES.get(outcome, outcome)}: {', '.join(names)}"
        for outcome, names in by_outcome.items()
    ]
    words = validity_words(metrics)
    return [printable(f"criteria: {'; '.join(told)}{f' ({words})' if words else ''}")]


def validity_of(metrics: Mapping[str, Any]) -> tuple[float, float] | None:
    """Least and greatest validity, ``None`` where there is no rubric or no weight in it."""
    ends = metrics.get("validity")
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
        return None
    low, high = (number(end) for end in ends)
    return None if low is None or high is None else (low, high)


def figure_words(check: str, figures: Any) -> str:
    """What a probe measured in a few words; empty where its figures tell nothing to people."""
    if not isinstance(figures, Mapping):
        return ""
    words = _WORDS.get(check, _altered if check.startswith("counterfactual.") else None)
    if words is None:
        return ""
    try:
        return printable(words(figures))
    except (TypeError, ValueError, KeyError, AttributeError):  # a foreign record
        return ""


def _length(metres: float) -> str:
    return f"{metres * 1000:.3g} mm" if abs(metres) < 0.1 else f"{metres:.3g} m"


def _stability(f: Mapping[str, Any]) -> str:
    fast = number(f.get("fastest"))
    return f"fastest {fast:.3g} m/s over {count(int(f['frames']), 'frame')}" if fast else ""


def _gravity(f: Mapping[str, Any]) -> str:
    if not f.get("flights"):
        return ""
    off = float(f["largest_deviation"])
    return f"{count(int(f['flights']), 'flight')}, up to {off:.2g} m/s² off gravity"


def _mass(f: Mapping[str, Any]) -> str:
    found = [float(v) for v in f.get("densities", {}).values()]
    if not found:
        return ""
    low, high = min(found), max(found)
    if high - low < 0.01 * high:
        return f"density {low:,.0f} kg/m³"
    return f"densities {low:,.0f} to {high:,.0f} kg/m³"


def _motion(f: Mapping[str, Any]) -> str:
    kinds = sorted({kind for kinds in f.get("drivers", {}).values() for kind in kinds})
    moving = count(int(f["moving"]), "body", "bodies")
    return f"{moving} moving" + (f", by {', '.join(kinds).replace('_', ' ')}" if kinds else "")


def _inside(f: Mapping[str, Any]) -> str:
    pairs = count(int(f["pairs"]), "pair")
    deepest = f.get("deepest") or {}
    if not deepest:
        return f"{pairs} measured, none inside another"
    names, depth = max(deepest.items(), key=lambda item: float(item[1]))
    return f"{pairs} measured, deepest {_length(float(depth))} ({names})"


def _support(f: Mapping[str, Any]) -> str:
    resting = count(int(f["resting"]), "body", "bodies")
    gaps = [float(gap) for gap in (f.get("gaps") or {}).values()]
    gap = f", largest gap {_length(max(gaps))}" if gaps and max(gaps) < 1e9 else ""
    return f"{resting} at rest{gap}"


def _contact(f: Mapping[str, Any]) -> str:
    exchanges = int(f.get("exchanges") or 0)
    shared = f", momentum looked at in {count(exchanges, 'blow')}" if exchanges else ""
    return f"{count(int(f['pairs']), 'pair')} in contact{shared}"


def _energy(f: Mapping[str, Any]) -> str:
    return f"up to {energy_words(float(f['largest']))}, largest rise {float(f['rise']):.1%}"


def _rigidity(f: Mapping[str, Any]) -> str:
    told = []
    if f.get("shapes"):
        shapes = count(int(f["shapes"]), "shape")
        change = float(f["largest_change"])
        kept = "all kept" if change < 1e-5 else f"changed by up to {change:.2%}"
        told.append(f"{shapes}, {kept}")
    drifts = [float(d) for d in (f.get("drifts") or {}).values()]
    if drifts:
        told.append(f"{count(len(drifts), 'joint')}, up to {_length(max(drifts))} apart")
    return "; ".join(told)


def _wind(f: Mapping[str, Any]) -> str:
    apart = [float(d) for d in (f.get("apart") or {}).values()]
    return f"up to {_length(max(apart))} elsewhere without the fields" if apart else ""


def _friction(f: Mapping[str, Any]) -> str:
    told = []
    if f.get("slip"):
        told.append(f"slip up to {max(float(v) for v in f['slip'].values()):.0%}")
    for name, one in list((f.get("sliding") or {}).items())[:1]:
        told.append(
            f"{name} slowed by {float(one['measured']):.3g} m/s², "
            f"declared {float(one['declared']):.3g}"
        )
    return "; ".join(told)


def _restitution(f: Mapping[str, Any]) -> str:
    impacts = f.get("impacts") or []
    if not impacts:
        return ""
    worst = max(impacts, key=lambda one: float(one["ratio"]) - float(one["declared"]))
    return (
        f"{count(len(impacts), 'impact')}, liveliest {float(worst['ratio']):.2f} where "
        f"{float(worst['declared']):.2f} is declared"
    )


def _bodies(f: Mapping[str, Any]) -> str:
    """Cloth, liquid and soft bodies: each body's largest figures."""
    told = []
    for name, one in list(f.items())[:2]:
        if isinstance(one, Mapping):
            parts = [
                f"{key.replace('_', ' ')} {value:.3g}"
                for key, value in one.items()
                if isinstance(value, (int, float)) and not isinstance(value, bool)
            ]
            if parts:
                told.append(f"{name}: {', '.join(parts[:3])}")
    return "; ".join(told)


def _altered(f: Mapping[str, Any]) -> str:
    answers = [str(one["message"]) for one in f.get("responses") or ()]
    return "; ".join(answers[:2])


_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "numerical_stability": _stability,
    "gravity": _gravity,
    "mass": _mass,
    "prescribed_motion": _motion,
    "interpenetration": _inside,
    "support": _support,
    "contact": _contact,
    "energy": _energy,
    "rigidity": _rigidity,
    "cloth": _bodies,
    "liquid": _bodies,
    "wind": _wind,
    "friction": _friction,
    "restitution": _restitution,
    "soft_body": _bodies,
}
