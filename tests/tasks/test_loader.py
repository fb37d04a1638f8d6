# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks are found by id, glob and path, and every fault of a task file is one clear sentence."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from plumbline import tasks
from plumbline.tasks import TaskError

HOUSES = (
    "a_frame",
    "barn",
    "cabin",
    "gable_house",
    "hip_roof",
    "shed_roof",
    "two_storey",
    "wing_house",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the cabin's folder, to damage at will."""
    folder = tmp_path / "pack" / "cabin"
    shutil.copytree(tasks.load_task("timber/cabin").path, folder)
    return folder


def change(file: Path, **fields: Any) -> None:
    """Set fields of a JSON file; ``None`` removes one."""
    data = json.loads(file.read_text())
    data.update(fields)
    file.write_text(json.dumps({k: v for k, v in data.items() if v is not None}))


def fault(folder: Path) -> TaskError:
    with pytest.raises(TaskError) as caught:
        tasks.load_task(folder)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(folder)), "the sentence begins with the file"
    assert message.count("; ") >= 1, "the sentence ends with a remedy"
    return caught.value


def test_smoke_is_every_bundled_house() -> None:
    found = tasks.select(tasks.SMOKE)
    assert [task.id for task in found] == [f"timber/{name}" for name in HOUSES]
    assert tasks.select() == found


def test_twins_are_enough_and_named() -> None:
    twins = [(task.id, twin) for task in tasks.select() for twin in task.twins]
    assert len(twins) >= 24
    for _, twin in twins:
        assert twin.title[0].isupper()
        assert not twin.title.endswith(".")
        assert twin.defect.endswith(".")
        assert twin.expected["root"]
    for task in tasks.select():
        assert task.twins, f"{task.id} has no flawed twin"
        assert len({twin.id for twin in task.twins}) == len(task.twins)


def test_task_carries_what_checks_need() -> None:
    task = tasks.load_task("timber/cabin")
    assert (task.id, task.kind, task.title) == ("timber/cabin", "timber", "One-room cabin")
    assert task.brief == {"spacing": 0.406}
    assert task.constraints["stories"] == 1
    assert "bpy" in task.program()


def test_twin_is_the_sound_program_and_a_few_lines() -> None:
    task = tasks.load_task("timber/cabin")
    twin = task.twin("over_spanned_beam")
    assert twin.program().startswith(task.program().rstrip())
    assert f"# The defect: {twin.defect}" in twin.program()
    assert twin.program().endswith(twin.patch())
    compile(twin.program(), "twin", "exec")
    with pytest.raises(
        KeyError, match=r"timber/cabin has no twin 'nope'; known: .*over_spanned_beam"
    ):
        task.twin("nope")


@pytest.mark.parametrize("selector", ["timber/cabin", "timber/ca*", "*/cabin", "timber/[c]abin"])
def test_select_by_id_or_glob(selector: str) -> None:
    assert [task.id for task in tasks.select([selector])] == ["timber/cabin"]


def test_select_by_path(copy: Path) -> None:
    shutil.copytree(copy, copy.parent / "deep" / "barn")
    change(copy.parent / "deep" / "barn" / "task.json", id="timber/barn")
    for selector in (copy, str(copy), copy / "task.json"):
        assert [task.path for task in tasks.select([selector])] == [copy.resolve()]
    assert [task.id for task in tasks.select([copy.parent])] == ["timber/cabin", "timber/barn"]


def test_select_keeps_order_and_drops_doubles(copy: Path) -> None:
    found = tasks.select(["timber/barn", "timber/[a-z]*", copy, "timber/barn"])
    assert [task.id for task in found][:2] == ["timber/barn", "timber/a_frame"]
    assert len(found) == len(HOUSES) + 1


@pytest.mark.parametrize("selector", ["timber/castle", "assembly/*", "", "no/such/folder"])
def test_selector_that_finds_nothing(selector: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TaskError, match=r"selects no task; bundled are timber/a_frame, .*cabin"):
        tasks.select([selector])


