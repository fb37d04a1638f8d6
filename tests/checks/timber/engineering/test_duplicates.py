# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies at one place: told once each, whatever stands there is judged, and heaps stay quick."""

import numpy as np
import pytest
from carpentry import Frame, floor
from plumbline.checks.timber import TimberStructure, judge

pytestmark = pytest.mark.once


def piled(structure: TimberStructure, times: int) -> TimberStructure:
    """The structure drawn ``times`` over, as a program leaves it that runs again and again."""
    names = [f"{n}{f'.{k:03d}' if k else ''}" for k in range(times) for n in structure.names]
    tiled = [np.concatenate([a] * times) for a in (structure.center, structure.axes)]
    return TimberStructure.from_boxes(names, *tiled, np.concatenate([2 * structure.half] * times))


@pytest.fixture
def small_floor() -> TimberStructure:
    frame = Frame()
    floor(frame)
    return frame.structure()


def test_every_copy_is_told_once_and_nothing_else_changes(small_floor):
    alone = judge(small_floor)
    result = judge(piled(small_floor, 3))
    clashes = result.check("clash").findings
    assert sorted(f.subject for f in clashes) == sorted(
        f"{name}.{k:03d}" for name in small_floor.names for k in (1, 2)
    )
    assert {f.related[0] for f in clashes} == set(small_floor.names)
    assert all("delete one of them" in f.message and f.margin < 0 for f in clashes)
    for check in alone.checks:
        if check.id != "clash":
            assert result.check(check.id).status == check.status


def test_a_copy_turned_end_for_end_is_a_copy():
    axes = np.stack([np.eye(3), np.diag([-1.0, -1.0, 1.0])])
    two = TimberStructure.from_boxes(
        ["Stud_1", "Stud_2"], np.ones((2, 3)), axes, [[0.038, 0.089, 2.4]] * 2
    )
    (found,) = judge(two).check("clash").findings
    assert (found.subject, found.related) == ("Stud_2", ("Stud_1",))
    assert found.measured == pytest.approx(0.038)


def test_members_of_two_roles_in_one_place_still_clash():
    two = TimberStructure.from_boxes(
        ["KingStud_1", "Stud_1"], np.ones((2, 3)), [np.eye(3)] * 2, [[0.038, 0.089, 2.4]] * 2
    )
    result = judge(two)
    assert [f.subject for f in result.check("clash").findings] == ["KingStud_1"]
    assert result.check("clash").figures["pairs_clipped"] == 1


def test_seven_thousand_members_at_two_hundred_places_are_told_once_each(small_floor):
    pile = piled(small_floor, 500)
    result = judge(pile)
    assert len(result.check("clash").findings) == len(pile) - len(small_floor)


def test_things_without_a_role_are_told_once_not_pair_by_pair():
    trees = TimberStructure.from_boxes(
        [f"Tree_{k}" for k in range(40)],
        np.random.default_rng(1).uniform(0, 1, (40, 3)),
        np.broadcast_to(np.eye(3), (40, 3, 3)),
        np.broadcast_to([2.0, 2.0, 3.0], (40, 3)),
    )
    result = judge(trees)
    assert not result.check("clash").findings
    nameless = [f for f in result.check("completeness").findings if f.subject_kind == "member"]
    assert len(nameless) == 40


def test_of_too_many_clashes_the_rest_is_counted():
    n = 400
    heap = TimberStructure.from_boxes(
        [f"Joist_{k}" for k in range(n)],
        np.random.default_rng(1).uniform(0, 0.02, (n, 3)),
        np.broadcast_to(np.eye(3), (n, 3, 3)),
        np.broadcast_to([0.038, 2.4, 0.235], (n, 3)),
    )
    clash = judge(heap).check("clash")
    assert clash.status == "failed"
    assert clash.figures["pairs_not_clipped"] > 0
