# SPDX-License-Identifier: GPL-3.0-or-later
"""Thousands of tasks, found by kind, style and words: the rows of a list, kept until asked anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .kinds import KINDS

if TYPE_CHECKING:
    from ..tasks import Task

#: Views that are kept: one a question, and a person types few at a time.
_MOST_VIEWS = 16


@dataclass(frozen=True, slots=True)
class Query:
    """What a person looks for; empty texts ask for everything.

    ``text`` holds words that must all occur, in any order, somewhere in a task: its id, title,
    style, description, or what is wrong with one of its twins.
    """

    text: str = ""
    kind: str = ""
    style: str = ""


@dataclass(slots=True)
class View:
    """The tasks that fit a query: ``shown`` are their ids in order, ``place`` says where each is.

    ``flags`` has one entry a row of the list widget: ``flag`` for the first ``len(shown)``, then 0.
    """

    shown: tuple[str, ...]
    place: dict[str, int]
    flags: list[int] = field(default_factory=list)
    flag: int = 0

    def flagged(self, rows: int, flag: int) -> list[int]:
        """``flags`` for a widget of so many rows, made once."""
        if len(self.flags) != rows or self.flag != flag:
            filled = min(len(self.shown), rows)
            self.flags = [flag] * filled + [0] * (rows - filled)
            self.flag = flag
        return self.flags


class TaskIndex:
    """All tasks that there are, kind by kind in their order, ready to be searched."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        order = list(KINDS)
        listed = sorted(tasks, key=lambda task: order.index(task.kind))
        self.tasks: dict[str, Task] = {task.id: task for task in listed}
        self._words = {task.id: _words_of(task) for task in self.tasks.values()}
        self._views: dict[Query, View] = {}
        there = {task.kind for task in self.tasks.values()}
        self.kinds = tuple(kind for kind in KINDS if kind in there)

    def __len__(self) -> int:
        return len(self.tasks)

    def styles(self, kind: str = "") -> tuple[str, ...]:
        """The styles of the tasks of a kind (of all), in alphabetical order."""
        found = {t.style for t in self.tasks.values() if kind in ("", t.kind)}
        return tuple(sorted(found, key=str.casefold))

    def view(self, query: Query) -> View:
        """The tasks that fit; the same object as long as the same is asked."""
        found = self._views.get(query)
        if found is None:
            while len(self._views) >= _MOST_VIEWS:
                del self._views[next(iter(self._views))]
            shown = tuple(self._fitting(query))
            found = View(shown, {task: i for i, task in enumerate(shown)})
            self._views[query] = found
        return found

    def _fitting(self, query: Query) -> Iterable[str]:
        wanted = query.text.casefold().split()
        for task in self.tasks.values():
            if query.kind not in ("", task.kind) or query.style not in ("", task.style):
                continue
            words = self._words[task.id]
            if all(word in words for word in wanted):
                yield task.id


def _words_of(task: Task) -> str:
    """Everything that a task can be found by."""
    texts = [task.id, task.kind, task.title, task.style, task.description]
    for twin in task.twins:
        texts += [twin.id, twin.title, twin.defect]
    # A line between the texts: nothing is found across the end of one.
    return "\n".join(texts).replace("_", " ").casefold() + "\n" + task.id.casefold()
