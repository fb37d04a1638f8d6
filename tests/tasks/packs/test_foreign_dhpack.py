# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs of the released harness are read as far as they go, and what is left out is said."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import struct
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from plumbline import tasks
from plumbline.addon.scene.pixels import png_bytes
from plumbline.tasks import TaskError

PNG = png_bytes(np.full((32, 32, 4), 0.5, np.float32))
CONSTRAINTS = {
    "footprint_x": 7.32,
    "footprint_y": 10.97,
    "stories": 2,
    "roof_type": "gable",
    "lot_width": 9.32,
    "lot_depth": 12.97,
    "wings": 0,
    "complexity": "simple",
}
VIEWS = ("front", "back", "left", "right", "top")


def write(path: Path, rows=(), images=(), form="dreamhouse-dhpack-v1") -> Path:
    """A pack as the released harness has it, with these rows."""
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE metadata (key TEXT, value TEXT)")
        base.execute("INSERT INTO metadata VALUES ('format', ?)", (form,))
        base.execute("CREATE TABLE tasks (task_id, style, description, constraints_json)")
        base.execute("CREATE TABLE images (task_id, view, content)")
        base.executemany("INSERT INTO tasks VALUES (?, ?, ?, ?)", rows)
        base.executemany("INSERT INTO images VALUES (?, ?, ?)", images)
        base.commit()
    return path


def row(name="AF_01_0018", constraints=None):
    text = json.dumps(CONSTRAINTS if constraints is None else constraints)
    return (name, "American Farmhouse", "Generate a 2-story American Farmhouse.", text)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "theirs.dhpack"


def test_a_sound_pack_is_read_whole(path):
    write(path, [row("BN_01_0003"), row()], [("AF_01_0018", view, PNG) for view in VIEWS])
    pack = tasks.gather([path])
    assert pack.left_out == ()
    first, second = pack.tasks
    assert (first.id, second.id) == ("timber/AF_01_0018", "timber/BN_01_0003")
    assert first.constraints == CONSTRAINTS and first.style == "American Farmhouse"
    assert set(first.references()) == {"front", "back", "left", "right", "front_right"}
    assert set(first.references().values()) == {PNG} and second.references() == {}


def test_a_task_without_a_program_says_so(path):
    task = tasks.load_task(f"{write(path, [row()])}/AF_01_0018")
    assert not task.has_program and task.truth() is None and task.why_no_truth() is None
    with pytest.raises(TaskError, match=r"AF_01_0018: brings no known-good program; build it"):
        task.program()


def test_one_task_or_a_glob_of_a_pack(path):
    write(path, [row(f"RN_{i:04d}") for i in range(12)] + [row()])
    for selector, count in (("RN_0003", 1), ("RN_001*", 2), ("*", 13)):
        assert len(tasks.select([f"{path}/{selector}"])) == count
    with pytest.raises(TaskError, match=r"holds no task 'XX'; .*tasks list"):
        tasks.select([f"{path}/XX"])
    with pytest.raises(TaskError, match=r"is a pack of 13 tasks; name one: PACK/TASK"):
        tasks.load_task(path)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (("A/B", "s", "d", "{}"), "row 2 of tasks|task A/B.*no name of a task"),
        (("../x", "s", "d", "{}"), "no name of a task; the row was left out"),
        ((None, "s", "d", "{}"), "row 2 of tasks: None is no name of a task"),
        ((7, "s", "d", "{}"), "row 2 of tasks: 7 is no name"),
        ((b"\xff\xfe", "s", "d", "{}"), "is no name of a task"),
        (("B", None, "d", "{}"), "task B: has no style or no description"),
        (("B", "s", "  ", "{}"), "task B: has no style or no description"),
        (("AF_01_0018", "s", "d", "{}"), "task AF_01_0018: is there twice"),
        (("af_01_0018", "s", "d", "{}"), "af_01_0018: differs from task AF_01_0018 in case only"),
    ],
)
def test_a_broken_row_costs_that_row(path, broken, words):
    pack = tasks.gather([write(path, [row(), broken])])
    assert [task.id for task in pack.tasks] == ["timber/AF_01_0018"]
    (sentence,) = pack.left_out
    assert sentence.startswith(str(path)) and "\n" not in sentence
    assert re.search(words, sentence)


