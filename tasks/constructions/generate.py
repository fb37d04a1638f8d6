# SPDX-License-Identifier: GPL-3.0-or-later
"""The 723 problems with their wordings, the same for the same seed, and further wordings of them.

All problems of an item share one sentence, so that two of them differ in nothing but the words of
their dimensions: the comparisons of the paper's Tables 6 and 7 rest on that.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Mapping
from typing import Any

from .cues import CUES
from .file import TERMS, Item, TaskFile
from .files import FILES
from .problem import Problem

#: What :func:`checks_sha256` gives for the 723 problems; their checks were compared one by one with
#: the published check lists, names, arguments and order.
CHECKS_SHA256 = "6b7201e585d6803053b86a988ab8e5aaffc442b2c396c27cc77ea94c6eaa97de"


def generate(seed: int = 0) -> tuple[Problem, ...]:
    """All problems in the order of files, items and wordings. Another seed, other sentences."""
    return tuple(
        _problem(file, index, number, words, seed)
        for file in FILES
        for index in range(len(file.items))
        for number, words in enumerate(file.wordings(index))
    )


def vary(problem: Problem, **words: str) -> Problem:
    """The same problem worded otherwise, e.g. ``term="plain"`` or ``cue="order_aware"``.

    Raises ``ValueError`` for a dimension that the problem's file doesn't have, or a value that the
    dimension hasn't; the message names those there are.
    """
    file = next((f for f in FILES if f.name == problem.file), None)
    if file is None or problem.seed is None:
        raise ValueError(f"{problem.id} was read from a file; only generated problems vary")
    known = dimensions(file)
    for name, value in words.items():
        if name not in known:
            raise ValueError(f"{file.name} has no dimension {name!r}; it has {', '.join(known)}")
        if value not in known[name]:
            raise ValueError(f"{name} can't be {value!r}; it may be {', '.join(known[name])}")
    return _problem(file, problem.item, problem.wording, {**problem.words, **words}, problem.seed)


def dimensions(file: TaskFile) -> dict[str, tuple[str, ...]]:
    """The dimensions that problems of a file may be varied in, with their values."""
    found = dict(file.axes)
    if file.terms:
        found["term"] = TERMS
    return found | {"cue": tuple(CUES)}


def checks_sha256(problems: Iterable[Problem]) -> str:
    """Fingerprint of the checks of all problems: what is judged, not how it is worded.

    SHA-256 of canonical JSON (sorted keys, no blanks) of ``[[file, [turn, ...]], ...]``, a turn
    being a list of ``{"fn": ..., "args": {...}}``; no arguments are ``{}``.
    """
    rows = [[p.file, [[_plain(call) for call in turn] for turn in p.checks]] for p in problems]
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(call: Any) -> dict[str, Any]:
    return {"fn": call.fn, "args": dict(call.args)}


def _problem(
    file: TaskFile, index: int, number: int, words: Mapping[str, str], seed: int
) -> Problem:
    item = file.items[index]
    chosen = random.Random(f"{file.name}/{index}/{seed}").random()
    sentence = file.sentences[int(chosen * len(file.sentences))]
    prompts = tuple(
        _worded(sentence[min(turn, len(sentence) - 1)], file, item, turn, words)
        for turn in range(len(item.checks))
    )
    return Problem(
        file.name, index, number, prompts, item.checks, dict(words), item.parameters, seed
    )


def _worded(sentence: str, file: TaskFile, item: Item, turn: int, words: Mapping[str, str]) -> str:
    """The text of one turn."""
    fields: dict[str, Any] = {
        name: value[turn] if isinstance(value, list) else value
        for name, value in item.parameters.items()
    }
    fields |= file.terms.get(words.get("term", ""), {})
    fields |= words
    fields["Verb"] = words["verb"].capitalize()
    fields["lines"] = "\n".join(file.lines[int(place) - 1] for place in words.get("order", ""))
    text = sentence.format_map(fields)
    cue = CUES[words["cue"]]
    return f"{text} {cue}" if cue and "\n" not in text else f"{text}\n{cue}".rstrip()
