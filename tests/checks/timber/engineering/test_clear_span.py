# SPDX-License-Identifier: GPL-3.0-or-later
"""Members span no farther than their sections can."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber.brief import PSF
from plumbline.checks.timber.engineering.clear_span import clear_span
from plumbline.checks.timber.spans import allowable_span

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import GRID, STUD, T, framed_floor, joints_of, resized, without


def found(structure, **brief):
    return clear_span(joints_of(structure, spacing=GRID, **brief)).findings


def limit(kind, depth, spacing=GRID, **values):
    loads = {"live": 40 * PSF, "dead": 10 * PSF, "species": "spruce-pine-fir", "grade": "2"}
    return float(allowable_span(kind, T, depth, spacing, **{**loads, **values}).length)


def test_joists_are_measured_from_edge_to_edge_of_their_bearings():
    # 2x10 at 16 in may span 4.69 m; sills are 140 mm wide, so the clear span is span - 0.14.
    allowed = limit("joist", 0.235)
    assert allowed == pytest.approx(4.69, abs=0.02)
    assert found(framed_floor(span=allowed + 0.14)) == ()
    findings = found(framed_floor(span=allowed + 0.15))
    assert [f.subject for f in findings] == [f"Joist_{k:02d}" for k in range(9)]
    one = findings[4]
    assert one.measured == pytest.approx(allowed + 0.01, abs=1e-6)
    assert one.limit == pytest.approx(allowed, rel=1e-3)
    assert one.margin < 0
    assert one.clause.startswith("IRC R502.3")
    assert "286 mm deep" in one.message


def test_the_measured_spacing_sets_the_limit():
    span = 0.14 + 0.5 * (limit("joist", 0.235) + limit("joist", 0.235, 0.610))
    assert found(framed_floor(span=span)) == ()
    assert len(found(framed_floor(span=span, spacing=0.610, count=7))) == 7


def test_a_missing_neighbour_is_the_fault_of_spacing_not_of_the_spans_beside_it():
    span = 0.14 + limit("joist", 0.235)
    assert found(without(framed_floor(span=span), "Joist_04")) == ()


def test_a_girder_halves_the_span():
    frame = gables.Frame()
    from carpentry import floor

    floor(frame, span=6.0)
    assert len(found(frame.structure())) == 9
    frame.box("Sill_M", (0, 3.0, 0), (8 * GRID + T, 3.14, T))
    assert found(frame.structure()) == ()


def test_plies_share_their_strip():
    frame = gables.Frame()
    from carpentry import floor

    floor(frame, span=0.14 + limit("joist", 0.235, 0.610) + 0.2, spacing=0.610)
    for k in range(9):
        low = (k * 0.610 + T, T, T)
        frame.box(f"Joist_{k:02d}_Twin", low, (k * 0.610 + 2 * T, 4.0, 0.273))
    structure = frame.structure()
    assert len(found(without(structure, ".*_Twin"))) == 9
    depth = structure.aabb[1][structure.names.index("Joist_00"), 1]
    structure = resized(structure, ".*_Twin", y=2 * (depth - T) - 0.0)
    alone = {f.subject for f in found(framed_floor(span=5.0))}
    assert alone == {f"Joist_{k:02d}" for k in range(9)}


def test_species_grade_and_loads_come_from_the_brief():
    structure = framed_floor(span=4.6)
    assert found(structure) == ()
    assert len(found(structure, grade="3")) == 9
    assert len(found(structure, floor_live=80 * PSF)) == 9
    assert found(structure, species="southern-pine", grade="SS") == ()


def test_rafters_are_measured_in_plan_and_to_the_face_of_the_ridge():
    house = gables.gable(12 / 12)
    outcome = clear_span(joints_of(house, spacing=GRID))
    assert outcome.findings == ()
    shallow = resized(house, "Rafter_.*", x=T)
    assert clear_span(joints_of(shallow, spacing=GRID)).findings == ()
    heavy = found(house, ground_snow=900 * PSF)
    rafters = [f for f in heavy if f.subject.startswith("Rafter")]
    assert len(rafters) == 18
    for finding in rafters:
        assert finding.measured == pytest.approx(2.0 - 0.089 - T / 2, abs=0.01)
        assert finding.clause == "IRC R802.4"


def test_ceiling_joists_have_a_limit_of_their_own():
    house = resized(gables.gable(0.75), "CeilingJoist_.*", z=0.089)
    found_here = [f for f in found(house) if f.clause == "IRC R802.5"]
    allowed = limit("ceiling_joist", 0.089, live=10 * PSF, dead=5 * PSF)
    assert allowed < 4.0 - 2 * 0.089
    assert len(found_here) == 9
    assert found_here[0].limit == pytest.approx(allowed, rel=1e-3)


def beam_under_joists(span, depth, plies=1):
    """A floor whose joists stand on a beam in the middle, on two posts ``span`` m apart."""
    frame = gables.Frame()
    length = 8 * GRID + T
    for tag, y in (("S", 0.0), ("N", 5.86)):
        frame.box(f"Sill_{tag}", (0, y, 1.0), (length, y + 0.14, 1.038))
        frame.box(f"Foundation_{tag}", (0, y, 0), (length, y + 0.14, 1.0))
    for k in range(9):
        frame.box(f"Joist_{k:02d}", (k * GRID, 0, 1.038), (k * GRID + T, 6.0, 1.273))
    for ply in range(plies):
        low = 3.0 - plies * T / 2 + ply * T
        frame.box(f"Beam_{ply}", (0, low, 1.038 - depth), (length, low + T, 1.038))
    for k, x in enumerate((length / 2 - span / 2, length / 2 + span / 2)):
        frame.box(f"Post_{k}", (x - 0.07, 2.93, 0), (x + 0.07, 3.07, 1.038 - depth))
    return frame.structure()


def test_beams_carry_half_the_span_of_the_joists_on_both_sides():
    joints = joints_of(beam_under_joists(2.6, 0.286, plies=3), spacing=GRID)
    assert clear_span(joints).findings == ()
    (finding,) = found(beam_under_joists(2.6, 0.286))
    assert finding.subject == "Beam_0"
    assert finding.clause == "IRC R602.7"
    assert finding.measured == pytest.approx(2.6 - 0.14)
    assert "of floor" in finding.message
    strip = float(finding.message.split("carries ")[1].split(" m of floor")[0])
    assert strip == pytest.approx(3.0, rel=0.2)


def test_plies_of_a_beam_are_one_finding():
    (finding,) = found(beam_under_joists(2.9, 0.184, plies=3))
    assert finding.related == ("Beam_1", "Beam_2")
    assert "3 plies" in finding.message


def test_plies_may_be_spliced_over_different_posts():
    structure = beam_under_joists(1.3, 0.184, plies=3)
    assert found(structure) == ()
    frame = gables.Frame()
    length = 8 * GRID + T
    for k, name in enumerate(structure.names):
        size, center = 2 * structure.half[k], structure.center[k]
        if not name.startswith("Beam"):
            frame.oriented(name, center, structure.axes[k], size)
            continue
        joint = length / 2 + (-0.65 if name == "Beam_1" else 0.65)
        low, high = center - size[[0, 2, 1]] / 2, center + size[[0, 2, 1]] / 2
        frame.box(f"{name}_W", low, (joint, *high[1:]))
        frame.box(f"{name}_E", (joint, *low[1:]), high)
    assert found(frame.structure()) == ()


def test_a_header_carries_the_roof_above_it():
    def house(depth):
        frame = gables.Frame()
        structure = gables.gable(0.75)
        for k, name in enumerate(structure.names):
            if name not in ("Stud_S_03", "Stud_S_04", "Stud_S_05"):
                frame.oriented(name, structure.center[k], structure.axes[k], 2 * structure.half[k])
        top = structure.aabb[0][structure.names.index("TopPlate_S_0"), 2]
        low, high = 2 * GRID + T, 6 * GRID
        frame.box("Header_1", (low, 0, top - depth), (high, T, top))
        for x in (low, high - T):
            frame.box(f"TrimmerStud_{x:.0f}", (x, 0, 0.311), (x + T, STUD, top - depth))
        return frame.structure()

    assert found(house(0.286)) == ()
    (finding,) = found(house(0.089))
    assert finding.subject == "Header_1"
    assert "roof" in finding.message


def test_unknown_species_is_not_run_with_the_reason():
    outcome = clear_span(joints_of(framed_floor(), species="balsa"))
    assert "balsa" in outcome.not_run
    assert outcome.findings == ()


def test_no_spans_at_all_is_vacuous_and_nothing_is_nan():
    frame = gables.Frame()
    frame.box("Stud_1", (0, 0, 0), (T, STUD, 2.4))
    outcome = clear_span(joints_of(frame.structure()))
    assert outcome.subjects == 0
    for finding in found(framed_floor(span=9.0)):
        assert np.isfinite([finding.measured, finding.limit, finding.margin]).all()
