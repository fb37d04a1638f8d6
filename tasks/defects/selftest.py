# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded cases of the self-test: a house, one defect or one change in it, and how it was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ...checks.result import Finding, Judgement
from ...checks.timber import TimberBrief, TimberStructure, judge
from ..houses.generate import generate
from ..houses.parameters import STYLES
from .catalogue import DEFECTS
from .defect import Defect, Flawed, Place, Severity
from .metamorphic import VARIANTS, differences
from .reading import Reading

Judge = Callable[[TimberStructure, TimberBrief], Judgement]

#: A house gives this many cases; then comes the next one.
A_HOUSE = 40
#: So many houses are tried for the cases of one job before it is given up.
_ATTEMPTS = 20
#: As many of all cases are changes that must not matter: one in five.
_CHANGES = 5


@dataclass(frozen=True)
class Told:
    """A finding as a case keeps it: check, subject and sentence."""

    check: str
    subject: str
    message: str

    @classmethod
    def of(cls, finding: Finding) -> Told:
        return cls(finding.check, finding.subject, finding.message)


@dataclass(frozen=True)
class Case:
    """One case and how it came out.

    ``kind`` is a defect, a variant of the sound house (``sound/mirrored``), or one of a flawed
    house (``missing_sill/mirrored``). ``check`` is the one that the defect must be found by; of a
    change there is none. ``expected`` counts the roots by check that had to come, ``missed`` those
    that didn't; ``strays`` are the findings that nobody expected. ``verdict`` is what it got where
    that is not what it had to get, else ``None``.
    """

    style: str
    seed: int
    kind: str
    severity: str
    check: str | None
    sentence: str
    expected: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    strays: tuple[Told, ...] = ()
    verdict: str | None = None
    harmless: bool = False

    @property
    def exact(self) -> bool:
        """Whether all came as expected."""
        return not self.missed and not self.strays and self.verdict is None

    @property
    def name(self) -> str:
        """What it is called among the exceptions."""
        return f"{self.style}/{self.seed} {self.kind} ({self.severity})"


@dataclass(frozen=True)
class Job:
    """Cases of one style: ``count`` of them from ``first`` on, in houses from ``seed`` on."""

    style: str
    seed: int
    first: int
    count: int


def plan(cases: int, seed: int = 1, styles: Sequence[str] = tuple(STYLES)) -> list[Job]:
    """Jobs for so many cases, evenly over the styles. The same arguments give the same cases.

    More cases are the same ones and others.
    """
    jobs: list[Job] = []
    known = tuple(STYLES)
    for k, style in enumerate(styles):
        wanted = cases * (k + 1) // len(styles) - cases * k // len(styles)
        for done in range(0, wanted, A_HOUSE):
            number = done // A_HOUSE * len(known) + known.index(style)
            first = seed * 1_000_000 + number * _ATTEMPTS
            # Styles begin at different defects, so that few cases too are of all kinds.
            turn = done + known.index(style) * len(_DEALT) // len(known)
            jobs.append(Job(style, first, turn, min(A_HOUSE, wanted - done)))
    return jobs


def run(job: Job, judging: Judge = judge) -> list[Case]:
    """The cases of a job. A house that fails as it was built is a case of its own, and no more."""
    found: list[Case] = []
    for attempt in range(_ATTEMPTS):
        found += _of_house(job, job.seed + attempt, job.count - len(found), judging)
        if len(found) >= job.count:
            break
    return found


def _of_house(job: Job, seed: int, count: int, judging: Judge) -> list[Case]:
    house = generate(job.style, seed)
    reading = Reading(house.structure, house.brief)
    verdict = judging(house.structure, house.brief)
    if verdict.verdict != "passed":
        strays = tuple(Told.of(f) for f in verdict.findings if f.is_root)
        return [
            Case(job.style, seed, "sound", "as built", None, "The house as it was generated.",
                 strays=strays, verdict=verdict.verdict)
        ]  # fmt: skip
    cases = _Cases(job.style, seed, reading, verdict, judging)
    found: list[Case] = []
    for case in cases.drawn(job.first):
        found.append(case)
        if len(found) >= count:
            break
    return found


