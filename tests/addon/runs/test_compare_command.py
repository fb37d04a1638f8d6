# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline compare``: two runs, attempt by attempt."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.runs import cli
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.runfolder import RunWriter
from plumbline.checks.result import CheckResult, Finding, Judgement


def run(path, *attempts):
    """A run of (task, subjects at fault) attempts."""
    asked = {"tasks": ["timber/cabin"], "agent": "m", "profile": "engineering"}
    with RunWriter(path, asked, {}) as writer:
        for task, subjects in attempts:
            found = tuple(Finding("clash", s, "They share space.") for s in subjects)
            check = CheckResult("clash", "failed" if found else "passed", found)
            judgement = Judgement("timber", "engineering", (check,), {"members": len(task)})
            writer.append(Result(judgement, task=task, agent=str(path)).to_record())
    return str(path)


@pytest.fixture
def two(tmp_path):
    a = run(tmp_path / "a", ("timber/cabin", ["A", "B"]), ("timber/shed", []), ("timber/barn", []))
    b = run(tmp_path / "b", ("timber/cabin", ["B"]), ("timber/shed", ["X"]), ("timber/hut", []))
    return a, b


def test_what_differs_is_said_in_lines(two, capsys):
    assert cli.main(["compare", *two]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "timber/cabin  failed; only in A: clash:A",
        "timber/shed  passed, then failed; only in B: clash:X",
        "2 attempts in both: 1 passed in A and failed in B",
        "only in A: 1 attempt",
        "only in B: 1 attempt",
    ]


def test_a_run_differs_in_nothing_from_itself(two, capsys):
    assert cli.main(["compare", two[0], two[0]]) == 0
    assert capsys.readouterr().out == "3 attempts in both: the same verdicts\n"


def test_machines_read_one_object_an_attempt(two, capsys):
    assert cli.main(["compare", "--json", *two]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["task"], first["only_a"], first["only_b"], first["both"]) == (
        "timber/cabin",
        ["clash:A"],
        [],
        1,
    )
    assert second["verdicts"] == ["passed", "failed"]
    assert second["checks"] == {"clash": ["passed", "failed"]}


def test_what_is_no_run_is_said(two, tmp_path, capsys):
    assert cli.main(["compare", two[0], str(tmp_path)]) == 2
    assert "no run.json in it" in capsys.readouterr().err
