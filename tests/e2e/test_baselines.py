# SPDX-License-Identifier: GPL-3.0-or-later
"""What anything may be trusted by: doing nothing fails, runs repeat, replays agree, and a program
that takes Blender with it costs nobody else anything."""

import json

import pytest
from plumbline.addon.runs.runfolder import read_run
from plumbline.tasks import SMOKE, select

pytestmark = [pytest.mark.blender, pytest.mark.once]

SEGFAULT = "import bpy\nimport ctypes\nctypes.string_at(0)\n"


def lines(out):
    """Records of a run as their exact lines, without what tells the time."""
    found = []
    for line in (out / "results.jsonl").read_text().splitlines():
        record = json.loads(line)
        del record["timing"]
        found.append(json.dumps(record))
    return found


@pytest.mark.parametrize("profile", ["engineering", "paper", "release"])
def test_doing_nothing_fails_every_task(plumbline, profile):
    done = plumbline("run", "--agent", "null", "--profile", profile, "--out", "run",
                     "--no-pictures")  # fmt: skip
    assert done.returncode == 1, done.stderr
    records = read_run(plumbline.folder / "run").records
    assert len(records) == len(select(SMOKE))
    for record in records:
        assert record["verdict"] == "failed" and record["environment"] is None
        required = [check for check in record["checks"] if check["required"]]
        assert required and {c["status"] for c in required} <= {"failed", "vacuous"}
        assert not any(check["status"] == "passed" for check in record["checks"])


def test_the_same_run_twice_is_the_same_but_for_times(plumbline):
    ask = ("run", "--agent", "scripted-flawed", "--tasks", "timber/cabin", "--seed", "7",
           "--no-pictures")  # fmt: skip
    plumbline(*ask, "--out", "one")
    plumbline(*ask, "--out", "two")
    one, two = lines(plumbline.folder / "one"), lines(plumbline.folder / "two")
    assert one == two and len(one) > 5


def test_a_segfault_in_the_middle_of_a_suite_changes_nothing_else(
    plumbline, make_pack, stud_program
):
    names = ("a", "b", "c", "d", "e")
    sound = make_pack(dict.fromkeys(names, stud_program), "sound")
    plumbline("run", "--tasks", sound, "--out", "one", "--no-pictures")
    (sound / "timber/c/build.py").write_text(SEGFAULT)
    done = plumbline("run", "--tasks", sound, "--out", "two", "--no-pictures")
    assert done.returncode == 1 and "5 attempts" in done.stdout
    one, two = lines(plumbline.folder / "one"), lines(plumbline.folder / "two")
    assert [a == b for a, b in zip(one, two, strict=True)] == [True, True, False, True, True]
    crashed = json.loads(two[2])
    assert crashed["verdict"] == "failed" and crashed["environment"] is None
    program, *others = crashed["checks"]
    assert program["id"] == "program" and program["status"] == "failed"
    assert {check["status"] for check in others} == {"not_run"}


def test_a_replay_of_a_run_comes_to_the_same(plumbline):
    plumbline("run", "--agent", "scripted-flawed", "--tasks", "timber/barn", "--limit", "1",
              "--out", "run", "--no-pictures")  # fmt: skip
    done = plumbline("run", "--agent", "replay:run", "--out", "again", "--no-pictures")
    before, after = lines(plumbline.folder / "run"), lines(plumbline.folder / "again")
    assert [line.replace("replay:run", "scripted-flawed") for line in after] == before
    assert f"verdicts as in run: {len(before)} of {len(before)}" in done.stdout


def test_a_run_is_judged_again_beside_itself(plumbline, make_pack, stud_program):
    pack = make_pack({"stud": stud_program, "wrong": "1 / 0\n", "dead": SEGFAULT})
    plumbline("run", "--tasks", pack, "--out", "run", "--no-pictures")
    before = (plumbline.folder / "run/results.jsonl").read_bytes()
    done = plumbline("rejudge", "run", "--no-pictures")
    assert done.returncode == 1 and "no verdict has changed" in done.stdout
    out = plumbline.folder / "run-rejudged"
    for old, new in zip(read_run(plumbline.folder / "run").records,
                        read_run(out).records, strict=True):  # fmt: skip
        assert new["checks"] == old["checks"] and new["verdict"] == old["verdict"]
        assert new["attempt"] == old["attempt"] and new["rejudged"]["verdict"] == old["verdict"]
    plumbline("rejudge", "run", "--profile", "paper", "--out", "paper", "--no-pictures")
    records = read_run(plumbline.folder / "paper").records
    assert {record["profile"] for record in records} == {"paper"}
    assert (
        "Judged before: failed under engineering"
        in (plumbline.folder / "paper/report.html").read_text()
    )
    assert (plumbline.folder / "run/results.jsonl").read_bytes() == before
