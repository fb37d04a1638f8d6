# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colour every member of a checked structure has in each mode, and the legend that says so.

Pure: colours go in by :class:`.palette.Palette` and come out a member at a time; drawing them is
the overlay's business.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..checks.result import CheckResult, Finding, Judgement, Measures
from .palette import HEAT_END, RGB, UNKNOWN, Palette, categories, heat
from .pictures.drawing import Place, Subjects
from .pictures.named import at_fault
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

# Title of the legend of roles, and what those without one are called.
_ROLE_WORDS = {
    "": ("Role", "No role"),
    "voxel": ("Material, where something is wrong", "Nameless"),
    "reconstruction": ("Role, or how it moves", "Nameless"),
}

_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")

# How much of the heat map's scale is for what is within the limit; colours of the scale.
_WITHIN, _STEPS = 0.74, 100

# Scenes are in single precision: what is so little beyond a limit stands at it.
_NOISE = 1e-4


@dataclass(frozen=True)
class Entry:
    """One line of a legend: a colour, what it means, how many have it.

    ``place`` tells that these are places where something is missing, and no members.
    """

    words: str
    colour: RGB
    count: int
    place: bool = False


@dataclass(frozen=True)
class Ramp:
    """The heat map's scale: colours (k, 3) from its left to its right end, and what is written
    below it at shares of its width; what is beyond the limit has a part of its own.
    """

    colours: NDArray[np.float64]
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
    """A colour (n, 3), sRGB, for each of ``n`` members, how much it is to be seen, the legend.

    ``missing`` are the places, m, where something is missing, each with its colour.
    """

    rgb: NDArray[np.float32]
    weight: NDArray[np.int8]
    legend: Legend | None
    missing: tuple[tuple[Place, RGB], ...] = ()

    def only(self, keep: NDArray[np.bool_], place: Place | None = None) -> Colours:
        """The same with every member faded that is not kept (n,), and at most one place."""
        weight = np.where(keep, np.int8(LOUD), np.int8(NONE)).astype(np.int8)
        missing = tuple(each for each in self.missing if each[0] == place)
        return replace(self, weight=weight, missing=missing)


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
        others = judgement.findings if judgement.kind == "voxel" and chosen is not None else ()
        return _by_finding(subjects, palette, chosen, others)
    if mode == "verdict":
        return _by_verdict(subjects, judgement, palette)
    if mode == "check":
        return _by_check(subjects, judgement)
    if mode == "role":
        return _by_role(subjects, *_ROLE_WORDS.get(judgement.kind, _ROLE_WORDS[""]))
    if mode == "margin":
        return _by_margin(subjects, judgement, check)
    raise ValueError(f"no colours are called {mode!r}: they are {', '.join(MODES)}")


def _blank(subjects: Subjects) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    n = len(subjects.names)
    return np.zeros((n, 3), np.float32), np.zeros(n, np.int8)


def _by_finding(
    subjects: Subjects, palette: Palette, chosen: Finding | None, others: Sequence[Finding]
) -> Colours:
    """At fault and taking part, for the chosen finding: no legend, its label says it.

    What is at fault by ``others`` is pale.
    """
    rgb, weight = _blank(subjects)
    pale = _rows(subjects, _of(others)) if others else []
    rgb[pale], weight[pale] = palette.fault, QUIET
    if chosen is not None:
        fault, related = at_fault(chosen), chosen.related
        for names, tone in ((related, palette.related), (fault, palette.fault)):
            rows = _rows(subjects, names)
            rgb[rows], weight[rows] = tone, LOUD
    places = [chosen] if chosen is not None else []
    return Colours(rgb, weight, None, _missing(places, lambda _: palette.fault))


def _missing(
    findings: Iterable[Finding], colour: Callable[[Finding], RGB]
) -> tuple[tuple[Place, RGB], ...]:
    return tuple(
        ((float(f.location[0]), float(f.location[1]), float(f.location[2])), colour(f))
        for f in findings
        if f.subject_kind == "place" and f.location is not None
    )


