# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own log, a line a turn: what goes in comes out, and a bad line is told and left out."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plumbline.addon.voxel_files import BlocksError, BlocksFile, read_action_files, read_blocks
from plumbline.addon.voxel_files.json_lines import dump_turn
from plumbline.checks.voxel import Action, CheckCall, judge

STONE = [["place", 0, 0, 0, "stone"]]


def read(folder: Path, *lines: Any) -> BlocksFile:
    file = folder / "log.jsonl"
    rows = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return read_blocks(file)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    call = CheckCall("size.max_y_is_geq", {"min_y": 1})
    first = [Action("place", 0, 0, 0, "stone"), Action("place", 0, 1, 0, "dirt")]
    second = [Action("remove", 0, 1, 0), Action("place", 1, 0, 0, "oak_planks")]
    lines = [
        dump_turn(first, 3, 0, 2, "Build\u2028it.", [call], "some/model", "2026-11-30T12:00:00Z"),
        dump_turn(second, 3, 1, 2, "Change it.", [call], "some/model"),
    ]
    (run,) = read(tmp_path, *lines).runs
    assert (run.number, run.model) == (3, "some/model")
    assert run.prompts == ("Build\u2028it.", "Change it.")
    assert run.brief is not None
    assert run.brief.turns == ((call,), (call,))
    assert run.turns[0].index == {(0, 0, 0): 0, (0, 1, 0): 1}
    assert run.blocks.index == {(0, 0, 0): 0, (1, 0, 0): 1}
    assert run.blocks.materials == ("stone", "oak_planks")
    assert run.blocks.ordered


def test_problems_do_not_share_blocks(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"run_idx": 1, "turn_idx": 0, "actions": [["place", 5, 0, 0, "dirt"]]},
        {"run_idx": 0, "turn_idx": 0, "actions": STONE},
    )
    assert [run.number for run in found.runs] == [0, 1]
    assert [run.blocks.materials for run in found.runs] == [("stone",), ("dirt",)]


def test_blocks_that_stand_may_be_given_instead(tmp_path: Path) -> None:
    rows = [[0, 0, 0, "stone"], {"x": 1, "y": 0, "z": 0, "material": "dirt"}, [2, 0, 0]]
    found = read(
        tmp_path,
        {"turn_idx": 0, "actions": [["place", 9, 9, 9, "sand"]]},
        {"turn_idx": 1, "coords": rows},
        {"turn_idx": 2, "coords": None},
    )
    turns = found.runs[0].turns
    assert turns[1].materials == ("stone", "dirt", "unknown")
    assert turns[2] is turns[1], "a turn without a record keeps the blocks"
    assert "nothing was recorded" in found.faults[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2 isn't JSON (Expecting"),
        ("[]", "must be an object"),
        ('{"run_idx": -1}', "run_idx must be a whole number from 0"),
        ('{"turn_idx": 1.5}', "turn_idx must be a whole number from 0"),
        ('{"schema": "other/1"}', "is no plumbline.blocks/1"),
        ('{"turn_idx": 0, "actions": []}', "a turn that was given before"),
        ('{"turn_idx": 1, "actions": {}}', "actions must be a list"),
        ('{"turn_idx": 1, "actions": NaN}', "NaN is no number"),
        ('{"turn_idx": 1, "actions": [["place", 0, 0]]}', "line 2, action 1: must be"),
        ('{"turn_idx": 1, "actions": [["dig", 0, 0, 0]]}', "line 2, action 1: must be"),
        ('{"turn_idx": 1, "actions": [[["place"], 0, 0, 0]]}', "line 2, action 1: must be"),
        ('{"turn_idx": 1, "actions": [["place", 0, 0, 0, {}]]}', "line 2, action 1: must be"),
        ('{"turn_idx": 1, "actions": [["place", "x", 0, 0, "a"]]}', "line 2, action 1: must be"),
        ('{"turn_idx": 1, "actions": [["place", 1.5, 0, 0, "a"]]}', "aren't whole"),
        ('{"turn_idx": 1, "coords": [5]}', "line 2, block 1: must be [x, y, z, material]"),
        ('{"turn_idx": 1, "coords": [[1, 2, 30000000, "a"]]}', "more than 1000000 blocks"),
        (
            '{"turn_idx": 1, "actions": [["place", 1' + "0" * 4000 + ", 0, 0]]}",
            "too large a number",
        ),
        ('{"turn_idx": 1, "actions": [[' + "9" * 5000 + "]]}", "holds too large a number"),
        ('{"turn_idx": 1000, "actions": []}', "turn_idx must be a whole number from 0 to 999"),
        ('{"turn_idx": 3, "actions": []}', "run 0: turn 1 is missing"),
        ('{"turn_idx": 1, "actions": [], "checks": [{}]}', 'must be an object with "fn"'),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_fault_is_told_and_the_rest_read(tmp_path: Path, line: str, told: str) -> None:
    checks = [{"fn": "physical_plausibility.is_ground_connected"}]
    found = read(tmp_path, {"turn_idx": 0, "actions": STONE, "checks": checks}, line)
    assert (0, 0, 0) in found.runs[0].turns[0].index
    (fault,) = found.faults
    assert told in fault
    assert fault.startswith(str(tmp_path))
    assert "\n" not in fault


def test_nothing_passes_without_a_turn_that_is_lost(tmp_path: Path) -> None:
    checks = [{"fn": "physical_plausibility.is_ground_connected"}]
    first = {"turn_idx": 0, "actions": STONE, "checks": checks}
    said = read(tmp_path, {**first, "n_turns": 2})
    assert "run 0: turn 1 is missing" in said.faults[0]
    skipped = read(tmp_path, {**first, "turn_idx": 1})
    unread = read(tmp_path, {**first, "checks": [5, *checks]})
    for found in (said, skipped, unread):
        run = found.runs[0]
        judgement = judge(replace(run.blocks, earlier=run.turns[:-1]), run.brief)
        assert judgement.verdict == "not_judged"


def test_a_file_without_a_turn(tmp_path: Path) -> None:
    for lines in ((), ("{",), ("\n\n",)):
        with pytest.raises(BlocksError) as caught:
            read(tmp_path, *lines)
        assert "\n" not in str(caught.value)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    os.mkfifo(tmp_path / "turn.js")
    with pytest.raises(BlocksError, match="is a pipe or a device"):
        read_blocks(tmp_path / "log.jsonl")
    with pytest.raises(BlocksError, match="is a pipe or a device"):
        read_action_files([tmp_path / "turn.js"])
