# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of findings in the report: roots as groups of rows, what follows folded under them."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..ranking import Group, relative_margin
from . import wording

# Names that one row lists; the record has them all.
_RELATED_SHOWN = 8


def text(value: Any) -> str:
    """Any value as text that can stand in an element or an attribute."""
    return html.escape(wording.printable(str(value)), quote=True)


def findings_table(groups: Sequence[Group], number: int) -> Iterator[str]:
    """Heading, tools and table of the findings of attempt ``number``.

    Columns in which no finding says anything are left out.
    """
    everything = [f for group in groups for f in (group.root, *group.followers)]
    columns = [column for column in _COLUMNS if any(map(column.has, everything))]
    yield f'<h3 id="findings-{number}">Findings</h3>'
    yield _tools(everything, len(everything) > len(groups))
    yield f'<div class="scroll" tabindex="0" role="region" aria-labelledby="findings-{number}">'
    yield '<table class="findings"><colgroup>'
    yield "".join(f'<col class="{column.css}">' for column in columns)
    yield "</colgroup><thead><tr>"
    for column in columns:
        kind = column.kind
        yield f'<th scope="col" class="{kind}" data-kind="{kind}">{column.title}</th>'
    yield "</tr></thead>"
    for group in groups:
        yield "<tbody>"
        yield _row(group.root, columns, len(group.followers))
        yield from (_row(follower, columns) for follower in group.followers)
        yield "</tbody>"
    yield "</table></div>"


def _tools(findings: Sequence[Mapping[str, Any]], following: bool) -> str:
    checks = sorted({finding["check"] for finding in findings})
    options = "".join(f"<option>{text(check)}</option>" for check in checks)
    follow = '<label><input type="checkbox" class="follow"> show what follows</label>'
    return (
        '<div class="tools needs-script"><label>Filter <input type="search" class="filter" '
        'placeholder="member, words, clause"></label>'
        f'<label>Check <select class="only"><option value="">all</option>{options}</select></label>'
        f'{follow if following else ""}<output class="shown" aria-live="polite"></output></div>'
    )


def _row(
    finding: Mapping[str, Any], columns: Sequence[_Column], followers: int | None = None
) -> str:
    """One row; ``followers`` is ``None`` for a consequence and their number for a root."""
    cells = "".join(column.cell(finding, followers) for column in columns)
    return f"<tr{' class=follower' if followers is None else ''}>{cells}</tr>"


@dataclass(frozen=True)
class _Column:
    """One column: its heading, how it sorts, what it shows, and whether it has anything to show."""

    title: str
    kind: str
    css: str
    has: Callable[[Mapping[str, Any]], bool]
    cell: Callable[[Mapping[str, Any], int | None], str]


def _check(finding: Mapping[str, Any], _: int | None) -> str:
    return f"<td>{text(finding['check']).replace('_', '_<wbr>')}</td>"


def _subject(finding: Mapping[str, Any], followers: int | None) -> str:
    fold = ""
    if followers:
        verb = "follows" if followers == 1 else "follow"
        fold = (
            '<button type="button" class="fold needs-script" aria-expanded="true">'
            f"{followers:,} {verb}</button>"
        )
    return f'<th scope="row">{text(finding["subject"])}{fold}</th>'


def _figure(name: str) -> Callable[[Mapping[str, Any], int | None], str]:
    """A figure with feet and inches under it; it sorts by its value in metres."""

    def cell(finding: Mapping[str, Any], followers: int | None) -> str:
        value, unit = finding.get(name), finding.get("unit")
        if value is None:
            return '<td class="number"></td>'
        main, _, tape = wording.quantity(value, unit).partition(" (")
        small = f"<small>{text(tape.rstrip(')'))}</small>" if tape else ""
        order = value * wording.METRES.get(unit or "", 1.0)
        return f'<td class="number" data-v="{order:.9g}">{text(main)}{small}</td>'

    return cell


def _margin(finding: Mapping[str, Any], _: int | None) -> str:
    """The margin with its share of the limit, by which it sorts: units don't matter then."""
    value = finding.get("margin")
    if value is None:
        return '<td class="number"></td>'
    share = relative_margin(finding)
    percent = f"<small>{share:+.0%}</small>" if finding.get("limit") and abs(share) < 100 else ""
    shown = text(wording.quantity(value, finding.get("unit"), tape=False))
    return f'<td class="number" data-v="{share:.9g}">{shown}{percent}</td>'


def _sentence(finding: Mapping[str, Any], _: int | None) -> str:
    related = finding.get("related") or []
    names = ", ".join(related[:_RELATED_SHOWN])
    if len(related) > _RELATED_SHOWN:
        names += f" and {len(related) - _RELATED_SHOWN:,} more"
    small = f"<small>with {text(names)}</small>" if related else ""
    return f"<td>{text(finding['message'])}{small}</td>"


def _always(_: Mapping[str, Any]) -> bool:
    return True


def _says(name: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda finding: finding.get(name) is not None


def _whole(finding: Mapping[str, Any]) -> str:
    """The frame of a finding; empty where it has none."""
    frame = finding.get("frame")
    return str(int(frame)) if isinstance(frame, (int, float)) and frame == frame else ""


_COLUMNS: tuple[_Column, ...] = (
    _Column("check", "text", "c-check", _always, _check),
    _Column("member", "text", "c-member", _always, _subject),
    _Column("measured", "number", "c-figure", _says("measured"), _figure("measured")),
    _Column("limit", "number", "c-figure", _says("limit"), _figure("limit")),
    _Column("margin", "number", "c-margin", _says("margin"), _margin),
    _Column(
        "frame",
        "number",
        "c-frame",
        _says("frame"),
        lambda f, _: f'<td class="number" data-v="{_whole(f)}">{text(_whole(f))}</td>',
    ),
    _Column(
        "place, m",
        "text",
        "c-place",
        _says("location"),
        lambda f, _: f"<td>{text(wording.place(f.get('location')))}</td>",
    ),
    _Column(
        "clause",
        "text",
        "c-clause",
        _says("clause"),
        lambda f, _: f"<td>{text(f.get('clause') or '')}</td>",
    ),
    _Column("what is wrong", "text", "c-sentence", _always, _sentence),
)
