# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that lose nothing: names on every system, torn lines, two writers, folders not to write."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from judged_run import EVIL, SPAN, finding, make_run
from plumbline.addon.annotations import files
from plumbline.addon.annotations.files import FOLDER, Desk, append, file_name, read_file
from plumbline.addon.annotations.row import make_row, of_scene
from plumbline.addon.runs.storage import StorageError

NAMES = [
    *("anna", "Anna", "ANNA", "an na", "an_na", "an-na", "an/na", "an\\na", "../anna", "anna."),
    *("con", "CON", "nul", "com1", "lpt9.jsonl", "é", "e\u0301", "Е", "E", "名前", "🏠", EVIL),
    *("x" * 300, "x" * 301, ".", "..", "-", "anna-0123456789ab", "a:b", "a*b", "a?b", "\x07"),
]


def row(annotator="anna", **said):
    of = of_scene("house.blend", "Scene")
    return make_row(annotator, of, {"type": "structure"}, **{"opinion": "sound", **said})


def test_names_share_no_file_unless_they_are_the_same_name():
    made = {}
    for name in NAMES:
        made.setdefault(file_name(name).casefold(), set()).add(files.normal_name(name))
    assert all(len(names) == 1 for names in made.values()), made


@pytest.mark.parametrize("name", NAMES)
def test_a_file_name_is_safe_everywhere(name, tmp_path):
    safe = file_name(name)
    assert re.fullmatch(r"[a-z0-9_-]{1,80}\.jsonl", safe)
    assert safe.removesuffix(".jsonl") not in files._DEVICES
    if files.normal_name(name):
        append(tmp_path / safe, row(name))
        assert read_file(tmp_path / safe).rows[0]["annotator"] == files.normal_name(name)


def test_a_plain_name_is_the_files_name():
    assert file_name("anna") == "anna.jsonl"


def test_lines_that_are_none_are_left_out_and_said(tmp_path):
    path = tmp_path / "anna.jsonl"
    append(path, row())
    with open(path, "ab") as stream:
        stream.write(b'{"schema": "other"}\n\xff\xfe\n[]\n' + b"[" * 100_000 + b"\n")
        stream.write(b'{"schema": "plumbline.annot')
    read = read_file(path)
    assert len(read.rows) == 1
    assert len(read.notes) == 5
    assert read.notes[-1] == "anna.jsonl line 6 is half-written and was left out"
    append(path, row(opinion="faulty"))
    assert [r["opinion"] for r in read_file(path).rows] == ["sound", "faulty"]


def test_a_killed_writer_loses_no_line_that_was_given(tmp_path):
    """A process that is killed between two judgments, and one that is killed within a line."""
    path = tmp_path / "anna.jsonl"
    script = (
        "import sys, os, signal; sys.path.insert(0, sys.argv[1])\n"
        "import conftest\n"
        "from test_annotation_files import append, row\n"
        "from pathlib import Path\n"
        "for n in range(5): append(Path(sys.argv[2]), row(comment=str(n)))\n"
        "os.write(os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND), b'{\"sch')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(root / "helpers"), str(Path(__file__).parent))),
    }
    done = subprocess.run([sys.executable, "-c", script, str(root), str(path)], env=env, timeout=60)
    assert done.returncode < 0
    read = read_file(path)
    assert [r["comment"] for r in read.rows] == list("01234")
    assert len(read.notes) == 1
    append(path, row(comment="after"))
    assert read_file(path).rows[-1]["comment"] == "after"


def _many(path, annotator, number):
    for n in range(number):
        append(Path(path), row(annotator, comment=f"{annotator} {n} " + "x" * 5000))


def test_writers_at_the_same_time_don_t_mix_their_lines(tmp_path):
    """Two annotators, and one of them in two windows."""
    jobs = [(tmp_path / "anna.jsonl", "anna"), (tmp_path / "anna.jsonl", "anna")]
    jobs.append((tmp_path / "ben.jsonl", "ben"))
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_many, args=(str(p), who, 40)) for p, who in jobs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    anna, ben = (read_file(tmp_path / f"{who}.jsonl") for who in ("anna", "ben"))
    assert (len(anna.rows), len(ben.rows)) == (80, 40)
    assert anna.notes == ben.notes == ()


def test_other_files_are_not_touched(tmp_path):
    run = make_run(tmp_path / "run", picture=False, report=False)
    other = run / FOLDER / "ben.jsonl"
    append(other, row("ben"))
    before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
    Desk("anna", run, tmp_path / "own").write(finding(run, "anna", SPAN, "agree"))
    after = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
    mine = run / FOLDER / "anna.jsonl"
    assert set(after) - set(before) == {mine}
    assert {p: after[p] for p in before} == before


def test_a_line_that_fits_only_in_part_is_taken_back(tmp_path, monkeypatch):
    path = tmp_path / "anna.jsonl"
    append(path, row())
    before = path.read_bytes()
    write = os.write

    def full(descriptor, data):
        if len(data) <= 100:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:-100])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StorageError, match="disk is full; free some space; what was judged before"):
        append(path, row(opinion="faulty"))
    assert path.read_bytes() == before


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else"
)
def test_a_run_of_somebody_else_is_judged_all_the_same():
    """As another user, in a folder that is not his: one clear sentence and a file of our own."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        run, own = Path(folder, "run"), Path(folder, "own")
        for one in (run, own):
            one.mkdir()
        os.chmod(folder, 0o755)
        os.chmod(own, 0o777)
        told = _as_nobody(run, own)
        mine = own / FOLDER / "anna.jsonl"
        assert told == {
            "path": str(mine),
            "read": 1,
            "told": f"{run / FOLDER}: no right to write here; choose another folder. "
            f"Kept in {mine} instead",
        }
        assert not (run / FOLDER).exists()


def _as_nobody(run, own):
    """Write a row as another user, in a forked process; what came of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            desk = Desk("anna", run, own)
            path = desk.write(row())
            told = {"path": str(path), "told": desk.told, "read": len(desk.read().rows)}
            os.write(writing, json.dumps(told).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return json.loads(answer)


def test_a_place_that_is_no_folder_is_said(tmp_path):
    (tmp_path / "run").write_text("a file")
    desk = Desk("anna", tmp_path / "run", tmp_path / "own")
    assert desk.write(row()).is_relative_to(tmp_path / "own")
    assert "Kept in" in (desk.told or "")
    (tmp_path / "own2").write_text("a file, too")
    with pytest.raises(StorageError):
        Desk("anna", tmp_path / "run", tmp_path / "own2").write(row())
