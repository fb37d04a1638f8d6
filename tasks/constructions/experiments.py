# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of problems behind the paper's tables on wording: what differs, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .file import TERMS
from .generate import generate, vary
from .lite import LITE_SEEDS, lite
from .problem import Problem
from .structural import FOUNDATIONS, TWO_LAYERS
from .system_prompt import system_prompt


@dataclass(frozen=True)
class Arm:
    """One arm of a comparison: problems, the system prompt, and the values that set it apart."""

    values: Mapping[str, str]
    problems: tuple[Problem, ...]
    system_prompt: str


def table_6(seed: int = 0) -> tuple[Arm, ...]:
    """Foundations with no cue, a step-by-step cue and an order-aware one: three arms of 64.

    The paper says "the foundation-building task" and not how many problems that is; these are all
    of the shallow ones, which alone are judged for efficiency.
    """
    base = [p for p in generate(seed) if p.file == FOUNDATIONS.name]
    return tuple(
        Arm({"cue": cue}, tuple(vary(p, cue=cue) for p in base), system_prompt())
        for cue in ("none", "step_by_step", "order_aware")
    )


def table_7(seed: int = 0) -> tuple[Arm, ...]:
    """Slabs on columns by term and verb: six arms of two, twelve problems with 72 checks.

    All figures of the table are sixths in its upper half and quarters in its lower one, which two
    terms, three verbs and two numbers of columns give.
    """
    base = [p for p in generate(seed) if p.file == TWO_LAYERS.name]
    return tuple(
        Arm(
            {"term": term, "verb": verb},
            tuple(vary(p, term=term) for p in base if p.words["verb"] == verb),
            system_prompt(),
        )
        for term in TERMS
        for verb in TWO_LAYERS.axes["verb"]
    )


def table_8(seed: int = 0) -> tuple[Arm, ...]:
    """Small runs with the sentence on brevity and without, a pair a draw: six arms of 25.

    The first three are also what Tables 9 to 11 rest on.
    """
    problems = generate(seed)
    return tuple(
        Arm(
            {"brevity": "with" if brevity else "without", "draw": str(draw)},
            lite(problems, draw),
            system_prompt(brevity),
        )
        for brevity in (True, False)
        for draw in LITE_SEEDS
    )
