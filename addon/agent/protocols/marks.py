# SPDX-License-Identifier: GPL-3.0-or-later
"""A program in phases: where each begins and ends, by comments ``# phase: NAME``.

A phase is run as everything up to its end, from an empty scene, so that line numbers stay those of
the program and its variables are there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"^([ \t]*)#[ \t]*phase[ \t]*:[ \t]*([\w-]+)[ \t]*$", re.IGNORECASE)


class MarksError(ValueError):
    """A program whose phases can't be told; sentences for the model."""


@dataclass(frozen=True)
class Part:
    """``code`` is the program up to the end of ``phase``."""

    phase: str
    code: str


def parts(code: str, phases: Sequence[str]) -> list[Part]:
    """The program cut at its marks, in the order in which it builds.

    Raises :class:`MarksError` naming every phase that is missing, unknown, marked twice, or marked
    within a statement.
    """
    lines = code.splitlines(keepends=True)
    marks = [(n, m[1], m[2].lower()) for n, line in enumerate(lines, 1) if (m := _MARK.match(line))]
    faults = [*_wrong_names([name for _, _, name in marks], phases), *_within(code, marks)]
    if faults:
        raise MarksError("\n".join(f"- {fault}" for fault in faults))
    ends = [number - 1 for number, _, _ in marks[1:]] + [len(lines)]
    return [Part(name, "".join(lines[:end])) for (_, _, name), end in zip(marks, ends, strict=True)]


def _wrong_names(found: Sequence[str], phases: Sequence[str]) -> list[str]:
    faults = [f"the phase {name!r} is not known" for name in found if name not in phases]
    faults += [
        f"the phase {phase!r} is marked {found.count(phase)} times; mark each phase once"
        for phase in phases
        if found.count(phase) > 1
    ]
    missing = [phase for phase in phases if phase not in found]
    return faults + [f"the phase {phase!r} has no mark `# phase: {phase}`" for phase in missing]


def _within(code: str, marks: Sequence[tuple[int, str, str]]) -> list[str]:
    """Marks that stand within a statement. A program that is no Python is the policy's matter."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    spans = [(node.lineno, node.end_lineno or node.lineno) for node in tree.body]
    return [
        f"the mark of the phase {name!r} in line {number} stands within a statement; put it "
        "between statements, at the start of a line"
        for number, indent, name in marks
        if indent or any(first <= number <= last for first, last in spans)
    ]
