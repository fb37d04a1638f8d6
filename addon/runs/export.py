# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline export RUN_DIR...``: logs of a run that other programs can open."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .cli import PASSED, UNREADABLE
from .console import Console
from .export_atif import write_atif
from .export_episode import Episode, episodes
from .export_inspect import write_inspect
from .runfolder import Run, RunFolderError, read_run
from .storage import StorageError, explained, make_folder

#: Where exports go in a run folder, unless another place is named.
FOLDER = "export"


def write_lines(run: Run, out: Path) -> list[Path]:
    """Write results and transcripts as one file of JSON lines into the folder ``out``.

    Each attempt is its record (``plumbline.result/1``) followed by the events of its transcript
    (``plumbline.transcript/1``) with ``attempt`` added; files of pictures are named from the run
    folder on. Raises :class:`.storage.StorageError`.
    """
    make_folder(out)
    path = out / f"{run.path.resolve().name}.jsonl"
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    with explained(path):
        try:
            with open(draft, "w", encoding="utf-8") as stream:
                for episode in episodes(run):
                    for line in _lines(episode):
                        stream.write(json.dumps(line, allow_nan=False) + "\n")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    return [path]


def _lines(episode: Episode) -> Iterator[Mapping[str, Any]]:
    yield episode.record
    for event in episode.events:
        yield {**event, **_with_paths(event, episode.name), "attempt": episode.name}


def _with_paths(event: Mapping[str, Any], attempt: str) -> dict[str, Any]:
    """The parts of a message with its pictures' files named from the run folder on."""
    if "parts" not in event:
        return {}

    def named(part: Mapping[str, Any]) -> dict[str, Any]:
        plain = dict(part)
        if "file" in plain:
            plain["file"] = f"{attempt}/{plain['file']}"
        if "content" in plain:
            plain["content"] = [named(inner) for inner in plain["content"]]
        return plain

    return {"parts": [named(part) for part in event["parts"]]}


FORMATS: dict[str, Callable[[Run, Path], list[Path]]] = {
    "inspect": write_inspect,
    "atif": write_atif,
    "jsonl": write_lines,
}


def export(options: argparse.Namespace, terminal: Console) -> int:
    """Export every run; one that can't be is said and the rest goes on."""
    code = PASSED
    for folder in options.runs:
        try:
            run = read_run(folder)
            if not run.records:
                raise RunFolderError(f"{folder}: holds no results yet; nothing to export")
            out = Path(options.out) if options.out else run.path / FOLDER / options.format
            out = out / run.path.resolve().name if options.out and len(options.runs) > 1 else out
            written = FORMATS[options.format](run, out)
        except (RunFolderError, StorageError) as error:
            terminal.warn(str(error))
            code = UNREADABLE
            continue
        for note in run.notes:
            terminal.warn(f"{folder}: {note}")
        for path in written:
            terminal.line(str(path))
    return code
