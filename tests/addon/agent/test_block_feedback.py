# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model is told of faults of blocks: the cells in the task's axes, and how many more."""

from __future__ import annotations

from plumbline.addon.agent.bench import Execution, Problem
from plumbline.addon.agent.feedback import failure, findings_text, program_text
from plumbline.checks.voxel import VoxelBrief, VoxelStructure, judge
from plumbline.checks.voxel.brief import CheckCall

CONNECTED = VoxelBrief.of(CheckCall("physical_plausibility.is_ground_connected"))


def told(cells, brief=CONNECTED):
    blocks = VoxelStructure.from_blocks([(*cell, "stone") for cell in cells])
    return findings_text(judge(blocks, brief, "paper"))


def test_cells_are_those_of_the_task_not_of_blender():
    text = told([(0, 0, 0), (5, 3, -2)])
    assert "[physical_plausibility.is_ground_connected]" in text
    assert "block (5, 3, -2)" in text and "at 5.00, 2.00, 3.00" not in text


def test_of_many_cells_twenty_are_named_and_the_rest_is_counted():
    text = told([(0, 0, 0), *((x, 5, 0) for x in range(50))])
    line = next(line for line in text.splitlines() if line.startswith("1."))
    assert "(0, 5, 0), (1, 5, 0)" in line and "(19, 5, 0) and 30 more" in line
    assert "(20, 5, 0)" not in line


def test_a_fault_without_blocks_has_its_sentence():
    call = CheckCall("shape.has_rooms", {"room_cnt": 2, "y": 0})
    text = told([(0, 0, 0), (1, 0, 0)], VoxelBrief.of(call))
    assert "[shape.has_rooms]" in text and "room" in text


def test_a_failure_in_one_sentence():
    trace = (
        "Traceback (most recent call last):\n"
        '  File "<program>", line 3, in <module>\n    wall()\n'
        '  File "<program>", line 2, in wall\n    fill(1)\n'
        "TypeError: too few\n"
    )
    raised = Execution("raised", "none", traceback=trace)
    assert failure(raised) == "The program stopped with TypeError: too few (line 2)"
    refused = Execution("refused", "none", problems=(Problem(4, 1, "r", "no files here."),))
    assert failure(refused) == "The program was not run, line 4: no files here."
    late = Execution("timeout", "none", "The program did not end within 3 s.")
    assert "did not end within 3 s" in failure(late)
    said = Execution("raised", "none", "It called what is not its to call.")
    assert failure(said) == program_text(said)
    assert "not its to call" in failure(said)
