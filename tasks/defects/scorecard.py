# SPDX-License-Identifier: GPL-3.0-or-later
"""How well the checks did on the cases of a self-test: precision and recall, and the exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...checks.timber.engineering.profile import check_ids
from .catalogue import DEFECTS
from .metamorphic import VARIANTS
from .selftest import Case

#: So many exceptions are written out in the page; the rest is counted.
_NAMED = 100


@dataclass
class Score:
    """Root findings of one check over all cases.

    ``cases`` are those whose defect it had to find, or that stayed just inside its limit; of
    these ``harmless`` ones. ``found`` and ``missed`` count expected roots, ``strays`` findings that
    nobody expected in any case at all.
    """

    cases: int = 0
    harmless: int = 0
    found: int = 0
    missed: int = 0
    strays: int = 0

    @property
    def precision(self) -> float | None:
        """Share of what it told that was right; ``None`` where it told nothing."""
        told = self.found + self.strays
        return self.found / told if told else None

    @property
    def recall(self) -> float | None:
        """Share of what it had to tell that it told; ``None`` where there was nothing."""
        asked = self.found + self.missed
        return self.found / asked if asked else None


@dataclass
class Scorecard:
    """Scores by check, and exact cases of all by kind of defect, by variant and by style."""

    checks: dict[str, Score]
    defects: dict[str, tuple[int, int]] = field(default_factory=dict)
    variants: dict[str, tuple[int, int]] = field(default_factory=dict)
    styles: dict[str, tuple[int, int]] = field(default_factory=dict)
    exceptions: list[Case] = field(default_factory=list)
    cases: int = 0

    @property
    def perfect(self) -> bool:
        """Whether there were cases and all came as expected."""
        return self.cases > 0 and not self.exceptions


def score(cases: Iterable[Case]) -> Scorecard:
    """Count cases; the order in which they come doesn't matter."""
    card = Scorecard({check: Score() for check in check_ids()})
    ordered = sorted(cases, key=lambda case: (case.style, case.seed, case.kind, case.severity))
    by_kind: dict[str, list[Case]] = {}
    by_variant: dict[str, list[Case]] = {}
    by_style: dict[str, list[Case]] = {}
    for case in ordered:
        _count(card, case)
        by_style.setdefault(case.style, []).append(case)
        if case.check is not None:
            by_kind.setdefault(case.kind, []).append(case)
        elif "/" in case.kind:
            by_variant.setdefault(case.kind, []).append(case)
    card.cases = len(ordered)
    card.exceptions = [case for case in ordered if not case.exact]
    card.defects = {name: _exact(by_kind[name]) for name in DEFECTS if name in by_kind}
    card.variants = {
        name: _exact(by_variant[name])
        for kind in ("sound", "flawed")
        for name in (f"{kind}/{variant}" for variant in VARIANTS)
        if name in by_variant
    }
    card.styles = {name: _exact(by_style[name]) for name in sorted(by_style)}
    return card


def _exact(cases: Sequence[Case]) -> tuple[int, int]:
    return sum(case.exact for case in cases), len(cases)


def _count(card: Scorecard, case: Case) -> None:
    if case.check is not None:
        card.checks[case.check].cases += 1
        card.checks[case.check].harmless += case.harmless
    expected, missed = Counter(case.expected), Counter(case.missed)
    for check in expected:
        entry = card.checks.setdefault(check, Score())
        entry.found += expected[check] - missed[check]
        entry.missed += missed[check]
    for stray in case.strays:
        card.checks.setdefault(stray.check, Score()).strays += 1


def plain(card: Scorecard) -> dict[str, Any]:
    """The scorecard as plain data for machines."""
    return {
        "schema": "plumbline.selftest/1",
        "cases": card.cases,
        "exact": card.cases - len(card.exceptions),
        "checks": {
            name: {
                "cases": s.cases, "harmless": s.harmless, "true_positives": s.found,
                "false_positives": s.strays, "false_negatives": s.missed,
                "precision": s.precision, "recall": s.recall,
            }
            for name, s in card.checks.items()
        },
        "defects": {name: {"exact": a, "cases": n} for name, (a, n) in card.defects.items()},
        "variants": {name: {"exact": a, "cases": n} for name, (a, n) in card.variants.items()},
        "styles": {name: {"exact": a, "cases": n} for name, (a, n) in card.styles.items()},
        "exceptions": [
            {"case": case.name, "sentence": case.sentence, "wrong": wrong(case)}
            for case in card.exceptions
        ],
    }  # fmt: skip


def wrong(case: Case) -> list[str]:
    """What came otherwise than expected in a case, each in a few words."""
    words = [f"missed: {check}" for check in case.missed]
    words += [f"unexpected: {s.check} of {s.subject}" for s in case.strays]
    return words if case.verdict is None else [*words, f"verdict: {case.verdict}"]


def markdown(card: Scorecard, command: str) -> str:
    """The page ``docs/scorecard.md``: nothing in it but the cases decides what it says."""
    lines = [
        "# Scorecard of the timber checks",
        "",
        "Sound houses of all styles are generated, one defect is put into each copy, and the "
        "`engineering` profile judges it.",
        "The root finding must be of the right check at the right member or place, every other "
        "finding must hang under it, and the verdict must be right.",
        "A defect that stays a millimetre inside its limit must give no finding at all.",
        "So must a sound house that is moved, turned, mirrored, renamed, shuffled or built in "
        "feet; a flawed one must get the same findings at the same places.",
        "How each defect is made, and why an inspector would say just that, stands in "
        "`tasks/defects`.",
        "",
        f"Written by `{command}`.",
        "",
        f"**{card.cases:,} cases, {card.cases - len(card.exceptions):,} exactly as expected, "
        f"{len(card.exceptions):,} exceptions.**",
        "",
        "| check | cases | of them harmless | found | missed | unexpected | precision | recall |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {name} | {s.cases} | {s.harmless} | {s.found} | {s.missed} | {s.strays} "
        f"| {share(s.precision)} | {share(s.recall)} |"
        for name, s in card.checks.items()
    ]
    lines += [
        "",
        "Found and missed are expected root findings; those of changed houses count as well.",
        "",
        "| defect | found by | exact | cases |",
        "| --- | --- | ---: | ---: |",
    ]
    lines += [
        f"| {DEFECTS[name].title} (`{name}`) | {DEFECTS[name].check} | {exact} | {cases} |"
        for name, (exact, cases) in card.defects.items()
    ]
    lines += ["", "| change that must not matter | house | same | cases |"]
    lines += ["| --- | --- | ---: | ---: |"]
    for name, (exact, cases) in card.variants.items():
        kind, _, variant = name.partition("/")
        lines.append(f"| {VARIANTS[variant].title} | {kind} | {exact} | {cases} |")
    lines += ["", "| style | exact | cases |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {exact} | {cases} |" for name, (exact, cases) in card.styles.items()]
    return "\n".join([*lines, *_exceptions(card), ""])


def _exceptions(card: Scorecard) -> list[str]:
    if not card.exceptions:
        return ["", "There are no exceptions."]
    lines = ["", "## Exceptions", ""]
    lines += [
        f"* {case.name}: {case.sentence} {'; '.join(wrong(case))}"
        for case in card.exceptions[:_NAMED]
    ]
    more = len(card.exceptions) - _NAMED
    return [*lines, f"* ... and {more} more."] if more > 0 else lines


def share(value: float | None) -> str:
    """Three decimals, rounded down: 1.000 is all of them."""
    return "-" if value is None else f"{int(value * 1000.0) / 1000.0:.3f}"
