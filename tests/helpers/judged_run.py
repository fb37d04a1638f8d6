# SPDX-License-Identifier: GPL-3.0-or-later
"""A run folder of two attempts with findings, and rows of annotators about them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from plumbline.addon.annotations import row as rows
from plumbline.addon.annotations.files import FOLDER, append, file_name
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.report import write_report
from plumbline.addon.runs.runfolder import Key, RunWriter, attempt_folder, read_run
from plumbline.checks.result import CheckResult, Finding, Judgement

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJg"
    "gg=="
)
EVIL = "=1+1</script><img src=x onerror=alert(1)>\"'&\x1b\x00\u202e\ud800"
FLAWED, SOUND = "timber/shed", "timber/barn"

SPAN = Finding(
    "clear_span",
    "Joist_07",
    "Joist_07 spans 4.12 m, 3.91 m are allowed: put a beam under it.",
    related=("Beam_01",),
    measured=4.12,
    limit=3.91,
    unit="m",
    margin=-0.21,
    location=(2.0, 3.0, 1.5),
    clause="IRC R502.3.1",
)
LOAD = Finding(
    "load_path",
    "Stud_03",
    "Stud_03 stands on nothing.",
    location=(0.0, 0.0, 1.0),
)
FOLLOWS = Finding(
    "load_path",
    "Rafter_02",
    "Rafter_02 has no way to the ground.",
    location=(0.0, 0.0, 3.0),
    follows=LOAD.key,
)


def make_run(folder: Path, picture: bool = True, report: bool = True) -> Path:
    """Write the run: ``timber/shed`` with three findings, ``timber/barn`` with none."""
    with RunWriter(folder, {"agent": "scripted", "profile": "engineering"}, {"x": "1"}) as run:
        for task, findings in ((FLAWED, (SPAN, LOAD, FOLLOWS)), (SOUND, ())):
            key = Key(task, "scripted", None, 1)
            place = run.attempt(key)
            if picture:
                (place / "picture.png").write_bytes(PNG)
            run.append(_result(task, findings, attempt_folder(key)).to_record())
        run.finish({})
    if report:
        write_report(folder)
    return folder


def _result(task: str, findings: tuple[Finding, ...], attempt: str) -> Result:
    def check(name: str) -> CheckResult:
        own = tuple(f for f in findings if f.check == name)
        return CheckResult(name, "failed" if own else "passed", own)

    judgement = Judgement("timber", "engineering", (check("clear_span"), check("load_path")))
    return Result(judgement, task=task, agent="scripted", attempt=attempt)


def of(run: Path, task: str = FLAWED) -> dict[str, Any]:
    """What rows about an attempt of the run name."""
    read = read_run(run)
    record = next(r for r in read.records if r["task"] == task)
    started = read.header["sessions"][0]["started"]
    return rows.of_attempt(run.resolve().name, started, record["attempt"], record)


def structure(run: Path, who: str, opinion: str, task: str = FLAWED, **more: Any) -> rows.Row:
    """A row about a whole structure."""
    automatic = {"verdict": "failed" if task == FLAWED else "passed"}
    return rows.make_row(
        who,
        of(run, task),
        {"type": "structure"},
        **{"opinion": opinion, "automatic": automatic, **more},
    )


def finding(run: Path, who: str, found: Finding, judgment: str, **more: Any) -> rows.Row:
    """A row about a finding."""
    subject = rows.finding_subjects([found])[0]
    return rows.make_row(who, of(run), subject, judgment=judgment, **more)


def missed(run: Path, who: str, check: str, member: str, **more: Any) -> rows.Row:
    """A row about a fault that a person marked."""
    subject = rows.missed_subject(check, member, (1.0, -2.0, 0.5))
    task = more.pop("task", FLAWED)
    return rows.make_row(who, of(run, task), subject, **more)


def store(place: Path, *given: rows.Row) -> None:
    """Put rows where their annotators would."""
    for one in given:
        append(place / FOLDER / file_name(one["annotator"]), one)
