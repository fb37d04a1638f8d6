# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline annotations``: what it writes, says and ends with."""

import json
import os
import stat
import zipfile

import pytest
from judged_run import SOUND, SPAN, finding, make_run, missed, store, structure
from plumbline.addon.runs.cli import main


@pytest.fixture
def run(tmp_path):
    folder = make_run(tmp_path / "run")
    store(
        folder,
        structure(folder, "anna", "faulty"),
        structure(folder, "anna", "sound", SOUND),
        structure(folder, "ben", "faulty"),
        finding(folder, "anna", SPAN, "agree"),
        finding(folder, "ben", SPAN, "disagree"),
        missed(folder, "ben", "load_path", "Post_01"),
    )
    return folder


def test_it_writes_what_is_asked_for(run, tmp_path, capsys):
    page, table, bcf = (tmp_path / "out" / n for n in ("page.html", "rows.csv", "house.bcf"))
    arguments = ["--agreement", str(page), "--csv", str(table), "--bcf", str(bcf)]
    assert main(["annotations", str(run), *arguments]) == 0
    told = capsys.readouterr().out
    assert "6 judgments by 2 annotators of 2 structures" in told
    assert "anna and ben: 0% of 1 finding, Cohen's kappa 0.000" in told
    assert "anna and ben: 100% of 1 structure, Cohen's kappa not defined" in told
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(table.read_text(encoding="utf-8").splitlines()) == 7
    with zipfile.ZipFile(bcf) as archive:
        assert sum(name.endswith("markup.bcf") for name in archive.namelist()) == 3


def test_figures_for_machines(run, capsys):
    assert main(["annotations", str(run), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["schema"] == "plumbline.agreement/1"
    assert [p["name"] for p in told["people"]] == ["anna", "ben"]
    span = next(c for c in told["checks"] if c["check"] == "clear_span")
    assert (span["ties"], span["precision"]["value"]) == (1, None)


def test_only_some_attempts(run, capsys):
    assert main(["annotations", str(run), "--attempt", "attempts/timber/barn/*", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["counts"] for p in told["people"]] == [{"structure": 1}]


def test_nothing_judged_is_told_by_the_code(tmp_path, capsys):
    run = make_run(tmp_path / "run", report=False)
    assert main(["annotations", str(run)]) == 3
    assert "Nobody has judged anything here yet." in capsys.readouterr().out


def test_what_can_t_be_read_is_said_and_the_rest_used(run, tmp_path, capsys):
    assert main(["annotations", str(tmp_path / "nothing"), str(run)]) == 2
    out, err = capsys.readouterr()
    assert "6 judgments" in out
    assert err.count("\n") == 1
    assert "no such folder" in err


def test_what_can_t_be_written_is_said(run, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["annotations", str(run), "--csv", str(tmp_path / "file" / "x.csv")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_wrong_usage(capsys):
    assert main(["annotations"]) == 2
    assert "RUN_DIR" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["a" * 300, "a" * 300 + ".jsonl", "a" * 300 + "/run", ""])
def test_a_place_that_no_disk_has_is_a_sentence(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["annotations", place]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("target", [".", "/", "..", "folder"])
def test_a_folder_is_no_file_to_write(run, tmp_path, monkeypatch, capsys, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert main(["annotations", str(run), "--agreement", target, "--csv", target]) == 2
    told = capsys.readouterr().err
    assert told.count("is a folder; name a file") == 2
    assert (tmp_path / "folder").is_dir()


def test_a_pipe_is_not_replaced_by_a_file(run, tmp_path, capsys):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    pipe = tmp_path / "rows.csv"
    os.mkfifo(pipe)
    assert main(["annotations", str(run), "--csv", str(pipe)]) == 2
    assert "is no file; name one that may be replaced" in capsys.readouterr().err
    assert stat.S_ISFIFO(pipe.stat().st_mode)
