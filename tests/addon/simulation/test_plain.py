# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation to plain data and back: the same figures, and what is shared is stored once."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import box, floor, recorded
from plumbline.addon.simulation.plain import simulation_from_plain, simulation_to_plain
from plumbline.checks.reconstruction import TrajectoryError
from plumbline.checks.reconstruction.counterfactual import Runs
from plumbline.checks.reconstruction.simulation import Simulation


@pytest.fixture
def simulation():
    falls = recorded(floor(), (box("crate"), (0, 0, 3.0)), frames=30)
    other = replace(falls, position=np.where(falls.position > 2, np.nan, falls.position))
    runs = {
        "A": Runs(baseline=falls, repeat=falls, branch=other, negative=falls),
        "B": Runs(baseline=falls, branch=other, refused={"positive": "there is no joint 'hinge'"}),
    }
    return Simulation(falls, runs, other, ("one run was left out",))


def test_there_and_back_gives_the_same_figures(simulation):
    text = json.dumps(simulation_to_plain(simulation), allow_nan=False)
    again = simulation_from_plain(json.loads(text))
    assert json.dumps(simulation_to_plain(again)) == text
    assert again.names == simulation.names and again.notes == simulation.notes
    np.testing.assert_array_equal(
        again.runs["A"].branch.position, simulation.runs["A"].branch.position
    )
    assert again.runs["B"].refused == {"positive": "there is no joint 'hinge'"}
    assert again.runs["B"].positive is None and not again.runs["A"].refused


def test_what_is_shared_is_stored_once_and_shared_again(simulation):
    plain = simulation_to_plain(simulation)
    assert len(plain["trajectories"]) == 2, "the baseline and the altered run"
    assert len(plain["bodies"]) == 2, "both runs have the same floor and crate"
    again = simulation_from_plain(plain)
    assert again.runs["A"].baseline is again.trajectory is again.runs["B"].baseline
    assert again.without_fields is again.runs["A"].branch


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "other"}, '"schema" must be "plumbline.simulation/1"'),
        ({"trajectory": None}, "trajectory is missing"),
        ({"trajectory": 7}, "there is no trajectory 7"),
        ({"trajectory": "first"}, "must be a place in the list"),
        ({"bodies": {}}, "must be lists"),
        ({"bodies": []}, "must be places in the list"),
        ({"runs": [1]}, "runs must be an object"),
        ({"runs": {"A": {"baseline": -1}}}, "A: baseline: there is no trajectory -1"),
    ],
)
def test_what_cannot_be_read_says_where(simulation, change, words):
    with pytest.raises(TrajectoryError, match=words):
        simulation_from_plain({**simulation_to_plain(simulation), **change})


def test_nothing_at_all_comes_back_too():
    assert len(simulation_from_plain(simulation_to_plain(Simulation.empty()))) == 0
