# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colour every member of a checked structure has in each mode, and the legend that says so.

Pure: colours go in by :class:`.palette.Palette` and come out a member at a time; drawing them is
the overlay's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..checks.result import CheckResult, Finding, Judgement, Measures
from .palette import HEAT_END, RGB, UNKNOWN, Palette, categories, heat
from .pictures.drawing import Subjects
from .runs.wording import count, printable
from .words import check_title

Mode = Literal["finding", "verdict", "check", "role", "margin"]
MODES: tuple[Mode, ...] = ("finding", "verdict", "check", "role", "margin")

#: How much a colour is to be seen: not at all (the member is as faded as the rest of the scene), as
#: a pale solid, or through whatever stands before it.
NONE, QUIET, LOUD = 0, 1, 2

#: Entries of a legend beyond this are summed up in one line, so that it fits into a view.
MOST_ENTRIES = 12

#: Faults in more than one check have no check's colour.
SEVERAL: RGB = (0.95, 0.95, 0.97)
_NO_ROLE: RGB = (0.55, 0.55, 0.57)


@dataclass(frozen=True)
class Entry:
    """One line of a legend: a colour, what it means, how many members have it."""

    words: str
    colour: RGB
    count: int


@dataclass(frozen=True)
class Ramp:
    """The heat map's scale from 0 to ``end``: colours (k, 3) at even steps, and marked shares."""

    colours: NDArray[np.float64]
    end: float
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Legend:
    """What the colours mean: a title, then a ramp or entries, then a sentence if one is needed."""

    title: str
    entries: tuple[Entry, ...] = ()
    ramp: Ramp | None = None
    note: str = ""


@dataclass(frozen=True)
class Colours:
    """A colour (n, 3), sRGB, for each of ``n`` members, how much it is to be seen, the legend."""

    rgb: NDArray[np.float32]
    weight: NDArray[np.int8]
    legend: Legend | None

    def only(self, keep: NDArray[np.bool_]) -> Colours:
        """The same with every member faded that is not kept (n,)."""
        return replace(self, weight=np.where(keep, np.int8(LOUD), np.int8(NONE)).astype(np.int8))


def colours_of(
    subjects: Subjects,
    judgement: Judgement,
    mode: Mode,
    palette: Palette,
    chosen: Finding | None = None,
    check: str = "",
) -> Colours:
    """The colours of all subjects in a mode.

    ``chosen`` is what mode ``finding`` colours, ``check`` the one whose margins are shown (empty:
    the worst of all). Raises ``ValueError`` for an unknown mode.
    """
    if mode == "finding":
        return _by_finding(subjects, palette, chosen)
    if mode == "verdict":
        return _by_verdict(subjects, judgement, palette)
    if mode == "check":
        return _by_check(subjects, judgement)
    if mode == "role":
        return _by_role(subjects)
    if mode == "margin":
        return _by_margin(subjects, judgement, check)
    raise ValueError(f"no colours are called {mode!r}: they are {', '.join(MODES)}")


def _blank(subjects: Subjects) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    n = len(subjects.names)
    return np.zeros((n, 3), np.float32), np.zeros(n, np.int8)


def _by_finding(subjects: Subjects, palette: Palette, chosen: Finding | None) -> Colours:
    """At fault and taking part, for the chosen finding alone: no legend, its label says it."""
    rgb, weight = _blank(subjects)
    if chosen is not None:
        at_fault = (chosen.subject,) if chosen.subject_kind == "member" else ()
        for names, tone in ((chosen.related, palette.related), (at_fault, palette.fault)):
            rows = _rows(subjects, names)
            rgb[rows], weight[rows] = tone, LOUD
    return Colours(rgb, weight, None)


def _by_verdict(subjects: Subjects, judgement: Judgement, palette: Palette) -> Colours:
    findings = judgement.findings
    follows = _between(palette.fault, palette.related)
    groups = (
        ("nothing found", palette.sound, subjects.names, QUIET),
        ("takes part in a fault", palette.related, _taking_part(findings), LOUD),
        ("follows from a fault", follows, (f.subject for f in findings if not f.is_root), LOUD),
        ("at fault", palette.fault, (f.subject for f in findings if f.is_root), LOUD),
    )
    rgb, weight = _blank(subjects)
    which = np.zeros(len(subjects.names), int)
    for number, (_, colour, names, loud) in enumerate(groups):
        rows = _rows(subjects, names)
        rgb[rows], weight[rows], which[rows] = colour, loud, number
    sizes = np.bincount(which, minlength=len(groups))
    entries = tuple(
        Entry(words, colour, int(sizes[number]))
        for number, (words, colour, _, _) in reversed(list(enumerate(groups)))
        if sizes[number]
    )
    return Colours(rgb, weight, Legend("Verdict", entries, note=_what_was_not_judged(judgement)))


def _taking_part(findings: Sequence[Finding]) -> Iterable[str]:
    return (name for f in findings for name in f.related)


def _between(a: RGB, b: RGB) -> RGB:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)


def _what_was_not_judged(judgement: Judgement) -> str:
    """That nothing was found says less while something could not be asked."""
    blank = sum(c.status in ("not_run", "inconclusive") for c in judgement.checks)
    return f"{count(blank, 'check')} without an answer" if blank else ""


