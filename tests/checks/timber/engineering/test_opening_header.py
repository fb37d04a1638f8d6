# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings have headers that bear on both sides, between king studs."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.timber.engineering.opening_header import opening_header

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import GRID, STUD, T, framed_wall, joints_of, moved, resized, without
from carpentry import wall as raise_wall


@pytest.fixture(scope="module")
def wall():
    return framed_wall((1.0, 2.2, 0.9), (2.9, 3.7, None))


def found(structure):
    return opening_header(joints_of(structure, spacing=GRID)).findings


def test_sound_openings(wall):
    outcome = opening_header(joints_of(wall, spacing=GRID))
    assert (outcome.findings, outcome.subjects) == ((), 2)


def test_a_missing_header_is_a_place_over_the_opening(wall):
    for missing in ("Header_0", "Header_0|Cripple_0_Over_.*"):
        (finding,) = found(without(wall, missing))
        assert finding.subject == "place over the opening between TrimmerStud_0L and TrimmerStud_0R"
        assert finding.subject_kind == "place"
        assert finding.measured == pytest.approx(1.2)
        assert finding.location == pytest.approx((1.6, STUD / 2, 2.038), abs=0.01)


def test_a_missing_trimmer_leaves_its_end_of_the_header_without_bearing(wall):
    (finding,) = found(without(wall, "TrimmerStud_0L"))
    assert (finding.subject, finding.subject_kind) == ("Header_0", "member")
    assert finding.measured == pytest.approx(0.0)
    assert finding.limit == pytest.approx(0.038)
    assert "KingStud_0L" in finding.message


@pytest.mark.parametrize("trimmer", ["TrimmerStud_0L", "TrimmerStud_0R"])
def test_a_missing_trimmer_is_seen_where_no_plate_runs_over_the_opening(trimmer):
    """A gable wall whose studs are cut to the rafters: its plates end at the door."""
    frame = gables.Frame()
    raise_wall(frame, openings=((1.0, 2.2, None),))
    frame.box("Sill_L", (0, 0, 0), (1.0, STUD, T))
    frame.box("Sill_R", (2.2, 0, 0), (4.098, STUD, T))
    gable = without(frame.structure(), "TopPlate_.|Sill")
    assert not found(gable)
    (finding,) = found(without(gable, trimmer))
    assert finding.subject == "Header_0"
    assert "put a trimmer under it" in finding.message


def test_bearing_of_37_mm_passes_and_36_mm_does_not(wall):
    # The header is 1.276 m long; drawn in from the left it bears less on the left trimmer.
    def drawn_in(by):
        return moved(resized(wall, "Header_0", x=1.276 - by), "Header_0", [by / 2, 0, 0])

    assert found(drawn_in(0.0009)) == ()
    (finding,) = found(drawn_in(0.002))
    assert finding.measured == pytest.approx(0.036, abs=1e-6)
    assert finding.margin == pytest.approx(-0.002, abs=1e-6)


@pytest.mark.parametrize("king", ["KingStud_0L", "KingStud_0R", "KingStud_1L"])
def test_a_missing_king_stud_is_a_place_beside_the_header(wall, king):
    (finding,) = found(without(wall, king))
    header = f"Header_{king[9]}"
    assert finding.subject.startswith(f"place beside {header}")
    assert finding.subject_kind == "place"
    assert header in finding.related


def test_a_flat_header_is_left_to_orientation(wall):
    flat = resized(resized(wall, "Header_0", z=T), "Header_0", y=0.184)
    flat = moved(flat, "Header_0", [0, 0, -(0.184 - T) / 2])
    assert [f.subject for f in found(flat)] == []


def test_a_built_up_header_is_one_finding(wall):
    frame = gables.Frame()
    for k, name in enumerate(wall.names):
        if name != "Header_0":
            frame.oriented(name, wall.center[k], wall.axes[k], 2 * wall.half[k])
    for ply in (0, 1):
        low = ply * (STUD - T)
        frame.box(f"Header_0_{ply}", (1.0 - T, low, 2.038), (2.2 + T, low + T, 2.222))
    built = frame.structure()
    assert found(built) == ()
    (finding,) = found(without(built, "TrimmerStud_0R"))
    assert {finding.subject, *finding.related} >= {"Header_0_0", "Header_0_1"}


def test_openings_up_to_640_mm_need_no_header():
    assert found(without(framed_wall((1.0, 1.64, 0.9)), "Header_0")) == ()
    assert len(found(without(framed_wall((1.0, 1.65, 0.9)), "Header_0"))) == 1


def test_two_faults_at_two_openings_are_two_findings(wall):
    assert len(found(without(wall, "Header_0|TrimmerStud_1L"))) == 2


def test_a_wall_without_openings_is_vacuous():
    outcome = opening_header(joints_of(framed_wall(), spacing=GRID))
    assert (outcome.subjects, outcome.findings) == (0, ())
