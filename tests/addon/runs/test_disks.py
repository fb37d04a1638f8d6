# SPDX-License-Identifier: GPL-3.0-or-later
"""Full disks, read-only disks and missing rights: one sentence, and nothing judged is lost."""

import pytest
from plumbline.addon.runs.runfolder import RunWriter, read_run
from plumbline.addon.runs.storage import StorageError, write_whole


def writer(path, resume=False):
    return RunWriter(path, {"profile": "engineering"}, {}, resume)


def test_a_disk_that_fills_up_keeps_every_whole_record(small_disk, record):
    kept = 0

    def fill(run):
        nonlocal kept
        while True:
            run.append({**record, "epoch": kept + 1})
            kept += 1

    with writer(small_disk / "run") as run:
        with pytest.raises(StorageError, match="the disk is full; free some space; everything"):
            fill(run)
        read = read_run(small_disk / "run")
        assert len(read.records) == kept > 3 and not read.notes


def test_a_full_disk_keeps_the_old_file(small_disk):
    path = small_disk / "report.html"
    write_whole(path, "old")
    with pytest.raises(StorageError, match=r"report\.html: the disk is full"):
        write_whole(path, b"x" * 100_000)
    assert path.read_text() == "old"
    assert [p.name for p in small_disk.iterdir()] == ["report.html"]


def test_a_run_goes_on_once_there_is_room(small_disk, record):
    ballast = small_disk / "ballast"
    with writer(small_disk / "run") as run:
        run.append(record)
        with pytest.raises(StorageError):
            write_whole(ballast, b"x" * 100_000)
        room = b"x" * 48_000
        ballast.write_bytes(room)
        with pytest.raises(StorageError):
            list(map(run.append, ({**record, "epoch": epoch} for epoch in range(2, 20))))
    ballast.unlink()
    with writer(small_disk / "run", resume=True) as run:
        run.append({**record, "epoch": 20})
    read = read_run(small_disk / "run")
    assert read.records[-1]["epoch"] == 20 and not read.notes


def test_a_read_only_disk_is_said(small_disk, remount, record):
    with writer(small_disk / "run") as run:
        run.append(record)
    remount(small_disk, "ro")
    with pytest.raises(StorageError, match=r"the file system is read-only; choose another folder"):
        writer(small_disk / "new")
    with pytest.raises(StorageError, match="read-only"):
        writer(small_disk / "run", resume=True)
    assert len(read_run(small_disk / "run").records) == 1
    remount(small_disk, "rw")


def test_another_user_is_told_where_the_rights_end(tmp_path, somebody_else, record):
    with writer(tmp_path / "run") as run:
        run.append(record)
    (tmp_path / "run").chmod(0o700)
    tmp_path.chmod(0o755)
    with somebody_else():
        with pytest.raises(StorageError, match="no right to write here; choose another folder"):
            writer(tmp_path / "new")
        with pytest.raises((StorageError, ValueError), match="run"):
            writer(tmp_path / "run", resume=True)
        with pytest.raises(ValueError, match=r"Permission denied; check the rights"):
            read_run(tmp_path / "run")
