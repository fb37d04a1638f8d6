# SPDX-License-Identifier: GPL-3.0-or-later
"""One judgment of a person as a row: schema ``plumbline.annotation/1``.

A row says who judged what and when, whether the automatic verdict was hidden then, and what that
verdict was. Rows are only ever added: a later one of the same annotator about the same subject
stands for the earlier ones, and one that is ``withdrawn`` takes them back. The JSON Schema lies in
``schema/annotation-1.schema.json``.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from ...checks.result import Finding
from ..runs.records import clean
from ..runs.runfolder import now
from ..runs.shape import fits

SCHEMA = "plumbline.annotation/1"
SCHEMA_FILE = Path(__file__).with_name("schema") / "annotation-1.schema.json"

Judgment = Literal["agree", "disagree", "unsure"]
Opinion = Literal["sound", "faulty", "unsure"]

#: What is said of a finding, an event, an object or a criterion.
JUDGMENTS: tuple[Judgment, ...] = ("agree", "disagree", "unsure")
#: What is said of a structure as a whole: it can be said without knowing the verdict.
OPINIONS: tuple[Opinion, ...] = ("sound", "faulty", "unsure")
#: What can be judged.
TYPES = ("finding", "structure", "missed", "event", "object", "criterion")
#: Tags that are offered; any other word may be one too.
TAGS = ("wrong member", "wrong figure", "harmless", "duplicate", "rule misread")

#: Which opinion a verdict comes to; one that was not judged comes to none.
OPINION_OF_VERDICT: Mapping[str, Opinion] = {"passed": "sound", "failed": "faulty"}

Row = dict[str, Any]
#: What a row is about: the attempt or scene, and the subject in it.
About = tuple[str, ...]


def normal_name(name: str) -> str:
    """An annotator's name as it is kept: one form of each letter, single spaces, none around."""
    whole = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(unicodedata.normalize("NFC", whole).split())


def make_row(
    annotator: str,
    of: Mapping[str, Any],
    subject: Mapping[str, Any],
    *,
    judgment: Judgment | None = None,
    opinion: Opinion | None = None,
    rating: int | None = None,
    tags: Sequence[str] = (),
    comment: str = "",
    blind: bool = False,
    seconds: float | None = None,
    withdrawn: bool = False,
    automatic: Mapping[str, Any] | None = None,
    versions: Mapping[str, str | None] | None = None,
) -> Row:
    """A whole row of now.

    ``of`` names the attempt or scene (:func:`of_attempt`, :func:`of_scene`), ``subject`` what is
    judged in it, ``seconds`` how long it had been shown, ``automatic`` what the checks said of it.
    Raises ``ValueError`` with a sentence if it would not be a row.
    """
    row = clean(
        {
            "schema": SCHEMA,
            "annotator": normal_name(annotator),
            "time": now(),
            "of": of,
            "subject": subject,
            "judgment": judgment,
            "opinion": opinion,
            "rating": rating,
            "tags": list(dict.fromkeys(t for tag in tags if (t := tag.strip()))),
            "comment": comment.strip(),
            "blind": blind,
            "seconds": None if seconds is None else round(seconds, 1),
            "withdrawn": withdrawn,
            "automatic": automatic,
            "versions": versions or {},
        }
    )
    if not row["annotator"]:
        raise ValueError("a judgment needs an annotator: write your name first")
    if not is_row(row):
        raise ValueError(f"this is no judgment of a {subject.get('type')}: {row}")
    return row


def of_attempt(
    run: str,
    started: str | None,
    attempt: str,
    record: Mapping[str, Any],
    step: str | None = None,
) -> dict[str, Any]:
    """What a row about an attempt of a run names: ``started`` tells runs of one name apart."""
    return {
        "run": run,
        "started": started,
        "attempt": attempt,
        "step": step,
        "task": record.get("task"),
        "variant": record.get("variant"),
        "epoch": record.get("epoch"),
    }


