# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast 100,000 blocks come into a scene, are shown at a moment, and are read again.

The figure to reach is 3 s of processor time for making them; nothing is asserted on times. Two
shapes: a solid mass, most faces of which are covered, and single blocks that touch none, the worst.
"""

from __future__ import annotations

import time

import pytest

pytestmark = [pytest.mark.benchmark, pytest.mark.once]

bpy = pytest.importorskip("bpy")

from plumbline.addon.scene.block_api import block_names  # noqa: E402
from plumbline.addon.scene.block_log import BlockLog  # noqa: E402
from plumbline.addon.scene.block_nodes import show_actions  # noqa: E402
from plumbline.addon.scene.blocks import structure_from_blocks, write_log  # noqa: E402
from plumbline.addon.scene.files import fresh_scene  # noqa: E402
from plumbline.addon.scene.picture import render  # noqa: E402
from plumbline.checks.voxel.structure import VoxelStructure  # noqa: E402

BLOCKS = 100_000
MATERIALS = ("stone", "oak_planks", "red_wool", "glass")
SHAPES = ("solid", "single")


def built(shape: str) -> BlockLog:
    """A record of so many blocks, placed one by one where they are single."""
    log = BlockLog()
    api = block_names(log)
    if shape == "solid":
        api["fill"](0, 0, 0, 99, 9, 99, "stone")
        return log
    place = api["place_block"]
    for x in range(100):
        for z in range(100):
            for y in range((x + z) % 2, 20, 2):
                place(x, y, z, MATERIALS[(x + z) % 4])
    return log


def shown(log: BlockLog) -> bpy.types.Object:
    """Its object, evaluated."""
    obj = write_log(bpy.context.scene, log)
    bpy.context.view_layer.update()
    return obj


@pytest.mark.benchmark(group="100,000 blocks", timer=time.process_time)
@pytest.mark.parametrize("shape", SHAPES)
def test_making(benchmark, shape):
    """From the first call of the program to the evaluated scene."""
    benchmark.pedantic(lambda: shown(built(shape)), setup=lambda: fresh_scene() and None, rounds=2)
    assert len(bpy.context.scene.objects[0].data.vertices) == BLOCKS


@pytest.mark.benchmark(group="100,000 blocks", timer=time.process_time)
@pytest.mark.parametrize("shape", SHAPES)
def test_another_moment(benchmark, shape):
    """One step of the slider in the middle of the construction."""
    fresh_scene()
    obj = shown(built(shape))
    moments = iter(range(BLOCKS // 2, BLOCKS))

    def step():
        show_actions(obj, next(moments))
        bpy.context.view_layer.update()

    benchmark.pedantic(step, rounds=5, warmup_rounds=1)
    faces = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.polygons
    assert 0 < len(faces) < 6 * BLOCKS


@pytest.mark.benchmark(group="100,000 blocks", timer=time.process_time)
def test_reading(benchmark):
    fresh_scene()
    shown(built("single"))
    structure = benchmark.pedantic(lambda: structure_from_blocks(bpy.context.scene), rounds=3)
    assert len(structure) == BLOCKS


@pytest.mark.benchmark(group="picture of 5,000 blocks", timer=time.process_time)
def test_picture(benchmark, tmp_path):
    """With its findings, as a report shows it."""
    cells = [(x, y, z, "stone") for x in range(50) for y in range(2) for z in range(50)]
    structure = VoxelStructure.from_blocks(cells)
    colours = {f"block ({x}, 1, 7)": (0.83, 0.1, 0.07, 1.0) for x in range(50)}
    out = benchmark.pedantic(
        lambda: render(structure, tmp_path / "a.png", size=(960, 640), colours=colours), rounds=1
    )
    assert out.stat().st_size > 10_000