#: Defects with their severities, dealt so that neighbours are of different kinds.
_DEALT: tuple[tuple[Defect, Severity], ...] = tuple(
    (defect, defect.severities[k])
    for k in range(max(len(d.severities) for d in DEFECTS.values()))
    for defect in DEFECTS.values()
    if k < len(defect.severities)
)


class _Cases:
    """Cases of one house, each drawn by a generator of its own."""

    def __init__(
        self, style: str, seed: int, reading: Reading, sound: Judgement, judging: Judge
    ) -> None:
        self.style, self.seed, self.reading = style, seed, reading
        self.sound, self.judging = sound, judging
        self._places: dict[str, list[Place]] = {}

    def drawn(self, first: int) -> Iterator[Case]:
        """Cases that this house allows: defects in turn from number ``first`` on, and changes."""
        variants = list(VARIANTS)
        changes = 0
        last: tuple[Flawed, Judgement] | None = None
        for k in range(len(_DEALT)):
            number = first + k
            defect, severity = _DEALT[number % len(_DEALT)]
            flawed = self._flawed(defect, severity)
            if flawed is not None:
                judgement = self.judging(flawed.structure, self.reading.brief)
                yield self._judged(defect, severity, flawed, judgement)
                last = flawed, judgement
            if number % _CHANGES == 0:
                variant = variants[(first // A_HOUSE + changes) % len(variants)]
                changes += 1
                if changes % 2 or last is None:
                    yield self._changed(variant, "sound", None)
                else:
                    yield self._changed(variant, "flawed", last)

    def _flawed(self, defect: Defect, severity: Severity) -> Flawed | None:
        """The house with one defect at a place that the seed chooses, if it has one."""
        random = Random(f"{self.seed}/{defect.id}")
        if defect.id not in self._places:
            self._places[defect.id] = defect.places(self.reading)
        places = self._places[defect.id]
        for _ in range(min(len(places), 8)):
            place = places[int(random.random() * len(places))]
            flawed = defect.inject(self.reading, place, severity)
            if flawed is not None:
                return flawed
        return None

    def _judged(
        self, defect: Defect, severity: Severity, flawed: Flawed, judgement: Judgement
    ) -> Case:
        found = flawed.expected.compare(judgement.findings)
        wrong = judgement.verdict != flawed.expected.verdict
        return Case(
            self.style, self.seed, defect.id, severity.name, defect.check, flawed.sentence,
            tuple(root.check for root in flawed.expected.roots),
            tuple(root.check for root in found.missed),
            tuple(map(Told.of, found.strays)),
            judgement.verdict if wrong else None,
            severity.harmless,
        )  # fmt: skip

    def _changed(self, variant: str, kind: str, known: tuple[Flawed, Judgement] | None) -> Case:
        """The sound or a flawed house changed: the same must be said of it."""
        random = Random(f"{self.seed}/{variant}")
        flawed, before = known or (None, self.sound)
        structure = self.reading.structure if flawed is None else flawed.structure
        changed = VARIANTS[variant].apply(structure, random)
        after = self.judging(changed.structure, self.reading.brief)
        gone, new = differences(before.findings, after.findings, changed)
        sentence = VARIANTS[variant].title
        sentence = sentence if flawed is None else f"{flawed.sentence} Then {sentence}."
        roots = tuple(f.check for f in before.findings if f.is_root)
        return Case(
            self.style, self.seed, f"{kind}/{variant}", "changed", None, sentence, roots,
            tuple(f.check for f in gone), tuple(map(Told.of, new)),
            after.verdict if after.verdict != before.verdict else None,
        )  # fmt: skip
