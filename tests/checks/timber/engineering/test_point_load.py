# SPDX-License-Identifier: GPL-3.0-or-later
"""Posts stand on posts, down to the foundation."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.timber.engineering.point_load import point_load

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import T, joints_of, moved, without


@pytest.fixture
def stack():
    """Footing, post, beam, plate and ridge post over each other, and a second post aside."""
    frame = gables.Frame()
    for k, x in enumerate((0.0, 2.0)):
        frame.box(f"Footing_{k}", (x - 0.2, -0.2, 0), (x + 0.2, 0.2, 0.2))
        frame.box(f"Post_{k}", (x - 0.07, -0.07, 0.2), (x + 0.07, 0.07, 1.0))
    frame.box("Beam", (-0.2, -0.0445, 1.0), (2.2, 0.0445, 1.235))
    frame.box("BottomPlate", (-0.2, -0.0445, 1.235), (2.2, 0.0445, 1.273))
    frame.box("Post_Upper", (-0.0445, -0.0445, 1.273), (0.0445, 0.0445, 3.0))
    frame.box("TopPlate", (-0.2, -0.0445, 3.0), (2.2, 0.0445, 3.038))
    frame.box("RidgePost", (-0.0445, -0.0445, 3.038), (0.0445, 0.0445, 4.0))
    return frame.structure()


def found(structure, **brief):
    return point_load(joints_of(structure, **brief)).findings


def test_a_continuous_stack_passes(stack):
    outcome = point_load(joints_of(stack))
    assert (outcome.findings, outcome.subjects) == ((), 4)


@pytest.mark.parametrize(("offset", "faults"), [(0.020, 0), (0.0255, 0), (0.030, 1), (0.060, 1)])
def test_centre_lines_may_be_25_mm_apart(stack, offset, faults):
    # Wider than what it stands on, so that the section does not rest on it whole.
    frame = gables.Frame()
    frame.box("Post_Low", (0, 0, 0), (0.14, 0.14, 1))
    frame.box("Post_High", (offset, 0, 1), (0.14 + offset, 0.14, 2))
    findings = found(frame.structure())
    assert len(findings) == faults
    if faults:
        assert findings[0].subject == "Post_High"
        assert findings[0].measured == pytest.approx(offset)
        assert findings[0].margin == pytest.approx(0.025 - offset)


def test_a_slim_post_may_stand_anywhere_on_a_wide_one():
    frame = gables.Frame()
    frame.box("Post_Low", (0, 0, 0), (0.14, 0.14, 1))
    frame.box("CornerPost", (0, 0, 1), (0.089, 0.089, 2))
    assert found(frame.structure()) == ()


def test_a_post_in_the_middle_of_a_beam_bends_it(stack):
    moved_up = moved(moved(stack, "RidgePost", [1, 0, 0]), "Post_Upper", [1, 0, 0])
    upper, ridge = found(moved_up)
    assert upper.subject == "place below Post_Upper"
    assert "under Beam carries Post_Upper on" in upper.message
    assert ridge.follows == upper.key


def test_a_missing_footing_is_found(stack):
    (finding, *rest) = found(without(stack, "Footing_0"))
    assert finding.subject == "Post_0"
    assert {f.follows for f in rest} == {finding.key}


def test_solid_blocking_passes_the_load_through_a_floor(stack):
    cut = without(stack, "Beam")
    frame = gables.Frame()
    for k, name in enumerate(cut.names):
        frame.oriented(name, cut.center[k], cut.axes[k], 2 * cut.half[k])
    frame.box("Blocking", (-0.0445, -T / 2, 1.0), (0.0445, T / 2, 1.235))
    assert found(frame.structure()) == ()


def test_king_posts_on_a_tie_are_left_out():
    frame = gables.Frame()
    frame.box("RafterTie", (0, 0, 2), (4, T, 2.14))
    frame.box("KingPost", (1.9, 0, 2.14), (2.04, T, 3))
    outcome = point_load(joints_of(frame.structure()))
    assert (outcome.findings, outcome.subjects) == ((), 0)
