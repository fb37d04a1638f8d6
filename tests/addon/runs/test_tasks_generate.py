# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks generate`` makes packs; the other commands say what of a pack is left out."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from contextlib import closing

import pytest
from plumbline import tasks
from plumbline.addon.runs import cli, generate_command
from plumbline.addon.runs.console import Console
from plumbline.addon.runs.house_workers import houses
from plumbline.addon.runs.workers import WorkersError
from plumbline.tasks.houses.parameters import ParameterError
from plumbline.tasks.packs.making import Wanted, plan


def generate(*arguments):
    return cli.main(["tasks", "generate", "--style", "A-Frame,Shotgun", *map(str, arguments)])


def test_workers_change_nothing(tmp_path, capsys):
    one, two = tmp_path / "one.dhpack", tmp_path / "two.dhpack"
    assert generate("--count", 3, "--out", one, "--judge") == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in told[:3]] == [
        ["A-Frame", "2"],
        ["Shotgun", "1"],
        ["all", "3"],
    ]
    assert told[3:] == ["engineering: 3 of 3 houses passed", f"written to {one}"]
    assert generate("--count", 3, "--out", two, "--workers", 2, "--json") == 0
    assert one.read_bytes() == two.read_bytes()
    told = json.loads(capsys.readouterr().out)
    assert told["styles"] == {"A-Frame": 2, "Shotgun": 1} and told["judged"] is None
    assert [task.path.name for task in tasks.select([one])] == ["AF-0007", "AF-0008", "SH-0007"]


def test_what_is_fixed_is_in_the_house(tmp_path):
    assert generate("--count", 1, "--seed", 5, "--spacing", 0.61, "--out", tmp_path / "pack") == 0
    task = tasks.load_task(tmp_path / "pack" / "AF-0005")
    assert task.brief["spacing"] == 0.61 and task.constraints["stories"] == 1
    assert len(task.truth()) > 100 and "bpy" in task.program()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stories", "30"], "A-Frame, seed 7: stories is 30: it must be"),
        (["--footprint-x", "0"], "A-Frame, seed 7: footprint_x is 0"),
        (["--pitch", "nan"], "A-Frame, seed 7: "),
        (["--style", "hut"], "'hut' is no style; choose all or some of A-Frame"),
        (["--seed", "-3"], "'-3' is no seed: write a whole number from 0 up"),
        (["--count", "0"], "--count"),
        (["--count", "1000000000"], "'1000000000' are too many houses: at most 100,000 a pack"),
        (["--spacing", "1e-320"], "A-Frame, seed 7: spacing is 1e-320: it is 0.406 or 0.61"),
        (["--out", ""], "'': names no pack; name a folder, or a file that ends in .dhpack"),
        (["--out", "..", "--force"], "'..': names no pack; name a folder"),
        (["--out", "x" * 300], "the name is too long; choose a shorter one"),
        (["--images", "both"], "holds one picture a view; choose --images frame or skin"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(tmp_path, capsys, arguments, words):
    assert generate("--count", 2, "--out", tmp_path / "a.dhpack", *arguments) == 2
    told = capsys.readouterr()
    assert words in told.err and told.err.count("\n") == 1 and not told.out
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_replaced_only_if_asked(tmp_path, capsys):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    for place in (tmp_path / "a.dhpack", tmp_path / "pack"):
        assert generate("--count", 1, "--out", place) == 0
        assert generate("--count", 1, "--out", place) == 2
        assert (
            "is there already; name another, or replace it with --force" in capsys.readouterr().err
        )
        assert generate("--count", 2, "--out", place, "--force") == 0
        assert len(tasks.select([place])) == 2
    assert generate("--count", 1, "--out", mine, "--force") == 2
    assert "holds something that is no pack" in capsys.readouterr().err
    assert (mine / "letter.txt").read_text() == "dear"


@pytest.mark.parametrize("name", ["a.dhpack", "pack"])
def test_of_two_at_once_into_one_place_the_later_is_refused(tmp_path, capsys, monkeypatch, name):
    place = tmp_path / name
    whole = generate_command._made

    def slow(wanted, options, terminal):
        """While houses are made the other one is done."""
        monkeypatch.setattr(generate_command, "_made", whole)
        assert generate("--count", 2, "--out", place) == 0
        return whole(wanted, options, terminal)

    monkeypatch.setattr(generate_command, "_made", slow)
    assert generate("--count", 1, "--out", place) == 2
    told = capsys.readouterr().err
    assert f"{name}: somebody has put something there meanwhile; name another" in told
    assert told.count("\n") == 1 and len(tasks.select([place])) == 2
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["a.dhpack", "pack"])
def test_what_a_killed_one_has_left_is_cleared_away(tmp_path, name):
    left, fresh = tmp_path / f".{name}.4711.part", tmp_path / f".{name}.4712.part"
    mine = tmp_path / f".{name}.letter.part"
    for path in (left, fresh, mine):
        path.mkdir()
    for path in (left, mine):
        os.utime(path, (1e9, 1e9))
    assert generate("--count", 1, "--out", tmp_path / name) == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, fresh.name, mine.name}


