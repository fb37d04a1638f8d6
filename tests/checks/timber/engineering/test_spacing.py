# SPDX-License-Identifier: GPL-3.0-or-later
"""Bays that are too wide are named by the members beside them."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber import TimberStructure
from plumbline.checks.timber.engineering.opening_header import opening_header
from plumbline.checks.timber.engineering.spacing import spacing

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import GRID, T, framed_floor, framed_wall, hip_roof, joints_of, moved, without


def found(structure, asked=GRID):
    return spacing(joints_of(structure, spacing=asked)).findings


def subjects(structure, asked=GRID):
    return [f.subject for f in found(structure, asked)]


@pytest.fixture(scope="module")
def house():
    return gables.gable(9 / 12)


def test_sound_frames_have_no_finding(house):
    for structure in (house, framed_floor(), framed_wall((1.0, 2.2, 0.9)), hip_roof()):
        assert found(structure) == ()


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Joist_04", "place between Joist_03 and Joist_05"),
        ("Stud_N_03", "place between Stud_N_02 and Stud_N_04"),
        ("Rafter_S_04", "place between Rafter_S_03 and Rafter_S_05"),
        ("CeilingJoist_03", "place between CeilingJoist_02 and CeilingJoist_04"),
    ],
)
def test_a_missing_member_is_one_place(house, name, place):
    (finding,) = found(without(house, name))
    assert (finding.subject, finding.subject_kind) == (place, "place")
    assert finding.measured == pytest.approx(2 * GRID, abs=0.08)
    assert finding.limit == pytest.approx(GRID + 0.02)
    assert finding.margin == pytest.approx(finding.limit - finding.measured)
    at = house.center[house.names.index(name)]
    assert np.abs(np.array(finding.location) - at).max() < 0.35


def test_two_missing_neighbours_are_one_place_for_two(house):
    (finding,) = found(without(house, "Joist_0[45]"))
    assert finding.subject == "place between Joist_03 and Joist_06"
    assert "put 2 joists between them" in finding.message


def test_twenty_millimetres_of_tolerance_and_a_millimetre_of_slack(house):
    assert subjects(moved(house, "Joist_04", [0.0205, 0, 0])) == []
    assert subjects(moved(house, "Joist_04", [0.0215, 0, 0])) == [
        "place between Joist_03 and Joist_04"
    ]


def test_without_a_task_610_mm_is_the_limit():
    assert subjects(framed_floor(spacing=0.625), None) == []
    assert len(subjects(framed_floor(spacing=0.635), None)) == 8


def test_doubled_members_and_short_bays_are_fine():
    frame = gables.Frame()
    from carpentry import floor

    floor(frame)
    frame.box("Joist_Twin", (4 * GRID + T, T, T), (4 * GRID + 2 * T, 3.102, 0.273))
    assert found(frame.structure()) == ()


def test_runs_that_lap_over_a_girder_are_two_rows():
    frame = gables.Frame()
    for tag, y in (("S", 0.0), ("M", 2.9), ("N", 5.8)):
        frame.box(f"Sill_{tag}", (0, y, 0), (4, y + 0.14, T))
    for k in range(9):
        x = k * GRID
        frame.box(f"Joist_S_{k}", (x, 0, T), (x + T, 3.04, 0.273))
        frame.box(f"Joist_N_{k}", (x + T, 2.9, T), (x + 2 * T, 5.94, 0.273))
    structure = frame.structure()
    assert found(structure) == ()
    assert subjects(without(structure, "Joist_N_4")) == ["place between Joist_N_3 and Joist_N_5"]


def test_a_stair_opening_between_headers_is_no_missing_joist():
    structure = without(framed_floor(), "Joist_0[45]")
    assert len(found(structure)) == 1
    frame = gables.Frame()
    for name, c, axes, half in zip(
        structure.names, structure.center, structure.axes, structure.half, strict=True
    ):
        frame.oriented(name, c, axes, 2 * half)
    low, high = 3 * GRID + T, 6 * GRID
    for k, y in enumerate((1.0, 2.0)):
        frame.box(f"Header_Stair_{k}", (low, y, T), (high, y + T, 0.273))
    for k in (4, 5):
        frame.box(f"Joist_Tail_S_{k}", (k * GRID, T, T), (k * GRID + T, 1.0, 0.273))
        frame.box(f"Joist_Tail_N_{k}", (k * GRID, 2.0 + T, T), (k * GRID + T, 3.102, 0.273))
    assert found(frame.structure()) == ()


def test_wings_beside_each_other_are_no_bay():
    frame = gables.Frame()
    for wing, x0 in (("A", 0.0), ("B", 6.0)):
        for tag, y in (("S", 0.0), ("N", 3.0)):
            frame.box(f"Sill_{wing}_{tag}", (x0, y, 0), (x0 + 2, y + 0.14, T))
        for k in range(5):
            x = x0 + k * GRID
            frame.box(f"Joist_{wing}_{k}", (x, 0, T), (x + T, 3.14, 0.273))
    assert found(frame.structure()) == ()


def test_posts_of_a_porch_are_no_stud_bay():
    frame = gables.Frame()
    frame.box("Sill", (0, 0, 0), (4, 0.14, T))
    for k, x in enumerate((0.0, 1.93, 3.86)):
        frame.box(f"Post_{k}", (x, 0, T), (x + 0.14, 0.14, 2.4))
    frame.box("TopPlate", (0, 0, 2.4), (4, 0.14, 2.438))
    assert found(frame.structure()) == ()


@pytest.mark.parametrize("jack", ["JackRafter_S_03", "JackRafter_W_04", "Rafter_N_08"])
def test_missing_jacks_and_commons_of_a_hip_roof(jack):
    (finding,) = found(without(hip_roof(), jack))
    assert finding.subject_kind == "place"


def test_a_jack_missing_next_to_the_hip_is_a_wide_bay_at_the_plate():
    # The shortest two: one alone is shorter than a bay and may be left out.
    structure = without(hip_roof(), "JackRafter_S_0[12]")
    (finding,) = found(structure)
    assert finding.subject == "place between JackRafter_S_03 and HipRafter_SW"


@pytest.mark.parametrize(
    "missing", [None, "Header_0", "TrimmerStud_0L", "KingStud_0R", "TrimmerStud_0R", "WindowSill_0"]
)
def test_openings_belong_to_opening_header_alone(missing):
    structure = framed_wall((1.0, 2.2, 0.9))
    if missing:
        structure = without(structure, missing)
    assert found(structure) == ()
    joints = joints_of(structure, spacing=GRID)
    assert len(opening_header(joints).findings) == (missing not in (None, "WindowSill_0"))


def test_a_stud_missing_beside_an_opening_is_spacing_alone():
    structure = without(framed_wall((1.0, 2.2, 0.9)), "Stud_07")
    joints = joints_of(structure, spacing=GRID)
    assert len(spacing(joints).findings) == 1
    assert opening_header(joints).findings == ()


def test_cripples_over_a_header_are_held_to_610_mm():
    structure = framed_wall((1.0, 2.2, None))
    assert subjects(without(structure, "Cripple_0_Over_1")) == [
        "place between Cripple_0_Over_0 and Cripple_0_Over_2"
    ]


def test_nothing_to_space_is_vacuous():
    frame = gables.Frame()
    frame.box("Sill", (0, 0, 0), (4, 0.14, T))
    assert spacing(joints_of(frame.structure())).subjects == 0


def test_a_header_in_the_wall_below_trims_no_opening_of_the_roof(house):
    """As wide as the bay of the missing rafter, and within the height that the slope spans."""
    bare = without(house, "Rafter_S_04")
    (bay,) = found(bare)
    rafter = house.names.index("Rafter_S_04")
    x, low = house.center[rafter, 0], house.aabb[0][rafter, 2]
    frame = gables.Frame()
    half = GRID - T / 2
    frame.box("Header_S", (x - half, 0.0, low - 0.1), (x + half, 0.038, low + 0.084))
    header = frame.structure()
    both = TimberStructure.from_boxes(
        (*bare.names, *header.names),
        np.concatenate([bare.center, header.center]),
        np.concatenate([bare.axes, header.axes]),
        2.0 * np.concatenate([bare.half, header.half]),
    )
    assert bay.subject in subjects(both)
