# SPDX-License-Identifier: GPL-3.0-or-later
"""Notches, runs, bearings and housings: figures that can be checked with a ruler."""

import numpy as np
import pytest
from plumbline.checks.timber import TimberBrief, TimberStructure
from plumbline.checks.timber.engineering.bearing import bearing
from plumbline.checks.timber.engineering.clash import clash
from plumbline.checks.timber.engineering.dual_end import dual_end_connection
from plumbline.checks.timber.engineering.joints import Joints
from plumbline.checks.timber.engineering.notching import notching


def joints(boxes):
    """Joints of boxes given as (name, centre, axes, size)."""
    return Joints.of(
        TimberStructure.from_boxes(*map(list, zip(*boxes, strict=True))), TimberBrief()
    )


def rafter(notch, depth=0.184, angle=30.0, tail=0.3, width=0.089):
    """A rafter rising along +y over a plate from y = 0 to ``width`` with its top at z = 0.

    Its underside passes ``notch`` (normal to itself) below the plate's outer top edge.
    """
    a = np.radians(angle)
    along = np.array([0, np.cos(a), np.sin(a)])
    up = np.array([0, -np.sin(a), np.cos(a)])
    edge = np.array([0.0, 0.0, 0.0]) - notch * up
    length = 3.0
    middle = edge + up * depth / 2 + along * (length / 2 - tail / np.cos(a))
    plate = ("TopPlate_1", [0, width / 2, -0.019], np.eye(3), [2.0, width, 0.038])
    return [plate, ("Rafter_1", middle, [along, up, [1.0, 0, 0]], [length, depth, 0.038])]


@pytest.mark.parametrize("notch", [0.02, 0.04, 0.07, 0.09, -0.01])
@pytest.mark.parametrize("angle", [14.04, 30.0, 45.0, 60.0])
def test_the_notch_is_measured_normal_to_the_underside(notch, angle):
    seats = joints(rafter(notch, angle=angle)).seats
    assert seats.notch == pytest.approx([notch], abs=1e-9)
    assert seats.run == pytest.approx([0.089])


@pytest.mark.parametrize(
    ("notch", "tail", "fails"),
    [
        (0.046, 1.0, False),  # a quarter of 184 mm
        (0.0465, 1.0, False),  # within the slack of 1 mm
        (0.048, 1.0, True),
        (0.090, 0.5, False),  # a short tail: 89 mm left above is enough
        (0.098, 0.5, True),
    ],
)
def test_a_quarter_of_the_depth_or_89_mm_left_over_a_short_tail(notch, tail, fails):
    outcome = notching(joints(rafter(notch, tail=tail)))
    assert bool(outcome.findings) == fails
    if fails:
        (found,) = outcome.findings
        assert found.subject == "Rafter_1"
        assert found.measured == pytest.approx(notch, abs=1e-4)
        assert found.margin < 0
        assert "raise it by" in found.message


@pytest.mark.parametrize("middle", [-2.4, 0.0, 2.4])
def test_a_valley_sits_on_a_plate_wherever_the_middle_of_that_is(middle):
    run, up = np.array([1.0, 1.0, 0.0]) / np.sqrt(2), np.array([0.0, 0.0, 1.0])
    along, normal = 0.9 * run + np.sqrt(0.19) * up, 0.9 * up - np.sqrt(0.19) * run
    # Its underside passes through the top of the plate at (0.045, 0.045).
    centre = np.array([0.045, 0.045, 0.0]) + 0.092 * normal + 1.2 * along
    boxes = [
        ("TopPlate_1", [middle, 0.0445, -0.019], np.eye(3), [5.0, 0.089, 0.038]),
        ("ValleyRafter_1", centre, [along, normal, np.cross(along, normal)], [3.0, 0.184, 0.038]),
    ]
    found = joints(boxes)
    assert len(found.seats.notch) == 1
    assert not clash(found).findings


