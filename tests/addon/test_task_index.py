# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks are found by words, kind and style, however many there are, and packs are taken in."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from plumbline import tasks
from plumbline.addon import bundled
from plumbline.addon.kinds import KINDS
from plumbline.addon.task_index import Query, TaskIndex
from plumbline.tasks import TaskError, load_task


@pytest.fixture(autouse=True)
def only_bundled():
    bundled.forget_opened()
    yield
    bundled.forget_opened()


def find(index, text="", kind="", style=""):
    return index.view(Query(text, kind, style)).shown


def test_every_bundled_task_is_there_and_found_by_its_name():
    index = bundled.index()
    assert len(index) == len(tasks.select(["*/*"])) and index.kinds == tuple(KINDS)
    for task in bundled.all_tasks():
        assert task.id in find(index, task.title.upper())
        assert find(index, task.id) and task.style in index.styles()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("barn", ("timber/barn",)),
        ("posts barn loft", ("timber/barn",)),
        ("low foundation wall", ("timber/shed_roof",)),
        ("missing ridge", ("timber/a_frame",)),
        ("nothing has this", ()),
    ],
)
def test_words_are_looked_for_everywhere(text, found):
    shown = find(bundled.index(), text)
    assert set(found) <= set(shown) and bool(found) == bool(shown)


def test_kind_and_style_and_words_together():
    cabin = load_task("timber/cabin")
    block = replace(cabin, id="voxel/tower", kind="voxel", style="Tower", title="Tower")
    index = TaskIndex([cabin, block])
    assert index.kinds == ("timber", "voxel") and index.styles("voxel") == ("Tower",)
    assert find(index, kind="voxel") == ("voxel/tower",)
    assert find(index, style="Cabin") == ("timber/cabin",)
    assert find(index, "tower", kind="timber") == ()


def test_thousands_are_searched_once_a_question():
    cabin = load_task("timber/cabin")
    many = [replace(cabin, id=f"voxel/{i:04d}", kind="voxel", title=f"No {i}") for i in range(5000)]
    index = TaskIndex([cabin, *many])
    view = index.view(Query("4999"))
    assert view.shown == ("voxel/4999",) and view.place == {"voxel/4999": 0}
    assert index.view(Query("4999")) is view
    flags = view.flagged(5001, 8)
    assert flags[0] == 8 and sum(flags) == 8 and len(flags) == 5001
    assert view.flagged(5001, 8) is flags
    for i in range(40):
        index.view(Query(str(i)))
    assert len(index._views) <= 16


@pytest.fixture
def pack(tmp_path):
    """A folder with a task of the person's own, made from a bundled one."""
    folder = tmp_path / "pack" / "my_cabin"
    shutil.copytree(load_task("timber/cabin").path, folder)
    file = folder / "task.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**data, "id": "timber/my_cabin", "title": "Mine"}))
    return folder


def test_a_pack_is_opened_by_its_folder_or_its_file(pack):
    before = bundled.index()
    for path in (pack, pack.parent, pack / "task.json"):
        found = bundled.open_pack(path)
        assert [task.id for task in found.tasks] == ["timber/my_cabin"]
    assert bundled.index() is before, "reading alone offers nothing"
    bundled.offer(found.tasks)
    assert bundled.find("timber/my_cabin").title == "Mine" and bundled.is_own("timber/my_cabin")
    assert bundled.variants("timber/my_cabin")[0].id == "sound"
    assert find(bundled.index(), "mine") == ("timber/my_cabin",)
    file = pack / "task.json"
    file.write_text(file.read_text().replace('"Mine"', '"Changed"'))
    bundled.offer(bundled.open_pack(pack).tasks)
    assert bundled.find("timber/my_cabin").title == "Changed", "opened again it is read again"


def test_what_cannot_be_opened_is_one_sentence(pack, tmp_path):
    with pytest.raises(TaskError, match="selects no task"):
        bundled.open_pack(tmp_path / "nowhere")
    (pack / "build.py").write_text("x = (")
    with pytest.raises(TaskError, match=r"build\.py: line 1: not a Python program"):
        bundled.open_pack(pack)


def test_a_bundled_id_is_not_taken_over(tmp_path):
    folder = tmp_path / "cabin"
    shutil.copytree(load_task("timber/cabin").path, folder)
    with pytest.raises(TaskError, match="comes with Plumbline; give its folder"):
        bundled.open_pack(folder)
    before = set(bundled.index().tasks)
    bundled.offer(bundled.open_pack(load_task("timber/cabin").path).tasks)
    assert not bundled.is_own("timber/cabin") and set(bundled.index().tasks) == before


def test_an_unknown_task_is_said():
    assert bundled.known("timber/nowhere") is None and bundled.known(None) is None
    with pytest.raises(KeyError, match="no task 'timber/nowhere' here"):
        bundled.find("timber/nowhere")


def test_voxel_tasks_of_files_take_the_place_of_bundled_ones(tmp_path):
    file = tmp_path / "1-se-2-walls.json"
    file.write_text('[{"prompts": [["Wall it."]], "checks": [[]]}]')
    name, others = "voxel/1-se-2-walls-01-01", len(bundled.all_tasks())
    before = bundled.find(name)
    assert [v.id for v in bundled.variants(name)] == ["sound", "cobblestone"]
    bundled.offer(bundled.open_pack(file).tasks)
    assert bundled.find(name).description == "Wall it." and bundled.is_own(name)
    assert bundled.variants(name) == () and len(bundled.all_tasks()) == others
    assert bundled.brief_of(name).turns == ((),)
    bundled.forget_opened()
    assert bundled.find(name) is before and len(bundled.brief_of(name).calls) == 5
