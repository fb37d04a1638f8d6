# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures show of a fault: which moments, framed alike, with the fault's body told apart."""

from __future__ import annotations

from dataclasses import replace

import falling_bodies as fb
import numpy as np
import pytest
from plumbline.addon.runs.records import Result
from plumbline.addon.simulation.evidence import (
    MOST,
    evidence_of,
    file_name,
    listed,
    overview,
    thread,
)
from plumbline.checks.reconstruction import ReconstructionBrief, Trajectory
from plumbline.checks.reconstruction.counterfactual import Runs
from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation


def record_of(simulation, rubric=None):
    brief = ReconstructionBrief.from_mapping(rubric) if rubric else None
    return Result(judge_simulation(simulation, brief)).to_record()


def sinking() -> Trajectory:
    """A crate that slides along the floor and sinks into it on the way."""
    path = np.zeros((60, 3)) + [0, 0, 0.5]
    path[:, 0] = np.linspace(0, 3, 60)
    path[20:, 2] = 0.3
    return fb.recorded(fb.floor(), (fb.box("crate"), path), (fb.box("other"), (0, 5, 0.5)))


def tones(still):
    return [tone for tone, _ in still.solids]


def test_a_fault_is_shown_before_and_after_from_one_place():
    simulation = Simulation(sinking())
    record = record_of(simulation)
    found = {one.check: one for one in evidence_of(simulation, record)}
    one = found["interpenetration"]
    before, after = one.stills
    assert before.name == "evidence-interpenetration-1-before"
    assert after.name == "evidence-interpenetration-1-after"
    assert after.caption == f"Frame {one.frame}"
    assert np.array_equal(before.framed, after.framed)
    assert tones(before).count("fault") == tones(after).count("fault") == 1
    assert tones(after).count("rest") == 2
    (common,) = (solid for tone, solid in after.solids if tone == "shared")
    assert np.ptp(common.points[:, 2]) == pytest.approx(0.2, abs=1e-6)
    assert "shared" not in tones(before) or one.frame == 21
    crate = next(solid for tone, solid in after.solids if tone == "fault")
    low, high = after.framed.min(0), after.framed.max(0)
    assert (crate.points >= low - 1e-6).all() and (crate.points <= high + 1e-6).all()


def test_what_stands_still_has_one_picture():
    still = fb.recorded(fb.floor(), (fb.box("crate"), (0, 0, 0.3)))
    (one,) = [
        e
        for e in evidence_of(Simulation(still), record_of(Simulation(still)))
        if e.check == "interpenetration"
    ]
    assert [s.name.rpartition("-")[2] for s in one.stills] == ["after"]


def test_a_counterfactual_sets_the_unchanged_scene_beside_the_altered_one():
    table = fb.box("table", (4, 4, 0.2), part="passive")
    still = fb.recorded((table, (0, 0, 1)), (fb.ball("token", 0.1), (0, 0, 1.2)))
    sinking = np.zeros((60, 3)) + [0, 0, 1.2]
    sinking[:, 2] -= np.linspace(0, 1.1, 60)
    branch = replace(fb.moved(still, "token", sinking), source={"applied": ["release"]})
    stopped = replace(still, source={"applied": ["add_contact"]})
    arrested = [{"predicate": "arrested_at", "subject": "token", "object": "table"}]
    shift = {"kind": "release", "object": "token", "offset": [0, 0, 0.01]}
    positive = {"kind": "add_contact", "pair": ["token", "table"]}
    rubric = {
        "criteria": [
            {
                "id": "S1",
                "counterfactual": {
                    "intervention": shift,
                    "expects": arrested,
                    "positive": {"intervention": positive, "expects": arrested},
                },
            }
        ]
    }
    simulation = Simulation(still, {"S1": Runs(still, still, branch, stopped)})
    (one,) = evidence_of(simulation, record_of(simulation, rubric))
    unchanged, altered = one.stills
    assert unchanged.name == "evidence-S1-1-unchanged"
    assert altered.caption.startswith("Token released elsewhere, frame")
    heights = [
        next(s for tone, s in still.solids if tone == "fault").points[:, 2].mean()
        for still in one.stills
    ]
    assert heights[0] == pytest.approx(1.2, abs=1e-3) and heights[1] < 1.15
    told = listed((one,))
    assert told[0]["pictures"][1]["file"] == "evidence-S1-1-altered.png"
    assert told[0]["check"] == "counterfactual.S1"


def test_many_equal_faults_do_not_crowd_out_the_rest():
    crates = [(fb.box(f"crate_{k}"), (3.0 * k, 0, 0.3)) for k in range(6)]
    run = fb.recorded(fb.floor(60.0), *crates)
    found = evidence_of(Simulation(run), record_of(Simulation(run)))
    assert 0 < len(found) <= MOST
    assert sum(one.check == "interpenetration" for one in found) == 2
    assert len({s.name for one in found for s in one.stills}) == sum(len(o.stills) for o in found)


def test_the_whole_scene_is_framed_on_what_moves():
    run = sinking()
    still = overview(Simulation(run), record_of(Simulation(run)))
    assert still is not None and still.name == "picture"
    assert tones(still).count("fault") == 1 and len(still.solids) == 3
    assert np.ptp(still.framed, axis=0).max() < 12  # not on the floor of 20 m
    assert overview(Simulation.empty(), {"checks": []}) is None


def test_a_way_is_a_rod_that_can_be_drawn():
    rod = thread(np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 1, 0]], float), 0.02)
    assert len(rod.points) == 16 and np.ptp(rod.points[:, 1]) == pytest.approx(1.02, abs=0.02)
    assert not len(thread(np.zeros((5, 3)), 0.02).triangles)
    assert not len(thread(np.full((5, 3), np.nan), 0.02).triangles)


def test_names_of_files_hold_nothing_that_a_folder_could_mean():
    assert file_name("counterfactual.S4") == "S4"
    assert file_name("counterfactual.../../x y") == "x-y"
    assert file_name("counterfactual...") == "x"
