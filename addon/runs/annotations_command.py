# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline annotations RUN_DIR...``: what people say of runs, and how far they agree."""

from __future__ import annotations

import argparse
import fnmatch
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..annotations.agreement import Share
from ..annotations.bcf import write_bcf
from ..annotations.figures import Figures, figures_of
from ..annotations.gather import Attempt, Gathered, gather
from ..annotations.page import build_page
from ..annotations.row import About, item_of
from ..annotations.table import as_csv
from .cli import NOT_JUDGED, PASSED, UNREADABLE
from .console import Console
from .records import clean, to_line
from .report import picture_of
from .storage import StorageError, make_folder, write_whole
from .wording import count, printable

FIGURES_SCHEMA = "plumbline.agreement/1"


def tell(options: argparse.Namespace, terminal: Console) -> int:
    """Read every place, write what is asked for, and print the figures.

    The code is 3 where nobody has judged anything; a place that can't be read is said, the rest is
    used all the same, and the code is then 2.
    """
    unread: list[str] = []
    found = gather(options.places, unread.append)
    for sentence in unread:
        terminal.warn(sentence)
    if options.attempt:
        _keep(found, options.attempt)
    for note in found.notes:
        terminal.warn(note)
    figures = figures_of(found.rows, found.records)
    unwritten = _write(options, found, figures, terminal)
    if options.json:
        terminal.line(to_line(plain(figures)))
    elif figures.rows:
        _tell(figures, terminal)
    else:
        terminal.line("Nobody has judged anything here yet.")
    if unread or unwritten:
        return UNREADABLE
    return PASSED if figures.rows else NOT_JUDGED


def _keep(found: Gathered, pattern: str) -> None:
    def fits(name: Any) -> bool:
        return fnmatch.fnmatchcase(str(name or ""), pattern)

    found.rows = [row for row in found.rows if fits(row["of"].get("attempt"))]
    found.attempts = {i: a for i, a in found.attempts.items() if fits(a.record.get("attempt"))}


def _write(
    options: argparse.Namespace, found: Gathered, figures: Figures, terminal: Console
) -> bool:
    """Write the files that are asked for; whether one could not be written."""
    failed = False
    for path, make in (
        (options.agreement, lambda p: build_page(found, figures, p.parent).encode()),
        (options.csv, lambda _: as_csv(found.rows).encode("utf-8", "backslashreplace")),
        (options.bcf, lambda p: bcf_of(found, p.stem)[0]),
    ):
        if not path:
            continue
        try:
            make_folder(Path(path).resolve().parent)
            write_whole(Path(path), make(Path(path)))
        except StorageError as error:
            terminal.warn(str(error))
            failed = True
        else:
            if not options.json:
                terminal.line(str(path))
    return failed


def bcf_of(found: Gathered, name: str, guids: Mapping[str, str] | None = None) -> tuple[bytes, int]:
    """A BCF file of all attempts that were gathered, with the pictures that lie in the run."""
    pictures = {item: data for item, a in found.attempts.items() if (data := _picture(a))}
    return write_bcf(found.attempts, found.rows, pictures, name, guids)


def _picture(attempt: Attempt) -> bytes | None:
    return picture_of(attempt.run, attempt.record)


def plain(figures: Figures) -> dict[str, Any]:
    """The figures as plain data for machines; what is not defined is null."""
    return clean(
        {
            "schema": FIGURES_SCHEMA,
            "people": [asdict(person) for person in figures.people],
            "findings": asdict(figures.findings),
            "structures": asdict(figures.structures),
            "pairs": [asdict(pair) for pair in figures.pairs],
            "checks": [
                {**asdict(c), "precision": _share(c.precision), "recall": _share(c.recall)}
                for c in figures.checks
            ],
            "disputes": [
                {"of": d.row["of"], "subject": d.row["subject"], "said": d.said}
                for d in figures.disputes
            ],
        }
    )


def _share(share: Share) -> dict[str, Any]:
    return {
        "count": share.count,
        "total": share.total,
        "value": share.value,
        "interval": share.interval,
    }


def _tell(figures: Figures, terminal: Console) -> None:
    judged: set[About] = {item_of(row) for row in figures.rows}
    terminal.line(
        f"{count(len(figures.rows), 'judgment')} by {count(len(figures.people), 'annotator')} "
        f"of {count(len(judged), 'structure')}"
    )
    for person in figures.people:
        told = ", ".join(
            count(number, "fault marked", "faults marked")
            if kind == "missed"
            else count(number, kind, "criteria" if kind == "criterion" else None)
            for kind, number in sorted(person.counts.items())
        )
        terminal.line(f"  {printable(person.name)}: {told}")
    for name, found in (("findings", figures.findings), ("structures", figures.structures)):
        if found.observed is None:
            continue
        kappa = "not defined" if found.kappa is None else f"{found.kappa:.3f}"
        terminal.line(
            f"{name}: {found.observed:.0%} agreement on {count(found.items, 'item')}, "
            f"Fleiss' kappa {kappa}"
        )
    for pair in figures.pairs:
        names = f"{printable(pair.first)} and {printable(pair.second)}"
        for noun, found in (("finding", pair.findings), ("structure", pair.structures)):
            if found.observed is not None:
                kappa = "not defined" if found.kappa is None else f"{found.kappa:.3f}"
                terminal.line(
                    f"  {names}: {found.observed:.0%} of {count(found.items, noun)}, "
                    f"Cohen's kappa {kappa}"
                )
