# SPDX-License-Identifier: GPL-3.0-or-later
"""Defects in generated houses: what is made, and that it is told as it must be."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from plumbline.checks.timber import judge
from plumbline.tasks.defects.catalogue import DEFECTS
from plumbline.tasks.defects.defect import GROSS, HARMLESS, SLIGHT, Expected, at_line, at_member
from plumbline.tasks.defects.reading import Reading
from plumbline.tasks.houses.generate import generate


@lru_cache(maxsize=4)
def reading(style: str, seed: int = 1) -> Reading:
    house = generate(style, seed)
    return Reading(house.structure, house.brief)


def flaw(of: Reading, kind: str, at: int = 0, severity: int = 0):
    """The first place from ``at`` on where a severity can be had."""
    defect = DEFECTS[kind]
    places = defect.places(of)
    for place in places[at % len(places) :]:
        flawed = defect.inject(of, place, defect.severities[severity])
        if flawed is not None:
            return flawed, place
    raise AssertionError(f"{kind} can't be had here")


def told(style: str, kind: str, at: int = 0, severity: int = 0):
    """What is wrong with the judgement of one defect: missed roots and strays."""
    of = reading(style)
    flawed, _ = flaw(of, kind, at, severity)
    judgement = judge(flawed.structure, of.brief)
    assert judgement.verdict == flawed.expected.verdict, flawed.sentence
    found = flawed.expected.compare(judgement.findings)
    return [*map(str, found.missed), *(f"{f.key}: {f.message}" for f in found.strays)]


def test_there_are_enough_kinds_and_each_check_has_one() -> None:
    assert len(DEFECTS) >= 25
    of = reading("Ranch")
    judged = {check.id for check in judge(of.structure, of.brief).checks}
    assert {defect.check for defect in DEFECTS.values()} == judged


@pytest.mark.parametrize(
    ("style", "kind", "at"),
    [
        # The last joists of an A-frame lie under the feet of rafters and don't hang on them.
        ("A-Frame", "missing_girder", -1),
        # A header in the wall below is as wide as the bay that the rafter leaves.
        ("Carriage", "missing_rafter", 12),
        # Jacks of both planes meet a valley 0.86 m apart, in plan.
        ("Cruciform", "missing_valley", 0),
        # Rafters of the gable stand where those beside them have lost the ridge.
        ("Courtyard", "missing_ridge", 2),
        # What leans on a ridge that posts carried lacks no ties.
        ("Courtyard", "missing_girder", 2),
    ],
)
def test_one_missing_member_is_one_root(style: str, kind: str, at: int) -> None:
    assert told(style, kind, at) == []


def test_rafters_of_45_degrees_are_not_held_by_the_tips_opposite() -> None:
    """Near that pitch one tip lies squarely under the other: it holds it as little as ever."""
    house = generate("Townhouse", 1000220)
    assert 43.0 < house.parameters.pitch < 47.0
    of = Reading(house.structure, house.brief)
    flawed, _ = flaw(of, "missing_ties")
    findings = judge(flawed.structure, of.brief).findings
    assert flawed.expected.compare(findings).exact


@pytest.mark.parametrize("severity", [0, 1])
@pytest.mark.parametrize("kind", ["stud_moved", "short_bearing", "wrong_section", "short_stud"])
def test_both_sides_of_a_limit(kind: str, severity: int) -> None:
    """A millimetre inside nothing is said, a little outside it is the check that must say it."""
    assert told("Ranch", kind, severity=severity) == []


def test_a_defect_changes_what_it_says_and_no_more() -> None:
    of = reading("Ranch")
    flawed, place = flaw(of, "stud_moved", severity=1)
    shift = np.linalg.norm(flawed.structure.center - of.structure.center, axis=1)
    assert np.flatnonzero(shift > 1e-9).tolist() == [place.member]
    np.testing.assert_array_equal(flawed.structure.half, of.structure.half)
    assert of.names[place.member] in flawed.sentence


def test_severities_leave_the_slack_of_a_millimetre() -> None:
    assert HARMLESS.above(0.020) == pytest.approx(0.019)
    assert SLIGHT.above(0.003) == pytest.approx(0.006), "1.1 x 3 mm would be within the slack"
    assert GROSS.above(0.020) == pytest.approx(0.040)
    assert HARMLESS.below(0.038) == pytest.approx(0.038)
    assert SLIGHT.below(0.038) == pytest.approx(0.038 / 1.1)


def test_a_missed_root_and_a_stray_are_told_apart() -> None:
    of = reading("Ranch")
    flawed, place = flaw(of, "missing_stud")
    findings = judge(flawed.structure, of.brief).findings
    right = flawed.expected.compare(findings)
    assert right.exact and [e.check for e in right.found] == ["spacing"]
    start, end = of.ends(place.member)
    for wrong in (at_line("spacing", start + 1.0, end + 1.0), at_member("spacing", "Stud_99")):
        other = Expected((wrong,)).compare(findings)
        assert other.missed == (wrong,)
        assert len(other.strays) == len(findings)
    assert not Expected().compare(findings).exact


def test_a_consequence_must_hang_under_the_expected_root() -> None:
    of = reading("Ranch")
    flawed, _ = flaw(of, "missing_sill")
    findings = judge(flawed.structure, of.brief).findings
    assert any(not f.is_root for f in findings)
    assert flawed.expected.compare(findings).exact
    astray = [f for f in findings if not f.is_root]
    assert len(flawed.expected.compare(astray).strays) == len(astray)