def test_a_seat_too_steep_for_its_rafter_is_told_as_such():
    (found,) = notching(joints(rafter(0.02, depth=0.089, angle=60.0, tail=1.0))).findings
    assert "so steep" in found.message
    assert found.measured == pytest.approx(0.038 * np.sin(np.radians(60)), abs=1e-4)


def test_a_gap_of_more_than_20_mm_is_no_seat():
    assert len(joints(rafter(-0.0205)).seats.member) == 1
    assert len(joints(rafter(-0.022)).seats.member) == 0


def test_a_short_seat_is_a_bearing_finding():
    (found,) = bearing(joints(rafter(0.01, width=0.030))).findings
    assert (found.subject, found.clause) == ("Rafter_1", "IRC R802.6")
    assert found.measured == pytest.approx(0.030)


def joist(bears):
    """A joist 2 m long with ``bears`` m on its first sill and plenty on the other."""
    return [
        ("Sill_1", [0, 0.07, -0.019], np.eye(3), [2.0, 0.14, 0.038]),
        ("Sill_2", [0, 2.07, -0.019], np.eye(3), [2.0, 0.14, 0.038]),
        ("Joist_1", [0, (0.14 - bears + 2.14) / 2, 0.1175], np.eye(3),
         [0.038, 2.14 - (0.14 - bears), 0.235]),
    ]  # fmt: skip


@pytest.mark.parametrize(("bears", "fails"), [(0.038, False), (0.0375, False), (0.030, True)])
def test_a_joist_bears_38_mm(bears, fails):
    outcome = bearing(joints(joist(bears)))
    assert outcome.subjects == 2
    assert bool(outcome.findings) == fails
    if fails:
        assert outcome.findings[0].message == (
            "Joist_1 bears 30 mm on Sill_1, 38 mm are needed: lengthen it by 8 mm."
        )


def test_float32_coordinates_make_no_findings():
    boxes = [(n, np.float32(c).tolist(), a, np.float32(s).tolist()) for n, c, a, s in joist(0.038)]
    assert bearing(joints(boxes)).findings == ()


def test_a_joist_hung_between_beams_is_not_asked_for_bearing():
    boxes = [
        ("Beam_1", [0, -0.0445, 0.1175], np.eye(3), [2.0, 0.089, 0.235]),
        ("Beam_2", [0, 2.0445, 0.1175], np.eye(3), [2.0, 0.089, 0.235]),
        ("Joist_1", [0, 1.0, 0.1175], np.eye(3), [0.038, 2.0, 0.235]),
        ("Ledger_1", [0, 0.010, -0.019], np.eye(3), [2.0, 0.020, 0.038]),
    ]
    assert bearing(joints(boxes)).findings == ()


@pytest.mark.parametrize(("let_in", "fails"), [(0.022, False), (0.030, True)])
def test_a_brace_may_be_let_in_by_a_quarter_of_the_stud(let_in, fails):
    a = np.radians(45)
    along, up = np.array([np.cos(a), 0, np.sin(a)]), np.array([-np.sin(a), 0, np.cos(a)])
    boxes = [
        ("Stud_1", [0, 0, 1.2], np.eye(3), [0.038, 0.089, 2.4]),
        ("Brace_1", [0, -0.0445 - 0.019 + let_in, 1.2], [along, up, np.cross(along, up)],
         [3.0, 0.089, 0.038]),
    ]  # fmt: skip
    outcome = notching(joints(boxes))
    assert outcome.subjects == 1
    assert bool(outcome.findings) == fails


def test_studs_without_a_top_plate_lack_one_member_together():
    boxes = [("BottomPlate_1", [0.8, 0, 0.019], np.eye(3), [2.0, 0.089, 0.038])]
    boxes += [(f"Stud_{k}", [0.4 * k, 0, 1.238], np.eye(3), [0.038, 0.089, 2.4]) for k in range(4)]
    found = dual_end_connection(joints(boxes)).findings
    (head,) = [f for f in found if f.is_root]
    assert head.subject == "place above Stud_0 to Stud_3"
    assert {f.subject for f in found if not f.is_root} == {f"Stud_{k}" for k in range(4)}
