# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that build blocks in a worker: through exceptions, over several steps."""

import pytest
from plumbline.addon.sandbox.bench import WorkerBench
from plumbline.addon.sandbox.client import BlenderWorker
from plumbline.addon.sandbox.policy import DEFAULT
from plumbline.addon.scene.plain import structure_from_plain
from plumbline.checks.voxel.structure import VoxelStructure

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def worker():
    with BlenderWorker() as worker:
        yield worker


@pytest.fixture
def bench(worker, tmp_path):
    return WorkerBench(worker, tmp_path, 20.0, DEFAULT, {"kind": "voxel"})


def test_what_stood_when_it_raised_is_built_on(bench):
    code = 'fill(0, 0, 0, 2, 0, 2, "stone")\nnext_turn()\nplace_block(0, 1, 0, "Stone")'
    first = bench.execute(code, None, "one")
    assert first.outcome == "raised"
    assert first.message.startswith("ValueError: material 'Stone' is no block id")
    assert len(structure_from_plain(first.structure)) == 9
    code = 'print(block_at(1, 0, 1))\nremove_block(1, 0, 1)\nplace_block(0, 1, 0, "oak_planks")'
    second = bench.execute(code, first.scene, "two")
    assert second.output == "stone\n"
    found = structure_from_plain(second.structure)
    assert isinstance(found, VoxelStructure)
    assert found.materials == ("stone",) * 8 + ("oak_planks",)
    assert [len(stood) for stood in found.earlier] == [9]


def test_scenes_are_read_as_the_kind_that_is_asked_for(worker, tmp_path):
    program = 'place_block(0, 0, 0, "stone")'
    kinds = {}
    for kind in (None, "voxel", "timber"):
        done = WorkerBench(worker, tmp_path / str(kind), 20.0, None, {"kind": kind})
        done = done.execute(program, None, "one")
        kinds[kind] = done.structure["schema"]
    assert kinds[None] == kinds["voxel"] != kinds["timber"]


def test_what_cannot_be_read_is_told_and_can_be_built_anew(bench):
    code = (
        "import bpy\n"
        "mesh = bpy.data.meshes.new('Blocks')\nmesh.vertices.add(1_000_001)\n"
        "obj = bpy.data.objects.new('Blocks', mesh)\n"
        "obj['plumbline_blocks'] = 'plumbline.blocks/1'\n"
        "bpy.context.scene.collection.objects.link(obj)\n"
    )
    done = bench.execute(code, None, "many")
    assert done.structure is None
    assert "1,000,001 blocks" in done.unreadable
    after = bench.execute("place_block(0, 0, 0, 'stone')", done.scene, "after")
    assert after.outcome == "raised"
    assert "1,000,001 blocks" in after.message


def test_a_damaged_record_is_the_fault_of_its_program(bench, worker, tmp_path):
    code = "place_block(0, 0, 0, 'stone')\nfill.__self__._log.until[:] = ['soon']"
    assert bench.execute(code, None, "refused").outcome == "refused"
    damaged = WorkerBench(worker, tmp_path, 20.0, None, {"kind": "voxel"}).execute(
        code, None, "damaged"
    )
    assert damaged.outcome == "raised"
    assert damaged.message.startswith("BlocksLost: what it built of blocks can't be written")
    assert damaged.structure["positions"] == []
