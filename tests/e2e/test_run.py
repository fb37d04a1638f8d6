# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs from end to end in real Blenders: crashes, hangs, interrupts, full disks, resuming."""

import json
import os
import signal
import subprocess
import time

import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.runs.records import schema
from plumbline.addon.runs.runfolder import read_run
from plumbline.tasks import SMOKE, load_task, select

pytestmark = [pytest.mark.blender, pytest.mark.once]

SLEEP = "import time\ntime.sleep(600)\n"
SEGFAULT = "import ctypes\nctypes.string_at(0)\n"


def run(plumbline, pack, *more, **options):
    out = plumbline.folder / "run"
    return plumbline("run", "--tasks", pack, "--out", out, *more, **options), out


def by_task(out):
    return {record["task"]: record for record in read_run(out).records}


def test_every_attempt_ends_in_one_valid_record(plumbline, make_pack, stud_program):
    pack = make_pack(
        {
            "a_crash": SEGFAULT,
            "b_error": stud_program + "\nundefined\n",
            "c_hang": SLEEP,
            "d_exit": "import os\nos._exit(9)\n",
            "e_stud": stud_program,
            "f_empty": "",
        }
    )
    done, out = run(plumbline, pack, "--timeout", "5", "--workers", "2", "--no-pictures")
    assert done.returncode == 1, done.stderr
    records = by_task(out)
    names = ("a_crash", "b_error", "c_hang", "d_exit", "e_stud", "f_empty")
    assert sorted(records) == [f"timber/{name}" for name in names]
    for record in records.values():
        Draft202012Validator(schema()).validate(record)
    ends = {"a_crash": "twice in a row", "c_hang": "within 5 s", "d_exit": "twice in a row"}
    for name, words in ends.items():  # the program's own doing, whatever it took with it
        record = records[f"timber/{name}"]
        assert record["verdict"] == "failed" and record["environment"] is None
        program, *others = record["checks"]
        assert program["id"] == "program" and words in program["findings"][0]["message"]
        assert {check["status"] for check in others} == {"not_run"}
    error = records["timber/b_error"]
    assert error["verdict"] == "failed" and error["checks"][0]["id"] == "program"
    assert "NameError" in error["checks"][0]["findings"][0]["message"]
    assert error["metrics"]["members"] == 2  # what stood until then was judged
    stud = records["timber/e_stud"]
    assert stud["verdict"] == "failed" and stud["environment"] is None
    assert records["timber/f_empty"]["verdict"] != "passed"
    attempt = out / stud["attempt"]
    assert (attempt / "program.py").read_text() == stud_program
    assert (attempt / "stdout.txt").read_text() == "built\n"
    assert (attempt / "scene.blend").read_bytes()[:4]
    assert "6 attempts: 0 passed" in done.stdout
    assert (out / "report.html").is_file()


def test_standard_output_holds_only_records(plumbline, make_pack, stud_program):
    loud = stud_program + "\nimport os\nprint('{loud}')\nos.write(1, b'{raw}\\n')\n"
    done, out = run(plumbline, make_pack({"loud": loud}), "--json", "--no-pictures")
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == by_task(out)["timber/loud"]


def test_a_picture_lies_beside_the_scene_and_in_the_report(plumbline, make_pack, stud_program):
    done, out = run(plumbline, make_pack({"stud": stud_program}))
    picture = out / "attempts/timber/stud/1/picture.png"
    assert picture.read_bytes().startswith(b"\x89PNG"), done.stderr
    assert "data:image/png;base64," in (out / "report.html").read_text()
    picture.unlink()
    again = plumbline("report", out)
    assert again.returncode == 0 and picture.is_file()
    assert again.stdout == f"{out / 'report.html'}\n"


