# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel tasks by id, glob, small run, file and folder; others don't wait for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from plumbline import tasks
from plumbline.addon.agent.scripted import Scripted
from plumbline.checks.voxel import VoxelBrief, VoxelStructure, judge
from plumbline.tasks import TaskError, loader
from plumbline.tasks.constructions import generate, lite
from plumbline.tasks.constructions.tasks import BUNDLED
from plumbline.tasks.constructions.writing import Lists, write_lists

CONNECTED = {"fn": "physical_plausibility.is_ground_connected"}
UNKNOWN = {"fn": "shape.is_pretty"}


def write(file: Path, *items: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(items), encoding="utf-8")
    return file


def item(**fields: Any) -> dict[str, Any]:
    return {"prompts": [["Lay it."], ["Install it."]], "checks": [[CONNECTED]], **fields}


def test_every_problem_is_a_task() -> None:
    found = tasks.select(["voxel/*"])
    problems = generate()
    assert [task.id for task in found] == [f"voxel/{p.id.replace('/', '-')}" for p in problems]
    assert len({task.id for task in found}) == len({task.path for task in found}) == 723
    for task, problem in zip(found, problems, strict=True):
        assert task.kind == "voxel" and task.has_program and task.truth() is None
        assert task.prompts == problem.prompts and task.style == problem.subcategory
        assert VoxelBrief.from_mapping(task.brief).turns == problem.checks
        assert task.description == problem.prompts[0] or problem.turns > 1
    titles = {(task.title, task.style) for task in found if task.id.endswith("-01")}
    items = [p for p in problems if p.wording == 0]
    assert len(titles) > 0.9 * len(items)


def test_one_task_by_id_glob_and_path() -> None:
    task = tasks.load_task("voxel/1-se-2-walls-03-02")
    assert task.title == "Wall, width 5, thickness 2, height 5 (create)"
    assert task.path == BUNDLED / "1-se-2-walls-03-02" == loader.VOXEL_PLACE / task.path.name
    for selector in ("voxel/1-se-2-walls-03-0[2]", task.path, str(task.path)):
        assert tasks.select([selector]) == [task]
    assert tasks.load_task(task.path) == task
    two = tasks.load_task("voxel/4-cm-9-multi(2)-turn-revision-01-01")
    assert two.description == f"Turn 1: {two.prompts[0]}\nTurn 2: {two.prompts[1]}"
    assert len(tasks.select(["voxel/5-ce-2-arched_bridges-[0-9]*"])) == 36
    with pytest.raises(TaskError, match=r"bundled are timber/a_frame, .* and voxel/\*$"):
        tasks.load_task("voxel/1-se-2-walls-13-01")


def test_nobody_else_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> None:
        raise AssertionError("voxel problems were asked for")

    monkeypatch.setattr(loader, "_voxel", asked)
    for selector in ("timber/*", "timber/cabin", "[t]imber/cabin"):
        if selector.startswith("["):
            with pytest.raises(AssertionError):  # it may mean any kind
                tasks.select([selector])
        else:
            assert tasks.select([selector])
    assert tasks.select() and tasks.load_task("timber/cabin")


@pytest.mark.parametrize(
    ("glob", "may"),
    [
        ("*/*", True),
        ("*walls*", True),
        ("voxel/*", True),
        ("voxel/1-se-2-walls-01-01", True),
        ("v*", True),
        ("voxels/*", False),
        ("timber/*", False),
        ("voxel", False),
        ("", False),
        ("/some/folder", False),
    ],
)
def test_what_may_mean_a_voxel_task(glob: str, may: bool) -> None:
    assert loader._may_be_voxel(glob) is may


def test_small_runs(tmp_path: Path) -> None:
    drawn = [f"voxel/{p.id.replace('/', '-')}" for p in lite(generate(), 7)]
    found = tasks.select(["lite:7"])
    assert [task.id for task in found] == drawn and len(found) == 25
    assert found[0] is tasks.load_task(drawn[0])
    write_lists(tmp_path / "mine", [Lists(generate(3))], {})
    own = tasks.select([f"lite:7:{tmp_path / 'mine'}"])
    assert [task.id for task in own] == drawn
    assert own[0].path.parent.parent == tmp_path / "mine"
    for selector, words in (
        ("lite:", "'' is no seed; write lite:SEED or lite:SEED:FOLDER"),
        ("lite:x", "'x' is no seed"),
        ("lite:-1", "'-1' is no seed"),
        ("lite: 1", "' 1' is no seed"),
        ("lite:1_0", "'1_0' is no seed"),
        (f"lite:1:{tmp_path / 'none'}", "can't be read"),
        (f"lite:1:{tmp_path}", "holds no .json file"),
    ):
        with pytest.raises(TaskError, match=words):
            tasks.select([selector])


