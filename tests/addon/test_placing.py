# SPDX-License-Identifier: GPL-3.0-or-later
"""Where writing goes in a view."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.placing import Rect, clipped, free_place, nearest_edge, projected

VIEW = Rect(0, 0, 800, 600)
# An eye at (0, 0, 5) that looks down the z axis, 90 degrees wide.
PERSPECTIVE = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 4.8], [0, 0, -1, 5]], float)


def inside(place, free):
    return (
        place.left >= free.left
        and place.low >= free.low
        and place.right <= free.right
        and place.high <= free.high
    )


def covers(place, points):
    return sum(place.left < x < place.right and place.low < y < place.high for x, y in points)


def test_a_label_stands_beside_its_place():
    place = free_place((200, 24), (400, 300), VIEW, [(400, 300)])
    assert inside(place, VIEW) and not covers(place, [(400, 300)])
    x, y = nearest_edge(place, (400, 300))
    assert np.hypot(x - 400, y - 300) < 100
    assert (place.width, place.height) == pytest.approx((200, 24))


@pytest.mark.parametrize("anchor", [(0, 0), (800, 600), (799, 2), (1, 599), (-50, 700)])
def test_it_stays_in_the_free_part(anchor):
    free = Rect(60, 20, 700, 560)
    assert inside(free_place((220, 24), anchor, free, [anchor]), free)


def test_it_hides_nothing_of_a_beam_across_the_view():
    beam = [(x, 300 + 0.2 * x) for x in range(0, 800, 4)]
    place = free_place((260, 26), (400, 380), VIEW, beam)
    assert covers(place, beam) == 0 and inside(place, VIEW)


def test_it_keeps_off_other_writing_and_prefers_to_hide_nothing_beside():
    anchor = (400, 300)
    first = free_place((200, 24), anchor, VIEW, [anchor])
    second = free_place((200, 24), anchor, VIEW, [anchor], [first])
    assert second.overlap(first) == 0
    studs = [(first.left + 10 * i, first.low + 12) for i in range(20)]
    third = free_place((200, 24), anchor, VIEW, [anchor], beside=studs)
    assert covers(third, studs) == 0


def test_where_no_place_is_good_the_least_bad_is_taken():
    everywhere = [(x, y) for x in range(0, 800, 20) for y in range(0, 600, 20)]
    place = free_place((200, 24), (400, 300), VIEW, everywhere)
    assert inside(place, VIEW)
    huge = free_place((2000, 24), (400, 300), VIEW)
    assert huge.left == VIEW.left, "what is too wide begins where it can be read"


def test_points_behind_the_eye_are_nowhere():
    at = projected([(0, 0, 0), (5, 0, 0), (0, 0, 6)], PERSPECTIVE, 800, 600)
    assert at[0].tolist() == [400, 300] and at[1].tolist() == [800, 300]
    assert np.isnan(at[2]).all()
    assert free_place((10, 10), (400, 300), VIEW, at).width == pytest.approx(10)


def test_lines_are_cut_where_the_eye_is():
    lines = [[(0, 0, 0), (5, 0, 0)], [(0, 0, 6), (1, 0, 7)], [(1, 0, 0), (1, 0, 10)]]
    cut = clipped(lines, PERSPECTIVE, 800, 600)
    assert len(cut) == 2 and np.isfinite(cut).all()
    assert cut[0].tolist() == [[400, 300], [800, 300]]
    assert cut[1, 0].tolist() == [480, 300] and cut[1, 1, 0] > 10_000, "far out to the right"
    back = clipped([[(1, 0, 10), (1, 0, 0)]], PERSPECTIVE, 800, 600)
    assert back[0].tolist() == cut[1, ::-1].tolist()
    assert clipped(np.zeros((0, 2, 3)), PERSPECTIVE, 800, 600).shape == (0, 2, 2)


def test_overlaps():
    a = Rect(0, 0, 10, 10)
    assert a.overlap(Rect(5, 5, 20, 8)) == 15 and a.overlap(Rect(10, 0, 20, 10)) == 0
    assert a.grown(-2) == Rect(2, 2, 8, 8)
