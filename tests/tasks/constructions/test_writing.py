# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that we write are read by others as plain lists, and by us with words and places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from plumbline import tasks
from plumbline.tasks.constructions import experiments, generate, lite, read_file, read_folder, vary
from plumbline.tasks.constructions.writing import MARK, Lists, items_of, may_replace, write_lists


def test_all_come_back_as_they_were(tmp_path: Path) -> None:
    problems = generate(5)
    write_lists(tmp_path / "all", [Lists(problems)], {"seed": 5})
    loaded = read_folder(tmp_path / "all")
    assert loaded.faults == ()
    assert sorted(loaded.problems, key=lambda p: p.id) == sorted(problems, key=lambda p: p.id)
    mark = json.loads((tmp_path / "all" / MARK).read_text())
    assert mark == {"format": "plumbline-voxel-lists-v1", "seed": 5}


def test_others_find_the_fields_of_the_benchmark() -> None:
    for items in items_of(generate()).values():
        for item in items:
            plain = {name: value for name, value in item.items() if not name.startswith("_")}
            assert plain.keys() == {"prompts", "checks"}
            turns = len(plain["checks"])
            assert all(len(sequence) == turns for sequence in plain["prompts"])
            for turn in plain["checks"]:
                assert all(call.keys() == {"fn", "args"} for call in turn)


def test_a_few_keep_their_places_in_the_grid(tmp_path: Path) -> None:
    drawn = [vary(problem, cue="order_aware") for problem in lite(generate(), 42)]
    write_lists(tmp_path / "few", [Lists(tuple(drawn))], {})
    found = {task.id: task for task in tasks.select([tmp_path / "few"])}
    for problem in drawn:
        task = found[f"voxel/{problem.id.replace('/', '-')}"]
        assert task.origin.problem == problem and task.prompts == problem.prompts
        assert tasks.load_task(task.path) == task
    walls = next(task for name, task in found.items() if "walls" in name)
    assert walls.program().count("line(") > 3  # what the grid asks for has a solution


def change(file: Path, **fields: Any) -> None:
    items = json.loads(file.read_text())
    items[0].update(fields)
    file.write_text(json.dumps(items))


@pytest.mark.parametrize(
    "fields",
    [
        {"_item": 2},  # two items at one place
        {"_item": 0},
        {"_item": True},
        {"_wordings": [1]},
        {"_wordings": "1234"},
        {"_words": [{"verb": 1}] * 4},
        {"_parameters": None},
    ],
)
def test_comments_that_can_not_be_are_no_more_than_comments(tmp_path: Path, fields: dict) -> None:
    walls = tuple(p for p in generate() if p.file == "1-se-2-walls" and p.item in (1, 4))
    write_lists(tmp_path / "walls", [Lists(walls)], {})
    file = tmp_path / "walls" / "1-se-2-walls.json"
    assert [p.item for p in read_file(file).problems] == [1, 1, 1, 1, 4, 4, 4, 4]
    change(file, **({"_item": 5} if fields == {"_item": 2} else fields))
    loaded = read_file(file)
    assert loaded.faults == () and [p.item for p in loaded.problems] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert all(p.seed is None and not p.words for p in loaded.problems)


def test_changed_checks_have_no_known_solution(tmp_path: Path) -> None:
    walls = tuple(p for p in generate() if p.file == "1-se-2-walls" and p.item == 0)
    write_lists(tmp_path / "walls", [Lists(walls)], {})
    file = tmp_path / "walls" / "1-se-2-walls.json"
    assert all(task.has_program for task in tasks.select([file]))
    change(file, checks=[[{"fn": "size.max_y_is_geq", "args": {"min_y": 9}}]])
    assert not any(task.has_program for task in tasks.select([file]))


def test_arms_lie_side_by_side_with_their_system_prompts(tmp_path: Path) -> None:
    arms = experiments.table_7()
    lists = [Lists(arm.problems, arm.values["verb"], arm.system_prompt) for arm in arms[:3]]
    write_lists(tmp_path / "table", lists, {})
    for arm in arms[:3]:
        folder = tmp_path / "table" / arm.values["verb"]
        assert (folder / "system_prompt.txt").read_text() == arm.system_prompt + "\n"
        assert [p.prompts for p in read_folder(folder).problems] == [
            p.prompts for p in arm.problems
        ]


def test_only_what_was_generated_is_replaced(tmp_path: Path) -> None:
    place = tmp_path / "lists"
    walls = Lists(tuple(p for p in generate() if p.file == "1-se-2-walls"))
    domes = Lists(tuple(p for p in generate() if p.file == "5-ce-3.1-dome"))
    write_lists(place, [walls], {})
    with pytest.raises(FileExistsError):
        write_lists(place, [domes], {}, replace=False)
    write_lists(place, [domes], {})
    assert {file.name for file in place.iterdir()} == {"5-ce-3.1-dome.json", MARK}
    (place / MARK).unlink()
    assert not may_replace(place)
    with pytest.raises(FileExistsError, match="holds something else; name another folder"):
        write_lists(place, [walls], {})
    assert [path.name for path in tmp_path.iterdir()] == ["lists"]
