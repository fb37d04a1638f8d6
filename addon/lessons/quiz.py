# SPDX-License-Identifier: GPL-3.0-or-later
"""A quiz over several lessons: the first answer counts, and wrong ones come back at the end.

No ``bpy`` here. Nothing that is clicked at a wrong time changes anything.
"""

from __future__ import annotations

import fnmatch
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from .model import Lesson

QuestionKind = Literal["choice", "find"]


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """One question: of a lesson, to choose an answer or to click the member at fault.

    ``order`` are the lesson's choices in the order in which they are shown.
    """

    lesson: Lesson
    kind: QuestionKind
    order: tuple[int, ...] = ()

    @property
    def ask(self) -> str:
        """The question."""
        find = self.lesson.find
        return self.lesson.question.ask if self.kind == "choice" or find is None else find.ask


@dataclass(frozen=True, slots=True)
class Answer:
    """The first answer to a question: what was said, whether it was right, and why.

    ``helped`` tells that the checks had been asked before.
    """

    said: str
    right: bool
    why: str
    helped: bool = False


@dataclass
class Quiz:
    """Questions and first answers; ``at`` is the one that is asked now.

    After the last question those answered wrongly are asked once more, without counting.
    """

    questions: tuple[QuizQuestion, ...]
    seed: int
    at: int = 0
    first: dict[int, Answer] = field(default_factory=dict)
    again: dict[int, Answer] = field(default_factory=dict)
    review: tuple[int, ...] = ()

    @property
    def reviewing(self) -> bool:
        """Whether the questions have been asked and the wrong ones come again."""
        return len(self.review) > 0

    @property
    def over(self) -> bool:
        """Whether nothing is left to be asked."""
        return self.at >= len(self.review if self.reviewing else self.questions)

    @property
    def number(self) -> int:
        """Place of the present question among all; the last one once all is over."""
        if self.reviewing:
            return self.review[min(self.at, len(self.review) - 1)]
        return min(self.at, len(self.questions) - 1)

    @property
    def question(self) -> QuizQuestion:
        """The question that is asked now."""
        return self.questions[self.number]

    @property
    def answer(self) -> Answer | None:
        """What was answered to it in this round, ``None`` if nothing yet."""
        return (self.again if self.reviewing else self.first).get(self.number)

    @property
    def score(self) -> int:
        """How many first answers were right."""
        return sum(answer.right for answer in self.first.values())

    @property
    def wrong(self) -> tuple[int, ...]:
        """Questions whose first answer was wrong, in their order."""
        return tuple(n for n in sorted(self.first) if not self.first[n].right)

    def choose(self, place: int, helped: bool = False) -> Answer | None:
        """Choose the answer at a place as it is shown; ``None`` if that can't be done now."""
        question = self.question
        if self.over or question.kind != "choice" or not 0 <= place < len(question.order):
            return None
        choice = question.lesson.question.choices[question.order[place]]
        return self._take(Answer(choice.text, choice.right, choice.why, helped))

    def point_at(self, member: str, helped: bool = False) -> Answer | None:
        """Click a member by its plain name; ``None`` if that can't be done now."""
        question = self.question
        if self.over or question.kind != "find" or not member:
            return None
        right = accepted(question.lesson, member)
        return self._take(Answer(member, right, question.lesson.show.say, helped))

    def _take(self, answer: Answer) -> Answer:
        """The first answer stays."""
        return (self.again if self.reviewing else self.first).setdefault(self.number, answer)

    def go_on(self) -> bool:
        """To the next question, once this one is answered; whether there was a way on."""
        if self.over or self.answer is None:
            return False
        self.at += 1
        if self.over and not self.reviewing and self.wrong:
            self.review, self.at = self.wrong, 0
        return True


def accepted(lesson: Lesson, member: str) -> bool:
    """Whether a member counts as found."""
    patterns = lesson.find.accept if lesson.find is not None else ()
    return any(fnmatch.fnmatchcase(member, pattern) for pattern in patterns)


def make(lessons: Sequence[Lesson], seed: int, count: int, kinds: Sequence[QuestionKind]) -> Quiz:
    """A quiz of at most ``count`` questions. The same seed gives the same quiz.

    Each lesson comes once before any comes a second time; those of blocks have nothing to find.
    Raises ``ValueError`` if nothing is left to be asked.
    """
    dice = random.Random(seed)
    rounds: list[list[QuizQuestion]] = [[] for _ in kinds]
    for lesson in lessons:
        mixed = [kind for kind in kinds if kind == "choice" or lesson.find is not None]
        dice.shuffle(mixed)
        for turn, kind in zip(rounds, mixed, strict=False):
            order = list(range(len(lesson.question.choices))) if kind == "choice" else []
            dice.shuffle(order)
            turn.append(QuizQuestion(lesson, kind, tuple(order)))
    for turn in rounds:
        dice.shuffle(turn)
    questions = [question for turn in rounds for question in turn][: max(count, 0)]
    if not questions:
        raise ValueError("there is nothing to ask: no lesson, no kind of question, or a count of 0")
    return Quiz(tuple(questions), seed)
