# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a quiz as a file for the teacher: JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from .quiz import Quiz

SCHEMA = "plumbline.quiz/1"
_COLUMNS = ("pupil", "when", "number", "lesson", "kind", "question", "answer", "right", "helped")
# What a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_plain(quiz: Quiz, pupil: str, when: str) -> dict[str, Any]:
    """All of it as plain data; ``when`` is a time as text."""
    return {
        "schema": SCHEMA,
        "pupil": pupil,
        "when": when,
        "seed": quiz.seed,
        "score": quiz.score,
        "of": len(quiz.questions),
        "answers": [_row(quiz, number) for number in range(len(quiz.questions))],
    }


def as_json(quiz: Quiz, pupil: str, when: str) -> str:
    """One JSON object."""
    return json.dumps(as_plain(quiz, pupil, when), indent=2, ensure_ascii=False) + "\n"


def as_csv(quiz: Quiz, pupil: str, when: str) -> str:
    """A line for each question, the first one with the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for row in as_plain(quiz, pupil, when)["answers"]:
        full = {"pupil": pupil, "when": when, **row}
        writer.writerow([_cell(full[name]) for name in _COLUMNS])
    return text.getvalue()


def _row(quiz: Quiz, number: int) -> dict[str, Any]:
    question, answer = quiz.questions[number], quiz.first.get(number)
    return {
        "number": number + 1,
        "lesson": question.lesson.id,
        "kind": question.kind,
        "question": question.ask,
        "answer": answer.said if answer else None,
        "right": answer.right if answer else None,
        "helped": answer.helped if answer else None,
    }


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
