# SPDX-License-Identifier: GPL-3.0-or-later
"""A box stands for a cut member: sound houses at any pitch give no false finding."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber import TimberBrief, judge

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables

PITCHES = [3 / 12, 4 / 12, 6 / 12, 9 / 12, 12 / 12, 15 / 12, float(np.tan(np.radians(60)))]
GROUND = TimberBrief(ground=0.0)


def findings(structure):
    return [(f.check, f.subject) for f in judge(structure, GROUND).findings]


@pytest.mark.parametrize("ridge_end", gables.RIDGE_ENDS)
@pytest.mark.parametrize("pitch", PITCHES)
def test_a_sound_gable_has_no_finding_whatever_its_pitch_and_ridge(pitch, ridge_end):
    result = judge(gables.gable(pitch, ridge_end), GROUND)
    assert [(f.check, f.subject, f.message) for f in result.findings] == []
    assert result.verdict == "passed"


@pytest.mark.parametrize("pitch", PITCHES[1:])
def test_centre_line_rafters_are_notched_too_deep_and_nothing_else(pitch):
    found = findings(gables.gable(pitch, centre_lines=True))
    assert {check for check, _ in found} == {"notching"}
    assert len(found) == 2 * (gables.BAYS + 1)
