# SPDX-License-Identifier: GPL-3.0-or-later
"""One attempt: run a program in Blender, read what it built, judge it, keep all of it.

Whatever happens, an attempt ends in exactly one record. What the program did wrong is part of the
verdict; what Blender or the machine did wrong is named beside it and leaves it not judged.
"""

from __future__ import annotations

import errno
import shutil
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...checks.result import CheckResult, Finding, Judgement
from ...checks.timber.brief import TimberBrief
from ..agent.scripted import HARNESS, Assignment
from ..sandbox.client import BlenderWorker, WorkerError
from ..scene.plain import structure_from_plain
from . import pictures, versions
from .judging import InputError, check_ids, judge_structure
from ..ranking import worst_first
from .records import Result
from .runfolder import ERROR, OUTPUT, PICTURE, PROGRAM, SCENE, now
from .storage import StorageError, write_whole

# A process that died is tried once more in a fresh one: dying need not be the program's doing.
TRIES_AFTER_CRASH = 2

# How long a picture may take, s: the first one in a process compiles shaders.
PICTURE_TIMEOUT = 120.0

# With less than this left, bytes, a failed save is the disk's fault.
_ROOM_NEEDED = 1 << 20

PROGRAM_CHECK = "program"


@dataclass(frozen=True)
class Settings:
    """How attempts are made: profile, seconds for a program, whether pictures are rendered."""

    profile: str = "engineering"
    timeout: float = 120.0
    pictures: bool = True


def attempt(
    assignment: Assignment, worker: BlenderWorker, folder: Path, name: str, settings: Settings
) -> Result:
    """Build, judge and draw one assignment; files go into ``folder``, called ``name`` in the run.

    Raises :class:`StorageError` if the disk refuses; everything else becomes part of the result.
    """
    started, begin = now(), time.perf_counter()
    write_whole(folder / PROGRAM, assignment.program)
    result = _built(assignment, worker, folder, settings)
    result = replace(
        result,
        task=assignment.task.id,
        title=assignment.title,
        variant=assignment.variant,
        epoch=assignment.epoch,
        agent=assignment.agent,
        harness=HARNESS,
        attempt=name,
        expectation=_expectation(assignment, result.judgement),
    )
    if settings.pictures and result.judgement.metrics.get("members"):
        result = _drawn(result, worker, folder)
    timing = {"started": started, **result.timing, "total": time.perf_counter() - begin}
    return replace(result, timing=timing)


def _built(
    assignment: Assignment, worker: BlenderWorker, folder: Path, settings: Settings
) -> Result:
    """Run the program and judge what it built."""
    try:
        used, answer = _build(assignment, worker, folder, settings.timeout)
    except WorkerError as error:
        _check_room(folder)
        write_whole(folder / ERROR, str(error))
        return not_judged(settings.profile, error.kind, _told(error, assignment, settings))
    write_whole(folder / OUTPUT, answer["stdout"] + (answer["traceback"] or ""))
    begin = time.perf_counter()
    try:
        structure = structure_from_plain(answer["structure"])
        brief = TimberBrief.from_mapping(assignment.task.brief)
        judgement = judge_structure(structure, brief, settings.profile)
    except InputError as error:
        return not_judged(settings.profile, "refused", str(error))
    except Exception as error:  # a bug of ours must not lose the run, nor pass in silence
        write_whole(folder / ERROR, traceback.format_exc())
        return not_judged(settings.profile, "internal", internal_sentence(error))
    if not answer["ok"]:
        judgement = _with_broken_program(judgement, answer["traceback"] or "")
    return Result(
        judgement,
        isolation=used.get("isolation"),
        timing={"build": answer["seconds"], "judge": time.perf_counter() - begin},
        versions={**versions.own(), "blender": used.get("blender")},
    )


