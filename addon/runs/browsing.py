# SPDX-License-Identifier: GPL-3.0-or-later
"""The attempts of a run as rows to search and filter, fast enough to be asked at every draw.

No ``bpy`` here. Everything that costs time is worked out once, when the run is opened.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..ranking import findings_of, grouped
from . import wording

#: Answers that are kept, the newest: a person flips between a few.
_VIEWS_KEPT = 16


@dataclass(frozen=True, slots=True)
class RunQuery:
    """What the person asked to see: words, a verdict and a task; empty shows all."""

    text: str = ""
    verdict: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """The rows that pass, in their order, and at which place each of them stands."""

    shown: tuple[int, ...]
    place: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt: its name for people, verdict, how many faults, and all words to search in."""

    name: str
    verdict: str
    faults: int
    task: str
    said: str
    words: str


class RunTable:
    """The attempts of a run, one row a record, in the order of the run.

    ``progress`` is told how many rows of how many are made; what it raises ends the making.
    """

    def __init__(
        self,
        records: Sequence[Mapping[str, Any]],
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> None:
        agents = {str(record.get("agent")) for record in records}
        tasks = {str(record.get("task")) for record in records}
        rows = []
        for number, record in enumerate(records, start=1):
            rows.append(_row(record, len(agents) > 1, len(tasks) > 1))
            progress(number, len(records))
        self.rows = tuple(rows)
        self.tasks = tuple(sorted({row.task for row in rows if row.task}))
        self.verdicts = Counter(row.verdict for row in rows)
        self._views: OrderedDict[RunQuery, RunView] = OrderedDict()

    def __len__(self) -> int:
        return len(self.rows)

    def view(self, query: RunQuery) -> RunView:
        """The rows that a query lets through."""
        found = self._views.get(query)
        if found is None:
            words = query.text.casefold().split()
            shown = tuple(
                number
                for number, row in enumerate(self.rows)
                if (not query.verdict or row.verdict == query.verdict)
                and (not query.task or row.task == query.task)
                and all(word in row.words for word in words)
            )
            found = RunView(shown, {row: place for place, row in enumerate(shown)})
            self._views[query] = found
            while len(self._views) > _VIEWS_KEPT:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(query)
        return found


def name_of(record: Mapping[str, Any], agent: bool = False, task: bool = True) -> str:
    """What an attempt is called: ``cabin · missing king stud · scripted-flawed · 2``.

    Without ``agent`` and ``task`` they are left out, as long as anything else is there to be said.
    """
    parts = [str(record["variant"]).replace("_", " ")] if record.get("variant") else []
    parts += [str(record["agent"])] if agent and record.get("agent") else []
    if task or not parts:
        name = str(record.get("task") or record.get("source") or record.get("kind"))
        parts.insert(0, name.rpartition("/")[2])
    parts += [str(record["epoch"])] if record.get("epoch", 1) > 1 else []
    return " · ".join(parts)


def _row(record: Mapping[str, Any], agent: bool, task: bool) -> Row:
    findings = findings_of(record)
    faults = len(grouped(findings))
    verdict = record["verdict"]
    fault = record.get("environment")
    said = str(fault["kind"]) if fault else wording.VERDICT_WORDS[verdict]
    if verdict == "failed" and faults:
        said = wording.count(faults, "fault")
    name = name_of(record, agent, task)
    fields = ("task", "title", "variant", "agent", "model", "protocol", "end", "attempt")
    checks = {finding["check"] for finding in findings}
    words = [name, said, *(str(record[field]) for field in fields if record.get(field)), *checks]
    return Row(
        name,
        verdict,
        faults,
        str(record.get("task") or ""),
        said,
        " ".join(words).casefold(),
    )


def why_no_scene(record: Mapping[str, Any]) -> str:
    """Why an attempt left no scene, as far as its record tells: one sentence."""
    fault = record.get("environment")
    if fault:
        return str(fault["message"])
    for check in record["checks"]:
        if check["id"] == "program" and check["findings"]:
            return str(check["findings"][0]["message"])
    return "Its scene is no longer in the run's folder; the record is all that is left of it."
