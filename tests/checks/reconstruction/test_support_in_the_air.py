# SPDX-License-Identifier: GPL-3.0-or-later
"""What rests in the air is told with how far the nearest body is, whatever that body is like."""

from __future__ import annotations

import pytest
from falling_bodies import box, recorded
from hollow_bodies import table
from plumbline.checks.reconstruction import ReconstructionBrief
from plumbline.checks.reconstruction.probes import PROBES


def support(*placed):
    brief = ReconstructionBrief()
    return PROBES["support"](recorded(*placed, frames=20), brief, brief.limits)


def test_above_a_table_that_is_not_convex():
    crate = box("crate", (0.3, 0.3, 0.3))
    told = support((table(), (0, 0, 0)), (crate, (0.5, 0.3, 1.025 + 0.15 + 0.5)))
    assert told.status == "failed" and told.findings[0].measured == pytest.approx(0.5)
    assert "table is nearest, 500 mm away; 6 mm is allowed" in told.findings[0].message


def test_where_there_is_nothing_else():
    told = support((box("crate", (0.3, 0.3, 0.3)), (0, 0, 1)))
    assert told.status == "failed" and told.findings[0].measured is None
    assert "there is nothing else" in told.findings[0].message and told.figures["gaps"] == {}