@pytest.mark.parametrize(
    ("text", "words", "kept"),
    [
        ("{not json", "constraints: not JSON", {}),
        ("[1]", "constraints: list, not an object", {}),
        (None, "constraints: no text; it was read without them", {}),
        ('{"stories": "two", "wings": 1}', "constraints.stories: 'two' is no such", {"wings": 1}),
        ('{"footprint_x": NaN}', "constraints.footprint_x: nan is no such value", {}),
    ],
)
def test_bad_constraints_cost_the_constraints(path, text, words, kept):
    pack = tasks.gather([write(path, [(*row()[:3], text)])])
    assert words in pack.left_out[0] and len(pack.left_out) == 1
    assert pack.tasks[0].constraints == kept


def test_fields_of_others_are_no_fault(path):
    pack = tasks.gather([write(path, [row(constraints={**CONSTRAINTS, "config": "01"})])])
    assert pack.left_out == () and pack.tasks[0].constraints == CONSTRAINTS


@pytest.mark.parametrize(
    ("view", "content", "words"),
    [
        ("front", b"no picture at all", "is no PNG; the picture was left out"),
        ("front", b"", "is no picture"),
        ("front", None, "is no picture"),
        ("front", PNG[:-20], "is a PNG that breaks off"),
        ("below", PNG, "is none of the five views"),
        (None, PNG, "is none of the five views"),
    ],
)
def test_a_broken_picture_costs_that_picture(path, view, content, words):
    images = [("AF_01_0018", "back", PNG), ("AF_01_0018", view, content)]
    pack = tasks.gather([write(path, [row()], images)])
    assert len(pack.left_out) == 1 and words in pack.left_out[0]
    assert pack.tasks[0].references() == {"back": PNG}


