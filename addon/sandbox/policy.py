# SPDX-License-Identifier: GPL-3.0-or-later
"""What code of a model may use: read before it runs, for early and kind words.

The policy is no boundary. It finds what a program says plainly, with the line and what to write
instead; whoever wants around it gets around it, and is then held by the process that the code runs
in (docs/model-code.md). It never runs anything and needs no Blender.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace

from ..agent.bench import Problem
from .policy_model import DEFAULT, Policy, PolicyError
from .policy_rules import Reader
from .program import FILENAME

__all__ = ["DEFAULT", "LONGEST", "Policy", "PolicyError", "vet"]

#: Characters of a program at most: a list of 1,500 members, each spelt out, takes half of it.
LONGEST = 300_000
#: Problems named at most; who reads more than these starts over anyway.
MOST = 40

# Doubtful escapes in the program's texts are no business of this process's log.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<program>")


def vet(code: str, policy: Policy = DEFAULT) -> tuple[Problem, ...]:
    """What in ``code`` the policy refuses, in the order of the lines; nothing if it may run.

    Whatever the text is, it is answered quickly and without an exception: what is no program, or
    one that can't be read, is a problem of its own.
    """
    tree = _parse(code)
    if isinstance(tree, Problem):
        return (tree,)
    try:
        found = Reader(tree, policy).problems()
    except (RecursionError, MemoryError):
        return (_too_nested(),)
    lines = code.split("\n")
    unique = {(p.line, p.rule, p.message): p for p in sorted(found, key=_place, reverse=True)}
    ordered = sorted(unique.values(), key=_place)[:MOST]
    return tuple(replace(p, column=_column(lines, p)) for p in ordered)


def _place(problem: Problem) -> tuple[int, int, str]:
    return (problem.line, problem.column, problem.message)


def _column(lines: list[str], problem: Problem) -> int:
    """The column in characters from 1; Python counts bytes from 0."""
    if not 0 < problem.line <= len(lines):
        return problem.column + 1
    before = lines[problem.line - 1].encode("utf-8", "replace")[: problem.column]
    return len(before.decode("utf-8", "ignore")) + 1


def _parse(code: str) -> ast.Module | Problem:
    if len(code) > LONGEST:
        message = (
            f"The program has {len(code):,} characters, more than the {LONGEST:,} that are read; "
            "write loops instead of long lists."
        )
        return Problem(1, 1, "size", message)
    if not code.strip():
        return Problem(1, 1, "empty", "The program is empty; write code that builds the scene.")
    try:
        return ast.parse(code, filename=FILENAME)
    except SyntaxError as error:
        if "too many nested" in str(error.msg) or "recursion" in str(error.msg):
            return _too_nested(error.lineno or 1)
        message = f"Python can't read this line ({error.msg}); correct it."
        return Problem(max(error.lineno or 1, 1), max(error.offset or 1, 1), "syntax", message)
    except UnicodeEncodeError as error:
        line = code.count("\n", 0, error.start) + 1
        return Problem(line, 1, "syntax", "This line holds half a character; write it anew.")
    except (RecursionError, MemoryError):
        return _too_nested()
    except (ValueError, OverflowError) as error:  # a null byte, a number without end
        line = code.count("\n", 0, max(code.find("\0"), 0)) + 1
        message = f"Python can't read the program ({error}); write plain text."
        return Problem(line, 1, "syntax", message)


def _too_nested(line: int = 1) -> Problem:
    message = "The program is nested too deeply to be read; use variables and loops."
    return Problem(line, 1, "nesting", message)
