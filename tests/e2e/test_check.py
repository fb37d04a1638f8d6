# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline check`` on real files: exit codes, purity of the output, bad input beside good."""

import json
import os
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.runs.records import schema
from plumbline.addon.sandbox.client import BlenderWorker
from plumbline.addon.scene.plain import structure_from_plain
from plumbline.addon.scene.submission import submission_from_structure
from plumbline.tasks import SMOKE, load_task, select

pytestmark = pytest.mark.blender

TWINS = [(task.id, twin.id) for task in select(SMOKE) for twin in task.twins]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """``built(program)``: path of the .blend that the program makes, each made once."""
    folder = tmp_path_factory.mktemp("built")
    made = {}
    with BlenderWorker() as worker:

        def build(program):
            if program not in made:
                path = folder / f"house_{len(made)}.blend"
                answer = worker.request("build", program=program, start=None, save=str(path))
                assert answer["ok"], answer["traceback"]
                made[program] = path, structure_from_plain(answer["structure"])
            return made[program]

        yield build


@pytest.fixture
def cabin(built):
    """The bundled cabin as a .blend."""
    return built(load_task("timber/cabin").program())[0]


@pytest.fixture
def stud(built, stud_program):
    """A stud that floats, as a .blend."""
    return built(stud_program)[0]


def records(done):
    lines = done.stdout.splitlines()
    found = [json.loads(line) for line in lines]
    for record in found:
        Draft202012Validator(schema()).validate(record)
    return found


def test_a_sound_house_passes(plumbline, cabin):
    done = plumbline("check", cabin, "--task", "timber/cabin")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("passed  ") and "no faults" in done.stdout
    assert done.stderr == ""


@pytest.mark.once
@pytest.mark.parametrize(("task_id", "twin_id"), TWINS[::7])
def test_a_flawed_twin_names_the_defect_first(plumbline, built, task_id, twin_id):
    task = load_task(task_id)
    twin = task.twin(twin_id)
    path, _ = built(twin.program())
    done = plumbline("check", path, "--task", task_id)
    assert done.returncode == 1, done.stdout
    lines = done.stdout.splitlines()
    first = lines[lines.index("") + 2].split()
    assert first[0] == twin.expectation.root.check
    if twin.expectation.root.subject:
        assert first[1] == twin.expectation.root.subject


@pytest.mark.once
def test_what_cannot_be_read_is_said_and_the_rest_judged(plumbline, cabin, stud, tmp_path):
    cut = tmp_path / "cut.blend"
    cut.write_bytes(cabin.read_bytes()[:5000])
    empty = tmp_path / "empty.json"
    empty.touch()
    done = plumbline("check", tmp_path / "missing.blend", cut, stud, empty, tmp_path, cabin)
    assert done.returncode == 2
    said = done.stderr.splitlines()
    assert len(said) == 4 and all(line.startswith("plumbline: ") for line in said)
    assert "missing.blend: there is no such file" in said[0]
    assert "cut.blend" in said[1] and "cut off" in said[1]
    assert "empty.json: is empty" in said[2]
    assert "is a folder" in said[3]
    assert str(stud) in done.stdout and str(cabin) in done.stdout


def test_json_is_one_object_a_file_and_nothing_else(plumbline, cabin, stud, built, tmp_path):
    _, structure = built(load_task("timber/cabin").program())
    submission = tmp_path / "house.json"
    submission.write_text(json.dumps(submission_from_structure(structure)))
    out = tmp_path / "records.jsonl"
    done = plumbline("check", "--json", "--json-out", out, stud, cabin, submission)
    assert done.returncode == 1
    found = records(done)
    assert [record["source"] for record in found] == list(map(str, (stud, cabin, submission)))
    assert found[0]["verdict"] == "failed"
    assert found[1]["versions"]["blender"] and "blender" not in found[2]["versions"]
    assert out.read_text() == done.stdout
    statuses = [[(c["id"], c["status"]) for c in record["checks"]] for record in found[1:]]
    assert statuses[0] == statuses[1]  # the file's format makes no difference