@pytest.mark.parametrize("selector", ["none.dhpack", "no/such/folder.dhpack/RN-*"])
def test_a_pack_that_is_not_there(selector: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TaskError, match=r"\.dhpack.*: there is no such pack; check the path"):
        tasks.select([selector])


def test_load_unknown() -> None:
    with pytest.raises(TaskError, match="neither a bundled task nor a folder"):
        tasks.load_task("timber/castle")


def test_bundled_id_wins_over_a_folder_of_that_name(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "timber" / "cabin").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert tasks.load_task("timber/cabin").path.is_relative_to(Path(tasks.__file__).parent)


@pytest.mark.parametrize(
    ("fields", "place", "words"),
    [
        ({"colour": "red"}, "", "unknown field 'colour'; remove it; known: id, kind"),
        ({"title": None}, "", "field 'title' is missing; add it"),
        ({"title": 3}, "title", "3 is no text"),
        ({"description": "  "}, "description", "is no text"),
        ({"kind": "castle"}, "kind", "unknown kind 'castle'; known: timber"),
        ({"id": "cabin"}, "id", "'cabin' is not KIND/FOLDER; write 'timber/cabin'"),
        ({"constraints": []}, "constraints", "list, not an object"),
        ({"constraints": {"height": 3}}, "constraints", "unknown field 'height'"),
        ({"constraints": {"stories": 1.5}}, "constraints.stories", "write a whole number"),
        ({"constraints": {"lot_width": "wide"}}, "constraints.lot_width", "write a number"),
        ({"constraints": {"overhang": -1}}, "constraints.overhang", "from 0 up"),
        ({"constraints": {"wings": True}}, "constraints.wings", "True is no such value"),
        ({"brief": {"snow": 1}}, "brief", "unknown field 'snow'"),
        ({"brief": {"spacing": "wide"}}, "brief", "spacing must be a number"),
        ({"brief": 7}, "brief", "int, not an object"),
    ],
)
def test_faults_of_task_json(copy: Path, fields: dict, place: str, words: str) -> None:
    change(copy / "task.json", **fields)
    error = fault(copy)
    assert error.file == str(copy / "task.json")
    assert error.place == place
    assert words in str(error)


ROOT = {"check": "spacing", "subject": "Stud"}


@pytest.mark.parametrize(
    ("fields", "place", "words"),
    [
        ({"verdict": "passed"}, "verdict", 'a flawed twin has "failed"'),
        ({"title": ""}, "title", "is no text"),
        ({"root": None}, "", "field 'root' is missing"),
        ({"root": "Stud"}, "root", "str, not an object"),
        ({"root": {"subject": "Stud"}}, "root", "field 'check' is missing"),
        ({"root": {"check": "spacing"}}, "root", "one of subject, place and line"),
        ({"root": {**ROOT, "place": [0, 0, 0]}}, "root", "one of subject, place and line"),
        ({"root": {"check": "spacing", "place": [0, 0]}}, "root.place", "[0, 0] is no point"),
        ({"root": {"check": "spacing", "line": [1]}}, "root.line", "[1] is no line"),
        (
            {"root": {"check": "spacing", "line": [[0, 0, 0], [1, 0, "a"]]}},
            "root.line[1]",
            "is no point; write [x, y, z] in m",
        ),
        ({"consequences": {}}, "consequences", "write [] if nothing follows"),
        ({"consequences": [{"check": 1}]}, "consequences[0].check", "1 is no text"),
        ({"also": "none"}, "also", "write [] if nothing follows"),
        ({"root": {"check": "a", "named": 3}}, "root.named", "3 is no text"),
        ({"root": {"check": "a", "score_below": "x"}}, "root.score_below", "write 0 to 1"),
        ({"root": {"check": "a", "score_below": 0.5}}, "verdict", 'a flawed twin has "passed"'),
        ({"also": [{"check": "a", "score_below": 1}]}, "also[0]", "unknown field 'score_below'"),
    ],
)
def test_faults_of_expected_json(copy: Path, fields: dict, place: str, words: str) -> None:
    file = copy / "twins" / "over_spanned_beam" / "expected.json"
    change(file, **fields)
    error = fault(copy)
    assert error.file == str(file)
    assert error.place == place
    assert words in str(error)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("task.json", b"{", "line 1, column 2: not JSON"),
        ("task.json", b"[]", "list, not an object"),
        ("task.json", b'{"a": "\xff"}', "byte 7: not UTF-8 text"),
        ("task.json", b"[" * 100_000, "nested too deeply"),
        ("build.py", b"import bpy\nx = (", "build.py: line 2: not a Python program"),
        ("build.py", b"\0", "not a Python program"),
        ("build.py", None, "build.py: no such file"),
        ("twins/over_spanned_beam/patch.py", None, "patch.py: no such file"),
        ("twins/over_spanned_beam/expected.json", None, "expected.json: no such file"),
    ],
)
def test_damaged_files(copy: Path, name: str, content: bytes | None, words: str) -> None:
    if content is None:
        (copy / name).unlink()
    else:
        (copy / name).write_bytes(content)
    assert words in str(fault(copy))


