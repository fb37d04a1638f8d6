# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated packs come back as they were written, in both forms, and as the released harness sees
them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from plumbline import tasks
from plumbline.addon.scene.pixels import png_bytes
from plumbline.tasks import TaskError
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.houses.parameters import ParameterError
from plumbline.tasks.packs import making
from plumbline.tasks.packs.dhpack_writing import write_dhpack
from plumbline.tasks.packs.entry import Entry, entry_of
from plumbline.tasks.packs.folder import MARK, write_folder
from plumbline.tasks.packs.images import VIEWS
from plumbline.tasks.packs.recipe import RecipeError, fingerprint, unpack_members

HOUSE = generate("A-Frame", 11)


def png(value: int) -> bytes:
    return png_bytes(np.full((16, 16, 4), value / 255, np.float32))


FRAME = {view: png(40 + i) for i, view in enumerate(VIEWS)}
SKIN = {view: png(140 + i) for i, view in enumerate(VIEWS)}
ENTRY = replace(entry_of(HOUSE, with_program=True), frame=FRAME, skin=SKIN)


@pytest.fixture(params=["pack.dhpack", "pack"])
def pack(request, tmp_path):
    """The same task in both forms."""
    path = tmp_path / request.param
    write = write_dhpack if path.suffix else write_folder
    write(path, [ENTRY], {"seed": "11"})
    return path


def test_a_task_comes_back_as_it_was_written(pack):
    found = tasks.gather([pack], thorough=True)
    assert found.left_out == ()
    (task,) = found.tasks
    assert (task.id, task.title, task.style) == ("timber/AF-0011", HOUSE.title, "A-Frame")
    assert (task.description, task.constraints) == (HOUSE.description, HOUSE.constraints)
    assert tasks.load_task(pack / "AF-0011") == task and task.path == pack.resolve() / "AF-0011"
    assert dict(task.references()) == SKIN, "as the released harness, the closed house first"
    assert task.program() == ENTRY.program and task.has_program


def test_the_truth_is_the_house(pack):
    truth = tasks.load_task(pack / "AF-0011").truth()
    assert truth.names == HOUSE.structure.names
    for name in ("center", "axes", "half"):
        assert np.array_equal(getattr(truth, name), getattr(HOUSE.structure, name))


def test_the_same_entries_give_the_same_bytes(tmp_path):
    for name in ("a.dhpack", "b.dhpack"):
        write_dhpack(tmp_path / name, [ENTRY], {"seed": "11"})
    assert (tmp_path / "a.dhpack").read_bytes() == (tmp_path / "b.dhpack").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.dhpack", "b.dhpack"]


def test_sqlite_alone_reads_it_as_the_released_harness_does(tmp_path):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, [ENTRY], {})
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        (form,) = base.execute("SELECT value FROM metadata WHERE key = 'format'").fetchone()
        row = base.execute("SELECT task_id, style, constraints_json FROM tasks").fetchone()
        views = [v for (v,) in base.execute("SELECT view FROM images WHERE task_id = ?", row[:1])]
        (front,) = base.execute("SELECT content FROM images WHERE view = 'front'").fetchone()
        (members,) = base.execute("SELECT members FROM plumbline_truth").fetchone()
    assert form == "dreamhouse-dhpack-v1" and row[:2] == ("AF-0011", "A-Frame")
    assert json.loads(row[2]) == dict(HOUSE.constraints)
    assert sorted(views) == ["back", "front", "left", "right", "top"] and front == SKIN["front"]
    data = json.loads(zlib.decompress(members))
    assert data["names"] == list(HOUSE.structure.names)
    assert np.array_equal(data["half"], HOUSE.structure.half)


def test_the_folder_is_one_that_the_released_harness_serves(tmp_path):
    write_folder(tmp_path / "pack", [ENTRY], {})
    folder = tmp_path / "pack" / "AF-0011"
    names = {path.name for path in folder.iterdir()}
    assert {f"AF-0011_skin_{view}.png" for view in VIEWS} | {"constraints.json"} <= names
    given = json.loads((folder / "constraints.json").read_text())
    assert given.pop("style") == "A-Frame" and given == dict(HOUSE.constraints)


