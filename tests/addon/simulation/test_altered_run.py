# SPDX-License-Identifier: GPL-3.0-or-later
"""What is taken from a recorded altered run, and when two runs are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import box, fallen, floor, recorded
from plumbline.addon.simulation.altered_run import put_right, same, size_of, without
from plumbline.addon.simulation.steps import SimulationError
from plumbline.checks.reconstruction import Joint
from plumbline.checks.reconstruction.trajectory import Distances


@pytest.fixture
def run():
    made = recorded(
        floor(),
        (box("a"), fallen((0, 0, 3.0), frames=20)),
        (box("b"), (3, 0, 1.0)),
        (box("c"), (6, 0, 1.0)),
        frames=20,
    )
    rows = np.array([[0, 2], [1, 2], [2, 3]])
    distances = Distances(
        *(np.array([0, 1, 2]), rows[:, 0], rows[:, 1], np.array([0.1, 0.2, 0.3])),
        *(np.zeros((3, 3)), np.zeros((3, 3)), rows),
        reach=np.ones((20, 3)),
    )
    joint = Joint("j", "point", "a", "b", (0, 0, 0), (0, 0, 0))
    return replace(made, distances=distances, joints=(joint,))


def test_a_body_is_left_out_with_all_that_is_of_it(run):
    left = without(run, ["a"])
    assert left.names == ("floor", "b", "c") and not left.joints
    np.testing.assert_array_equal(left.position[:, 2], run.position[:, 3])
    kept = left.distances
    assert [kept.first.tolist(), kept.second.tolist()] == [[0, 1], [1, 2]]
    assert kept.distance.tolist() == [0.1, 0.3] and kept.measured.tolist() == [[0, 1], [1, 2]]
    assert kept.reach.shape == (20, 2)
    assert without(run, ["nobody"]) is run


def applied(kind, at_frame=None, **done):
    return {"kind": kind, "at_frame": at_frame, "done": done}


def test_a_body_that_was_led_is_where_the_unchanged_run_has_it(run):
    led = run.position.copy()
    led[6:8, 1] += 0.5
    led[8:, 1, 0] += 0.01
    one = applied("velocity", int(run.frames[8]), object="a", led=2)
    right = put_right(replace(run, position=led), [one], run)
    assert (right.position[:8] == run.position[:8]).all()
    assert (right.position[8:] == led[8:]).all()
    assert right.source["applied"]["velocity"]["led"] == 2


def test_a_body_that_was_led_before_a_late_start_is_put_back_until_then(run):
    led = run.position.copy()
    led[:8, 1] += 0.5
    when = int(run.frames[5])
    one = applied("velocity", None, object="a", led=2, let_go=when, at_start=True)
    right = put_right(replace(run, position=led), [one], run)
    assert (right.position[:5] == run.position[:5]).all()
    assert (right.position[5:] == led[5:]).all()


def test_what_leading_it_did_to_another_is_refused(run):
    led = run.position.copy()
    led[7, 2] += 1e-9
    one = applied("velocity", int(run.frames[8]), object="a", led=2)
    with pytest.raises(SimulationError, match="a touches b in the 2 frames before"):
        put_right(replace(run, position=led), [one], run)


def test_what_never_came_to_pass_is_refused(run):
    with pytest.raises(SimulationError, match="gravity never came to pass"):
        put_right(run, [applied("gravity", 5)], run)


def test_two_runs_are_the_same_to_the_last_bit_or_not(run):
    assert same(run, replace(run, notes=("another note",)))
    other = run.position.copy()
    other[3, 1, 2] = np.nextafter(other[3, 1, 2], 9)
    assert not same(run, replace(run, position=other))
    gone = np.where(np.arange(20)[:, None, None] > 9, np.nan, run.position)
    assert same(replace(run, position=gone), replace(run, position=gone.copy()))
    assert not same(run, without(run, ["c"]))
    assert size_of(run) > run.position.nbytes + run.quaternion.nbytes
