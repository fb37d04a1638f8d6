# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline selftest timber``: precision and recall of every check over seeded defects."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from ...tasks.defects.scorecard import Scorecard, markdown, plain, score, share, wrong
from ...tasks.defects.selftest import Case, plan
from ...tasks.houses.parameters import STYLES
from .cli import FAILED, PASSED, UNREADABLE
from .console import Console
from .progress import Progress
from .records import to_line
from .selftest_options import CASES
from .selftest_workers import results
from .storage import StorageError, make_folder, write_whole
from .wording import count, printable
from .workers import WorkersError

#: So many exceptions are printed; the page and the object for machines hold more.
_NAMED = 20


def selftest(options: argparse.Namespace, terminal: Console) -> int:
    """Run the cases, print or write the scorecard.

    The code is 1 unless every case came exactly as expected. The same options give the same page.
    """
    styles = tuple(dict.fromkeys(options.styles or STYLES))
    jobs = plan(options.cases, options.seed, styles)
    progress = Progress(terminal.err, terminal.err_style, len(jobs))
    cases: list[Case] = []
    begin = time.monotonic()
    try:
        for job, found in results(jobs, options.workers):
            cases += found
            progress.finished(f"{job.style}/{job.seed}")
            progress.draw()
    except WorkersError as error:
        progress.clear()
        terminal.warn(str(error))
        return UNREADABLE
    finally:
        progress.clear()
    card = score(cases)
    if options.out:
        try:
            _write(Path(options.out), card, options, styles)
        except StorageError as error:
            terminal.warn(str(error))
            return UNREADABLE
    if options.json:
        terminal.line(to_line(plain(card)))
    else:
        _tell(card, terminal, time.monotonic() - begin)
    return PASSED if card.perfect else FAILED


def _write(path: Path, card: Scorecard, options: argparse.Namespace, styles: Sequence[str]) -> None:
    command = ["plumbline selftest timber"]
    if options.cases != CASES:
        command.append(f"--cases {options.cases}")
    if options.seed != 1:
        command.append(f"--seed {options.seed}")
    if len(styles) < len(STYLES):
        command.append(f"--styles {' '.join(styles)}")
    command.append(f"--out {path.as_posix()}")
    make_folder(path.resolve().parent)
    write_whole(path, markdown(card, " ".join(command)).encode())


def _tell(card: Scorecard, terminal: Console, seconds: float) -> None:
    width = max(map(len, card.checks))
    terminal.line(
        f"{'check':{width}}  {'cases':>6} {'found':>6} {'missed':>6} {'unexpected':>10} "
        f"{'precision':>9} {'recall':>7}"
    )
    for name, s in card.checks.items():
        terminal.line(
            f"{name:{width}}  {s.cases:6} {s.found:6} {s.missed:6} {s.strays:10} "
            f"{share(s.precision):>9} {share(s.recall):>7}"
        )
    for case in card.exceptions[:_NAMED]:
        terminal.line(printable(f"{case.name}: {case.sentence} {'; '.join(wrong(case))}"))
    if len(card.exceptions) > _NAMED:
        terminal.line(f"and {count(len(card.exceptions) - _NAMED, 'more exception')}")
    terminal.line(
        f"{count(card.cases, 'case')} in {seconds:.0f} s, "
        f"{count(len(card.exceptions), 'exception')}"
    )
