# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline compare RUN_A RUN_B``: the same attempts in two runs, and how they came out."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..comparing import Comparison, Side, compare
from . import wording
from .cli import PASSED, UNREADABLE
from .console import Console
from .records import to_line
from .runfolder import Run, RunFolderError, read_run

_NAMED = 3
_Place = tuple[Any, Any, Any]


def comparison(options: argparse.Namespace, terminal: Console) -> int:
    """Say what differs, attempt by attempt; neither run is changed.

    Attempts are paired by task, twin and repetition, whoever built them. The exit code tells only
    whether both could be read: to differ is no failure.
    """
    runs: list[Run] = []
    for folder in (options.a, options.b):
        try:
            runs.append(read_run(folder))
        except RunFolderError as error:
            terminal.warn(str(error))
            return UNREADABLE
        for note in runs[-1].notes:
            terminal.warn(f"{folder}: {note}")
    a, b = ({_place(record): record for record in run.records} for run in runs)
    pairs = {place: compare(Side(a[place]), Side(b[place])) for place in a if place in b}
    for place, found in pairs.items():
        if options.json:
            terminal.line(to_line(_plain(place, found)))
        elif not (found.same_verdict and found.same_findings):
            terminal.line(_line(place, found))
    if not options.json:
        _close(terminal, a, b, pairs)
    return PASSED


def _place(record: Mapping[str, Any]) -> _Place:
    return record.get("task"), record.get("variant"), record.get("epoch", 1)


def _name(place: _Place) -> str:
    task, variant, epoch = place
    name = f"{task} [{variant}]" if variant else str(task)
    return f"{name} #{epoch}" if epoch > 1 else name


def _keys(findings: tuple[Mapping[str, Any], ...]) -> list[str]:
    return [f"{finding['check']}:{finding['subject']}" for finding in findings]


def _line(place: _Place, found: Comparison) -> str:
    words = [wording.VERDICT_WORDS[verdict] for verdict in found.verdicts]
    parts = [words[0] if found.same_verdict else f"{words[0]}, then {words[1]}"]
    for what, findings in (("only in A", found.only_a), ("only in B", found.only_b)):
        keys = _keys(findings)
        more = f" and {len(keys) - _NAMED:,} more" if len(keys) > _NAMED else ""
        parts += [f"{what}: {', '.join(keys[:_NAMED])}{more}"] if keys else []
    return wording.printable(f"{_name(place)}  {'; '.join(parts)}")


def _close(
    terminal: Console,
    a: Mapping[_Place, Any],
    b: Mapping[_Place, Any],
    pairs: Mapping[_Place, Comparison],
) -> None:
    changed = Counter(found.verdicts for found in pairs.values() if not found.same_verdict)
    told = [
        f"{number} {wording.VERDICT_WORDS[one]} in A and {wording.VERDICT_WORDS[other]} in B"
        for (one, other), number in sorted(changed.items())
    ]
    came = ", ".join(told) or "the same verdicts"
    terminal.line(f"{wording.count(len(pairs), 'attempt')} in both: {came}")
    for name, only in (("A", a.keys() - b.keys()), ("B", b.keys() - a.keys())):
        if only:
            terminal.line(f"only in {name}: {wording.count(len(only), 'attempt')}")


def _plain(place: _Place, found: Comparison) -> dict[str, Any]:
    task, variant, epoch = place
    return {
        "task": task,
        "variant": variant,
        "epoch": epoch,
        "verdicts": list(found.verdicts),
        "checks": {pair.check: [pair.a, pair.b] for pair in found.checks if not pair.same},
        "only_a": _keys(found.only_a),
        "only_b": _keys(found.only_b),
        "both": len(found.both),
        "figures": {figure.name: [figure.a, figure.b] for figure in found.figures},
    }
