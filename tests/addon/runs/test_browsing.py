# SPDX-License-Identifier: GPL-3.0-or-later
"""Attempts of a run as rows to search."""

from __future__ import annotations

import pytest
from plumbline.addon.runs.browsing import RunQuery, RunTable, name_of, why_no_scene
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.shape import completed
from plumbline.addon.runs.verdicts import not_judged, without_scene
from plumbline.checks.result import CheckResult, Finding, Judgement


def passed(task="timber/cabin", **said):
    checks = (CheckResult("load_path", "passed"),)
    return Result(Judgement("timber", "engineering", checks), task=task, **said)


def failed(task="timber/cabin", subjects=("Stud_01",), **said):
    found = tuple(Finding("clash", s, "They share space.") for s in subjects)
    checks = (CheckResult("clash", "failed", found),)
    return Result(Judgement("timber", "engineering", checks), task=task, **said)


def table(*results):
    return RunTable([completed(result.to_record()) for result in results])


def test_rows_say_how_each_came_out():
    rows = table(passed(), failed(subjects=("A", "B")), not_judged("engineering", "key", "no key"))
    assert [row.said for row in rows.rows] == ["passed", "2 faults", "key"]
    assert rows.verdicts == {"passed": 1, "failed": 1, "not_judged": 1}
    assert rows.tasks == ("timber/cabin",)


def test_names_tell_twins_agents_and_repetitions_apart():
    one = passed(agent="scripted")
    other = passed(agent="anthropic/m", variant="no_stud", epoch=3)
    names = [row.name for row in table(one, other).rows]
    assert names == ["scripted", "no stud · anthropic/m · 3"]
    names = [row.name for row in table(one, other, passed("timber/shed")).rows]
    assert names == ["cabin · scripted", "cabin · no stud · anthropic/m · 3", "shed"]
    assert [row.name for row in table(one, passed(agent="scripted", epoch=2)).rows] == [
        "cabin",
        "cabin · 2",
    ]
    assert name_of(completed(passed(agent="scripted").to_record())) == "cabin"


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (RunQuery(), (0, 1, 2, 3)),
        (RunQuery(verdict="failed"), (1, 2)),
        (RunQuery(task="timber/shed"), (2, 3)),
        (RunQuery(text="CLASH shed"), (2,)),
        (RunQuery(text="nowhere"), ()),
        (RunQuery(text="opus", verdict="passed"), (3,)),
    ],
)
def test_search(query, rows):
    found = table(passed(), failed(), failed("timber/shed"), passed("timber/shed", model="opus"))
    view = found.view(query)
    assert view.shown == rows
    assert [view.place[row] for row in rows] == list(range(len(rows)))
    assert found.view(query) is view, "asked at every draw"


def test_thousands_are_told_of_and_can_be_called_off():
    records = [completed(failed(f"timber/t{n}").to_record()) for n in range(3000)]
    told = []
    assert len(RunTable(records, lambda done, total: told.append((done, total)))) == 3000
    assert told[-1] == (3000, 3000)

    def stop(done, _total):
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        RunTable(records, stop)


def test_why_there_is_no_scene():
    assert why_no_scene(not_judged("engineering", "key", "There is no key.").to_record()) == (
        "There is no key."
    )
    raised = without_scene("engineering", [Finding("program", "line 3", "It stopped.")])
    assert why_no_scene(Result(raised).to_record()) == "It stopped."
    assert "no longer in the run's folder" in why_no_scene(completed(passed().to_record()))
