# SPDX-License-Identifier: GPL-3.0-or-later
"""A house of 1,548 members, the largest that was published, on its way into Blender.

Figures of interest: written as objects well under a second; as a program faster than Blender runs
it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import pytest
from plumbline.addon.scene.house_objects import write_house
from plumbline.tasks.houses.program import program

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
import framed_houses

pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="module")
def house():
    found = framed_houses.gable(1548)
    assert found.parents and found.sections  # worked out once a house, however it is written
    return found


def _empty():
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


@pytest.mark.benchmark(group="a house of 1548 members")
def test_writing_objects(benchmark, house):
    whole = benchmark.pedantic(write_house, (house,), setup=_empty, rounds=5)
    assert sum(len(group.objects) for group in whole.children) == 1548


@pytest.mark.benchmark(group="a house of 1548 members")
def test_writing_its_program(benchmark, house):
    text = benchmark.pedantic(program, (house,), rounds=5)
    assert len(text) < 60_000
