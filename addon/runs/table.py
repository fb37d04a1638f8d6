# SPDX-License-Identifier: GPL-3.0-or-later
"""A record as lines for a terminal: the worst root first, consequences indented under it."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import motion_words
from ..ranking import Group, findings_of, grouped
from . import block_results, nearness, wording
from .console import Style

# What a screen holds; `--all` shows the rest.
ROOTS_SHOWN = 25
FOLLOWERS_SHOWN = 3

_HEADINGS = ("check", "member", "measured", "limit", "margin", "place (m)")
_WIDEST_COLUMNS = (22, 28, 26, 26, 26, 22)
_RIGHT_ALIGNED = (False, False, True, True, True, False)
_GAP = "  "
_INDENT = "  "
_VERDICT_MARKS = {"passed": ("green", "bold"), "failed": ("red", "bold")}
_UNDECIDED_MARKS = ("yellow", "bold")


def verdict_word(verdict: str, style: Style) -> str:
    """The verdict as it heads a line: ``passed``, ``FAILED``, ``NOT JUDGED``; six columns wide."""
    word = wording.VERDICT_WORDS[verdict]
    word = word if verdict == "passed" else word.upper()
    return style.paint(word, *_VERDICT_MARKS.get(verdict, _UNDECIDED_MARKS))


def lines(record: Mapping[str, Any], style: Style, everything: bool = False) -> Iterator[str]:
    """The record as lines about as wide as the style says; figures are left out, never cut.

    Without ``everything`` the list stops after :data:`ROOTS_SHOWN` roots and
    :data:`FOLLOWERS_SHOWN` consequences each, and says how many more there are.
    """
    groups = grouped(findings_of(record))
    yield from _heading(record, groups, style)
    shown = groups if everything else groups[:ROOTS_SHOWN]
    if shown:
        yield ""
        yield from _findings(shown, style, everything)
    if len(shown) < len(groups):
        rest = wording.count(len(groups) - len(shown), "more fault")
        yield style.paint(f"{_INDENT}{style.ellipsis} and {rest} (--all shows them)", "dim")
    yield from _statuses(record, style)
    for told in motion_words.criteria_lines(record["metrics"]):
        yield from _wrap(told, style.width, _INDENT)
    if near := nearness.line(record["metrics"]):
        yield from _wrap(f"against the target: {near}", style.width, _INDENT)
        for told in nearness.sentences(record["metrics"]):
            yield from _wrap(told, style.width, _INDENT * 2)
    for note in record.get("notes", ()):
        yield from _wrap(f"note: {note}", style.width, _INDENT)


def title(record: Mapping[str, Any]) -> str:
    """What was judged: the file, or the task with its variant."""
    name = record.get("task") or record.get("source") or record["kind"]
    if record.get("source") and record.get("agent") is None:
        name = record["source"]
    variant = record.get("variant")
    return wording.printable(f"{name} [{variant}]" if variant else str(name))


def _heading(record: Mapping[str, Any], groups: Sequence[Group], style: Style) -> Iterator[str]:
    found = sum(1 + len(group.followers) for group in groups)
    told = block_results.tally(record, len(groups), found)
    parts = [f"{record['kind']}, {record['profile']}", told]
    if number := wording.size(record["metrics"]):
        parts.insert(1, number)
    if isinstance(total := record["timing"].get("total"), (int, float)):
        parts.append(wording.seconds(total))
    yield f"{verdict_word(record['verdict'], style)}  {style.paint(title(record), 'bold')}"
    for line in _wrap(style.dot.join(parts), style.width, _INDENT):
        yield style.paint(line, "dim")


def _findings(groups: Sequence[Group], style: Style, everything: bool) -> Iterator[str]:
    rows = [_cells(group.root) for group in groups]
    keep = _columns_that_fit(rows, style.width)
    widths = [_width(rows, column) for column in keep]
    used = len(_INDENT) + sum(widths) + len(_GAP) * (len(widths) - 1)
    widths[1] -= min(max(0, used - style.width), widths[1] - len(_HEADINGS[1]))
    yield style.paint(_row(_HEADINGS, keep, widths, style), "dim")
    for group, cells in zip(groups, rows, strict=True):
        yield style.paint(_row(cells, keep, widths, style), "bold")
        yield from _message(group.root, style, _INDENT * 2)
        followers = group.followers if everything else group.followers[:FOLLOWERS_SHOWN]
        for follower in followers:
            yield from _message(follower, style, _INDENT * 2 + style.branch, subject=True)
        if len(followers) < len(group.followers):
            rest = len(group.followers) - len(followers)
            verb = "follows" if rest == 1 else "follow"
            text = f"{style.branch}{style.ellipsis} and {rest:,} more that {verb} from it"
            yield style.paint(_INDENT * 2 + text, "dim")


def _cells(finding: Mapping[str, Any]) -> tuple[str, ...]:
    unit = finding.get("unit")
    return (
        wording.printable(finding["check"]),
        wording.printable(finding["subject"]),
        wording.quantity(finding.get("measured"), unit),
        wording.quantity(finding.get("limit"), unit),
        wording.quantity(finding.get("margin"), unit, tape=False),
        wording.place(finding.get("location")),
    )


def _width(rows: Sequence[Sequence[str]], column: int) -> int:
    widest = max(wording.display_width(row[column]) for row in rows)
    return min(max(widest, len(_HEADINGS[column])), _WIDEST_COLUMNS[column])


def _columns_that_fit(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """The columns that fit side by side; the place goes first, then margin and limit."""
    keep = list(range(len(_HEADINGS)))
    filled = [c for c in keep if c < 2 or any(row[c] for row in rows)]
    for column in (5, 4, 3, 2):
        total = sum(_width(rows, c) + len(_GAP) for c in filled) + len(_INDENT) - len(_GAP)
        if total <= width:
            break
        if column in filled:
            filled.remove(column)
    return filled


def _row(cells: Sequence[str], keep: Sequence[int], widths: Sequence[int], style: Style) -> str:
    texts = []
    for column, width in zip(keep, widths, strict=True):
        text = wording.clip(cells[column], width, style.ellipsis)
        padding = " " * (width - wording.display_width(text))
        texts.append(padding + text if _RIGHT_ALIGNED[column] else text + padding)
    return (_INDENT + _GAP.join(texts)).rstrip()


def _message(
    finding: Mapping[str, Any], style: Style, lead: str, subject: bool = False
) -> Iterator[str]:
    text = finding["message"]
    if subject:
        text = f"{finding['check']}, {finding['subject']}: {text}"
    if finding.get("clause"):
        text = f"{text} [{finding['clause']}]"
    for line in _wrap(text, style.width, lead):
        yield style.paint(line, "dim") if subject else line


def _wrap(text: str, width: int, lead: str) -> Iterator[str]:
    """The text broken at blanks, ``lead`` before the first line and blanks before the others."""
    room = max(width - len(lead), 20)
    blank = " " * len(lead)
    for number, line in enumerate(textwrap.wrap(wording.printable(text), room) or [""]):
        yield (blank if number else lead) + line


def _statuses(record: Mapping[str, Any], style: Style) -> Iterator[str]:
    """How the checks ended, scores of blocks, and the reason of each that could not decide."""
    counts = Counter(check["status"] for check in record["checks"])
    parts = [f"{counts[s]} {word}" for s, word in wording.STATUS_WORDS.items() if counts[s]]
    yield ""
    yield from _wrap(f"checks: {', '.join(parts) or 'none'}", style.width, _INDENT)
    for check in record["checks"]:
        if told := block_results.scored(record, check):
            weaker = ", weaker instrument" if check.get("degraded") else ""
            line = f"{block_results.named(check)}: {told}{weaker}"
            yield from _wrap(line, style.width, _INDENT * 2)
    for (status, reason), checks in _undecided(record["checks"]).items():
        word = wording.STATUS_WORDS[status]
        why = reason if reason.lower().startswith(word) else f"{word}: {reason}"
        yield from _wrap(f"{', '.join(checks)}: {why}", style.width, _INDENT * 2)


def _undecided(checks: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """Ids of the checks that say neither passed nor failed, by status and reason.

    What is neutral because it is optional and had nothing to check is left out.
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for check in checks:
        neutral = check["status"] == "vacuous" and not check.get("required", True)
        if check["status"] not in ("passed", "failed") and not neutral:
            reasons.setdefault((check["status"], check["reason"]), []).append(check["id"])
    return reasons
