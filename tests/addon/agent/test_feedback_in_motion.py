# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model is told of faults in motion: bodies, frames, and what became of each criterion."""

from __future__ import annotations

import falling_bodies as fb
import numpy as np
from plumbline.addon.agent.feedback import findings_text
from plumbline.checks.reconstruction import ReconstructionBrief
from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation


def test_bodies_and_frames_are_told_and_the_criteria_summed_up():
    path = np.zeros((60, 3)) + [0, 0, 3]
    path[30:, 2] = 0.3
    run = fb.recorded(fb.floor(), (fb.box("crate"), path))
    rubric = {
        "criteria": [
            {"id": "C1", "probes": ["interpenetration"]},
            {"id": "C2", "probes": ["prescribed_motion"]},
        ]
    }
    judged = judge_simulation(Simulation(run), ReconstructionBrief.from_mapping(rubric))
    text = findings_text(judged)
    assert "Criteria: C1 broken, C2 holds (validity 0.50)." in text
    line = next(line for line in text.splitlines() if "[interpenetration]" in line)
    assert "frames 31 to 60, worst at 31" in line
    assert "with floor" in line and "measured 200 mm" in line


def test_a_fault_of_one_frame_names_that_frame():
    path = fb.fallen((0, 0, 40))
    path[30:, 0] += 2.0
    text = findings_text(judge_simulation(Simulation(fb.recorded((fb.box("die"), path)))))
    line = next(line for line in text.splitlines() if "[numerical_stability]" in line)
    assert "; frame 31; at 2.00" in line