def test_without_arguments_the_smoke_suite_passes_and_leaves_a_report(plumbline):
    done = plumbline(timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    tasks = select(SMOKE)
    assert f"{len(tasks)} attempts: {len(tasks)} passed, 0 failed, 0 not judged" in done.stdout
    (out,) = (plumbline.folder / "runs").iterdir()
    assert (
        done.stdout.splitlines()[-1] == f"report: {out.relative_to(plumbline.folder)}/report.html"
    )
    records = by_task(out)
    assert list(records) == [task.id for task in tasks]
    for record in records.values():
        Draft202012Validator(schema()).validate(record)
    assert (out / "report.html").read_text().count("data:image/png;base64,") == len(tasks)
    assert read_run(out).header["sessions"][0]["summary"]["passed"] == len(tasks)


def test_each_planted_defect_is_named_first(plumbline):
    twins = load_task("timber/barn").twins
    done = plumbline("run", "--agent", "scripted-flawed", "--tasks", "timber/barn", "--out", "run",
                     "--no-pictures")  # fmt: skip
    assert done.returncode == 1
    n = len(twins)
    assert f"planted defects: {n} of {n} named first, {n} with nothing unexpected" in done.stdout
    records = read_run(plumbline.folder / "run").records
    assert [record["variant"] for record in records] == [twin.id for twin in twins]
    assert all(record["expectation"]["met"] for record in records)
    assert {record["verdict"] for record in records} == {"failed"}


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


def children_of(pid):
    """Process ids of all descendants."""
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        for task in os.listdir(f"/proc/{parent}/task"):
            try:
                with open(f"/proc/{parent}/task/{task}/children") as stream:
                    ids = [int(child) for child in stream.read().split()]
            except OSError:
                continue
            found += ids
            todo += ids
    return found


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")


@needs_proc
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_what_was_judged_and_resuming_makes_the_rest(
    plumbline, make_pack, stud_program, number, code
):
    pack = make_pack({"a": stud_program, "b": SLEEP, "c": stud_program})
    out = plumbline.folder / "run"
    process = plumbline.start("run", "--tasks", pack, "--out", out, "--no-pictures")
    try:
        wait_for(lambda: (out / "attempts/timber/b").exists())
        time.sleep(0.5)
        workers = children_of(process.pid)
        assert workers
        process.send_signal(number)
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == code
    wait_for(lambda: not any(map(alive, workers)), 10)
    assert list(by_task(out)) == ["timber/a"]
    if code == 130:
        assert "1 of 3 attempts are kept" in stderr and "--resume" in stderr
    (pack / "timber/b/build.py").write_text(stud_program)
    done = plumbline("run", "--resume", "--out", out, "--no-pictures")  # the rest it remembers
    assert "1 attempt finished before" in done.stdout
    assert done.returncode == 1
    assert sorted(by_task(out)) == ["timber/a", "timber/b", "timber/c"]
    assert len((out / "results.jsonl").read_text().splitlines()) == 3


@needs_proc
def test_a_killed_blender_is_forgiven_once(plumbline, make_pack, stud_program):
    pack = make_pack({"a": "import time\ntime.sleep(8)\n" + stud_program, "b": stud_program})
    out = plumbline.folder / "run"
    process = plumbline.start("run", "--tasks", pack, "--out", out, "--no-pictures")
    try:
        wait_for((out / "attempts/timber/a/1/steps/program.py").exists)
        time.sleep(2)  # what runs in the box can't be seen from here
        for child in children_of(process.pid):
            os.kill(child, signal.SIGKILL)
        process.communicate(timeout=60)
    finally:
        process.kill()
    records = by_task(out)
    assert [r["environment"] for r in records.values()] == [None, None]
    assert records["timber/a"]["metrics"]["members"] == 2


@needs_proc
def test_a_killed_run_can_be_resumed(plumbline, make_pack, stud_program):
    pack = make_pack({"a": stud_program, "b": SLEEP})
    out = plumbline.folder / "run"
    process = plumbline.start("run", "--tasks", pack, "--out", out, "--no-pictures")
    try:
        wait_for((out / "attempts/timber/b/1/steps/program.py").exists)
        # Blender and the fork in which the program hangs, with a box around them or without.
        wait_for(lambda: len(children_of(process.pid)) >= 2)
        time.sleep(1)
        workers = children_of(process.pid)
        process.kill()
        process.communicate(timeout=10)
    finally:
        process.kill()
    wait_for(lambda: not any(map(alive, workers)), 10)  # nobody is left to wait for them
    with (out / "results.jsonl").open("a") as stream:
        stream.write('{"schema": "plumbline.result/1", "task": "timber/b", "chec')
    (pack / "timber/b/build.py").write_text(stud_program)
    done = plumbline("run", "--resume", "--out", out, "--no-pictures")
    assert "half-written and was dropped" in done.stderr
    assert sorted(by_task(out)) == ["timber/a", "timber/b"]


def test_what_the_program_did_wrong_is_not_tried_again(plumbline, make_pack, stud_program):
    pack = make_pack({"a": SLEEP})
    done, out = run(plumbline, pack, "--timeout", "2", "--no-pictures")
    assert done.returncode == 1 and "environment" not in done.stdout
    again = plumbline("run", "--resume", "--out", out, "--no-pictures")
    assert "1 attempt finished before" in again.stdout and again.returncode == 1


def test_a_full_disk_ends_the_run_with_a_sentence(plumbline, make_pack, stud_program, small_disk):
    pack = make_pack(dict.fromkeys("abcdefgh", stud_program))
    one, trial = run(plumbline, pack, "--limit", "1", "--no-pictures")
    files = [path.stat() for path in (trial / "attempts").rglob("*")]
    size = sum({file.st_ino: file.st_size for file in files}.values())  # links take no room
    out = small_disk(4 * size) / "run"
    done = plumbline("run", "--tasks", pack, "--out", out, "--no-pictures")
    assert done.returncode == 2
    assert "the disk is full; free some space" in done.stderr
    assert "Traceback" not in done.stderr
    kept = len(read_run(out).records)
    assert 0 < kept < 8
    assert done.stdout.count("FAILED") == kept
    remount = ["mount", "-o", f"remount,size={40 * size}", str(out.parent)]
    subprocess.run(remount, check=True)
    done = plumbline("run", "--resume", "--out", out, "--no-pictures")
    assert len(read_run(out).records) == 8
    assert done.returncode == one.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--agent", "nobody"], "agent 'nobody' is not there; known are scripted,"),
        (["--agent", "null", "--effort", "high"], "has no model and can't use --effort"),
        (["--protocol", "managed"], "agent scripted has no model and can't use --protocol"),
        (["--tasks", "timber/castle"], "selects no task"),
        (["--resume"], "--resume needs --out DIR"),
        (["--resume", "--out", "missing"], "missing: no such folder"),
        (["--limit", "0"], "--limit"),
        (["--timeout", "nan"], "--timeout"),
        (["--protocol", "guided"], "--protocol"),
        (["--max-cost", "-1"], "--max-cost"),
        (["--colour"], "--colour"),
    ],
)
def test_wrong_usage_is_one_sentence(plumbline, arguments, sentence):
    done = plumbline("run", *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert sentence in done.stderr.splitlines()[-1]
    assert not (plumbline.folder / "runs").exists()


def test_one_bad_task_does_not_stop_the_others(plumbline, make_pack, stud_program):
    good = make_pack({"good": stud_program})
    bad = make_pack({"bad": "def broken(:\n"}, folder="bad")
    done = plumbline("run", "--tasks", bad, good, "--out", "run", "--no-pictures")
    assert done.returncode == 2
    assert "line 1: not a Python program" in done.stderr
    assert list(by_task(plumbline.folder / "run")) == ["timber/good"]


def test_without_a_blender_there_is_a_remedy(plumbline, make_pack, stud_program):
    plumbline.environment["PLUMBLINE_BLENDER"] = "/nowhere/blender"
    done, out = run(plumbline, make_pack({"a": stud_program}))
    assert done.returncode == 3 and "no program that can be started" in done.stderr
    assert not out.exists()


def test_isolation_is_what_was_asked_for_or_nothing_runs(plumbline, make_pack, stud_program):
    pack = make_pack({"a": stud_program})
    done, out = run(plumbline, pack, "--isolation", "process", "--no-pictures")
    assert by_task(out)["timber/a"]["isolation"] == "process", done.stderr
    plumbline.environment["PATH"] = "/nowhere"  # so there is no bubblewrap
    refused = plumbline("run", "--tasks", pack, "--require-isolation", "--out", "strict")
    assert refused.returncode == 3 and "bubblewrap" in refused.stderr
    assert not (plumbline.folder / "strict").exists()
    weaker = plumbline("run", "--isolation", "process", "--require-isolation")
    assert weaker.returncode == 2 and "is weaker than" in weaker.stderr


@pytest.fixture
def small_disk(tmp_path):
    """``small_disk(size)`` mounts a file system of that many bytes."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(size):
        if not hasattr(os, "geteuid") or os.geteuid() != 0:
            pytest.skip("only root can mount a small disk")
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        if subprocess.run(command).returncode:
            pytest.skip("this machine doesn't allow mounting")
        return folder

    yield mount
    if os.path.ismount(folder):
        subprocess.run(["umount", "-l", str(folder)], check=True)
