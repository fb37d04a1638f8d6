# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report shows of a simulation beyond every structure: criteria, energy, evidence.

Records may come from elsewhere: whatever is odd in them is left out. Texts pass
:func:`.report_table.text`; drawings carry attributes only, which need no inline style.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import bundled
from ..motion_words import OUTCOMES, figure_words, validity_of, validity_words
from ..pictures.reconstruction.strip import Strip, energy_words, strip_of
from ..words import check_title
from . import evidence_files
from .report_table import text

_CHIPS = {
    "passed": "passed",
    "failed": "failed",
    "unresolved": "inconclusive",
    "not_applicable": "vacuous",
}
# The drawing of energy over frames, in its own units.
_WIDE, _HIGH = 640.0, 120.0


def sections(record: Mapping[str, Any], folder: Path | None) -> Iterator[str]:
    """Criteria, energy and evidence of a record; nothing of one of another kind."""
    if record["kind"] != "reconstruction":
        return
    yield from _criteria(record)
    yield from _energy(record)
    yield from _evidence(folder)


def said(record: Mapping[str, Any], check: Mapping[str, Any]) -> str:
    """What a probe measured, in words; empty for other kinds and where it says nothing."""
    if record["kind"] != "reconstruction" or check["status"] not in ("passed", "failed"):
        return ""
    return figure_words(str(check["id"]), check.get("figures"))


def _criteria(record: Mapping[str, Any]) -> Iterator[str]:
    """Every criterion of the rubric with what became of it, and how much of the rubric holds."""
    outcomes = record["metrics"].get("criteria")
    if not isinstance(outcomes, Mapping) or not outcomes:
        return
    asked = _asked(record)
    yield f"<h3>Criteria</h3>{_validity(record['metrics'])}"
    yield '<table class="criteria"><thead><tr><th scope="col">criterion</th>'
    yield '<th scope="col">what must hold</th><th scope="col">judged by</th>'
    yield '<th scope="col" class="number">weight</th><th scope="col">outcome</th></tr></thead>'
    yield "<tbody>"
    for name, outcome in outcomes.items():
        mechanism, judged, weight = asked.get(str(name), ("", "", ""))
        word = OUTCOMES.get(str(outcome), str(outcome))
        chip = f'<span class="chip {_CHIPS.get(str(outcome), "vacuous")}">{text(word)}</span>'
        yield (
            f'<tr><th scope="row">{text(name)}</th><td>{text(mechanism)}</td>'
            f'<td>{text(judged)}</td><td class="number">{text(weight)}</td><td>{chip}</td></tr>'
        )
    yield "</tbody></table>"


def _asked(record: Mapping[str, Any]) -> dict[str, tuple[str, str, str]]:
    """Mechanism, judges and weight of each criterion, where the task is known here."""
    task = bundled.known(record.get("task"))
    if task is None or task.kind != record["kind"]:
        return {}
    try:
        brief = bundled.brief_of(task.id)
    except (KeyError, ValueError):
        return {}
    found = {}
    for one in brief.criteria:
        judged = [check_title(probe) for probe in one.probes]
        if one.counterfactual is not None:
            judged.append("the scene altered")
        weight = f"{one.weight:g}" + (f", cap {one.cap:g}" if one.cap is not None else "")
        found[one.id] = (one.mechanism.replace("_", " "), ", ".join(judged), weight)
    return found


def _validity(metrics: Mapping[str, Any]) -> str:
    """The interval of validity on a line from 0 to 1."""
    ends = validity_of(metrics)
    if ends is None:
        return ""
    low, high = (100.0 * min(max(end, 0.0), 1.0) for end in ends)
    words = validity_words(metrics)
    return (
        f'<p class="validity"><strong>{text(words)}</strong> '
        '<svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
        f'aria-label="{text(words)} of 1">'
        '<rect class="all" x="0" y="2" width="100" height="2"/>'
        f'<rect class="sure" x="0" y="1" width="{low:.2f}" height="4"/>'
        f'<rect class="open" x="{low:.2f}" y="1" width="{max(high - low, 0.0):.2f}" height="4"/>'
        "</svg></p>"
    )


def _energy(record: Mapping[str, Any]) -> Iterator[str]:
    """Kinetic, potential and total energy over the frames, with rises marked."""
    check = next((one for one in record["checks"] if one["id"] == "energy"), None)
    strip = strip_of(check, 1) if check is not None else None
    if strip is None:
        return
    first, last = strip.frames
    names = " ".join(f'<span class="line {li.name}">{text(li.name)}</span>' for li in strip.lines)
    marked = ' <span class="line rise">rises from nowhere</span>' if strip.rises else ""
    yield f'<h3>Energy</h3><figure class="strip">{_drawing(strip)}'
    yield (
        f"<figcaption>Frames {first} to {last}, up to {text(energy_words(strip.most))}: "
        f"{names}{marked}</figcaption></figure>"
    )


def _drawing(strip: Strip) -> str:
    parts = [
        f'<rect class="rise" x="{first * _WIDE:.1f}" y="0" '
        f'width="{max((last - first) * _WIDE, 1.5):.1f}" height="{_HIGH:g}"/>'
        for first, last in strip.rises
    ]
    for line in strip.lines:
        points = " ".join(f"{x * _WIDE:.1f},{(1 - y) * _HIGH:.1f}" for x, y in line.points.tolist())
        parts.append(f'<polyline class="{line.name}" points="{points}"/>')
    return (
        f'<svg viewBox="0 -3 {_WIDE:g} {_HIGH + 6:g}" role="img" preserveAspectRatio="none" '
        f'aria-label="Energy over frames">{"".join(parts)}</svg>'
    )


def _evidence(folder: Path | None) -> Iterator[str]:
    """Of each fault its pictures side by side, with what it says."""
    shown = evidence_files.read(folder)
    if not shown:
        return
    yield '<h3>Evidence</h3><div class="evidence">'
    for one in shown:
        yield f"<section><p><strong>{text(check_title(one.check))}</strong> {text(one.message)}</p>"
        yield '<div class="pair">'
        for caption, data in one.pictures:
            encoded = base64.b64encode(data).decode("ascii")
            alt = f"{one.subject} in red: {caption}"
            yield (
                f'<figure><img alt="{text(alt)}" src="data:image/png;base64,{encoded}">'
                f"<figcaption>{text(caption)}</figcaption></figure>"
            )
        yield "</div></section>"
    yield "</div>"
