# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks`` lists, shows, validates and generates voxel problems."""

from __future__ import annotations

import json

import pytest
from plumbline import tasks
from plumbline.addon.runs import cli
from plumbline.tasks.constructions import generate, lite


def run(capsys, *arguments, code=0):
    assert cli.main(["tasks", *map(str, arguments)]) == code
    return capsys.readouterr()


def test_many_are_listed_a_line_a_file(capsys):
    lines = run(capsys, "list", "voxel/*").out.splitlines()
    assert len(lines) == 25
    walls = next(line for line in lines if "-walls-" in line)
    assert walls.split()[0] == "voxel/1-se-2-walls-[0-9]*"
    assert walls.endswith("Walls (48 problems, 12 items, 2 flawed twins)")
    counts = [len(tasks.select([line.split()[0]])) for line in lines]
    assert sum(counts) == 723
    assert f"({counts[0]} problems" in lines[0]


def test_a_few_are_listed_one_by_one(capsys):
    lines = run(capsys, "list", "voxel/5-ce-2-arched_bridges-stress-*").out.splitlines()
    assert len(lines) == 9 and lines[0].endswith(
        "Arch under stress, width 2, support 2 x 2, height 3, river 5 (1 flawed twin)"
    )
    assert len(run(capsys, "list", "lite:42").out.splitlines()) == 25
    both = run(capsys, "list", "voxel/*", "timber/barn").out.splitlines()
    assert len(both) == 26 and both[-1].startswith("timber/barn")
    plain = [json.loads(line) for line in run(capsys, "list", "--json", "lite:42").out.splitlines()]
    assert [task["id"] for task in plain] == [
        f"voxel/{p.id.replace('/', '-')}" for p in lite(generate(), 42)
    ]
    assert all(task["prompts"] and task["brief"]["checks"] for task in plain)


def test_a_task_is_shown_turn_by_turn(capsys):
    told = run(capsys, "show", "voxel/4-cm-9-multi(2)-turn-revision-01-01").out
    first, second = told.split("  turn 2\n")
    assert "  turn 1\n  Build a house" in first and "shape.has_rooms: room_cnt = 1" in first
    assert "Now change the house" in second and "shape.has_rooms: room_cnt = 2" in second
    assert "  words\n    verb  build\n" in second and "    rooms  [1, 2]\n" in second
    assert "not_revised: A second room is asked for" in second
    assert "expected: turn2.shape.has_rooms: rooms at y = 1" in second
    lines = run(capsys, "show", "voxel/4-cm-8.1-single_turn-planning-single_story-01-03").out
    assert "  - Foundation: concrete\n  - Walls between the posts: dirt\n" in lines


def test_lists_of_other_people_are_validated(tmp_path, capsys):
    sound = [{"prompts": [["Build."]], "checks": [[{"fn": "shape.are_doors_passable"}]]}]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(sound))
    assert run(capsys, "validate", file).out == ("ok  voxel/mine-01-01  (no known-good program)\n")
    sound[0]["checks"][0].append({"fn": "shape.are_doors_passible"})
    sound[0]["checks"][0].append({"fn": "shape.has_rooms", "args": {"rooms": 2}})
    file.write_text(json.dumps(sound))
    told = run(capsys, "validate", file, code=2)
    assert "check 2: there is no check 'shape.are_doors_passible'; it will not be run" in told.err
    assert told.out.startswith("ok  voxel/mine-01-01")
    shown = run(capsys, "show", file / "01-01").out
    assert "shape.are_doors_passible  (there is no such check; it will not be run)" in shown
    why = "unknown argument 'rooms'; it takes "
    assert f"check 3: shape.has_rooms: {why}" in told.err
    assert f"shape.has_rooms: rooms = 2  ({why}" in shown and "shape.are_doors_passable\n" in shown
    assert "no known-good program: build it with --agent null or a model" in shown


def test_all_are_generated_and_read_again(tmp_path, capsys):
    out = tmp_path / "all"
    told = run(capsys, "generate", "--kind", "voxel", "--seed", 3, "--out", out).out
    assert told == f"723 problems in 25 files\nwritten to {out}\n"
    found = {task.id: task.prompts for task in tasks.select([out])}
    assert found == {f"voxel/{p.id.replace('/', '-')}": p.prompts for p in generate(3)}
    lines = run(capsys, "validate", out).out.splitlines()
    assert len(lines) == 25 and lines[2].startswith(f"ok  {out / '1-se-2-walls.json'}  Walls (48")
    refused = run(capsys, "generate", "--kind", "voxel", "--out", out, code=2).err
    assert "is there already; name another, or replace it with --force" in refused
    again = run(capsys, "generate", "--kind", "voxel", "--out", out, "--lite", 1, "--force").out
    assert again.startswith("25 problems in 25 files")
    assert len(tasks.select([out])) == 25


def test_other_words(tmp_path, capsys):
    out = tmp_path / "words"
    asked = ("--vary", "cue=step_by_step", "--vary", "verb=create")
    told = run(capsys, "generate", "--kind", "voxel", *asked, "--out", out, "--json").out
    plain = json.loads(told)
    (arm,) = plain["arms"]
    found = tasks.select([out])
    assert plain["seed"] == 0 and arm["problems"] == len(found) < 723  # none comes twice
    assert len({(t.id.rpartition("-")[0], t.prompts) for t in found}) == len(found)
    for task in found:
        words = task.origin.problem.words
        assert words["cue"] == "step_by_step" and "one step at a time" in task.prompts[-1]
        assert words["verb"] in ("create", "lay", "install", "build")
    assert sum(task.origin.problem.file == "1-se-2-walls" for task in found) == 12


@pytest.mark.parametrize(("table", "arms", "problems"), [(6, 3, 64), (7, 6, 2), (8, 6, 25)])
def test_arms_of_a_table(tmp_path, capsys, table, arms, problems):
    out = tmp_path / "table"
    run(capsys, "generate", "--kind", "voxel", "--table", table, "--out", out)
    folders = [path for path in out.iterdir() if path.is_dir()]
    assert len(folders) == arms
    for folder in folders:
        assert len(tasks.select([folder])) == problems
        brief = "without" not in folder.name
        assert ("short as you can" in (folder / "system_prompt.txt").read_text()) is brief


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--style", "Ranch"], "--style is for houses; leave it out, or choose another --kind"),
        (["--stories", "2"], "--stories is for houses"),
        (["--vary", "cue=loud"], "cue can't be 'loud'; it may be none, order_aware, step_by_step"),
        (["--vary", "mood=good"], "no problem has the dimension 'mood'; there are verb, term, cue"),
        (["--vary", "cue"], "'cue' is no DIMENSION=VALUE such as cue=order_aware"),
        (["--table", "6", "--vary", "cue=none"], "--table has words of its own; leave --vary out"),
        (["--table", "6", "--lite", "1"], "not allowed with argument"),
        (["--table", "5"], "invalid choice: "),
        (["--kind", "timber", "--lite", "1"], "--lite is for voxel problems; leave it out"),
        (["--out", ""], "'': names no folder; name one"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(tmp_path, capsys, arguments, words):
    out = ["--kind", "voxel", "--out", tmp_path / "lists"]
    told = run(capsys, "generate", *out, *arguments, code=2)
    assert words in told.err and told.err.count("\n") == 1 and not told.out
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_list_of_ours_stays(tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("dear")
    told = run(capsys, "generate", "--kind", "voxel", "--out", tmp_path, "--force", code=2)
    assert "holds something that was not generated; name another" in told.err
    assert (tmp_path / "letter.txt").read_text() == "dear"