def change_recipe(pack, **changed):
    """Store another recipe for the task."""
    recipe = {**ENTRY.recipe.to_mapping(), **changed}
    if pack.suffix:
        with closing(sqlite3.connect(pack)) as base:
            base.execute("UPDATE plumbline_truth SET recipe_json = ?", (json.dumps(recipe),))
            base.commit()
        return
    file = pack / "AF-0011" / "task.json"
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "generated": recipe}))


def test_another_house_than_was_stored_is_no_truth(pack):
    change_recipe(pack, sha256="0" * 64)
    task = tasks.load_task(pack / "AF-0011")
    assert task.truth() is None
    assert "make another house in this version of Plumbline" in task.why_no_truth()
    assert "AF-0011" in task.why_no_truth() and "\n" not in task.why_no_truth()
    assert task.why_no_truth() in tasks.gather([pack], thorough=True).left_out


def test_stored_members_are_the_truth_of_another_generator(tmp_path):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, [ENTRY], {})
    other = generate("A-Frame", 12).parameters.to_mapping()
    change_recipe(path, parameters=other)
    task = tasks.load_task(path / "AF-0011")
    assert fingerprint(task.truth()) == ENTRY.recipe.sha256
    with pytest.raises(TaskError, match="make another house"):
        task.program()
    (sentence,) = tasks.gather([path], thorough=True).left_out
    assert sentence.startswith(f"{path.resolve()}: task AF-0011: its parameters make another house")
    assert sentence.endswith("so that it has no known-good program")


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ([], "list, not an object"),
        ({"parameters": {}}, 'is no object with "parameters" and "sha256"'),
        ({"parameters": {"style": "Hut"}, "sha256": ""}, "parameters of no house"),
        ({"parameters": 7, "sha256": ""}, "parameters that are no object"),
    ],
)
def test_a_broken_truth_costs_the_truth(tmp_path, recipe, words):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, [ENTRY], {})
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE plumbline_truth SET recipe_json = ?", (json.dumps(recipe),))
        base.commit()
    found = tasks.gather([path])
    (sentence,) = found.left_out
    assert words in sentence and "the task was read without it" in sentence
    assert not found.tasks[0].has_program and len(found.tasks[0].references()) == 5


def damaged(**changes):
    """The members of the house with other fields, packed."""
    data = {**json.loads(zlib.decompress(ENTRY.members)), **changes}
    return zlib.compress(json.dumps(data).encode())


STORED = json.loads(zlib.decompress(ENTRY.members))
COUNT = len(STORED["names"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"half": [[10**400, 1, 1]] * COUNT}, "too large to convert"),
        ({"half": [[-x for x in row] for row in STORED["half"]]}, "extents are not above zero"),
        ({"half": [row[::-1] for row in STORED["half"]]}, "the longest first"),
        ({"center": [[1e308] * 3] * COUNT}, "further away than any house"),
        ({"axes": [[[0.0] * 3] * 3] * COUNT}, "axes are no unit vectors"),
        ({"axes": [[[2.0, 0, 0], [0, 2, 0], [0, 0, 2]]] * COUNT}, "axes are no unit vectors"),
        ({"names": ["Stud"] * COUNT}, "a name is there twice"),
        ({"names": list(range(COUNT))}, "names are no texts"),
        ({"names": "x" * COUNT}, "names are no texts"),
        ({"names": dict.fromkeys(STORED["names"])}, "names are no texts"),
    ],
)
def test_members_that_are_no_boxes_are_no_truth(changes, words):
    with pytest.raises(RecipeError, match=words):
        unpack_members(damaged(**changes))


def test_broken_members_are_made_anew(tmp_path):
    path = tmp_path / "pack.dhpack"
    write_dhpack(path, [replace(ENTRY, members=b"broken")], {})
    task = tasks.load_task(path / "AF-0011")
    assert fingerprint(task.truth()) == ENTRY.recipe.sha256
    assert "its members can't be read" in tasks.gather([path], thorough=True).left_out[0]


