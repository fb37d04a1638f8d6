# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark's own files load from a folder; every fault is one sentence, the rest is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from plumbline.checks.voxel import VoxelStructure, judge
from plumbline.tasks.constructions import (
    CHECKS_SHA256,
    ReadingError,
    checks_sha256,
    generate,
    lite,
    read_file,
    read_folder,
)

CONNECTED = {"fn": "physical_plausibility.is_ground_connected"}
STONE = {"fn": "material.is_all_material_equal_to", "args": {"expected_material": "stone"}}


def item(**fields: Any) -> dict[str, Any]:
    return {"prompts": [["Lay it."], ["Install it."]], "checks": [[CONNECTED, STONE]], **fields}


def write(folder: Path, value: Any, name: str = "1-se-2-walls.json") -> Path:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def test_a_whole_set_comes_back_as_it_was(tmp_path: Path) -> None:
    problems = generate()
    for name in {p.file for p in problems}:
        items: dict[int, dict[str, Any]] = {}
        for p in (p for p in problems if p.file == name):
            checks = [[{"fn": c.fn, "args": dict(c.args)} for c in turn] for turn in p.checks]
            entry = items.setdefault(p.item, {"_comment": "x", "prompts": [], "checks": checks})
            entry["prompts"].append(list(p.prompts))
        write(tmp_path, list(items.values()), f"{name}.json")
    loaded = read_folder(tmp_path)
    assert not loaded.faults
    assert checks_sha256(loaded.problems) == CHECKS_SHA256
    assert [(p.id, p.prompts, p.subcategory) for p in loaded.problems] == [
        (p.id, p.prompts, p.subcategory) for p in problems
    ]
    assert [p.id for p in lite(loaded.problems)] == [p.id for p in lite(problems)]


def test_each_sequence_is_a_problem(tmp_path: Path) -> None:
    loaded = read_file(write(tmp_path, [item(), item(prompts=[["Only one."]])]))
    assert [p.id for p in loaded.problems] == [
        "1-se-2-walls/01-01",
        "1-se-2-walls/01-02",
        "1-se-2-walls/02-01",
    ]
    assert loaded.problems[0].checks == loaded.problems[1].checks
    assert loaded.problems[0].subcategory == "Walls"
    assert read_file(write(tmp_path, [item()], "mine.json")).problems[0].subcategory == "mine"


@pytest.mark.parametrize(
    ("change", "told", "kept"),
    [
        ({"checks": [[CONNECTED, {"fn": "shape.round"}]]}, "no check 'shape.round'", 2),
        ({"checks": [[{**STONE, "args": {"colour": 1}}]]}, "unknown argument 'colour'", 2),
        ({"checks": [[{"fn": STONE["fn"]}]]}, "argument 'expected_material' is missing", 2),
        ({"checks": [[{"function": "x"}]]}, 'must be an object with "fn"', 2),
        ({"checks": [[{**STONE, "args": {"expected_material": ["x"] * 999}}]]}, "be a text", 2),
        ({"checks": [[CONNECTED], [CONNECTED]]}, "1 turn of prompts but 2 turns of checks", 0),
        ({"prompts": [["a"], ["b", "c"]]}, "2 turns of prompts but 1 turn of checks", 1),
        ({"prompts": ["a"]}, "must be a list with one text for each turn", 0),
        ({"prompts": [[3]]}, "must be a list with one text for each turn", 0),
        ({"prompts": []}, "prompts must be a list that isn't empty", 0),
        ({"checks": [CONNECTED]}, "checks must be a list with a list for each turn", 0),
        ({"checks": None}, "checks must be a list that isn't empty", 0),
    ],
)
def test_a_fault_is_a_sentence_and_the_rest_is_read(
    tmp_path: Path, change: dict[str, Any], told: str, kept: int
) -> None:
    loaded = read_file(write(tmp_path, [item(**change), item()]))
    assert len(loaded.problems) == kept + 2
    assert all(told in fault and "item 1" in fault for fault in loaded.faults)
    assert loaded.faults
    assert not [fault for fault in loaded.faults if "\n" in fault or len(fault) > 500]


def test_nothing_passes_without_a_check_that_cannot_be_read(tmp_path: Path) -> None:
    loaded = read_file(write(tmp_path, [item(checks=[[5, {"fn": "a" * 10**6}, STONE]])]))
    assert max(map(len, loaded.faults)) < 300
    judgement = judge(VoxelStructure.from_blocks([(0, 0, 0, "stone")]), loaded.problems[0].brief)
    assert [c.status for c in judgement.checks] == ["not_run", "not_run", "passed"]
    assert judgement.verdict == "not_judged"
    assert "in a form that can't be read" in judgement.checks[0].reason
    assert len(judgement.checks[1].reason) < 300


def test_a_name_that_stands_twice_is_told(tmp_path: Path) -> None:
    text = json.dumps([item(_a=1)]).replace('"_a": 1', '"_a": 1, "_a": 2, "checks": []')
    text = text.replace('{"prompts"', '{"checks": [[]], "prompts"', 1)
    loaded = read_file(write(tmp_path, text.replace('"checks": []}', '"checks": [[]]}')))
    (fault,) = loaded.faults
    assert "has the name 'checks' twice; the last one counts" in fault


def test_a_pipe_in_a_folder_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    write(tmp_path, [item()], "b.json")
    loaded = read_folder(tmp_path)
    assert len(loaded.problems) == 2
    assert "a.json: is a pipe or a device" in loaded.faults[0]


def test_a_problem_with_an_unknown_check_is_judged_by_the_others(tmp_path: Path) -> None:
    loaded = read_file(write(tmp_path, [item(checks=[[{"fn": "shape.round"}, STONE]])]))
    blocks = VoxelStructure.from_blocks([(0, 0, 0, "stone")])
    results = judge(blocks, loaded.problems[0].brief).checks
    assert [r.status for r in results] == ["not_run", "passed"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[{]", "line 1 isn't JSON"),
        ("{}", "must be a list of items"),
        ("[1e5, NaN]", "NaN is no number"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "a number has too many digits"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ReadingError) as caught:
        read_file(write(tmp_path, text))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[\xff]")
    with pytest.raises(ReadingError, match="byte 1 isn't UTF-8"):
        read_file(tmp_path / "a.json")


def test_a_folder_with_a_bad_file_gives_the_good_ones(tmp_path: Path) -> None:
    write(tmp_path, "[", "a.json")
    write(tmp_path, [item()], "b.json")
    write(tmp_path, "no task", "notes.txt")
    loaded = read_folder(tmp_path)
    assert len(loaded.problems) == 2
    assert len(loaded.faults) == 1
    assert "a.json" in loaded.faults[0]


def test_folders_with_nothing_in_them(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="holds no"):
        read_folder(tmp_path)
    with pytest.raises(ReadingError, match="can't be read"):
        read_folder(tmp_path / "none")
    write(tmp_path, "[", "a.json")
    with pytest.raises(ReadingError, match="line 1 isn't JSON"):
        read_folder(tmp_path)