def of_scene(
    file: str | None,
    scene: str,
    task: str | None = None,
    variant: str | None = None,
    session: str | None = None,
) -> dict[str, Any]:
    """What a row names that is about a scene of no run.

    ``file`` is the .blend's own name, ``session`` tells unsaved scenes of one name apart.
    """
    return {"file": file, "scene": scene, "task": task, "variant": variant, "session": session}


def finding_subjects(findings: Iterable[Finding]) -> tuple[dict[str, Any], ...]:
    """The subjects of judgments of findings; ``number`` tells those of one key apart."""
    seen: Counter[str] = Counter()
    subjects = []
    for finding in findings:
        seen[finding.key] += 1
        subjects.append(
            {
                "type": "finding",
                "key": finding.key,
                "check": finding.check,
                "member": finding.subject,
                "number": seen[finding.key],
            }
        )
    return tuple(subjects)


def missed_subject(
    check: str, member: str | None, location: Sequence[float] | None
) -> dict[str, Any]:
    """The subject of a fault that a person has seen; ``location`` in metres."""
    place = None if location is None else [round(float(x), 3) for x in location]
    return {"type": "missed", "check": check, "member": member, "location": place}


def of_edited(of: Mapping[str, Any], session: str) -> dict[str, Any]:
    """The same after a person edited it in the window: a structure of its own, nobody else's."""
    return {**of, "edited": True, "session": session}


def item_of(row: Mapping[str, Any]) -> About:
    """Which attempt or scene a row is about: the same whoever judged it, in whichever copy."""
    of = row["of"]
    if of.get("edited"):
        return ("edited", str(of.get("session")))
    if "attempt" in of:
        run = of.get("started") or of.get("run")
        return ("run", str(run), of["attempt"], of.get("step") or "")
    if of.get("file") is None and of.get("task") and of.get("variant"):
        return ("task", of["task"], of["variant"])  # a bundled building: the same for everybody
    whose = of.get("file") or f"session {of.get('session')}"
    return ("scene", whose, of["scene"])


def subject_of(row: Mapping[str, Any]) -> About:
    """Which subject within its attempt or scene a row is about."""
    subject = row["subject"]
    kind = subject["type"]
    if kind == "finding":
        return (kind, subject["key"], str(subject.get("number") or 1))
    if kind == "missed":
        member = subject.get("member")
        return (kind, subject["check"], member if member else f"at {subject.get('location')}")
    if kind == "structure":
        return (kind,)
    frame = subject.get("frame")
    return (kind, str(subject["id"]), "" if frame is None else str(frame))


def latest(rows: Iterable[Row]) -> list[Row]:
    """The rows that stand: the last of each annotator about each subject, if not withdrawn."""
    standing: dict[About, Row] = {}
    for row in rows:
        about = (row["annotator"], *item_of(row), *subject_of(row))
        standing.pop(about, None)
        if not row["withdrawn"]:
            standing[about] = row
    return list(standing.values())


def judgment_of(opinion: str | None, automatic: Mapping[str, Any] | None) -> Judgment | None:
    """Whether an opinion of a structure agrees with the checks; ``None`` without a verdict."""
    verdict = OPINION_OF_VERDICT.get((automatic or {}).get("verdict") or "")
    if opinion is None or verdict is None:
        return None
    if opinion == "unsure":
        return "unsure"
    return "agree" if opinion == verdict else "disagree"


def category(row: Mapping[str, Any]) -> str | None:
    """The word that is compared between annotators: of a structure its opinion."""
    return row["opinion"] if row["subject"]["type"] == "structure" else row["judgment"]


def is_row(value: Any) -> bool:
    """Whether ``value`` is a row by the published schema."""
    rule = _schema()
    return fits(value, rule, rule["$defs"])


def schema() -> dict[str, Any]:
    """The published JSON Schema (draft 2020-12) of a row."""
    return json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


@cache
def _schema() -> dict[str, Any]:
    return schema()
