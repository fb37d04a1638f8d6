# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of blocks by the operators: out, in again, and what can't be read."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")


def build(*rows, **extra):
    from plumbline.addon.scene import blocks
    from plumbline.checks.voxel import VoxelStructure

    return blocks.add_blocks(VoxelStructure.from_blocks(rows, **extra), bpy.context.scene)


def rows():
    from plumbline.addon.scene.blocks import structure_from_blocks

    found = structure_from_blocks(bpy.context.scene)
    return list(zip(map(tuple, found.positions.tolist()), found.materials, strict=True)), found


def test_blocks_go_out_and_come_in_again_beside_those_that_are_there(registered, tmp_path):
    from plumbline.checks.voxel import VoxelStructure

    first = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "stone")])
    build((1, 0, 0, "stone"), (1, 1, 0, "oak_planks"), earlier=(first,))
    before, _ = rows()
    file = tmp_path / "mine.jsonl"
    assert bpy.ops.plumbline.export_blocks(filepath=str(file)) == {"FINISHED"}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["turn_idx"] for line in lines] == [0, 1]
    mine = bpy.context.scene
    assert bpy.ops.plumbline.import_blocks(filepath=str(file)) == {"FINISHED"}
    assert bpy.context.scene != mine and bpy.context.scene.name == "mine"
    after, structure = rows()
    assert after == before and len(structure.earlier) == 1 and len(structure.earlier[0]) == 2


def test_an_empty_scene_takes_the_blocks_itself(registered, tmp_path):
    file = tmp_path / "wall.js"
    file.write_text("await skills.placeBlock(bot, 'stone', 0, 0, 0);\n", encoding="utf-8")
    mine = bpy.context.scene
    assert bpy.ops.plumbline.import_blocks(filepath=str(file)) == {"FINISHED"}
    assert bpy.context.scene == mine and rows()[0] == [((0, 0, 0), "stone")]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("wall.obj", "", "the ending isn't known"),
        ("wall.jsonl", "{", "line 1"),
        ("wall.schem", "no gzip", "save it again"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(registered, tmp_path, name, text, told):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RuntimeError, match=told):
        bpy.ops.plumbline.import_blocks(filepath=str(file))
    assert len(bpy.data.scenes) == 1


def test_a_problem_beyond_the_file_and_another_ending_are_told(registered, tmp_path):
    build((0, 0, 0, "stone"))
    file = tmp_path / "mine.jsonl"
    bpy.ops.plumbline.export_blocks(filepath=str(file))
    with pytest.raises(RuntimeError, match="no problem 2; the last is 1"):
        bpy.ops.plumbline.import_blocks(filepath=str(file), problem=2)
    with pytest.raises(RuntimeError, match="no such format"):
        bpy.ops.plumbline.export_blocks(filepath=str(tmp_path / "mine.csv"))
    with pytest.raises(RuntimeError, match="can't be written"):
        bpy.ops.plumbline.export_blocks(filepath=str(tmp_path / "no" / "mine.jsonl"))
