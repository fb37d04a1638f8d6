# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline check FILE...``: judge what lies on disk, each file for itself."""

from __future__ import annotations

import argparse
import os
import traceback
from typing import TYPE_CHECKING

from ... import tasks
from ..sandbox.client import BlenderWorker, WorkerError
from . import table
from .cli import UNREADABLE, exit_code
from .console import Console
from .judging import InputError, judge
from .output import RecordOutput
from .verdicts import first_line, internal_sentence, not_judged

if TYPE_CHECKING:
    from .records import Result


def check(options: argparse.Namespace, terminal: Console) -> int:
    """Judge every file; one that can't be read is said on standard error and the rest goes on."""
    try:
        task = tasks.load_task(options.task) if options.task else None
    except tasks.TaskError as error:
        terminal.warn(str(error))
        return UNREADABLE
    if options.json_out and any(_same_file(options.json_out, file) for file in options.files):
        terminal.warn(f"{options.json_out}: is one of the files to judge; name another --json-out")
        return UNREADABLE
    verdicts: list[str] = []
    unreadable = False
    with (
        RecordOutput(terminal, options.json, options.json_out) as output,
        BlenderWorker() as worker,
    ):
        for number, file in enumerate(options.files):
            try:
                result = _judge(file, task, options, worker, terminal)
            except InputError as error:
                terminal.warn(str(error))
                unreadable = True
                continue
            record = result.to_record()
            verdicts.append(record["verdict"])
            output.record(record)
            if not options.json:
                if number:
                    terminal.line()
                for line in table.lines(record, terminal.style, options.all):
                    terminal.line(line)
    return exit_code(verdicts, unreadable or output.failed)


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them isn't there
        return False


def _judge(
    file: str,
    task: tasks.Task | None,
    options: argparse.Namespace,
    worker: BlenderWorker,
    terminal: Console,
) -> Result:
    """Judge one file; what Blender or we did wrong leaves it not judged, which is never a pass."""
    from dataclasses import replace

    try:
        return judge(file, task, options.profile, options.kind, worker)
    except InputError:
        raise
    except WorkerError as error:
        broken = not_judged(options.profile, error.kind, f"{file}: {first_line(error)}")
    except Exception as error:
        traceback.print_exc()
        broken = not_judged(options.profile, "internal", f"{file}: {internal_sentence(error)}")
    assert broken.environment is not None
    terminal.warn(broken.environment["message"])
    return replace(broken, source=file, task=task.id if task else None)
