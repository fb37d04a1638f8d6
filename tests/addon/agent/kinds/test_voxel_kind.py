# SPDX-License-Identifier: GPL-3.0-or-later
"""What protocols are told of blocks: facts, the checks of the turn at hand, and what stands."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import pytest
from block_episodes import PROMPTS, rows_task
from plumbline.addon.agent.kinds import kind_for
from plumbline.addon.agent.kinds.voxel import checks_text, prompts_of
from plumbline.addon.agent.kinds.voxel_listing import listing
from plumbline.addon.agent.prompts import Prompts
from plumbline.addon.kinds import KINDS
from plumbline.addon.scene.block_api import NAMES, block_names
from plumbline.addon.scene.block_log import BlockLog
from plumbline.addon.scene.plain import structure_to_plain
from plumbline.checks.voxel.brief import VoxelBrief
from plumbline.checks.voxel.structure import VoxelStructure
from plumbline.tasks import select

TASK = rows_task()
KIND = kind_for(TASK)


def stones(*cells: tuple[int, int, int], material: str = "stone") -> VoxelStructure:
    return VoxelStructure.from_blocks([(*cell, material) for cell in cells])


ROW = stones(*((x, 0, 0) for x in range(4)))


def test_it_is_the_kind_that_judges():
    assert (KIND.name, KIND.profile) == (KINDS["voxel"].name, KINDS["voxel"].profile)


def test_every_bundled_problem_has_facts():
    tasks = select(["voxel/*"])
    assert len(tasks) == 723
    for task in tasks:
        facts = KIND.facts(task, "paper")
        assert facts["request"] == task.prompts[0] and facts["turns"] == str(len(task.prompts))
        assert all(isinstance(text, str) and text for text in facts.values())


def test_a_task_without_prompts_is_asked_for_by_its_description():
    task = rows_task(1, prompts=(), description="Lay a row.")
    assert prompts_of(task) == ("Lay a row.",)
    assert KIND.facts(task, "paper")["request"] == "Lay a row."


@pytest.mark.parametrize("name", ["voxel/blocks", "tools/task_voxel"])
def test_prompts_name_every_block_function_as_it_is(name):
    folder, _, file = name.partition("/")
    facts = {**KIND.facts(TASK, "paper")}
    text = Prompts(folder).render(file, facts)
    known = block_names(BlockLog())
    told = {m[1]: m[2] for m in re.finditer(r"^[-*] (\w+)\((.*?)\):", text, re.MULTILINE)}
    assert set(told) == set(NAMES) - {"next_turn"}  # that one is called for the model
    for function, arguments in told.items():
        assert arguments.split(", ") == [*inspect.signature(known[function]).parameters]


def test_the_order_of_fill_is_the_one_that_prompts_tell():
    log = BlockLog()
    block_names(log)["fill"](1, 0, 0, 0, 1, 1, "stone")
    loops = [(x, y, z) for x in (1, 0) for z in (0, 1) for y in (0, 1)]
    assert log.cells == loops and "for x, for z, for y" in Prompts("voxel").render("blocks", {})


def test_a_turn_is_judged_by_its_own_checks():
    plain = structure_to_plain(ROW)
    assert KIND.judge(TASK, plain, "paper").verdict == "passed"
    second = replace(ROW, earlier=(ROW,))
    judged = KIND.judge(TASK, structure_to_plain(second), "paper")
    [count, _] = judged.checks
    assert (count.id, count.status) == ("material.is_block_cnt_equal_to", "failed")
    assert count.figures["args"]["expected_material"] == "oak_planks"


def test_members_are_no_blocks():
    from plumbline.checks.timber.structure import TimberStructure

    plain = structure_to_plain(TimberStructure.from_boxes((), (), (), ()))
    with pytest.raises(ValueError, match="read as members, not as blocks"):
        KIND.judge(TASK, plain, "paper")


def test_checks_are_told_with_their_figures():
    brief = VoxelBrief.from_mapping(TASK.brief)
    assert checks_text(brief, 2).splitlines() == [
        '- material.is_block_cnt_equal_to (expected_count 4, expected_material "oak_planks")',
        "- physical_plausibility.is_ground_connected",
    ]
    assert PROMPTS[0] in KIND.facts(TASK, "paper")["request"]


# --- What stands, in words ------------------------------------------------------------------------


def test_layers_and_rows_that_are_alike_are_told_together():
    cells = [(x, y, z) for y in range(3) for z in range(2) for x in range(4)]
    blocks = VoxelStructure.from_blocks(
        [*((*cell, "stone") for cell in cells), (6, 1, 1, "dirt"), (0, 7, 0, "dirt")]
    )
    assert listing(blocks, 4000).splitlines() == [
        "26 blocks, x 0..6, y 0..7, z 0..1",
        "- stone: 24, x 0..3, y 0..2, z 0..1",
        "- dirt: 2, x 0..6, y 1..7, z 0..1",
        "Layer by layer from the lowest, rows along x:",
        "y 0: z 0..1: x 0..3 stone",
        "y 1: z 0: x 0..3 stone; z 1: x 0..3 stone, x 6 dirt",
        "y 2: z 0..1: x 0..3 stone",
        "y 7: z 0: x 0 dirt",
    ]


def test_what_is_not_next_to_each_other_is_not_run_together():
    blocks = stones((0, 0, 0), (2, 0, 0), (0, 0, 2), (2, 0, 2), (0, 2, 0), (2, 2, 0))
    lines = listing(blocks, 4000).splitlines()
    assert lines[-2:] == [
        "y 0: z 0: x 0 stone, x 2 stone; z 2: x 0 stone, x 2 stone",
        "y 2: z 0: x 0 stone, x 2 stone",
    ]


def test_a_long_listing_is_cut_and_the_rest_counted():
    heap = stones(*((x, y, (x * y) % 7) for x in range(20) for y in range(20)))
    text = listing(heap, 1500)
    assert len(text) < 1600 and re.search(r"^and \d+ blocks from y = \d+ up", text, re.MULTILINE)
    many = VoxelStructure.from_blocks([(i, 0, 0, f"wool_{i}") for i in range(40)])
    assert "- 28 more materials: 28" in listing(many, 4000)


def test_nothing_stands_yet():
    assert KIND.inventory(structure_to_plain(VoxelStructure.empty()), 100) == "nothing yet"
