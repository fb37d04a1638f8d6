# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of voxel tasks as attempts: the problem, its wording, and the value of every check.

What a task asks for is taken from the record's ``problem``, so that a check which never ran still
counts: an attempt that a fault of the environment ended has the same denominator as any other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeGuard

from ...checks.voxel.registry import AREAS
from ...tasks import Task
from ...tasks.constructions import Problem, generate

_ID = re.compile(r"voxel/(?P<file>.+)-(?P<item>\d\d+)-(?P<wording>\d\d+)")
_TURN = re.compile(r"turn(\d+)\.")
_BREVITY = {"with": True, "without": False}

#: What makes attempts those of one builder, judged alike.
WHO = ("agent", "harness", "model", "effort", "protocol", "profile")

#: Check functions of a problem, a tuple a turn.
Calls = tuple[tuple[str, ...], ...]


class Base(NamedTuple):
    """Which problem it is, whatever its words: file, item and wording, counted from 1."""

    file: str
    item: int
    wording: int


class Value(NamedTuple):
    """One check of one turn: its module, e.g. ``"shape"``, and its value from 0 to 1.

    ``status`` is the record's; ``"not_run"`` where the record has no such check.
    """

    turn: int
    module: str
    value: float
    status: str
    degraded: bool = False


@dataclass(frozen=True)
class Attempt:
    """One attempt at one problem.

    Attributes
    ----------
    who
        Agent, harness, model, effort, protocol, and the profile that it was judged by.
    epoch
        Which repetition.
    task
        Id of the task.
    base
        The problem behind it; ``None`` where the task's id doesn't tell.
    words
        Its wording by dimension, as far as the record tells.
    varied
        Its wording is not that of the whole set.
    values
        Every check that the task asks for.
    fault
        Kind of the environment's fault that ended it, if any.
    known
        Whether it is known what the task asks for; else only what the record holds was counted.
    brevity
        Whether the system prompt asked for short answers; ``None`` where nothing tells.
    run
        Name of its run.
    """

    who: tuple[str | None, ...]
    epoch: int
    task: str
    base: Base | None
    words: Mapping[str, str]
    varied: bool
    values: tuple[Value, ...]
    fault: str | None = None
    known: bool = True
    brevity: bool | None = None
    run: str = ""

    def of(self, modules: Iterable[str]) -> Iterator[Value]:
        """The checks of some modules."""
        wanted = set(modules)
        return (value for value in self.values if value.module in wanted)

    def holds(self, modules: Iterable[str]) -> bool:
        """Whether every check of these modules has its full value; so where there is none.

        Never of an attempt that a fault ended, of which no check is known, of whose checks one is
        none that there is, or that left nothing for any of them to look at.
        """
        judged = bool(self.values) and self.fault is None
        judged = judged and all(value.module in AREAS for value in self.values)
        judged = judged and any(value.status != "vacuous" for value in self.values)
        return judged and all(value.value >= 1 for value in self.of(modules))


def told(task: Task) -> dict[str, Any] | None:
    """What a record keeps of a voxel task: its problem, wording, and check functions a turn."""
    problem = getattr(task.origin, "problem", None)
    if not isinstance(problem, Problem):
        return None
    return {
        "file": problem.file,
        "item": problem.item + 1,
        "wording": problem.wording + 1,
        "words": dict(problem.words),
        "seed": problem.seed,
        "checks": [[call.fn for call in turn] for turn in problem.checks],
    }


@cache
def catalogue() -> Mapping[Base, Problem]:
    """The 723 problems; their checks and words are the same whatever the seed."""
    return {base_of(problem): problem for problem in generate()}


def base_of(problem: Problem) -> Base:
    """Which problem it is."""
    return Base(problem.file, problem.item + 1, problem.wording + 1)


def calls_of(problem: Problem) -> Calls:
    """The check functions of a problem, turn by turn."""
    return tuple(tuple(call.fn for call in turn) for turn in problem.checks)


def attempts(
    records: Sequence[Mapping[str, Any]], run: str = "", asked: Mapping[str, Any] | None = None
) -> tuple[Attempt, ...]:
    """The attempts at voxel tasks among the records of a run.

    Flawed twins are none: they are known to be wrong. ``asked`` is what the run was asked for; its
    ``brevity``, ``"with"`` or ``"without"``, says whether the system prompt asked for short
    answers.
    """
    brevity = _BREVITY.get(str((asked or {}).get("brevity")))
    return tuple(
        _attempt(record, run, brevity if record.get("model") else None)
        for record in records
        if record.get("kind") == "voxel" and record.get("task") and not record.get("variant")
    )