@pytest.mark.parametrize("name", ["a.dhpack", "pack"])
def test_a_disk_that_is_too_small_says_so(small_disk, capsys, name):
    assert generate("--count", 6, "--out", small_disk / name) == 2
    assert f"{small_disk / name}: the disk is full; free some space" in capsys.readouterr().err
    assert list(small_disk.iterdir()) == []


def test_a_house_that_cannot_be_ends_the_others():
    wanted = [*plan(("A-Frame",), 2, 1, {}), Wanted("A-Frame", 3, {"stories": 30})]
    for workers in (1, 2):
        with pytest.raises(ParameterError, match="A-Frame, seed 3: stories is 30"):
            list(houses(wanted, False, False, workers))


def test_a_worker_that_ends_is_said(monkeypatch):
    from plumbline.addon.runs import workers

    monkeypatch.setattr(workers, "_START", "raise SystemExit(1)")
    with pytest.raises(
        WorkersError, match=r"A-Frame, seed [12]: the worker ended; try --workers 1"
    ):
        list(houses(plan(("A-Frame",), 2, 1, {}), False, False, 2))


@pytest.fixture
def broken(tmp_path):
    """A generated pack with a row that says nothing and pictures that are none."""
    path = tmp_path / "broken.dhpack"
    assert generate("--count", 2, "--out", path) == 0
    with closing(sqlite3.connect(path)) as base:
        base.execute("INSERT INTO tasks VALUES ('AF-0099', '', '', '{}')")
        base.execute("INSERT INTO images VALUES ('AF-0007', 'front', 'none')")
        base.commit()
    return path


@pytest.mark.parametrize("command", ["list", "validate"])
def test_what_is_left_out_is_said_and_the_rest_is_listed(broken, capsys, command):
    capsys.readouterr()
    assert cli.main(["tasks", command, str(broken)]) == 2
    told = capsys.readouterr()
    assert "timber/AF-0007" in told.out and "timber/SH-0007" in told.out
    assert "image 'front' of task AF-0007: is no PNG; the picture was left out" in told.err
    assert "task AF-0099: has no style or no description" in told.err


def test_show_tells_the_truth(broken, capsys):
    assert cli.main(["tasks", "show", f"{broken}/AF-0007"]) == 0
    told = capsys.readouterr().out
    assert "ground truth: 3" in told and "pictures: none" in told
    assert cli.main(["tasks", "show", f"{broken}/AF-0007", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["known_good"] is True


def test_show_names_units(tmp_path, capsys):
    path = tmp_path / "one.dhpack"
    assert generate("--count", 1, "--spacing", 0.61, "--snow", 1436.4077694, "--out", path) == 0
    capsys.readouterr()
    assert cli.main(["tasks", "show", f"{path}/AF-0007"]) == 0
    told = {
        line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines() if line
    }
    assert told["spacing"] == ["0.61", "m"] and told["ground_snow"] == ["1436.41", "Pa"]
    assert told["roof_pitch"][1:] == ["degrees"] and told["stories"] == ["1"]


def test_a_task_without_a_program_is_nothing_for_scripts(tmp_path, capsys):
    path = tmp_path / "theirs.dhpack"
    assert generate("--count", 8, "--out", path) == 0
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP TABLE plumbline_truth")
        base.commit()
    capsys.readouterr()
    assert cli.main(["run", "--tasks", str(path), "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert "task AF-0007: brings no known-good program; build it with --agent null" in told[0]
    assert len(told) == 6 and told[-1].endswith("and 3 more tasks could not be begun")


def test_off_a_terminal_a_line_comes_every_half_minute():
    told, now = io.StringIO(), [100.0]
    counter = generate_command.Counter(9, Console(None, told, {}), "houses drawn", lambda: now[0])
    for seconds in (10.0, 15.0, 10.0, 10.0):
        now[0] += seconds
        counter.step()
    counter.close()
    assert told.getvalue() == "3/9 houses drawn, 1 min 10 s left\n"
