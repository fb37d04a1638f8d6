# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds with joints go in an order that each Blender survives: it differs by version."""

from __future__ import annotations

import pytest
from plumbline.addon.simulation.falling.asked import WhatIf
from plumbline.addon.simulation.steps import finish
from plumbline.checks.voxel.structure import VoxelStructure

bpy = pytest.importorskip("bpy")


def test_falls_with_joints_that_broke_and_that_hold_leave_blender_alive(empty_scene):
    from plumbline.addon.simulation.falling.answers import let_it_fall, what_if

    tower = VoxelStructure.from_blocks([(0, y, 0, "oak_planks") for y in range(5)])
    loose = VoxelStructure.from_blocks([(x, 3, z, "stone") for x in range(4) for z in range(4)])
    push = WhatIf("push", ("block (0, 4, 0)",), vector=(45_000.0, 0.0, 0.0))
    for _ in range(2):
        found = finish(what_if(tower, [push], seconds=0.5))
        assert finish(let_it_fall(loose, seconds=0.2)).damage.first is not None
    assert found.altered.damage.broken and len(bpy.data.scenes) == 1
