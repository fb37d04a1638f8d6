# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of blocks: every moment of it is what replaying the actions in order gives."""

import numpy as np
import pytest
from plumbline.addon.scene import block_log
from plumbline.addon.scene.block_log import (
    STANDS,
    BlockLog,
    Rows,
    checked_rows,
    log_of_rows,
    log_of_structure,
)
from plumbline.checks.voxel.structure import Action, VoxelError, VoxelStructure, merge

MATERIALS = ("stone", "oak_planks", "glass")


def random_build(seed=0, n=400):
    """A record of random placements and removals on few cells, and the same as actions."""
    rng = np.random.default_rng(seed)
    log, actions = BlockLog(), []
    for _ in range(n):
        x, y, z = (int(v) for v in rng.integers(0, 4, 3))
        if rng.random() < 0.3:
            if log.remove((x, y, z)):
                actions.append(Action("remove", x, y, z))
        else:
            material = MATERIALS[rng.integers(3)]
            log.place((x, y, z), material)
            actions.append(Action("place", x, y, z, material))
        if rng.random() < 0.01:
            log.next_turn()
    return log, actions


def same(one, other):
    return one.positions.tolist() == other.positions.tolist() and one.materials == other.materials


def test_every_moment_is_what_a_replay_gives():
    log, actions = random_build()
    rows = log.rows()
    assert log.actions == len(actions) > 300
    for count in (0, 1, 7, 100, 250, len(actions)):
        assert same(rows.at(count), merge(None, actions[:count], "in_order")), count
    assert same(rows.at(), rows.at(len(actions)))


def test_turns_are_told_with_what_stood_after_each():
    log, actions = random_build(seed=5)
    found = log.rows().structure()
    assert len(found.earlier) == len(log.turns) > 1
    for stood, end in zip(found.earlier, log.turns, strict=True):
        assert same(stood, merge(None, actions[:end], "in_order"))


def test_a_block_that_is_overwritten_keeps_its_place_and_one_built_anew_does_not():
    log = BlockLog()
    for x in range(3):
        log.place((x, 0, 0), "stone")
    log.place((0, 0, 0), "glass")
    log.remove((1, 0, 0))
    log.place((1, 0, 0), "stone")
    assert log.rows().structure().positions[:, 0].tolist() == [0, 2, 1]
    assert log.block_at((0, 0, 0)) == "glass"
    assert log.remove((9, 9, 9)) is False
    assert log.actions == 6


def test_a_record_goes_on_from_its_rows():
    log, _ = random_build(seed=2)
    again = log_of_rows(log.rows())
    assert again == log
    again.place((50, 0, 0), "stone")
    assert again.rows().order[-1] == log.actions


def test_rows_that_were_deleted_by_hand_leave_no_gap():
    log = BlockLog()
    for x in range(4):
        log.place((x, 0, 0), "stone")
    log.next_turn()
    log.place((9, 0, 0), "stone")
    rows = log.rows()
    kept = np.array([0, 2, 4])
    some = Rows(
        rows.cells[kept], rows.order[kept], rows.until[kept], rows.material[kept], rows.palette,
        rows.turns,
    )  # fmt: skip
    again = log_of_rows(some)
    assert (again.actions, again.turns, again.order) == (3, [2], [0, 1, 2])


@pytest.mark.parametrize("seed", [1, 5, 8])
def test_a_structure_with_turns_becomes_a_record_that_leads_to_it(seed):
    wanted = random_build(seed)[0].rows().structure()
    found = log_of_structure(wanted).rows().structure()
    assert same(found, wanted)
    assert [len(s) for s in found.earlier] == [len(s) for s in wanted.earlier]
    assert all(same(a, b) for a, b in zip(found.earlier, wanted.earlier, strict=True))


def test_a_structure_without_an_order_stays_without():
    unordered = VoxelStructure.from_blocks([(0, 0, 0, "stone")], ordered=False)
    assert log_of_structure(unordered).rows().structure().ordered is False


def test_sides_are_covered_from_when_their_neighbour_came():
    log = BlockLog()
    log.place((0, 0, 0), "stone")
    log.place((1, 0, 0), "stone")
    log.place((0, 1, 0), "glass")
    log.place((0, 2, 0), "glass")
    covered = log.rows().covered([False, True])
    assert covered[0].tolist() == [1, STANDS, STANDS, STANDS, STANDS, STANDS]
    assert covered[1].tolist() == [STANDS, 0, STANDS, STANDS, STANDS, STANDS]
    # Glass hides nothing but glass, and stands itself on stone.
    assert covered[2].tolist() == [STANDS, STANDS, 3, 0, STANDS, STANDS]
    log.remove((1, 0, 0))
    assert log.rows().covered([False, True])[0].tolist() == [STANDS] * 6


def test_a_record_that_is_full_says_so(monkeypatch):
    monkeypatch.setattr(block_log, "MOST_ACTIONS", 3)
    log = BlockLog()
    for x in range(3):
        log.place((x, 0, 0), "stone")
    with pytest.raises(ValueError, match="3 placements and removals already"):
        log.place((3, 0, 0), "stone")
    zeros = np.zeros(4, np.int64)
    with pytest.raises(VoxelError, match="4 blocks, more than the 3"):
        checked_rows(np.zeros((4, 3), np.int64), zeros, zeros + 1, zeros, ["stone"])


def test_materials_and_turns_without_end_are_refused(monkeypatch):
    monkeypatch.setattr(block_log, "MOST_MATERIALS", 2)
    monkeypatch.setattr(block_log, "MOST_STOOD", 5)
    log = BlockLog()
    for x in range(4):
        log.place((x, 0, 0), f"m{x % 2}")
    with pytest.raises(ValueError, match="2 materials already"):
        log.place((9, 0, 0), "m2")
    assert log.actions == 4 and len(log) == 4
    log.next_turn()
    assert [len(stood) for stood in log.rows().structure().earlier] == [4]
    log.next_turn()
    with pytest.raises(VoxelError, match="8 blocks stood after 2 turns"):
        log.rows().structure()


def test_what_nobody_can_have_built_is_left_out_and_told():
    cells = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    order, until = np.array([0, 5, 2]), np.array([STANDS, 3, STANDS])
    rows = checked_rows(cells, order, until, np.array([0, 0, 7]), ["stone"])
    found = rows.structure()
    assert found.materials == ("stone", "unknown")
    assert found.positions[:, 0].tolist() == [0, 2]
    assert len(found.notes) == 2
    assert "block (1, 0, 0)" in found.notes[0]
    assert "block (2, 0, 0)" in found.notes[1]
