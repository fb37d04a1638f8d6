# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys on what is shown of blocks: each Blender keeps curves and inputs of nodes in its own way."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def test_keys_play_the_order_evenly_and_are_replaced(registered):
    from plumbline.addon.scene import blocks
    from plumbline.addon.session import blocks_now
    from plumbline.checks.voxel import VoxelStructure

    cells = ((x, y, 0, "stone") for x in range(4) for y in range(3))
    blocks.add_blocks(VoxelStructure.from_blocks(cells), bpy.context.scene)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 20
    assert blocks_now.animate(scene, 12.0) == 25 == scene.frame_end == scene.frame_current
    seen = []
    for frame in (1, 7, 13, 25, 40):
        scene.frame_set(frame)
        seen.append(blocks_now.shown(scene))
    assert seen == [0, 3, 6, 12, 12]
    assert blocks_now.animate(scene, 6.0) == 49
    scene.frame_set(25)
    assert blocks_now.shown(scene) == 6, "the keys of before are gone"
