# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks generate``: a pack of seeded houses, made, judged, drawn and written whole.

Voxel problems are written by :mod:`.generate_problems`.
"""

from __future__ import annotations

import argparse
import errno
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...tasks.houses.parameters import ParameterError
from ...tasks.packs.entry import Entry
from ...tasks.packs.folder import may_replace, write_folder
from ...tasks.packs.making import PROFILE, Made, Wanted, check_plan, plan, styles_named
from ...tasks.packs.pack import SUFFIX
from . import versions, wording
from .cli import FAILED, NOT_JUDGED, PASSED, UNREADABLE
from .console import Console
from .generate_options import SEEDS, fixed_parameters, misplaced
from .generate_problems import write_problems
from .house_pictures import HousePictures, PicturesError
from .house_workers import houses
from .records import to_line
from .storage import StorageError, explained, make_folder
from .workers import WorkersError

#: Off a terminal a line is printed after so many seconds.
_LINE_EVERY = 30.0
_ERASE = "\r\x1b[K"
_REDRAW_EVERY = 0.2  # s


def generate(options: argparse.Namespace, terminal: Console) -> int:
    """Make the pack; 2 if it can't be, 1 if houses failed and were left out."""
    wrong = misplaced(options)
    if wrong is not None:
        terminal.warn(wrong)
        return UNREADABLE
    if options.seed is None:
        options.seed = SEEDS[options.kind]
    if options.kind == "voxel":
        return write_problems(options, terminal)
    out = Path(options.out)
    try:
        wanted = _planned(options)
        with explained(out):
            hindrance = _hindrance(out, options)
        if hindrance is not None:
            terminal.warn(hindrance)
            return UNREADABLE
        made = _made(wanted, options, terminal)
        kept = [one for one in made if one.verdict in (None, "passed")]
        for one in made:
            if one not in kept:
                terminal.warn(f"{one.entry.name}: {one.verdict}, left out: {one.fault or ''}")
        if not kept:
            terminal.warn("no house passed, so that no pack was written")
            return FAILED
        _write(out, _drawn([one.entry for one in kept], options.images, terminal), options)
    except (ParameterError, StorageError, WorkersError, ValueError) as error:
        terminal.warn(str(error))
        return UNREADABLE
    except PicturesError as error:
        terminal.warn(f"no pictures can be drawn: {error}; --images none makes the pack without")
        return NOT_JUDGED
    _sum_up(made, out, options, terminal)
    return PASSED if len(kept) == len(made) else FAILED


def _planned(options: argparse.Namespace) -> list[Wanted]:
    """The houses. Raises :class:`ParameterError` before the first is built."""
    styles = styles_named(options.style)
    wanted = plan(styles, options.count, options.seed, fixed_parameters(options))
    check_plan(wanted[: len(styles)])  # what is given on the command line holds for all alike
    return wanted


def _hindrance(out: Path, options: argparse.Namespace) -> str | None:
    """Why nothing may be written there, as a sentence."""
    if out.name in ("", ".."):
        return f"{options.out!r}: names no pack; name a folder, or a file that ends in {SUFFIX}"
    if out.suffix == SUFFIX and options.images == "both":
        return f"{out}: holds one picture a view; choose --images frame or skin, or a folder"
    if out.exists() and not options.force:
        return f"{out}: is there already; name another, or replace it with --force"
    if out.suffix == SUFFIX:
        return f"{out}: is no file; name another" if out.exists() and not out.is_file() else None
    return None if may_replace(out) else f"{out}: holds something that is no pack; name another"


def _made(wanted: Sequence[Wanted], options: argparse.Namespace, terminal: Console) -> list[Made]:
    """All houses in their order."""
    counter = Counter(len(wanted), terminal, "houses made")
    found: dict[int, Made] = {}
    folder = Path(options.out).suffix != SUFFIX
    for place, made in houses(wanted, options.judge, folder, options.workers):
        found[place] = made
        counter.step()
    counter.close()
    return [found[place] for place in range(len(wanted))]


def _drawn(entries: Sequence[Entry], images: str, terminal: Console) -> Iterator[Entry]:
    """The tasks by name, with the pictures that were asked for. Raises :class:`PicturesError`."""
    ordered = sorted(entries, key=lambda entry: entry.name)
    if images == "none":
        yield from ordered
        return
    counter = Counter(len(ordered), terminal, "houses drawn")
    with HousePictures() as pictures:
        for entry in ordered:
            bare = pictures.draw(entry, skin=False) if images in ("frame", "both") else {}
            closed = pictures.draw(entry, skin=True) if images in ("skin", "both") else {}
            yield replace(entry, frame=bare, skin=closed)
            counter.step()
    counter.close()


def _write(out: Path, entries: Iterator[Entry], options: argparse.Namespace) -> None:
    about = {"plumbline": versions.plumbline(), "seed": str(options.seed), "style": options.style}
    make_folder(out.absolute().parent)
    try:
        with explained(out):
            if out.suffix == SUFFIX:
                from ...tasks.packs.dhpack_writing import write_dhpack

                write_dhpack(out, entries, about, options.force)
            else:
                write_folder(out, entries, about, options.force)
    except StorageError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        why = "somebody has put something there meanwhile; name another, or replace it with --force"
        raise StorageError(errno.EEXIST, f"{out}: {why}") from None


def _sum_up(
    made: Sequence[Made], out: Path, options: argparse.Namespace, terminal: Console
) -> None:
    """How many of each style, how large they are, and how they were judged."""
    members = sorted(one.entry.count for one in made)
    styles: dict[str, list[int]] = {}
    for one in made:
        styles.setdefault(one.entry.style, []).append(one.entry.count)
    passed = sum(one.verdict == "passed" for one in made)
    if options.json:
        judged = {"profile": PROFILE, "passed": passed} if options.judge else None
        spread = [members[0], statistics.median(members), members[-1]]
        counts = {style: len(found) for style, found in sorted(styles.items())}
        summary = {"pack": str(out), "tasks": len(made), "styles": counts, "members": spread}
        terminal.line(to_line({**summary, "judged": judged}))
        return
    for style, found in sorted(styles.items()):
        terminal.line(f"{style:12} {len(found):5,}  {_spread(found)}")
    terminal.line(f"{'all':12} {len(made):5,}  {_spread(members)}")
    if options.judge:
        terminal.line(f"{PROFILE}: {passed:,} of {wording.count(len(made), 'house')} passed")
    terminal.line(f"written to {wording.printable(str(out))}")


def _spread(members: Sequence[int]) -> str:
    return f"{min(members)} to {max(members)} members, median {statistics.median(members):g}"


class Counter:
    """How far it is: a line that is drawn over on a terminal, else one line now and then."""

    def __init__(
        self,
        total: int,
        terminal: Console,
        what: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._terminal, self._what, self._clock = total, terminal, what, clock
        self._begin = self._drawn = clock()
        self._done = 0

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        now = self._clock()
        drawn_over = self._terminal.err_style.terminal
        if now - self._drawn < (_REDRAW_EVERY if drawn_over else _LINE_EVERY):
            return
        self._drawn = now
        left = (now - self._begin) / self._done * (self._total - self._done)
        told = f"{self._done}/{self._total} {self._what}, {wording.seconds(round(left))} left"
        self._put(f"{_ERASE}{told}" if drawn_over else f"{told}\n")

    def close(self) -> None:
        """Take the line away."""
        if self._terminal.err_style.terminal:
            self._put(_ERASE)

    def _put(self, text: str) -> None:
        self._terminal.err.write(text)
        self._terminal.err.flush()