def _by_verdict(subjects: Subjects, judgement: Judgement, palette: Palette) -> Colours:
    findings = judgement.findings
    follows = _between(palette.fault, palette.related)
    groups = (
        ("nothing found", palette.sound, subjects.names, QUIET),
        ("takes part in a fault", palette.related, _taking_part(findings), LOUD),
        ("follows from a fault", follows, _of(f for f in findings if not f.is_root), LOUD),
        ("at fault", palette.fault, _of(f for f in findings if f.is_root), LOUD),
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
    missing = _missing(findings, lambda f: palette.fault if f.is_root else follows)
    if missing:
        entries = (Entry("something missing here", palette.fault, len(missing), True), *entries)
    legend = Legend("Verdict", entries, note=_what_was_not_judged(judgement))
    return Colours(rgb, weight, legend, missing)


def _of(findings: Iterable[Finding]) -> Iterable[str]:
    return (name for f in findings for name in at_fault(f))


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
        for name in at_fault(f):
            listed = failing.setdefault(name, {True: [], False: []})[f.is_root]
            if f.check not in listed:
                listed.append(f.check)
    of_name = {}
    for name, by_root in failing.items():
        own = by_root[True] or by_root[False]
        of_name[name] = own[0] if len(own) == 1 else ""
    present = Counter(of_name[n] for n in subjects.names if n in of_name)
    # A check keeps its colour whatever else fails: by its place in the profile.
    every = [c.id for c in judgement.checks]
    every += sorted({f.check for f in judgement.findings} - set(every))
    palette = dict(zip(every, categories(len(every)), strict=True))
    colour = {"": SEVERAL, **{c: _rgb(palette[c]) for c in every}}
    rgb, weight = _blank(subjects)
    for row, name in enumerate(subjects.names):
        if name in of_name:
            rgb[row], weight[row] = colour[of_name[name]], LOUD
    missing = _missing(judgement.findings, lambda f: colour[f.check])
    places = Counter(f.check for f in judgement.findings if f.subject_kind == "place")
    entries = [
        Entry(check_title(c), colour[c], present[c] + places[c], not present[c])
        for c in every
        if present[c] + places[c]
    ]
    entries.sort(key=lambda e: -e.count)
    if present[""]:
        entries.append(Entry("Several checks", SEVERAL, present[""]))
    note = "" if entries else "No check fails anywhere"
    legend = Legend("Check that fails", _shortened(entries), note=note)
    return Colours(rgb, weight, legend, missing)


def _by_role(subjects: Subjects, title: str, none: str) -> Colours:
    sizes = Counter(subjects.roles)
    known = sorted((r for r in sizes if r), key=lambda r: (-sizes[r], r))
    colour = dict(zip(known, map(_rgb, categories(len(known))), strict=True)) | {"": _NO_ROLE}
    rgb, weight = _blank(subjects)
    if len(rgb):
        rgb[:] = [colour[role] for role in subjects.roles]
        weight[:] = LOUD
    entries = [Entry(_role_words(r), colour[r], sizes[r]) for r in known]
    if sizes[""]:
        entries.append(Entry(none, _NO_ROLE, sizes[""]))
    return Colours(rgb, weight, Legend(title, _shortened(entries)))


def _role_words(role: str) -> str:
    """``TopPlate`` and ``top_plate`` -> ``Top plate``."""
    return printable(_HUMPS.sub(" ", role).replace("_", " ").capitalize())


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
    entries = []
    beyond = used > 1.0
    if beyond.any():
        entries.append(Entry("beyond the limit", _rgb(heat([HEAT_END])[0]), int(beyond.sum())))
    if unknown.any():
        entries.append(Entry("not measured", UNKNOWN, int(unknown.sum())))
    title = f"{check_title(check)}: share of the limit" if check else "Share of the limit, worst"
    note = "Nothing was measured" if unknown.all() else ""
    return Colours(rgb, weight, Legend(title, tuple(entries), _scale(), note))


def _scale() -> Ramp:
    within = round(_STEPS * _WITHIN)
    shares = np.concatenate(
        [np.linspace(0.0, 1.0, within), np.linspace(1.0001, HEAT_END, _STEPS - within)]
    )
    marks = ((0.0, "0 %"), (_WITHIN / 2, "50 %"), (_WITHIN, "100 %"), (1.0, "beyond"))
    return Ramp(heat(shares), marks)


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
    return np.where((used > 1.0) & (used <= 1.0 + _NOISE), 1.0, used)


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
