# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline selftest timber``: precision and recall of every check over seeded defects."""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...tasks.defects.scorecard import Scorecard, markdown, plain, score, share, wrong
from ...tasks.defects.selftest import Case, Job, plan, run
from ...tasks.houses.parameters import STYLES
from .cli import FAILED, PASSED, UNREADABLE
from .console import Console
from .progress import Progress
from .records import to_line
from .selftest_options import CASES
from .storage import StorageError, make_folder, write_whole
from .wording import count, printable

#: So many exceptions are printed; the page and the object for machines hold more.
_NAMED = 20
#: Seconds between two looks at a job in another process.
_PATIENCE = 0.2


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
        with _results(jobs, options.workers) as results:
            for job, found in results:
                cases += found
                progress.finished(f"{job.style}/{job.seed}")
                progress.draw()
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


@contextmanager
def _results(jobs: Sequence[Job], workers: int) -> Iterator[Iterator[tuple[Job, list[Case]]]]:
    """Jobs with their cases as they are done, here or in so many processes."""
    if workers == 1 or len(jobs) == 1:
        yield ((job, run(job)) for job in jobs)
        return
    # Processes that start anew are the same on every platform, and in Blender.
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(workers, len(jobs)), _leave_interrupts) as pool:
        yield _waiting(pool.imap(_one, jobs))


def _one(job: Job) -> tuple[Job, list[Case]]:
    return job, run(job)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; only the first one answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _waiting(
    results: multiprocessing.pool.IMapIterator[tuple[Job, list[Case]]],
) -> Iterator[tuple[Job, list[Case]]]:
    """Results in turn; it is looked for them in short steps, so that Ctrl-C is heard."""
    while True:
        try:
            yield results.next(_PATIENCE)
        except multiprocessing.TimeoutError:
            continue
        except StopIteration:
            return


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
