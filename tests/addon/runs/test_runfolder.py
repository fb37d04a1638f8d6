# SPDX-License-Identifier: GPL-3.0-or-later
"""A run folder keeps what was judged through kills, full disks and missing rights."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from plumbline.addon.runs import runfolder
from plumbline.addon.runs.runfolder import Key, RunFolderError, RunWriter, attempt_folder, read_run
from plumbline.addon.runs.storage import StorageError, write_whole

ASKED = {"agent": "scripted", "profile": "engineering"}
KEY = Key("timber/cabin", "scripted", None, 1)


def writer(path, resume=False, **asked):
    return RunWriter(path, {**ASKED, **asked}, {"plumbline": "0"}, resume)


def test_what_is_written_is_read(tmp_path, record):
    with writer(tmp_path / "run") as run:
        folder = run.attempt(KEY)
        run.append(record)
        run.finish({"failed": 1})
    assert folder == tmp_path / "run/attempts/timber/cabin/1"
    read = read_run(tmp_path / "run")
    assert list(read.records) == [record]
    assert read.finished == {KEY}
    session = read.header["sessions"][0]
    assert session["asked"] == ASKED and session["summary"] == {"failed": 1} and session["ended"]


def test_a_half_written_line_is_dropped_and_the_file_mended(tmp_path, record):
    with writer(tmp_path) as run:
        run.append(record)
    results = tmp_path / runfolder.RESULTS_FILE
    with results.open("ab") as stream:
        stream.write(results.read_bytes()[:200])
    read = read_run(tmp_path)
    assert len(read.records) == 1 and "half-written" in read.notes[0]
    with writer(tmp_path, resume=True) as run:
        assert run.finished == {KEY} and "half-written" in run.notes[0]
        run.append({**record, "epoch": 2})
    read = read_run(tmp_path)
    assert len(read.records) == 2 and not read.notes


@pytest.mark.parametrize("tail", [b"{", b"\xff\xfe", b"[1, 2]", b'{"schema": "other"}', b"{}\n{"])
def test_no_tail_hides_what_came_before(tmp_path, record, tail):
    with writer(tmp_path) as run:
        run.append(record)
    with (tmp_path / runfolder.RESULTS_FILE).open("ab") as stream:
        stream.write(tail)
    read = read_run(tmp_path)
    assert list(read.records) == [record] and read.notes


def test_the_newest_record_of_an_attempt_stands(tmp_path, result):
    broken = replace(result, environment={"kind": "crash", "message": "died"})
    with writer(tmp_path) as run:
        run.append(broken.to_record())
    assert read_run(tmp_path).finished == frozenset()
    with writer(tmp_path, resume=True) as run:
        run.append(result.to_record())
    read = read_run(tmp_path)
    assert len(read.records) == 1 and read.finished == {KEY}
    assert len(read.header["sessions"]) == 2


def test_a_run_is_never_mixed_with_something_else(tmp_path, record):
    with writer(tmp_path / "run"):
        pass
    with pytest.raises(RunFolderError, match="add --resume"):
        writer(tmp_path / "run")
    with pytest.raises(RunFolderError, match="profile engineering, not paper"):
        writer(tmp_path / "run", resume=True, profile="paper")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/letter.txt").touch()
    with pytest.raises(RunFolderError, match="other files"):
        writer(tmp_path / "docs", resume=True)
    assert os.listdir(tmp_path / "docs") == ["letter.txt"]
    with pytest.raises(RunFolderError, match="is a file"):
        writer(tmp_path / "docs/letter.txt")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "plumbline.run/9"}'])
def test_a_damaged_header_is_said(tmp_path, text):
    (tmp_path / runfolder.RUN_FILE).write_text(text)
    with pytest.raises(RunFolderError, match=r"run\.json"):
        read_run(tmp_path)


def test_a_folder_that_is_no_run_is_said(tmp_path):
    with pytest.raises(RunFolderError, match=r"no run\.json"):
        read_run(tmp_path)
    with pytest.raises(RunFolderError, match="no such folder"):
        read_run(tmp_path / "missing")


def test_two_writers_are_kept_apart_across_processes(tmp_path, root):
    script = (
        "import sys; from importlib import util\n"
        "s = util.spec_from_file_location('plumbline', sys.argv[1] + '/__init__.py',"
        " submodule_search_locations=[sys.argv[1]])\n"
        "m = util.module_from_spec(s); sys.modules['plumbline'] = m; s.loader.exec_module(m)\n"
        "from plumbline.addon.runs.storage import FolderLock\n"
        "from pathlib import Path\n"
        "lock = FolderLock(Path(sys.argv[2])); print('locked', flush=True); sys.stdin.read()\n"
    )
    (tmp_path / "run").mkdir()
    command = [sys.executable, "-c", script, str(root), str(tmp_path / "run/.lock")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(StorageError, match=f"another run is writing here .process {other.pid}"):
            writer(tmp_path / "run")
        other.kill()
        other.wait()
    with writer(tmp_path / "run"):  # a killed writer leaves no lock behind
        pass


def test_an_attempt_starts_with_an_empty_folder(tmp_path):
    with writer(tmp_path) as run:
        (run.attempt(KEY) / "old.txt").touch()
        assert os.listdir(run.attempt(KEY)) == []


def test_attempt_folders_stay_inside_the_run():
    names = {
        attempt_folder(Key(task, "a", variant, 1))
        for task in ("../../etc/passwd", "a/../..", "C:\\x", "con\n", "", "日本", "日木")
        for variant in (None, "../x", "y z", "y_z")
    }
    assert len(names) == 28  # none falls together with another
    for name in names:
        parts = name.split("/")
        assert parts[0] == "attempts" and ".." not in parts and "" not in parts
        assert name.isascii()


def test_no_attempt_is_called_like_a_device():
    for name in ("con", "NUL", "Com1.txt", "lpt9"):
        task = attempt_folder(Key(f"timber/{name}", "a", None, 1)).split("/")[2]
        assert task.startswith(f"{name}-") and task != name
    assert attempt_folder(Key("timber/console", "a", None, 1)) == "attempts/timber/console/1"


def test_whole_files_replace_or_leave(tmp_path):
    path = tmp_path / "file"
    write_whole(path, "one")
    write_whole(path, "two")
    assert path.read_text() == "two" and os.listdir(tmp_path) == ["file"]
    with pytest.raises(StorageError, match="is a folder"):
        write_whole(tmp_path, "x")


def test_the_header_is_plain_json(tmp_path):
    with writer(tmp_path, limit=float("nan")) as run:
        run.finish({})
    json.loads((tmp_path / runfolder.RUN_FILE).read_text(), parse_constant=lambda _: 1 / 0)
