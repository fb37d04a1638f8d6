# SPDX-License-Identifier: GPL-3.0-or-later
"""Members stick out no farther than their back spans and two feet allow."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.timber.engineering.cantilever import cantilever

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import T, joints_of


def joist(overhang, backspan=2.4):
    frame = gables.Frame()
    for k, y in enumerate((0.0, backspan + 0.14)):
        frame.box(f"Sill_{k}", (-1, y, 0), (1, y + 0.14, T))
    frame.box("Joist", (0, 0, T), (T, backspan + 0.28 + overhang, T + 0.184))
    return cantilever(joints_of(frame.structure()))


@pytest.mark.parametrize(
    ("overhang", "backspan", "limit"),
    [(0.60, 2.4, None), (0.602, 2.4, 0.6), (0.60, 4.0, None), (0.62, 4.0, 0.610), (0.3, 1.0, 0.25)],
)
def test_joists(overhang, backspan, limit):
    findings = joist(overhang, backspan).findings
    assert len(findings) == (limit is not None)
    if limit:
        assert findings[0].limit == pytest.approx(limit)
        assert findings[0].measured == pytest.approx(overhang)
        assert findings[0].margin == pytest.approx(limit - overhang)
        assert findings[0].clause == "IRC R502.3.3"


def test_a_joist_past_its_bearing_by_its_depth_is_no_cantilever():
    assert joist(0.18, backspan=0.5).subjects == 0


def test_a_joist_on_one_support_is_left_to_the_load_path():
    frame = gables.Frame()
    frame.box("Sill", (-1, 0, 0), (1, 0.14, T))
    frame.box("Joist", (0, 0, T), (T, 3, T + 0.184))
    assert cantilever(joints_of(frame.structure())).findings == ()


@pytest.mark.parametrize(("tail", "faults"), [(0.60, 0), (0.613, 1)])
def test_top_plates_and_beams(tail, faults):
    frame = gables.Frame()
    for k, x in enumerate((0.0, 1.0)):
        frame.box(f"Sill_{k}", (x, 0, 0), (x + 0.14, 0.14, 0.3))
        frame.box(f"Stud_{k}", (x, 0, 0.3), (x + T, 0.089, 2.4))
    frame.box("TopPlate", (0, 0, 2.4), (1 + T + tail, 0.089, 2.438))
    findings = cantilever(joints_of(frame.structure())).findings
    assert [f.subject for f in findings] == ["TopPlate"] * faults


def test_rafter_tails_are_measured_in_plan():
    assert cantilever(joints_of(gables.gable(12 / 12))).findings == ()
    house = gables.gable(12 / 12)
    frame = gables.Frame()
    for k, name in enumerate(house.names):
        size, center = 2 * house.half[k], house.center[k].copy()
        if name == "Rafter_S_04":
            grow = 0.45 / house.axes[k, 0, 1]  # 450 mm in plan
            size = size + [abs(grow), 0, 0]
            center = center - house.axes[k, 0] * grow / 2
        frame.oriented(name, center, house.axes[k], size)
    (finding,) = cantilever(joints_of(frame.structure())).findings
    assert finding.subject == "Rafter_S_04"
    assert 0.61 < finding.measured < 0.80


def test_nothing_that_sticks_out_is_vacuous():
    assert joist(0.0).subjects == 0