def test_a_folder_is_read_as_far_as_it_goes(tmp_path):
    others = [replace(ENTRY, name=f"AF-001{i}") for i in range(2, 6)]
    write_folder(tmp_path / "pack", [ENTRY, *others], {})
    (tmp_path / "pack/AF-0012/task.json").write_text("{")
    (tmp_path / "pack/AF-0013/AF-0013_skin_front.png").write_bytes(SKIN["front"][:-7])
    (tmp_path / "pack/AF-0014/build.py").write_text("x = (")
    (tmp_path / "pack/AF-0015/task.json").unlink()
    found = tasks.gather([tmp_path / "pack"])
    assert [task.path.name for task in found.tasks] == [f"AF-001{i}" for i in (1, 3, 4, 5)]
    assert len(found.left_out) == 2, found.left_out
    assert "AF-0012/task.json: line 1, column 2: not JSON" in found.left_out[0]
    assert "skin_front.png: is a PNG that breaks off; the picture" in found.left_out[1]
    assert found.tasks[1].references()["front"] == FRAME["front"], "the frame's is whole"
    bare = found.tasks[3]
    assert not bare.has_program and bare.style == "A-Frame" and len(bare.references()) == 5
    assert bare.constraints == HOUSE.constraints
    with pytest.raises(TaskError, match=r"build\.py: line 1: not a Python program"):
        found.tasks[2].program()
    assert any(
        "not a Python program" in s for s in tasks.gather([tmp_path / "pack"], True).left_out
    )


def test_folders_without_rights_cost_themselves(open_folder, somebody_else):
    pack = open_folder / "pack"
    write_folder(pack, [ENTRY, replace(ENTRY, name="AF-0012")], {})
    (pack / "AF-0012").chmod(0)
    with somebody_else():
        found = tasks.gather([pack])
    (pack / "AF-0012").chmod(0o700)
    assert [task.path.name for task in found.tasks] == ["AF-0011"]
    assert found.left_out == (
        f"{pack.resolve()}/AF-0012: may not be read; give yourself the right to",
    )
    pack.chmod(0o711)
    with somebody_else(), pytest.raises(TaskError, match=r"pack: can't be read \(Permission"):
        tasks.gather([pack])


@pytest.mark.parametrize("name", ["a.dhpack", "a"])
def test_a_folder_that_may_not_be_written_to(open_folder, somebody_else, name):
    write = write_dhpack if name != "a" else write_folder
    with somebody_else(), pytest.raises(PermissionError):
        write(open_folder / name, [ENTRY], {})
    assert list(open_folder.iterdir()) == []


def test_only_a_pack_is_replaced(tmp_path):
    path = tmp_path / "pack"
    write_folder(path, [ENTRY], {})
    write_folder(path, [replace(ENTRY, name="AF-0012")], {})
    assert sorted(p.name for p in path.iterdir()) == ["AF-0012", MARK]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(FileExistsError, match="holds something that is no pack"):
        write_folder(tmp_path / "mine", [ENTRY], {})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "pack"]


def test_what_fails_halfway_leaves_what_was_there(tmp_path):
    def entries():
        yield ENTRY
        raise ValueError("no more")

    for path, write in ((tmp_path / "a.dhpack", write_dhpack), (tmp_path / "a", write_folder)):
        write(path, [ENTRY], {})
        with pytest.raises(ValueError, match="no more"):
            write(path, entries(), {})
        assert len(tasks.select([path])) == 1
    with pytest.raises(ValueError, match="a task is there twice"):
        write_dhpack(tmp_path / "a.dhpack", [ENTRY, ENTRY], {})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "a.dhpack"]


def test_members_travel_as_text_and_come_back():
    back = Entry.from_mapping(json.loads(json.dumps(ENTRY.to_mapping())))
    assert back == replace(ENTRY, frame={}, skin={})
    assert fingerprint(unpack_members(back.members)) == back.recipe.sha256


def test_the_plan_gives_each_style_its_share():
    assert making.styles_named("ranch, SH,ranch") == ("Ranch", "Shotgun")
    assert len(making.styles_named("all")) == 13
    with pytest.raises(ParameterError, match="'hut' is no style; choose all or some of A-Frame"):
        making.styles_named("ranch,hut")
    wanted = making.plan(("Ranch", "Barn"), 5, 7, {"stories": 1})
    assert [(one.style, one.seed) for one in wanted] == [
        ("Ranch", 7), ("Barn", 7), ("Ranch", 8), ("Barn", 8), ("Ranch", 9),
    ]  # fmt: skip
    with pytest.raises(ParameterError, match="Ranch, seed 7: stories is 30: it must be at most"):
        making.check_plan(making.plan(("Ranch",), 1, 7, {"stories": 30}))