def _by_check(subjects: Subjects, judgement: Judgement) -> Colours:
    """The check that fails at each member; its own faults go before what follows from others."""
    failing: dict[str, dict[bool, list[str]]] = {}
    for f in judgement.findings:
        listed = failing.setdefault(f.subject, {True: [], False: []})[f.is_root]
        if f.check not in listed:
            listed.append(f.check)
    of_name = {}
    for name, by_root in failing.items():
        own = by_root[True] or by_root[False]
        of_name[name] = own[0] if len(own) == 1 else ""
    present = Counter(of_name[n] for n in subjects.names if n in of_name)
    # A check keeps its colour whatever else fails: by its place in the profile.
    every = [c.id for c in judgement.checks]
    every += sorted(c for c in present if c and c not in every)
    palette = dict(zip(every, categories(len(every)), strict=True))
    colour = {"": SEVERAL, **{c: _rgb(palette[c]) for c in every}}
    rgb, weight = _blank(subjects)
    for row, name in enumerate(subjects.names):
        if name in of_name:
            rgb[row], weight[row] = colour[of_name[name]], LOUD
    entries = [
        Entry(check_title(c), colour[c], present[c]) for c in sorted(present, key=_last) if c
    ]
    entries.sort(key=lambda e: -e.count)
    if present[""]:
        entries.append(Entry("Several checks", SEVERAL, present[""]))
    note = "" if entries else "No check fails at any member"
    return Colours(rgb, weight, Legend("Check that fails", _shortened(entries), note=note))


def _last(check: str) -> tuple[bool, str]:
    return (not check, check)


def _by_role(subjects: Subjects) -> Colours:
    sizes = Counter(subjects.roles)
    known = sorted((r for r in sizes if r), key=lambda r: (-sizes[r], r))
    colour = dict(zip(known, map(_rgb, categories(len(known))), strict=True)) | {"": _NO_ROLE}
    rgb, weight = _blank(subjects)
    if len(rgb):
        rgb[:] = [colour[role] for role in subjects.roles]
        weight[:] = LOUD
    entries = [Entry(_role_words(r), colour[r], sizes[r]) for r in known]
    if sizes[""]:
        entries.append(Entry("No role", _NO_ROLE, sizes[""]))
    return Colours(rgb, weight, Legend("Role", _shortened(entries)))


def _role_words(role: str) -> str:
    return printable(role.replace("_", " ").capitalize())


def _shortened(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """As many entries as a view has room for; the smallest ones together in one line without."""
    if len(entries) <= MOST_ENTRIES:
        return tuple(entries)
    kept, rest = entries[: MOST_ENTRIES - 1], entries[MOST_ENTRIES - 1 :]
    return (*kept, Entry(f"{len(rest)} more kinds", UNKNOWN, sum(e.count for e in rest)))


def _by_margin(subjects: Subjects, judgement: Judgement, check: str) -> Colours:
    used = utilisation_of(subjects, judgement, check)
    unknown = np.isnan(used)
    rgb = heat(used).astype(np.float32).reshape(-1, 3)
    weight = np.where(unknown, QUIET, LOUD).astype(np.int8)
    shares = np.linspace(0.0, HEAT_END, 97)
    ramp = Ramp(
        heat(shares), HEAT_END, ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %"), (HEAT_END, "beyond"))
    )
    entries = []
    beyond = used > 1.0
    if beyond.any():
        entries.append(Entry("beyond the limit", _rgb(heat([HEAT_END])[0]), int(beyond.sum())))
    if unknown.any():
        entries.append(Entry("not measured", UNKNOWN, int(unknown.sum())))
    title = f"{check_title(check)}: share of the limit" if check else "Share of the limit, worst"
    note = "" if not unknown.all() else "Nothing was measured by this check" if check else ""
    if unknown.all() and not check:
        note = "Nothing was measured"
    return Colours(rgb, weight, Legend(title, tuple(entries), ramp, note))


def utilisation_of(
    subjects: Subjects, judgement: Judgement, check: str = ""
) -> NDArray[np.float64]:
    """The worst share of a limit that is used at every subject, (n,); NaN where nothing is known.

    Over all checks, or of one. A check that keeps no measures is known by its findings alone.
    """
    index = {name: row for row, name in enumerate(subjects.names)}
    used = np.full(len(index), np.nan)
    for result in judgement.checks:
        if check and result.id != check:
            continue
        for measures in result.measures or _from_findings(result):
            places = [(index.get(name, -1)) for name in measures.subjects]
            rows = np.asarray(places, dtype=np.intp)
            shares = measures.utilisation
            known = (rows >= 0) & ~np.isnan(shares)
            np.fmax.at(used, rows[known], shares[known])
    return used


def measured_checks(judgement: Judgement) -> tuple[str, ...]:
    """The checks that have a figure for any subject, in the order of the profile."""
    return tuple(c.id for c in judgement.checks if c.measures or _from_findings(c))


def _from_findings(result: CheckResult) -> tuple[Measures, ...]:
    made = []
    for f in result.findings:
        if f.subject_kind != "member" or f.measured is None or f.limit is None:
            continue
        made.append(
            Measures(
                (f.subject,),
                np.array([float(f.measured)]),
                np.array([float(f.limit)]),
                f.unit or "",
                at_least=f.measured < f.limit,
            )
        )
    return tuple(made)


def _rows(subjects: Subjects, names: Iterable[str]) -> list[int]:
    wanted = set(names)
    return [row for row, name in enumerate(subjects.names) if name in wanted]


def _rgb(colour: NDArray[np.float64]) -> RGB:
    return (float(colour[0]), float(colour[1]), float(colour[2]))
