# SPDX-License-Identifier: GPL-3.0-or-later
"""Members are made of lumber that can be bought."""

import sys
from pathlib import Path

import pytest
from plumbline.checks.timber.engineering.section import section

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import joints_of


def member(role, width, depth, length=2.0):
    frame = gables.Frame()
    frame.box(f"{role}_01", (0, 0, 0), (length, width, depth))
    return section(joints_of(frame.structure()))


@pytest.mark.parametrize(
    ("width", "depth"),
    [
        (0.038, 0.089), (0.0381, 0.1397), (0.038, 0.286), (0.076, 0.184), (0.114, 0.235),
        (0.152, 0.286), (0.089, 0.089), (0.140, 0.140), (0.140, 0.235), (0.064, 0.140),
        (0.041, 0.187), (0.035, 0.086),
    ],
)  # fmt: skip
def test_lumber_and_plies_within_three_millimetres_pass(width, depth):
    assert member("Joist", width, depth).findings == ()


@pytest.mark.parametrize(
    ("width", "depth"), [(0.045, 0.095), (0.038, 0.150), (0.020, 0.089), (0.050, 0.200), (0.1, 0.1)]
)
def test_other_sections_are_named_with_the_nearest_size(width, depth):
    (finding,) = member("Joist", width, depth).findings
    assert finding.subject == "Joist_01"
    assert finding.margin < 0
    assert finding.measured > finding.limit
    assert "nearest is" in finding.message


@pytest.mark.parametrize("role", ["Ridge", "CollarTie", "Fascia", "Brace"])
def test_boards_of_one_inch_serve_some_roles_only(role):
    assert member(role, 0.019, 0.184).findings == ()
    assert len(member("Rafter", 0.019, 0.184).findings) == 1


def test_foundations_and_accessories_have_no_lumber_size():
    for role in ("Footing", "Foundation", "Pier", "Sheathing"):
        outcome = member(role, 0.3, 0.5)
        assert (outcome.findings, outcome.subjects) == ((), 0)


def test_the_axis_of_a_short_block_comes_from_its_role():
    frame = gables.Frame()
    frame.box("Cripple_01", (0, 0, 0), (0.038, 0.140, 0.060))  # 60 mm tall, 140 mm deep
    frame.box("Blocking_01", (1, 0, 0), (1.120, 0.038, 0.235))  # 120 mm long, 235 mm deep
    assert section(joints_of(frame.structure())).findings == ()
