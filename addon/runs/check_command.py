# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline check FILE...``: judge what lies on disk, each file for itself."""

from __future__ import annotations

import argparse
import os
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ... import tasks
from ...checks.voxel.stress.named import limit_of
from ...checks.voxel.structure import VoxelError
from ..kinds import KINDS, OWN_PROFILE
from ..sandbox.client import BlenderWorker, WorkerError
from . import table
from .cli import UNREADABLE, exit_code
from .console import Console
from .judging import InputError, judge_each, judge_turns
from .output import RecordOutput
from .rubric_file import read_rubric
from .stress_asked import StressAsked
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
    if contrary := _contrary(options):
        terminal.warn(contrary)
        return UNREADABLE
    try:
        options.rubric_data = read_rubric(options.rubric) if options.rubric else None
    except InputError as error:
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
        for file in _inputs(options):
            try:
                for result in _judge(file, task, options, worker, terminal):
                    record = result.to_record()
                    output.record(record)
                    if not options.json:
                        if verdicts:
                            terminal.line()
                        for line in table.lines(record, terminal.style, options.all):
                            terminal.line(line)
                    verdicts.append(record["verdict"])
            except InputError as error:
                terminal.warn(str(error))
                unreadable = True
    return exit_code(verdicts, unreadable or output.failed)


def _contrary(options: argparse.Namespace) -> str | None:
    """What of the options doesn't go together, as a sentence."""
    if options.turns and options.kind not in (None, "voxel"):
        return f"--turns is for blocks, not for {options.kind}; leave --kind out"
    if options.rubric and options.kind not in (None, "reconstruction"):
        return f"--rubric is for simulations, not for {options.kind}; leave --kind out"
    if options.rubric and options.task:
        return "--rubric and --task both say what is judged; leave one of them out"
    if options.rubric and options.turns:
        return "--turns is for blocks and --rubric for simulations; leave one of them out"
    if options.stress_reference is not None and options.stress is None:
        return "--stress-reference needs a solver; add --stress fem or --stress sph"
    if options.stress_reference == "task" and not options.task:
        return "--stress-reference task needs a task that has one; name it with --task"
    try:
        limit_of(options.stress_reference, "sph")
    except VoxelError as error:
        return f"--stress-reference: {error}"
    return None


def _inputs(options: argparse.Namespace) -> list[str | list[str]]:
    """What is judged one by one: a file, or all of them as the turns of one problem."""
    return [list(options.files)] if options.turns else list(options.files)


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one of them isn't there
        return False


def _judge(
    file: str | list[str],
    task: tasks.Task | None,
    options: argparse.Namespace,
    worker: BlenderWorker,
    terminal: Console,
) -> Iterator[Result]:
    """Judge one file, a result a problem.

    What Blender or we did wrong leaves it not judged, which is never a pass.
    """
    from dataclasses import replace

    name = file if isinstance(file, str) else ", ".join(file)
    stress = StressAsked(options.stress, options.stress_reference) if options.stress else None
    rubric = options.rubric_data
    try:
        if isinstance(file, list):
            yield judge_turns(file, task, options.profile, stress)
        else:
            yield from judge_each(file, task, options.profile, options.kind, worker, stress, rubric)
        return
    except InputError:
        raise
    except WorkerError as error:
        broken = _not_judged(options, task, error.kind, f"{name}: {first_line(error)}")
    except Exception as error:
        traceback.print_exc()
        broken = _not_judged(options, task, "internal", f"{name}: {internal_sentence(error)}")
    assert broken.environment is not None
    terminal.warn(broken.environment["message"])
    yield replace(broken, source=name, task=task.id if task else None)


def _not_judged(
    options: argparse.Namespace, task: tasks.Task | None, kind: str, message: str
) -> Result:
    """As :func:`.verdicts.not_judged`; where neither task nor options tell, of timber."""
    profile = options.profile or OWN_PROFILE
    structure = options.kind or ("reconstruction" if options.rubric else "timber")
    if task is None and profile not in (*KINDS[structure].profiles, OWN_PROFILE):
        profile = OWN_PROFILE
    return not_judged(profile, kind, message, task=task, structure=structure)
