# SPDX-License-Identifier: GPL-3.0-or-later
"""One attempt: let an agent build, judge what it built, keep all of it.

Whatever happens, an attempt ends in exactly one record, unless it is stopped.
"""

from __future__ import annotations

import os
import shutil
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import kinds
from ..agent.agents import Agent, Assignment, Built, Fault, Limits, Target, Workshop
from ..agent.bench import Bench, BenchError, Execution, Scene
from ..agent.messages import Usage
from ..agent.providers.base import Cancel, Cancelled
from ..agent.scripted import HARNESS
from ..agent.transcript import Transcript
from ..sandbox.policy import DEFAULT, Policy
from ..scene.plain import members_from_plain
from . import construction_records, evidence_files, pictures, versions
from .nearness import nearness, unknown, wanted
from .records import Result
from .runfolder import ERROR, OUTPUT, PICTURE, PROGRAM, SCENE, now
from .seats import Seat
from .storage import check_room, explained, write_whole
from .targets import measured
from .verdicts import (
    expectation_of,
    first_line,
    internal_sentence,
    judgement_of,
    not_judged,
)


@dataclass(frozen=True)
class Settings:
    """How attempts are made: profile (or ``"default"``, each kind's own), where an episode stops,
    how a model is led.

    ``pictures``: of the findings, for people. ``similarity``: whether the metric S is measured,
    which renders five views of every attempt.
    """

    profile: str = kinds.OWN_PROFILE
    pictures: bool = True
    limits: Limits = field(default_factory=Limits)
    protocol: str | None = None
    similarity: bool = False


@dataclass(frozen=True)
class Place:
    """Where one attempt is made: its ``folder``, and its ``name`` in the run."""

    folder: Path
    name: str


def _no_target() -> Target | None:
    return None


def attempt(
    assignment: Assignment,
    agent: Agent,
    seat: Seat,
    place: Place,
    settings: Settings,
    cancel: Cancel | None = None,
    progress: Callable[[str], None] = lambda _: None,
    target: Callable[[], Target | None] = _no_target,
) -> Result:
    """Let ``agent`` build one assignment, judge and draw it; its files go into the folder.

    Raises :class:`.storage.StorageError` if the disk refuses and ``Cancelled`` when stopped;
    everything else becomes part of the result.
    """
    started, begin = now(), time.perf_counter()
    folder = place.folder
    try:
        bench: Bench | None = seat.bench(
            folder, policy_for(assignment, agent), kinds.read_as(assignment.task)
        )
        assert bench is not None
        with explained(folder), Transcript(folder) as transcript:
            shop = Workshop(
                bench,
                folder,
                transcript,
                kinds.kind_named(assignment.task.kind).profile_for(settings.profile),
                cancel or Cancel(),
                settings.limits,
                target,
                progress,
            )
            built = _built(agent, assignment, shop)
    except BenchError as error:
        bench, built = None, _broken_off(error, folder)
    built = kept(built, folder)
    progress("judging")
    result = concluded(assignment, agent, built, place, settings)
    if settings.similarity and bench:
        progress("comparing with the target")
        result = _compared(result, target(), bench, built)
    result = near(result, assignment, built, target if settings.similarity else _no_target)
    execution = built.execution
    if settings.pictures and bench and execution and execution.scene:
        result = drawn(result, bench, execution.scene, folder, execution.structure)
    timing = {"started": started, **result.timing, "total": time.perf_counter() - begin}
    return replace(result, timing=timing)


def concluded(
    assignment: Assignment, agent: Agent, built: Built, place: Place, settings: Settings
) -> Result:
    """What was built as a judged result, with who built it and where it lies."""
    result = _judged(assignment, built, place.folder, settings)
    return replace(
        result,
        task=assignment.task.id,
        title=assignment.title,
        variant=assignment.variant,
        epoch=assignment.epoch,
        agent=assignment.agent,
        harness=agent.harness,
        model=agent.model,
        effort=agent.effort,
        protocol=settings.protocol if agent.model else None,
        problem=construction_records.told(assignment.task),
        attempt=place.name,
        expectation=None if result.environment else expectation_of(assignment, result.judgement),
    )


def is_ours(agent: Agent) -> bool:
    """Whether what it runs was written by us or by the task's author, not by what is judged."""
    return agent.model is None and agent.harness == HARNESS


def policy_for(assignment: Assignment, agent: Agent) -> Policy | None:
    """What the agent's code may use: the policy, with what the task allows beyond it."""
    return None if is_ours(agent) else DEFAULT.widened(assignment.task.policy)


def _built(agent: Agent, assignment: Assignment, shop: Workshop) -> Built:
    """What the agent built. A bug of ours must not lose the run, nor pass in silence."""
    try:
        return agent.build(assignment, shop)
    except (BenchError, Cancelled, OSError):
        raise
    except Exception as error:
        write_whole(shop.folder / ERROR, traceback.format_exc())
        return Built(None, "", "environment", fault=Fault("internal", internal_sentence(error)))


def _broken_off(error: BenchError, folder: Path) -> Built:
    check_room(folder)
    write_whole(folder / ERROR, str(error))
    return Built(None, "", "environment", fault=Fault(error.kind, first_line(error)))


