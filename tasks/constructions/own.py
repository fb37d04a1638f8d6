# SPDX-License-Identifier: GPL-3.0-or-later
"""What the comments of a file that we wrote say of its problems: place, words, parameters, seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from .files import FILES
from .problem import Problem


def placed(problems: Sequence[Problem], items: Sequence[Any]) -> tuple[Problem, ...]:
    """The problems of a file with what its items' comments say of them.

    ``items`` are those of the file, to which the problems' own numbers refer. Where the comments
    don't give every problem a place of its own, none of them is believed.
    """
    found = [_placed(problem, items[problem.item]) for problem in problems]
    ids = {problem.id for problem in found if problem is not None}
    if len(ids) < len(found):
        return tuple(problems)
    return tuple(problem for problem in found if problem is not None)


def _placed(problem: Problem, item: Mapping[str, Any]) -> Problem | None:
    """The problem at its place, ``None`` where the comments don't tell."""
    number = item.get("_item")
    wording = _nth(item.get("_wordings"), problem.wording)
    words = _nth(item.get("_words"), problem.wording)
    parameters = item.get("_parameters")
    if not (_is_place(number) and _is_place(wording)):
        return None
    if not isinstance(parameters, dict) or not isinstance(words, dict):
        return None
    if not all(isinstance(word, str) for word in words.values()):
        return None
    moved = replace(problem, item=number - 1, wording=wording - 1)
    moved = replace(moved, words=words, parameters=parameters)
    seed = item.get("_seed")
    known = isinstance(seed, int) and not isinstance(seed, bool) and _is_of_grid(moved)
    return replace(moved, seed=seed if known else None)


def _is_of_grid(problem: Problem) -> bool:
    """Whether the problem asks for just what its place in the grid does."""
    items = next((file.items for file in FILES if file.name == problem.file), ())
    if problem.item >= len(items):
        return False
    item = items[problem.item]
    return problem.checks == item.checks and problem.parameters == item.parameters


def _nth(values: Any, index: int) -> Any:
    return values[index] if isinstance(values, list) and index < len(values) else None


def _is_place(value: Any) -> TypeGuard[int]:
    """Whether it is a number of an item or a wording, counted from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 99_999