def test_a_damaged_picture_is_found_by_a_thorough_look(path):
    damaged = bytearray(PNG)
    damaged[len(PNG) // 2] ^= 0xFF
    write(path, [row()], [("AF_01_0018", "front", bytes(damaged))])
    assert tasks.gather([path]).left_out == ()
    assert tasks.gather([path]).tasks[0].references() == {}, "never shown, looked at or not"
    assert "is a damaged PNG" in tasks.gather([path], thorough=True).left_out[0]


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def made(rows: bytes, depth=8, colour=2, side=64) -> bytes:
    """A PNG of whole chunks, whatever its rows are."""
    head = struct.pack(">IIBBBBB", side, side, depth, colour, 0, 0, 0)
    return PNG[:8] + chunk(b"IHDR", head) + rows + chunk(b"IEND", b"")


WHOLE = chunk(b"IDAT", zlib.compress(bytes(64 * 193)))


@pytest.mark.parametrize(
    ("png", "words"),
    [
        (made(WHOLE), None),
        (made(WHOLE, side=32), None),
        (made(b""), "is a PNG that breaks off"),
        (made(chunk(b"IDAT", zlib.compress(bytes(64 * 192)))), "is a PNG that breaks off"),
        (made(WHOLE, side=8000), "is a PNG that breaks off"),
        (made(chunk(b"IDAT", b"no rows")), "is a damaged PNG"),
        (made(WHOLE, depth=99), "is a damaged PNG"),
        (made(WHOLE, colour=5), "is a damaged PNG"),
    ],
)
def test_whole_chunks_make_no_picture_yet(path, png, words):
    write(path, [row()], [("AF_01_0018", "front", png)])
    assert set(tasks.gather([path]).tasks[0].references()) == (
        {"front"} if words is None else set()
    )
    found = tasks.gather([path], thorough=True)
    assert [words in line for line in found.left_out] == ([] if words is None else [True])


def test_pictures_without_a_task_and_another_format_are_said(path):
    pack = tasks.gather([write(path, [row()], [("XY", "front", PNG)], form="v9")])
    assert "metadata: format: says 'v9', not 'dreamhouse-dhpack-v1'; it was" in pack.left_out[0]
    assert "task XY: has pictures or a truth, but is not among the tasks" in pack.left_out[1]


def test_missing_tables(path):
    write(path, [row()])
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP TABLE images")
        base.execute("DROP TABLE metadata")
    pack = tasks.gather([path])
    assert len(pack.tasks) == 1 and len(pack.left_out) == 2
    assert "table images: there is none; the tasks were read without it" in pack.left_out[1]
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP TABLE tasks")
    with pytest.raises(TaskError, match="has no table of tasks"):
        tasks.gather([path])


def test_a_view_that_would_run_forever_is_no_table(path):
    write(path, [row()])
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP TABLE tasks")
        base.execute(
            "CREATE VIEW tasks AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS task_id, '' AS style, '' AS description, '' AS constraints_json FROM n"
        )
    with pytest.raises(TaskError, match="has no table of tasks"):
        tasks.gather([path])


def test_a_truncated_file_is_read_as_far_as_it_goes(path):
    long = {**CONSTRAINTS, "roof_type": "gable" * 100}
    write(path, [row(f"RN_{i:04d}", long) for i in range(400)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    pack = tasks.gather([path])
    assert 50 < len(pack.tasks) < 400
    assert any("table tasks: breaks off" in sentence for sentence in pack.left_out)


@pytest.mark.parametrize("content", [b"", b"not SQLite at all, but long enough to be" * 40])
def test_what_is_no_pack_is_one_sentence(path, content):
    path.write_bytes(content)
    with pytest.raises(TaskError, match=r"theirs\.dhpack: (is no task pack|has no table)"):
        tasks.gather([path])


def test_a_folder_or_a_pipe_of_that_name_is_no_pack(path):
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        with pytest.raises(TaskError, match="selects no task"):
            tasks.gather([path])
        path.unlink()
    path.mkdir()
    with pytest.raises(TaskError, match="selects no task"):
        tasks.gather([path])


def test_a_hundred_thousand_rows(path):
    rows = [row(f"RN_{i:06d}") for i in range(10_000)]
    rows += [(None, "s", "d", "{}")] * 90_000
    pack = tasks.gather([write(path, rows)])
    assert (len(pack.tasks), len(pack.left_out)) == (10_000, 90_000)
    told = list(pack.told())
    assert len(told) == 21 and "and 89,980 more things were left out" in told[-1]


@pytest.mark.parametrize("name", ["a\nb\x1b[2J", "\x00", "\u202ex", "x" * 10**6, "A" * 101 + "/.."])
def test_names_of_strangers_stay_a_part_of_one_line(path, name):
    write(path, [row(), row(name)], [(name, "front", PNG), (row()[0], name, PNG)], form=name)
    told = tasks.gather([path]).left_out
    assert len(told) == 4 and all(line.isprintable() and len(line) < 700 for line in told), told


def test_a_picture_that_is_there_twice_is_said_and_the_first_is_shown(path):
    other = png_bytes(np.full((16, 16, 4), 0.1, np.float32))
    images = [("AF_01_0018", "top", PNG), *[("AF_01_0018", "front_right", other)] * 2]
    pack = tasks.gather([write(path, [row()], images)])
    (sentence,) = pack.left_out
    assert "image 'front_right' of task AF_01_0018: is there twice; the second was" in sentence
    assert pack.tasks[0].references() == {"front_right": PNG}


def test_names_that_are_stored_as_bytes_find_their_pictures(path):
    pack = tasks.gather([write(path, [row()], [(b"AF_01_0018", "front", PNG)])])
    assert pack.left_out == () and pack.tasks[0].references() == {"front": PNG}


def test_a_path_that_is_no_utf_8(tmp_path):
    path = tmp_path / os.fsdecode(b"a\xff b?#%41.dhpack")
    try:
        write(path, [row()], [("AF_01_0018", "front", PNG)])
    except (OSError, sqlite3.Error, UnicodeError):
        pytest.skip("this file system has no such names")
    assert tasks.load_task(path / "AF_01_0018").references() == {"front": PNG}


def test_rows_that_were_not_written_into_it_yet_are_said(path):
    write(path, [row()])
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("INSERT INTO tasks VALUES ('B', 's', 'd', '{}')")
        base.commit()
        (sentence,) = tasks.gather([path]).left_out
    assert "theirs.dhpack-wal lies beside it with rows" in sentence and "close the" in sentence
    assert len(tasks.select([path])) == 2


def test_computed_columns_are_not_run(path):
    write(path)
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP TABLE tasks")
        base.execute(
            "CREATE TABLE tasks (task_id, style, constraints_json, "
            "description AS (hex(zeroblob(30000000))))"
        )
    with pytest.raises(TaskError, match="has no table of tasks"):
        tasks.gather([path])


def test_a_pack_without_rights(open_folder, somebody_else):
    path = write(open_folder / "theirs.dhpack", [row()])
    path.chmod(0)
    with (
        somebody_else(),
        pytest.raises(TaskError, match=r"can't be read \(Permission denied\); "),
    ):
        tasks.gather([path])
