# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks generate --kind voxel``: problems as files of the benchmark's own format.

All 723, a small run of them, other wordings, or the arms of one of the paper's tables on wording,
each in a folder of its own with its system prompt.
"""

from __future__ import annotations

import argparse
import errno
from collections.abc import Sequence
from pathlib import Path

from ...tasks.constructions import FILES, Problem, experiments, generate, lite, vary
from ...tasks.constructions.generate import dimensions
from ...tasks.constructions.writing import Lists, may_replace, write_lists
from . import versions, wording
from .cli import PASSED, UNREADABLE
from .console import Console
from .records import to_line
from .storage import StorageError, explained, make_folder

_TABLES = {6: experiments.table_6, 7: experiments.table_7, 8: experiments.table_8}


def write_problems(options: argparse.Namespace, terminal: Console) -> int:
    """Write the files; 2 if they can't be written."""
    out = Path(options.out)
    try:
        lists = _lists(options)
        with explained(out):
            hindrance = _hindrance(out, options)
        if hindrance is not None:
            terminal.warn(hindrance)
            return UNREADABLE
        _write(out, lists, options)
    except (StorageError, ValueError) as error:
        terminal.warn(str(error))
        return UNREADABLE
    _sum_up(lists, out, options, terminal)
    return PASSED


def _lists(options: argparse.Namespace) -> list[Lists]:
    """What is to be written. Raises ``ValueError`` for words that no problem has."""
    if options.table is not None:
        return [
            Lists(
                arm.problems, "_".join(f"{k}-{v}" for k, v in arm.values.items()), arm.system_prompt
            )
            for arm in _TABLES[options.table](options.seed)
        ]
    problems = generate(options.seed)
    if options.lite is not None:
        problems = lite(problems, options.lite)
    return [Lists(_varied(problems, dict(options.vary or ())))]


def _varied(problems: Sequence[Problem], words: dict[str, str]) -> tuple[Problem, ...]:
    """The problems with these words, those that have their dimensions; others stay as they are.

    Of problems that become the same the first is kept. Raises ``ValueError`` where no problem has
    one of them, or not with that value.
    """
    have = {file.name: dimensions(file) for file in FILES}
    for name, value in words.items():
        values = {v for p in problems for v in have[p.file].get(name, ())}
        if not values:
            known = ", ".join(dict.fromkeys(n for p in problems for n in have[p.file]))
            raise ValueError(f"no problem has the dimension {name!r}; there are {known}")
        if value not in values:
            raise ValueError(f"{name} can't be {value!r}; it may be {', '.join(sorted(values))}")
    varied = (
        vary(p, **{k: v for k, v in words.items() if v in have[p.file].get(k, ())})
        for p in problems
    )
    found: dict[tuple[str, int, tuple[str, ...]], Problem] = {}
    for problem in varied:
        found.setdefault((problem.file, problem.item, problem.prompts), problem)
    return tuple(found.values())


def _hindrance(out: Path, options: argparse.Namespace) -> str | None:
    """Why nothing may be written there, as a sentence."""
    if out.name in ("", ".."):
        return f"{options.out!r}: names no folder; name one"
    if out.exists() and not options.force:
        return f"{out}: is there already; name another, or replace it with --force"
    if not may_replace(out):
        return f"{out}: holds something that was not generated; name another"
    return None


def _write(out: Path, lists: Sequence[Lists], options: argparse.Namespace) -> None:
    about = {"plumbline": versions.plumbline(), "seed": options.seed, "lite": options.lite}
    about |= {"table": options.table, "vary": dict(options.vary or ())}
    make_folder(out.absolute().parent)
    try:
        with explained(out):
            write_lists(out, lists, about, options.force)
    except StorageError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        why = "somebody has put something there meanwhile; name another, or replace it with --force"
        raise StorageError(errno.EEXIST, f"{out}: {why}") from None


def _sum_up(
    lists: Sequence[Lists], out: Path, options: argparse.Namespace, terminal: Console
) -> None:
    """How many files and problems, of each arm where there are arms."""
    counts = [(one.name, len({p.file for p in one.problems}), len(one.problems)) for one in lists]
    if options.json:
        arms = [{"name": name, "files": files, "problems": n} for name, files, n in counts]
        told = {"folder": str(out), "seed": options.seed, "arms": arms}
        terminal.line(to_line(told))
        return
    for name, files, problems in counts:
        line = f"{wording.count(problems, 'problem')} in {wording.count(files, 'file')}"
        terminal.line(f"{name}: {line}" if name else line)
    terminal.line(f"written to {wording.printable(str(out))}")