def test_what_others_print_stays_out_of_the_records(root, stud, tmp_path):
    if pytest.importorskip("bpy").app.binary_path:
        pytest.skip("a Blender's own Python has no bpy to import; with -b, --json-out is the way")
    code = (
        "import os, sys; sys.argv = ['x']\n"
        f"sys.path.insert(0, {str(root)!r})\n"
        "import run_suite; run_suite.load_package()\n"
        "import bpy; print('before', flush=True)\n"
        "from plumbline.addon.runs import check_command, cli\n"
        "real = check_command.judge_each\n"
        "def loud(*a):\n"
        "    os.write(1, b'raw noise\\n'); print('noise')\n"
        f"    bpy.ops.wm.save_as_mainfile(filepath={str(tmp_path / 'noise.blend')!r}, copy=True)\n"
        "    return real(*a)\n"
        "check_command.judge_each = loud\n"
        f"code = cli.main(['check', '--json', {str(stud)!r}])\n"
        "print('after'); sys.stdout.flush(); os._exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    # What Blender says while it is imported (which preferences it reads) is before our time.
    lines = done.stdout.splitlines()
    first, last = lines[lines.index("before") + 1 :]
    assert json.loads(first)["verdict"] == "failed" and last == "after"
    assert "raw noise" in done.stderr
    assert done.returncode == 1


@pytest.mark.once
def test_a_reader_that_stops_reading_is_no_fault(plumbline, stud):
    process = plumbline.start("check", "--all", *[stud] * 3)
    process.stdout.readline()
    process.stdout.close()
    stderr = process.stderr.read()
    assert process.wait(60) == 1 and "Error" not in stderr


@pytest.mark.once
def test_a_json_file_that_cannot_be_written_is_said(plumbline, stud, tmp_path):
    done = plumbline("check", stud, "--json-out", tmp_path / "missing" / "out.jsonl")
    assert done.returncode == 2 and "out.jsonl" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.once
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_a_full_disk_leaves_the_terminal_its_results(plumbline, stud):
    done = plumbline("check", "--json", stud, "--json-out", "/dev/full")
    assert done.returncode == 2 and "/dev/full: the disk is full; free some space" in done.stderr
    assert len(records(done)) == 1


@pytest.mark.once
def test_the_records_never_overwrite_what_is_judged(plumbline, stud, tmp_path):
    link = tmp_path / "same.json"
    link.symlink_to(stud)
    before = stud.read_bytes()
    done = plumbline("check", stud, "--json-out", link)
    assert done.returncode == 2
    assert "name another --json-out" in done.stderr
    assert stud.read_bytes() == before


@pytest.mark.once
def test_a_pipe_is_refused_in_words(plumbline, tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    done = plumbline("check", pipe)
    assert done.returncode == 2
    assert "is a pipe or a device; save what comes from it as a file" in done.stderr


@pytest.mark.once
def test_a_task_path_that_no_disk_takes_is_refused_in_words(plumbline, stud):
    done = plumbline("check", stud, "--task", "x" * 5000)
    assert done.returncode == 2
    assert "File name too long" in done.stderr and "Traceback" not in done.stderr


def test_a_scene_is_not_changed_by_being_checked(plumbline, cabin):
    before = cabin.read_bytes(), cabin.stat().st_mtime_ns
    plumbline("check", cabin)
    assert (cabin.read_bytes(), cabin.stat().st_mtime_ns) == before
    assert not list(cabin.parent.glob("*.blend1"))


@pytest.mark.once
@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "x.blend", "--profile", "strict"],
        ["check", "x.blend", "--kind", "voxel"],
        ["check", "x.js", "--stress-reference", "roof_2_5"],
        ["check", "x.js", "--stress", "fem", "--stress-reference", "nan"],
        ["check", "x.js", "--stress", "fem", "--stress-reference", "task"],
        ["check", "x.blend", "--task", "timber/castle"],
        ["judge"],
        ["tasks"],
        ["tasks", "show", "timber/castle"],
        ["tasks", "validate", "."],
        ["report"],
        ["report", "."],
    ],
)
def test_wrong_usage_ends_with_2_and_says_why(plumbline, arguments):
    done = plumbline(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr and "Traceback" not in done.stderr


@pytest.mark.once
def test_a_blender_that_is_missing_leaves_it_not_judged(plumbline, stud, tmp_path):
    plumbline.environment["PLUMBLINE_BLENDER"] = "/nowhere/blender"
    done = plumbline("check", "--json", stud)
    assert done.returncode == 3
    (record,) = records(done)
    assert record["environment"]["kind"] == "no_blender"
    assert {check["status"] for check in record["checks"]} == {"not_run"}


@pytest.mark.once
def test_names_with_escape_sequences_reach_no_terminal(plumbline, built, stud_program):
    evil = "Stud\\x1b]0;x\\x07\\nname 😀"
    path, _ = built(stud_program.replace("Stud_01", evil))
    done = plumbline("check", path)
    assert "\x1b" not in done.stdout and "\x07" not in done.stdout
    assert r"\x1b]0;x\x07\nname 😀" in done.stdout


def test_the_doctor_speaks_to_people_and_machines(plumbline):
    done = plumbline("doctor")
    assert done.returncode == 0, done.stdout
    assert any(line.startswith("ok        Blender") for line in done.stdout.splitlines())
    told = json.loads(plumbline("doctor", "--json").stdout)
    assert told["ok"] and {i["state"] for i in told["items"]} <= {"ok", "missing", "optional"}


@pytest.mark.once
def test_tasks_speak_to_people_and_machines(plumbline):
    listed = [json.loads(line) for line in plumbline("tasks", "list", "--json").stdout.splitlines()]
    assert "timber/cabin" in {task["id"] for task in listed}
    assert "timber/cabin  " in plumbline("tasks", "list").stdout
    shown = plumbline("tasks", "show", "timber/cabin")
    assert shown.returncode == 0 and "roof_pitch" in shown.stdout
    assert plumbline("tasks", "validate", "timber/*").returncode == 0


@pytest.mark.once
def test_doctor_says_what_is_missing(plumbline):
    plumbline.environment["PLUMBLINE_BLENDER"] = "/nowhere/blender"
    done = plumbline("doctor")
    assert done.returncode == 3
    assert any(line.startswith("missing   Blender") for line in done.stdout.splitlines())
