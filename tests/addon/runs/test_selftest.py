# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline selftest timber``: what it prints and writes, and with which code it ends."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.runs import cli, selftest_workers, workers

pytestmark = pytest.mark.once


def test_all_as_expected(capsys, tmp_path) -> None:
    page = tmp_path / "docs" / "scorecard.md"
    code = cli.main(
        ["selftest", "timber", "--cases", "8", "--styles", "Shotgun", "--out", str(page)]
    )
    out = capsys.readouterr().out
    assert code == 0, out
    assert "8 cases in" in out and "0 exceptions" in out
    text = page.read_text()
    assert "**8 cases, 8 exactly as expected, 0 exceptions.**" in text
    assert f"`plumbline selftest timber --cases 8 --styles Shotgun --out {page}`" in text
    assert "There are no exceptions." in text


def test_processes_find_the_same(capsys) -> None:
    options = ["selftest", "timber", "--cases", "4", "--styles", "Shotgun", "Barn", "--json"]
    told = []
    for workers in ("1", "2"):
        assert cli.main([*options, "--workers", workers]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0]["schema"] == "plumbline.selftest/1"
    assert told[0]["cases"] == told[0]["exact"] == 4


def test_an_exception_is_named_and_fails(capsys, monkeypatch) -> None:
    """With one finding too many a case is no longer exact."""
    run = selftest_workers.run

    def spoilt(job):
        from dataclasses import replace

        first, *rest = run(job)
        return [replace(first, missed=(first.check,)), *rest]

    monkeypatch.setattr(selftest_workers, "run", spoilt)
    assert cli.main(["selftest", "timber", "--cases", "2", "--styles", "Shotgun"]) == 1
    out = capsys.readouterr().out
    assert "missed: " in out and "1 exception" in out


def test_a_worker_that_ends_is_said(capsys, monkeypatch) -> None:
    monkeypatch.setattr(workers, "_START", "raise SystemExit(1)")
    options = ["--cases", "2", "--styles", "Shotgun", "Barn", "--workers", "2"]
    assert cli.main(["selftest", "timber", *options]) == 2
    assert "the worker ended; try --workers 1" in capsys.readouterr().err


def test_interrupted(monkeypatch, capsys) -> None:
    def stop(job):
        raise KeyboardInterrupt

    monkeypatch.setattr(selftest_workers, "run", stop)
    assert cli.main(["selftest", "timber", "--cases", "2"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_page_that_cant_be_written_is_said(capsys, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "page.md"
    code = cli.main(
        ["selftest", "timber", "--cases", "1", "--styles", "Shotgun", "--out", str(path)]
    )
    assert code == 2
    assert "file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["selftest"], "required: kind"),
        (["selftest", "voxel"], "invalid choice: 'voxel'"),
        (["selftest", "timber", "--cases", "0"], "0 is not 1 or more"),
        (["selftest", "timber", "--cases", "many"], "'many' is no whole number"),
        (["selftest", "timber", "--seed", "-1"], "-1 is negative"),
        (["selftest", "timber", "--styles", "Castle"], "invalid choice: 'Castle'"),
        (["selftest", "timber", "--workers", "0"], "0 is not 1 or more"),
    ],
)
def test_wrong_usage(options, why, capsys) -> None:
    assert cli.main(options) == 2
    assert why in capsys.readouterr().err
