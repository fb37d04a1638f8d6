# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written reads back as the same blocks, order and turns."""

import json
import random

import pytest
from plumbline.addon.voxel_files import read_blocks
from plumbline.addon.voxel_files.writing import actions_between, dump_blocks
from plumbline.checks.voxel.brief import CheckCall
from plumbline.checks.voxel.structure import VoxelStructure, merge


def rows(structure):
    return list(zip(structure.positions.tolist(), structure.materials, strict=True))


def random_turns(seed):
    """Three turns that keep, remove, overwrite and place again."""
    dice = random.Random(seed)
    turns = []
    for _ in range(3):
        old = rows(turns[-1]) if turns else []
        kept = [(cell, dice.choice([m, "stone"])) for cell, m in old if dice.random() < 0.7]
        again = [row for row in old if row[0] not in [cell for cell, _ in kept]][:2]
        new = [([dice.randrange(9), dice.randrange(9), t], "dirt") for t in range(5)]
        every = {tuple(c): m for c, m in kept + again + new}
        turns.append(VoxelStructure.from_blocks((*c, m) for c, m in every.items()))
    return VoxelStructure.from_blocks(
        ((*c, m) for c, m in rows(turns[-1])), earlier=tuple(turns[:-1])
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_file_reads_back_as_the_same_turns(tmp_path, seed):
    built = random_turns(seed)
    file = tmp_path / "mine.jsonl"
    file.write_text(dump_blocks(built), encoding="utf-8")
    found = read_blocks(file)
    assert found.faults == () and len(found.runs) == 1
    turns = found.runs[0].turns
    assert [rows(t) for t in turns] == [rows(t) for t in (*built.earlier, built)]


def test_a_block_that_moved_back_in_the_order_is_removed_and_placed_again():
    a, b = ((0, 0, 0, "stone"), (1, 0, 0, "stone"))
    before, after = VoxelStructure.from_blocks([a, b]), VoxelStructure.from_blocks([b, a])
    actions = actions_between(before, after)
    assert [action.kind for action in actions] == ["remove", "place"]
    assert rows(merge(before, actions)) == rows(after)


def test_prompt_and_checks_of_a_turn_go_along(tmp_path):
    built = VoxelStructure.from_blocks([(0, 0, 0, "stone")])
    call = CheckCall("size.total_blocks", {"n": 1})
    file = tmp_path / "mine.jsonl"
    file.write_text(dump_blocks(built, ["Build a wall."], [[call]], "me"), encoding="utf-8")
    (run,) = read_blocks(file).runs
    assert run.prompts == ("Build a wall.",) and run.model == "me"
    assert run.brief.turns == ((call,),)
    assert json.loads(file.read_text())["schema"] == "plumbline.blocks/1"


def test_no_blocks_read_back_as_none(tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text(dump_blocks(VoxelStructure.empty()), encoding="utf-8")
    assert len(read_blocks(file).blocks) == 0