def test_file_without_rights(copy: Path, open_folder: Path, somebody_else) -> None:
    task = shutil.copytree(copy, open_folder / "timber" / copy.name)
    (task / "build.py").chmod(0)
    with somebody_else():
        assert "can't be read (Permission denied); check its rights" in str(fault(task))


def test_folder_in_place_of_a_file(copy: Path) -> None:
    (copy / "build.py").unlink()
    (copy / "build.py").mkdir()
    assert "can't be read (Is a directory)" in str(fault(copy))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize(
    "name", ["task.json", "build.py", "twins/TWIN/patch.py", "twins/TWIN/expected.json"]
)
def test_a_pipe_or_an_endless_device_is_no_file(copy: Path, name: str) -> None:
    twin = next((copy / "twins").iterdir()).name
    file = copy / name.replace("TWIN", twin)
    file.unlink()
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        make(file)
        with pytest.raises(TaskError, match="is no file; put a text file there"):
            tasks.select([copy.parent])
        file.unlink()


def test_a_file_that_is_far_too_large_is_not_read(copy: Path) -> None:
    with open(copy / "task.json", "ab") as stream:
        stream.truncate((16 << 20) + 1)
    assert "is larger than 16 MB" in fault(copy).problem


@pytest.mark.parametrize("number", ["1" * 5000, "1" + "0" * 400, "1e999", "NaN"])
def test_numbers_that_no_house_has(copy: Path, number: str) -> None:
    file = copy / "task.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r'("footprint_x": )[\d.]+', rf"\g<1>{number}", text), encoding="utf-8")
    assert "task.json" in str(fault(copy))


def test_a_task_may_widen_the_policy(copy: Path) -> None:
    assert tasks.load_task("timber/cabin").policy == {}
    policy = {
        "imports": ["scipy.spatial"],
        "operators": ["ptcache.bake_all", "sculpt.*"],
        "data": ["texts"],
        "blender": ["bpy.app.tempdir"],
        "attributes": ["driver_add"],
    }
    change(copy / "task.json", policy=policy)
    assert tasks.load_task(copy).policy == {name: tuple(policy[name]) for name in policy}


@pytest.mark.parametrize(
    ("policy", "place"),
    [
        ([], "policy"),
        ({"names": ["eval"]}, ""),
        ({"imports": "scipy"}, "policy.imports"),
        ({"imports": ["scipy", ""]}, "policy.imports[1]"),
        ({"imports": ["_io"]}, "policy.imports[0]"),
        ({"operators": ["bake_all"]}, "policy.operators[0]"),
        ({"operators": ["-object.bake"]}, "policy.operators[0]"),
        ({"data": ["bpy.data.texts"]}, "policy.data[0]"),
        ({"blender": ["app"]}, "policy.blender[0]"),
        ({"blender": ["bpy.path._os"]}, "policy.blender[0]"),
        ({"attributes": ["__class__"]}, "policy.attributes[0]"),
        ({"attributes": [7]}, "policy.attributes[0]"),
    ],
)
def test_faults_of_a_policy(copy: Path, policy: Any, place: str) -> None:
    change(copy / "task.json", policy=policy)
    assert fault(copy).place.startswith(place)