def _attempt(record: Mapping[str, Any], run: str, brevity: bool | None) -> Attempt:
    told_ = record.get("problem")
    problem: Mapping[str, Any] = told_ if isinstance(told_, Mapping) else {}
    base = _base(record["task"], problem)
    words = problem.get("words")
    words = {str(k): str(v) for k, v in words.items()} if isinstance(words, Mapping) else {}
    standard = catalogue().get(base) if base else None
    calls = _calls(problem.get("checks")) or (calls_of(standard) if standard else None)
    fault = (record.get("environment") or {}).get("kind")
    return Attempt(
        who=tuple(record.get(name) for name in WHO),
        epoch=record.get("epoch", 1),
        task=record["task"],
        base=base,
        words=words,
        varied=bool(words and standard and words != dict(standard.words)),
        values=tuple(_values(record["checks"], calls)),
        fault=str(fault) if fault else None,
        known=calls is not None,
        brevity=brevity,
        run=run,
    )


def _base(task: str, problem: Mapping[str, Any]) -> Base | None:
    file, item, wording = (problem.get(name) for name in ("file", "item", "wording"))
    if isinstance(file, str) and _counts(item) and _counts(wording):
        return Base(file, item, wording)
    match = _ID.fullmatch(task)
    return Base(match["file"], int(match["item"]), int(match["wording"])) if match else None


def _counts(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _calls(turns: Any) -> Calls | None:
    """Check functions as a record tells them; ``None`` where it doesn't."""
    if not isinstance(turns, list) or not turns:
        return None
    if not all(isinstance(t, list) and all(isinstance(fn, str) for fn in t) for t in turns):
        return None
    return tuple(tuple(turn) for turn in turns)


def _values(checks: Sequence[Mapping[str, Any]], calls: Calls | None) -> Iterator[Value]:
    """The value of every call; those that the record lacks are ``not_run``."""
    last = len(calls) if calls else 1
    found: dict[tuple[int, str], deque[Mapping[str, Any]]] = defaultdict(deque)
    for check in checks:
        found[_place(check, last)].append(check)
    if calls is None:
        calls = _called(found)
    for number, turn in enumerate(calls, 1):
        for fn in turn:
            module = fn.split(".")[0]
            waiting = found[number, fn]
            check = waiting.popleft() if waiting else {"status": "not_run"}
            status = check["status"] if module in AREAS else "not_run"
            if status != "not_applicable":
                yield Value(number, module, _value(check), status, bool(check.get("degraded")))


def _called(found: Mapping[tuple[int, str], Iterable[Mapping[str, Any]]]) -> Calls:
    """The calls that a record holds, where nothing else says what was asked for.

    Beside them it may hold ``program``, which is ours.
    """
    turns: dict[int, list[str]] = defaultdict(list)
    for (turn, fn), checks in found.items():
        known = fn.split(".")[0] in AREAS
        turns[turn] += [fn for check in checks if known or "fn" in (check.get("figures") or {})]
    return tuple(tuple(turns.get(number, ())) for number in range(1, max(turns, default=0) + 1))


def _place(check: Mapping[str, Any], last: int) -> tuple[int, str]:
    """Turn and function of a check of a record; without a turn it is of the last one."""
    figures = check.get("figures") or {}
    name = str(check["id"])
    named = _TURN.match(name)
    told_ = figures.get("turn")
    turn = told_ if _counts(told_) else int(named[1]) if named else last
    fn = figures.get("fn")
    if not isinstance(fn, str):
        fn = (name[named.end() :] if named else name).partition("#")[0]
    return turn, fn


def _value(check: Mapping[str, Any]) -> float:
    """Its published value; what was not run counts nothing."""
    if check["status"] == "not_run":
        return 0.0
    score = check.get("score")
    if isinstance(score, (int, float)) and not isinstance(score, bool):
        return float(min(1, max(0, score)))
    return 1.0 if check["status"] == "passed" else 0.0


def tally(found: Iterable[Attempt]) -> dict[str, int]:
    """How many checks had which status, and of how many an environment's fault was the reason."""
    counts: Counter[str] = Counter()
    for attempt in found:
        for value in attempt.values:
            counts["checks"] += 1
            counts["faults" if attempt.fault else value.status] += 1
            counts["degraded"] += value.degraded
    return dict(counts)