def kept(built: Built, folder: Path) -> Built:
    """The files that everybody looks for: the program, what it printed, the scene it left."""
    write_whole(folder / PROGRAM, built.program)
    execution = built.execution
    if execution is None:
        return built
    printed = execution.output + (execution.traceback or "")
    write_whole(folder / OUTPUT, printed)
    if execution.scene is None:
        return built
    scene = folder / SCENE
    with explained(scene):
        if execution.scene.blend.resolve() != scene.resolve():
            link_file(execution.scene.blend, scene)
    return built


def link_file(source: Path, target: Path) -> None:
    """The same file by a second name, or a copy where the file system has no second names."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _judged(assignment: Assignment, built: Built, folder: Path, settings: Settings) -> Result:
    """The result of what was built, without what it was built by."""
    execution = built.execution
    said: dict[str, Any] = {
        "usage": usage_of(built),
        "isolation": execution.isolation if execution else None,
        "end": built.end,
        "versions": {**versions.own(), **_blender(execution)},
    }
    if built.fault:
        message = f"{assignment.name}: {built.fault.message}"
        return replace(
            not_judged(settings.profile, built.fault.kind, message, task=assignment.task), **said
        )
    begin = time.perf_counter()
    try:
        judgement = judgement_of(assignment, built, settings.profile)
    except Exception as error:  # a bug of ours must not lose the run, nor pass in silence
        write_whole(folder / ERROR, traceback.format_exc())
        result = not_judged(
            settings.profile, "internal", internal_sentence(error), task=assignment.task
        )
        return replace(result, **said)
    judgement = replace(
        judgement,
        metrics={**judgement.metrics, **built.metrics},
        notes=(*judgement.notes, *built.notes),
    )
    build = {"build": execution.seconds} if execution else {}
    timing = {**build, "judge": time.perf_counter() - begin}
    return Result(judgement, timing=timing, **said)


def _blender(execution: Execution | None) -> dict[str, Any]:
    return {"blender": execution.versions.get("blender")} if execution else {}


def _compared(result: Result, aim: Target | None, bench: Bench, built: Built) -> Result:
    """The result with the metric S and joint passes, where the task has a target."""
    begin = time.perf_counter()
    passed = None if result.verdict == "not_judged" else result.verdict == "passed"
    figures, note = measured(aim, bench, built.execution, passed)
    judgement = replace(
        result.judgement,
        metrics={**result.judgement.metrics, **figures},
        notes=(*result.judgement.notes, *([note] if note else [])),
    )
    timing = {**result.timing, "compare": time.perf_counter() - begin}
    return replace(result, judgement=judgement, timing=timing)


def near(
    result: Result,
    assignment: Assignment,
    built: Built,
    target: Callable[[], Target | None] = _no_target,
) -> Result:
    """The result with C, M, V and T, where what should have been built is known."""
    if result.environment or assignment.task.kind != "timber":
        return result
    begin = time.perf_counter()
    figures: dict[str, Any] = {}
    try:
        aim = wanted(assignment.task, target())
        left = built.execution.structure if built.execution else None
        if aim is None:
            note = unknown(assignment.task)
        else:
            figures, note = nearness(aim, members_from_plain(left) if left else None)
    except ValueError as error:  # what was left is no structure; the checks have said so
        note = f"C, M, V and T are unknown: {first_line(error)}"
    if not figures and not note:
        return result
    judgement = replace(
        result.judgement,
        metrics={**result.judgement.metrics, **figures},
        notes=(*result.judgement.notes, *([note] if note else [])),
    )
    timing = {**result.timing, "match": time.perf_counter() - begin}
    return replace(result, judgement=judgement, timing=timing)


def usage_of(built: Built) -> dict[str, Any] | None:
    """Tokens and cost as a record has them; ``None`` where no model was asked."""
    return None if built.usage is None else plain_usage(built.usage)


def plain_usage(usage: Usage) -> dict[str, Any]:
    """Tokens and cost as a record has them."""
    return {**asdict(usage), "tokens": usage.tokens}


def drawn(
    result: Result,
    bench: Bench,
    scene: Scene,
    folder: Path,
    structure: Mapping[str, Any] | None = None,
) -> Result:
    """The result with a picture beside it, or with a note why there is none.

    ``structure`` is what was judged, as plain data; without it what moves is run again.
    """
    if not kinds.how_many(result.judgement.metrics):
        return result
    begin = time.perf_counter()
    try:
        draw(result.to_record(), bench, scene, folder, structure)
    except BenchError as error:
        note = f"no picture could be made: {first_line(error)}"
        judgement = replace(result.judgement, notes=(*result.judgement.notes, note))
        result = replace(result, judgement=judgement)
        check_room(folder)
    return replace(result, timing={**result.timing, "picture": time.perf_counter() - begin})


def draw(
    record: Mapping[str, Any],
    bench: Bench,
    scene: Scene,
    folder: Path,
    structure: Mapping[str, Any] | None = None,
) -> None:
    """Render a scene with the faults of its record coloured. Raises ``BenchError``.

    Of what moves also each fault before and after, see :mod:`.evidence_files`.
    """
    if record["kind"] == "reconstruction" and isinstance(bench, evidence_files.EvidenceBench):
        evidence_files.draw(record, bench, scene, folder, structure)
        return
    write_whole(folder / PICTURE, bench.picture(scene, record, pictures.VIEW))