def test_a_file_of_the_benchmark(tmp_path: Path) -> None:
    file = write(tmp_path / "1-se-2-walls.json", item(_comment="walls"), item())
    found = tasks.select([file])
    assert [task.id for task in found] == [
        f"voxel/1-se-2-walls-{place}" for place in ("01-01", "01-02", "02-01", "02-02")
    ]
    assert tasks.select([str(tmp_path)]) == found
    assert found[1].path == file / "01-02" and found[1].description == "Install it."
    assert found[1].style == "Walls" and found[1].title == "Wall 1-2"
    assert tasks.load_task(file / "01-02") == found[1] == tasks.load_task(str(found[1].path))
    assert tasks.select([file / "02-*"]) == found[2:]
    with pytest.raises(TaskError, match="holds no problem '03-01'"):
        tasks.load_task(file / "03-01")
    with pytest.raises(TaskError, match="is a pack of 4 tasks"):
        tasks.load_task(file)


def test_faults_are_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "a.json", item(checks=[[CONNECTED, UNKNOWN]]), "nothing", item())
    write(tmp_path / "b.json")
    (tmp_path / "c.json").write_text("{")
    pack = tasks.gather([tmp_path])
    assert len(pack.tasks) == 4
    told = "\n".join(pack.left_out)
    for words in (
        "item 1, turn 1, check 2: there is no check 'shape.is_pretty'; it will not be run",
        "item 2: must be an object with prompts and checks",
        "c.json: line 1 isn't JSON",
    ):
        assert words in told
    brief = VoxelBrief.from_mapping(pack.tasks[0].brief)
    judgement = judge(VoxelStructure.from_blocks([(0, 0, 0, "stone")]), brief)
    assert [check.status for check in judgement.checks] == ["passed", "not_run"]
    assert judgement.verdict == "not_judged"
    for file, words in (
        ("b.json", "b.json: holds no problem; add items"),
        ("c.json", "c.json: line 1 isn't JSON"),
    ):
        with pytest.raises(TaskError, match=words):
            tasks.select([tmp_path / file])
    write(tmp_path / "d.json").write_text('{"members": []}')
    with pytest.raises(TaskError, match=r"d\.json: must be a list of items"):
        tasks.select([tmp_path / "d.json"])


def test_a_problem_of_a_file_is_found_by_its_id_too(tmp_path: Path) -> None:
    file = write(tmp_path / "walls.json", item(prompts=[["Build."], ["Create."]]))
    for name in ("01-02", "walls-01-02", "voxel/walls-01-02"):
        assert tasks.load_task(str(file / name)).id == "voxel/walls-01-02"
    assert len(tasks.select([str(file / "walls-*")])) == 2
    with pytest.raises(TaskError, match="holds no problem 'walls-02-01'"):
        tasks.load_task(file / "walls-02-01")
    with pytest.raises(TaskError, match=r"a \.json list of voxel tasks or a \.dhpack pack"):
        tasks.select([tmp_path / "none"])


def test_own_problems_have_no_known_good_program(tmp_path: Path) -> None:
    (task,) = tasks.select([write(tmp_path / "mine.json", item(prompts=[["Build."]]))])
    assert not task.has_program and task.twins == () and task.style == "mine"
    with pytest.raises(TaskError, match="brings no known-good program; build it with --agent null"):
        list(Scripted().assignments([task]))
    assert list(Scripted(flawed=True).assignments([task])) == []


def folder_task(place: Path, **fields: Any) -> Path:
    """A voxel task that is a folder of its own."""
    place.mkdir(parents=True, exist_ok=True)
    task = {
        "id": f"voxel/{place.name}",
        "kind": "voxel",
        "title": "Tower",
        "style": "Towers",
        "description": "Build a tower.",
        "constraints": {},
        "brief": {"checks": [[CONNECTED]]},
        **fields,
    }
    (place / "task.json").write_text(json.dumps(task), encoding="utf-8")
    (place / "build.py").write_text('line(0, 0, 0, 0, 5, 0, "stone")\n', encoding="utf-8")
    return place


def test_a_task_may_be_a_folder_of_its_own(tmp_path: Path) -> None:
    place = folder_task(tmp_path / "tower")
    task = tasks.load_task(place)
    assert task.id == "voxel/tower" and task.prompts == ("Build a tower.",)
    assert task.has_program and task.program().startswith("line(")
    assert tasks.select([tmp_path]) == [task]
    two = {"checks": [[CONNECTED], [CONNECTED]]}
    folder_task(place, brief=two, prompts=["Build a tower.", "Raise it."])
    assert tasks.load_task(place).prompts == ("Build a tower.", "Raise it.")
    for fields, words in (
        ({"brief": two}, "prompts: 1 for 2 turns of checks in the brief"),
        ({"prompts": "Build."}, "prompts: not a list; write a text for each turn"),
        ({"prompts": [3]}, r"prompts\[0\]: 3 is no text"),
        ({"brief": {"checks": {}}}, "brief: brief: checks must be a list with a list of checks"),
    ):
        with pytest.raises(TaskError, match=words):
            tasks.load_task(folder_task(place, **fields))
    cabin = {"id": "timber/tower", "kind": "timber", "brief": {}, "prompts": ["Build."]}
    with pytest.raises(TaskError, match="prompts: timber tasks have no turns; remove it"):
        tasks.load_task(folder_task(place, **cabin))
