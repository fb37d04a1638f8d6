# SPDX-License-Identifier: GPL-3.0-or-later
"""The quiz: mixed by its number, the first answer counts, wrong ones come back, none breaks it."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from plumbline.addon.lessons import loader, results
from plumbline.addon.lessons.quiz import accepted, make

LESSONS = loader.bundled()
BOTH = ("choice", "find")


def answer(quiz, right: bool):
    """Answer the present question."""
    question = quiz.question
    if question.kind == "find":
        return quiz.point_at(question.lesson.find.accept[0] if right else "Nobody_07")
    rights = [question.lesson.question.choices[n].right for n in question.order]
    return quiz.choose(rights.index(right))


def play(quiz, rights):
    for right in rights:
        answer(quiz, right)
        assert quiz.go_on()


def test_the_same_number_mixes_the_same_way():
    first, again = make(LESSONS, 7, 20, BOTH), make(LESSONS, 7, 20, BOTH)
    assert first.questions == again.questions
    assert first.questions != make(LESSONS, 8, 20, BOTH).questions


def test_every_lesson_comes_once_before_any_comes_twice():
    quiz = make(LESSONS, 3, 99, BOTH)
    ids = [question.lesson.id for question in quiz.questions]
    assert len(ids) == 2 * len(LESSONS) - sum(lesson.find is None for lesson in LESSONS)
    assert set(ids[: len(LESSONS)]) == {lesson.id for lesson in LESSONS}
    assert len({(q.lesson.id, q.kind) for q in quiz.questions}) == len(ids)
    assert {q.kind for q in make(LESSONS, 3, 99, ("choice",)).questions} == {"choice"}


@pytest.mark.parametrize(("lessons", "count", "kinds"), [((), 5, BOTH), (LESSONS, 0, BOTH),
                                                        (LESSONS, 5, ())])  # fmt: skip
def test_nothing_to_ask_is_said(lessons, count, kinds):
    with pytest.raises(ValueError, match="nothing to ask"):
        make(lessons, 1, count, kinds)


def test_the_first_answer_counts_and_stays():
    quiz = make(LESSONS, 1, 4, ("choice",))
    first = answer(quiz, False)
    assert answer(quiz, True) is first and quiz.answer is first and quiz.score == 0


def test_wrong_ones_come_back_once_without_counting():
    quiz = make(LESSONS, 2, 4, BOTH)
    play(quiz, [True, False, True, False])
    assert quiz.score == 2 and quiz.wrong == (1, 3)
    assert quiz.reviewing and not quiz.over and quiz.number == 1 and quiz.answer is None
    play(quiz, [True, False])
    assert quiz.over and quiz.score == 2 and quiz.wrong == (1, 3)
    assert not quiz.go_on()


def test_all_right_ends_at_once():
    quiz = make(LESSONS, 2, 3, BOTH)
    play(quiz, [True, True, True])
    assert quiz.over and quiz.score == 3 and not quiz.reviewing


def test_clicking_around_breaks_nothing():
    """Any click at any time: the score never moves but by first answers, and the end is reached."""
    dice = random.Random(5)
    quiz = make(LESSONS, 4, 6, BOTH)
    for _ in range(3000):
        before = dict(quiz.first)
        what = dice.randrange(4)
        if what == 0:
            quiz.choose(dice.randrange(-3, 9))
        elif what == 1:
            quiz.point_at(dice.choice(["", "Joist_06", "Stud_N_03", "x" * 500]))
        elif what == 2:
            quiz.go_on()
        else:
            assert quiz.question in quiz.questions and 0 <= quiz.score <= 6
        assert all(quiz.first[n] is before[n] for n in before)
    assert quiz.over and len(quiz.first) == 6
    assert quiz.choose(0) is None and quiz.point_at("Joist_06") is None


def test_a_member_counts_by_its_pattern():
    lesson = loader.find("rafters_on_one_side")
    assert accepted(lesson, "Rafter_S_07") and accepted(lesson, "Ridge")
    assert not accepted(lesson, "Stud_N_01")


def test_the_result_is_json_and_csv():
    quiz = make(LESSONS, 9, 3, BOTH)
    quiz.choose(0) if quiz.question.kind == "choice" else quiz.point_at("=evil()", helped=True)
    data = json.loads(results.as_json(quiz, "Ann Ö", "2026-01-02T03:04:05+00:00"))
    assert data["schema"] == "plumbline.quiz/1" and data["of"] == 3 and data["pupil"] == "Ann Ö"
    assert data["score"] == quiz.score
    assert [a["right"] is None for a in data["answers"]] == [False, True, True]
    rows = list(csv.DictReader(io.StringIO(results.as_csv(quiz, "=1+1", "now"))))
    assert [row["number"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["pupil"] == "'=1+1", "no spreadsheet takes it for a formula"
    assert rows[0]["right"] in ("yes", "no") and rows[1]["right"] == rows[1]["answer"] == ""
