# SPDX-License-Identifier: GPL-3.0-or-later
"""Every quantity of every subject, at fault or not; never in a record."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from plumbline.addon.runs.records import Result
from plumbline.checks.timber import judge

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import timber_samples
from carpentry import GRID, framed_floor, without

QUANTITIES = ("bearing", "clear_span", "spacing", "notching", "orientation")


@pytest.fixture(scope="module")
def house():
    return timber_samples.gable_house(400)


def figures(judgement, check):
    """Name -> worst (measured, limit, share of the limit) of a check."""
    worst = {}
    for measures in judgement.check(check).measures:
        rows = zip(
            measures.subjects, measures.measured, measures.limit, measures.utilisation, strict=True
        )
        for name, *row in rows:
            if name not in worst or row[2] > worst[name][2]:
                worst[name] = row
    return worst


@pytest.mark.parametrize("check", QUANTITIES)
def test_a_sound_house_is_measured_and_uses_no_more_than_is_allowed(house, check):
    found = figures(judge(house), check)
    assert found and set(found) <= set(house.names)
    used = np.array([row[2] for row in found.values()])
    assert np.isfinite(used).all() and (used <= 1 + 0.01).all()


@pytest.mark.parametrize("seed", range(3))
def test_whoever_is_at_fault_is_measured_as_the_finding_says(house, seed):
    """Members taken out and moved at random; the figures of findings are among the measures."""
    random = np.random.default_rng(seed)
    keep = np.sort(random.choice(len(house), len(house) - 25, replace=False))
    broken = house.subset(keep)
    center = broken.center.copy()
    center[random.choice(len(broken), 12, replace=False)] += random.normal(size=(12, 3)) * 0.03
    judgement = judge(replace(broken, center=center))
    compared = 0
    for check in ("bearing", "clear_span", "cantilever", "notching", "orientation"):
        measured = figures(judgement, check)
        for finding in judgement.check(check).findings:
            share = measured[finding.subject][2]
            own = finding.limit / finding.measured if finding.measured else np.inf
            own = own if check in ("bearing", "orientation") else finding.measured / finding.limit
            assert share >= own - 1e-3 and share > 1
            compared += 1
    for finding in judgement.check("spacing").findings:
        measured = figures(judgement, "spacing")
        beside = [name for name in finding.related if name in house.names]
        assert all(measured[name][0] >= finding.measured - 1e-6 for name in beside[:2])
        compared += 1
    assert compared


def test_the_widest_bay_beside_each_joist():
    floor = without(framed_floor(count=9), "Joist_04")
    found = figures(judge(floor), "spacing")
    assert found["Joist_03"][0] == pytest.approx(2 * GRID) == found["Joist_05"][0]
    assert found["Joist_01"][0] == pytest.approx(GRID)


def test_measures_are_no_part_of_a_record(house):
    judgement = judge(house)
    assert any(check.measures for check in judgement.checks) and judgement.workings is not None
    record = Result(judgement).to_record()
    assert not {"measures", "workings"} & {*record, *record["checks"][0]}


def test_the_empty_structure_has_none():
    empty = timber_samples.gable_house(140).subset(np.zeros(0, int))
    assert all(check.measures == () for check in judge(empty).checks)


@pytest.mark.parametrize("profile", ["paper", "release"])
def test_published_profiles_measure_spans_and_bays(profile):
    """Whoever spans too far uses more than all of the limit, and nobody else does."""
    floor = framed_floor(count=9, span=9.0)
    result = judge(floor, None, profile).check("span_limits")
    worst = figures(judge(floor, None, profile), "span_limits")
    assert {f.subject for f in result.findings} == {n for n, row in worst.items() if row[2] > 1}
    for finding in result.findings:
        assert worst[finding.subject][:2] == pytest.approx([finding.measured, finding.limit])
    bays = figures(judge(framed_floor(count=9), None, "release"), "gap_detection")
    assert bays["Joist_04"][0] == pytest.approx(GRID)
