# SPDX-License-Identifier: GPL-3.0-or-later
"""Rafters carry every roof plane from edge to edge."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.timber.engineering.roof_coverage import roof_coverage

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import framed_floor, hip_roof, joints_of, without


@pytest.fixture(scope="module")
def house():
    return gables.gable(9 / 12)


def found(structure):
    return roof_coverage(joints_of(structure)).findings


@pytest.mark.parametrize("pitch", [3 / 12, 9 / 12, 3**0.5])
@pytest.mark.parametrize("ridge_end", list(gables.RIDGE_ENDS))
def test_gables_are_covered(pitch, ridge_end):
    outcome = roof_coverage(joints_of(gables.gable(pitch, ridge_end)))
    assert (outcome.findings, outcome.subjects) == ((), 2)


def test_a_hip_roof_has_four_planes():
    outcome = roof_coverage(joints_of(hip_roof()))
    assert (outcome.findings, outcome.subjects) == ((), 4)
    assert outcome.figures["least_share"] == 1.0


def test_a_missing_rafter_opens_two_bays(house):
    (finding,) = found(without(house, "Rafter_N_05"))
    assert finding.subject == "place between Rafter_N_04 and Rafter_N_06"
    assert finding.measured == pytest.approx(6 / 8, abs=0.02)
    assert finding.limit == 0.98
    assert finding.related == ("Rafter_N_04", "Rafter_N_06")


@pytest.mark.parametrize("end", ["Rafter_S_00", "Rafter_N_08", "Rafter_[SN]_00"])
def test_a_missing_end_rafter_leaves_plate_and_ridge_bare(house, end):
    findings = found(without(house, end))
    assert len(findings) == (2 if "[" in end else 1)
    assert findings[0].subject.startswith("place beyond Rafter_")


def test_a_whole_side_taken_away_is_named_at_the_ridge(house):
    (finding,) = found(without(house, "Rafter_S_.*"))
    assert finding.subject.startswith("place opposite Rafter_N")
    assert "Ridge_01" in finding.related


def test_a_missing_jack_opens_the_plane_of_the_hip():
    (finding,) = found(without(hip_roof(), "JackRafter_W_04"))
    assert finding.subject == "place between JackRafter_W_03 and JackRafter_W_05"


def test_no_rafters_is_vacuous():
    assert roof_coverage(joints_of(framed_floor())).subjects == 0
