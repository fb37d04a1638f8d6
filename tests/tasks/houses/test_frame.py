# SPDX-License-Identifier: GPL-3.0-or-later
"""The collector of members: rows, slopes, turned and moved views, names in order."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.tasks.houses.frame import Frame, pieces


def test_sides_broadcast_to_a_row_and_names_count_on():
    frame = Frame()
    left = np.array([0.0, 0.4, 0.8])
    frame.box("Joist", "S", (left, left + 0.038), (0.0, 3.0), (0.5, [0.684]))
    frame.box("Joist", "S", (1.2, 1.238), (0.0, 3.0), (0.5, 0.684))
    assert frame.names == ("Joist_S_01", "Joist_S_02", "Joist_S_03", "Joist_S_04")
    assert frame.roles == ("Joist",) * 4
    center, axes, size = frame.arrays()
    assert center[:, 0] == pytest.approx([0.019, 0.419, 0.819, 1.219])
    assert size == pytest.approx(np.tile([0.038, 3.0, 0.184], (4, 1)))
    assert (axes == np.eye(3)).all()


def test_a_sloped_member_keeps_its_width_level():
    frame = Frame()
    frame.sloped("Rafter", "", (1.0, 0.0, 0.0), [(1.0, 3.0, 4.0), (1.0, -3.0, 4.0)], 0.038, 0.184)
    center, axes, size = frame.arrays()
    assert center == pytest.approx(np.array([(1.0, 1.5, 2.0), (1.0, -1.5, 2.0)]))
    assert size == pytest.approx(np.tile([5.0, 0.038, 0.184], (2, 1)))
    assert axes[:, 0] == pytest.approx(np.array([(0.0, 0.6, 0.8), (0.0, -0.6, 0.8)]))
    assert axes[:, 1, 2] == pytest.approx(0.0)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_views_turn_then_move_and_write_to_one_frame():
    frame = Frame()
    wing = frame.placed("Wing", 1, (10.0, 0.0, 0.0))
    wing.box("Stud", "S", (0.0, 2.0), (0.0, 1.0), (0.0, 3.0))
    wing.placed("Bay", 1, (5.0, 0.0, 1.0)).box("Stud", "S", (0.0, 2.0), (0.0, 1.0), (0.0, 3.0))
    frame.box("Stud", "S", (0.0, 2.0), (0.0, 1.0), (0.0, 3.0))
    assert frame.names == ("Stud_Wing_S_01", "Stud_Wing_Bay_S_01", "Stud_S_01")
    low, high = frame.structure().aabb
    assert low == pytest.approx(np.array([(9.0, 0.0, 0.0), (8.0, 4.0, 1.0), (0.0, 0.0, 0.0)]))
    assert high == pytest.approx(np.array([(10.0, 2.0, 3.0), (10.0, 5.0, 4.0), (2.0, 1.0, 3.0)]))


def test_members_stay_in_the_order_in_which_they_are_put():
    frame = Frame()
    frame.box("Sill", "", (0.0, 1.0), (0.0, 0.1), (0.0, 0.1))
    frame.sloped("Rafter", "", (0.0, 0.0, 0.0), (0.0, 3.0, 4.0), 0.038, 0.184)
    frame.box("Ridge", "", (0.0, 1.0), (0.0, 0.1), (4.0, 4.1))
    assert frame.structure().names == ("Sill_01", "Rafter_01", "Ridge_01")
    assert frame.arrays()[0][:, 2] == pytest.approx([0.05, 2.0, 4.05])


def test_nothing_is_put_where_there_is_nothing():
    frame = Frame()
    none = np.zeros(0)
    frame.box("Joist", "", (none, none + 0.038), (0.0, 3.0), (0.0, 0.2))
    frame.sloped("Rafter", "", np.zeros((0, 3)), np.zeros((0, 3)), 0.038, 0.184)
    assert len(frame) == 0 and frame.arrays()[1].shape == (0, 3, 3)


def test_a_member_without_size_is_named():
    frame = Frame()
    frame.box("Stud", "S", ([0.0, 1.0], [0.038, 1.0]), (0.0, 0.1), (0.0, 2.0))
    with pytest.raises(ValueError, match="Stud_S_02 has no size"):
        frame.arrays()
    with pytest.raises(ValueError, match="sides of"):
        frame.box("Stud", "S", ([0.0, 1.0], [1.0, 2.0, 3.0]), (0.0, 0.1), (0.0, 2.0))


def test_pieces_butt_at_the_joints():
    assert list(pieces(0.0, 9.0, [4.0])) == [(0.0, 4.0), (4.0, 9.0)]
