# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that span stand on edge."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber.engineering.orientation import orientation

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import joints_of


def laid(role, width, depth, slope=0.0):
    frame = gables.Frame()
    c, s = np.cos(slope), np.sin(slope)
    axes = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    frame.oriented(f"{role}_01", (0, 0, 1), axes, (3.0, width, depth))
    return orientation(joints_of(frame.structure()))


@pytest.mark.parametrize("role", ["Joist", "Beam", "Header", "CeilingJoist", "RimJoist"])
def test_level_members_stand_on_edge(role):
    assert laid(role, 0.038, 0.184).findings == ()
    (finding,) = laid(role, 0.184, 0.038).findings
    assert finding.margin == pytest.approx(-0.146)
    assert "90 degrees" in finding.message


@pytest.mark.parametrize("role", ["Rafter", "HipRafter", "JackRafter", "ValleyRafter"])
def test_sloped_members_stand_on_edge(role):
    assert laid(role, 0.038, 0.184, 0.6).findings == ()
    assert len(laid(role, 0.184, 0.038, 0.6).findings) == 1


def test_square_timbers_and_float_noise_are_fine():
    assert laid("Beam", 0.140, 0.140).findings == ()
    assert laid("Beam", 0.1404, 0.140).findings == ()


def test_plates_may_lie_flat():
    outcome = laid("TopPlate", 0.089, 0.038)
    assert (outcome.findings, outcome.subjects) == ((), 0)


def test_a_short_header_lying_flat_is_found():
    frame = gables.Frame()
    frame.box("Header_01", (0, 0, 2), (0.25, 0.184, 2.038))
    assert len(orientation(joints_of(frame.structure())).findings) == 1
