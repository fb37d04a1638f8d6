# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as they are shown: poses of recorded runs, who moved when, what is marked."""

from __future__ import annotations

from dataclasses import replace

import falling_bodies as known
import numpy as np
import pytest
from plumbline.addon.session import motion
from plumbline.addon.session.motion import Mark, Motion, Take
from plumbline.addon.session.otherwise_words import otherwise_words


def dropped(name="Ball", frames=30):
    """A ball in free fall over a floor that stands still."""
    body, floor = known.ball(name), known.floor()
    return known.recorded((body, known.fallen((0, 0, 9), frames=frames)), floor, frames=frames)


def test_a_recorded_run_stands_where_it_was_in_the_units_of_the_scene():
    run = dropped()
    shown = Motion.of_run(run, unit=0.01)  # a scene in centimetres
    assert shown.names == ("Ball", "floor") and (shown.first, shown.last) == (1, 30)
    fall = known.fallen((0, 0, 9), frames=30)[:, 2] * 100
    assert shown.matrices[:, 0, 2, 3] == pytest.approx(fall)
    assert np.array_equal(shown.matrices[:, 1, :3, :3], np.tile(np.eye(3), (30, 1, 1)))


def test_quaternions_become_turns():
    quarter = known.spun((0, 0, 1), [0.0, np.pi / 2])
    turned = motion.turned(quarter)
    assert turned[0] == pytest.approx(np.eye(3))
    assert turned[1] @ (1, 0, 0) == pytest.approx((0, 1, 0))


def test_what_explodes_stays_where_it_was_last_seen():
    run = dropped()
    position = run.position.copy()
    position[10:, 0] = np.nan
    shown = Motion.of_run(replace(run, position=position))
    assert np.isfinite(shown.matrices).all()
    assert shown.matrices[20, 0, 2, 3] == shown.matrices[9, 0, 2, 3]


def test_a_body_has_moved_from_the_first_frame_in_which_it_is_seen_elsewhere():
    one, other = Motion.of_run(dropped()), Motion.of_run(dropped())
    assert motion.moved_otherwise(one, other).tolist() == [-1, -1]
    away = one.matrices.copy()
    away[7:, 0, 0, 3] += 0.5
    changed = replace(one, matrices=away)
    assert motion.moved_otherwise(changed, other).tolist() == [7, -1]
    take = Take("Pushed", changed, motion.moved_otherwise(changed, other))
    assert motion.first_mover(take) == ("Ball", 8)
    assert (take.count(7), take.count(8), take.count(999)) == (0, 1, 1)
    assert motion.farthest(changed, other) == ("Ball", pytest.approx(0.5))


def test_of_several_in_one_frame_the_first_is_who_is_known_to_be():
    places = np.tile(np.eye(4), (9, 3, 1, 1))
    places[4:, :2, 2, 3], places[6:, 2, 2, 3] = -1.0, -1.0
    shown = Motion(("A", "B", "C"), places, 1, 24.0)
    moved = motion.moved_from_start(shown)
    assert motion.first_mover(Take("", shown, moved)) == ("A", 5)
    assert motion.first_mover(Take("", shown, moved, leader="B")) == ("B", 5)
    assert motion.first_mover(Take("", shown, moved, leader="C")) == ("A", 5)


def test_bodies_that_only_one_run_has_are_no_difference():
    one = Motion.of_run(dropped())
    alone = Motion.of_run(known.recorded(known.floor(), frames=30))
    assert motion.moved_otherwise(alone, one).tolist() == [-1]
    assert motion.moved_otherwise(one, alone).tolist() == [-1, -1]


def test_who_was_altered_is_told_of_only_where_nobody_else_goes_otherwise():
    places = np.tile(np.eye(4), (9, 3, 1, 1))
    base = Motion(("Ball", "Cup", "Egg"), places, 1, 24.0)
    moved = places.copy()
    moved[:, 0, 0, 3], moved[5:, 1, 0, 3] = 3.0, 0.5
    other = replace(base, matrices=moved)
    whole = Take("", other, motion.moved_otherwise(other, base))
    assert otherwise_words(whole, base).startswith("2 of 3 bodies go otherwise; Ball first")
    take = replace(whole, altered=frozenset({"Ball"}))
    words = otherwise_words(take, base)
    assert words == (
        "1 of 2 other bodies go otherwise; Cup first, in frame 6; Cup ends 0.50 m away"
    )
    assert (take.count(1), take.count(6)) == (0, 1)
    take = replace(take, altered=frozenset({"Ball", "Cup"}))
    assert otherwise_words(take, base) == (
        "only what was altered goes otherwise; Ball ends 3.00 m away"
    )


def test_what_stands_still_is_the_beginning_for_as_long():
    still = motion.still(Motion.of_run(dropped()))
    assert len(still) == 30 and motion.moved_from_start(still).tolist() == [-1, -1]


def test_findings_of_one_frame_share_a_mark():
    marks = motion.marks_of([(9, "Ball"), (None, "Cube"), (3, "Egg"), (9, "Cup"), (9, "Ball")])
    assert marks == (Mark(3, "Egg"), Mark(9, "Ball, Cup"))