def _build(
    assignment: Assignment, worker: BlenderWorker, folder: Path, timeout: float
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What took part, and the worker's answer; one crash is forgiven."""
    for left in reversed(range(TRIES_AFTER_CRASH)):
        try:
            used = worker.request("versions")
            answer = worker.request(
                "build",
                timeout=timeout,
                program=assignment.program,
                start=None,
                save=str((folder / SCENE).resolve()),
            )
        except WorkerError as error:
            if error.kind != "crash" or not left:
                raise
        else:
            return used, answer
    raise AssertionError("unreachable")


def _told(error: WorkerError, assignment: Assignment, settings: Settings) -> str:
    if error.kind == "timeout":
        return (
            f"{assignment.name}: the program did not end within {settings.timeout:g} s; look at "
            f"{PROGRAM} in its folder or raise --timeout"
        )
    return f"{assignment.name}: {first_line(error)}"


def first_line(error: Exception) -> str:
    """What a message says before it goes into details."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _check_room(folder: Path) -> None:
    """Raise :class:`StorageError` if what failed can have failed for want of room."""
    if shutil.disk_usage(folder).free < _ROOM_NEEDED:
        raise StorageError(
            errno.ENOSPC,
            f"{folder}: the disk is full; free some space; everything judged before is kept",
        )


def _with_broken_program(judgement: Judgement, text: str) -> Judgement:
    """The judgement with the program's own failure as a failed check in front."""
    lines = text.strip().splitlines()
    places = [line.strip() for line in lines if line.startswith("  File ")]
    # The error comes unindented after its last frame; its message may go on over further lines.
    last = max((i for i, line in enumerate(lines) if line.startswith("  File ")), default=-1)
    told = [line for line in lines[last + 1 :] if line and not line[0].isspace()]
    error = told[0].strip() if told else "it ended with an error"
    line = places[-1].partition("line ")[2].partition(",")[0] if places else ""
    finding = Finding(
        PROGRAM_CHECK,
        f"line {line}" if line else "program",
        f"The program stopped with {error}; what it had built until then was judged.",
        subject_kind="place",
    )
    check = CheckResult(PROGRAM_CHECK, "failed", (finding,))
    return replace(judgement, checks=(check, *judgement.checks))


def _expectation(assignment: Assignment, judgement: Judgement) -> dict[str, Any] | None:
    """Of a flawed twin: whether the worst finding is the planted one, and all differences."""
    if assignment.twin is None:
        return None
    expectation = assignment.twin.expectation
    findings = worst_first(judgement.findings)
    return {
        "met": bool(findings) and expectation.root.matches(findings[0]),
        "defect": assignment.twin.defect,
        "root": str(expectation.root),
        "found": f"{findings[0].check}: {findings[0].subject}" if findings else None,
        "differences": expectation.differences(findings, judgement.verdict),
    }


def _drawn(result: Result, worker: BlenderWorker, folder: Path) -> Result:
    """The result with a picture beside it, or with a note why there is none."""
    begin = time.perf_counter()
    try:
        draw(result.to_record(), worker, folder)
    except WorkerError as error:
        note = f"no picture could be made: {first_line(error)}"
        judgement = replace(result.judgement, notes=(*result.judgement.notes, note))
        result = replace(result, judgement=judgement)
        _check_room(folder)
    return replace(result, timing={**result.timing, "picture": time.perf_counter() - begin})


def draw(record: Mapping[str, Any], worker: BlenderWorker, folder: Path) -> None:
    """Render the saved scene of an attempt with its faults coloured. Raises ``WorkerError``."""
    worker.request(
        "picture",
        timeout=PICTURE_TIMEOUT,
        blend=str((folder / SCENE).resolve()),
        colours=pictures.colours_of(record),
        solids=pictures.solids_of(record),
        out=str((folder / PICTURE).resolve()),
        view=pictures.VIEW,
        size=list(pictures.SIZE),
    )


def not_judged(profile: str, kind: str, message: str, ids: Sequence[str] | None = None) -> Result:
    """A result that says of every check of the profile that it was not run, and why."""
    ids = check_ids(profile) if ids is None else ids
    checks = tuple(CheckResult(check, "not_run", reason=message) for check in ids)
    return Result(
        Judgement("timber", profile, checks),
        environment={"kind": kind, "message": message},
        versions=versions.own(),
    )


def internal_sentence(error: BaseException) -> str:
    """A bug of ours, said plainly: the person can't do anything about it but report it."""
    text = " ".join(str(error).split()) or "no message"
    return f"judging failed with {type(error).__name__}: {text}; this is a bug of Plumbline"
