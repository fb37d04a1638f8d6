# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that can be judged goes in, a result comes out: the entry for people who script.

Reading a .blend needs Blender, which runs in a worker process; everything else is read here.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import tasks
from ...checks.reconstruction.brief import ReconstructionBrief
from ...checks.reconstruction.simulation import Simulation
from ...checks.result import Judgement
from ...checks.timber.structure import TimberStructure
from ...checks.voxel.structure import VoxelStructure
from .. import kinds
from ..scene.plain import structure_from_plain
from ..scene.submission import structure_from_submission
from ..voxel_files import SUFFIXES, Run, read_action_files, read_blocks
from . import versions
from .nearness import nearness, unknown, wanted
from .records import Result
from .runfolder import now
from .stress_asked import StressAsked

if TYPE_CHECKING:
    from ..sandbox.client import BlenderWorker

#: Profiles by kind.
PROFILES: Mapping[str, tuple[str, ...]] = {k.name: k.profiles for k in kinds.KINDS.values()}

# How long Blender may take to open one file, s: a house takes one, a city with textures many.
READ_TIMEOUT = 300.0

_FORMATS = {".blend": "blend", ".json": "json", ".ifc": "ifc", ".ifczip": "ifc", ".ifcxml": "ifc"}
_FORMATS |= dict.fromkeys(SUFFIXES, "blocks")
#: What kind of structure a format holds; a .blend may hold any, and says itself.
_KIND_OF_FORMAT = {"json": "timber", "ifc": "timber", "blocks": "voxel"}
_MAGIC = ((b"BLENDER", "blend"), (b"ISO-10303-21", "ifc"))
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


class InputError(ValueError):
    """An input that can't be judged. ``str()`` is one sentence: file, place, remedy."""


def judge(
    structure_or_path: kinds.Structure | Mapping[str, Any] | str | os.PathLike[str],
    task: Any = None,
    profile: str | None = None,
    kind: str | None = None,
    worker: BlenderWorker | None = None,
    rubric: Mapping[str, Any] | None = None,
) -> Result:
    """Judge one structure or file.

    Parameters
    ----------
    structure_or_path
        A :class:`TimberStructure` or :class:`VoxelStructure`, its plain form
        (``structure_to_plain``), submission data (``{"members": [...]}``), or the path of a
        ``.blend``, a submission ``.json``, an ``.ifc`` or a file of blocks.
    task
        A task, its id or its path; it sets loads, species and required parts, of blocks the
        checks. ``None``: the defaults of the specification.
    profile
        Timber: ``"engineering"``, ``"paper"`` or ``"release"``; blocks: ``"paper"`` or ``"code"``;
        simulations: ``"paper"``. ``None`` takes the first.
    kind
        ``"timber"``, ``"voxel"`` or ``"reconstruction"``; ``None`` takes the task's or the input's.
    worker
        A running :class:`BlenderWorker` to read .blend files with; without one, one is started for
        this call.
    rubric
        What a simulation is judged by where no task says it
        (:meth:`ReconstructionBrief.from_mapping`).

    Raises
    ------
    InputError
        If the input, the task or the profile can't be used: one sentence with the remedy. Also for
        a file of several problems, which :func:`judge_each` judges.
    plumbline.addon.sandbox.client.WorkerError
        If Blender died or took too long; what was asked may be sound.
    """
    found = tuple(judge_each(structure_or_path, task, profile, kind, worker, None, rubric))
    if len(found) > 1:
        raise InputError(
            f"{_name(structure_or_path)}: holds {len(found)} problems; judge_each() judges them all"
        )
    return found[0]


def judge_each(
    structure_or_path: kinds.Structure | Mapping[str, Any] | str | os.PathLike[str],
    task: Any = None,
    profile: str | None = None,
    kind: str | None = None,
    worker: BlenderWorker | None = None,
    stress: StressAsked | None = None,
    rubric: Mapping[str, Any] | None = None,
) -> Iterator[Result]:
    """As :func:`judge`, a result for each problem of the input: a log of blocks may hold many.

    ``stress`` adds the check of that name to each; ``rubric`` is what a simulation is judged by
    where no task says it (:meth:`ReconstructionBrief.from_mapping`).
    """
    loaded = _task(task)
    given = kind or (loaded.kind if loaded else None) or ("reconstruction" if rubric else None)
    _check_choice(given, profile)
    started, begin = now(), time.perf_counter()
    asked = _read_as(given, loaded, rubric)
    inputs = _inputs(structure_or_path, asked, worker)
    read = time.perf_counter() - begin
    for one in inputs:
        began = time.perf_counter()
        found = kinds.kind_of(one.structure)
        name = one.name or _name(structure_or_path)
        if given is not None and found.name != given:
            raise InputError(_other_kind(name, found, given))
        _check_choice(found.name, profile)
        brief = _brief(loaded, found) or _rubric(rubric) or one.brief
        judgement = judge_structure(one.structure, brief, found.profile_for(profile), stress)
        judgement = _near(judgement, loaded, one.structure)
        judgement = replace(judgement, notes=(*judgement.notes, *one.notes))
        spent = time.perf_counter() - began
        yield Result(
            judgement,
            task=loaded.id if loaded else None,
            title=loaded.title if loaded else None,
            source=name,
            timing={"started": started, "read": read, "judge": spent, "total": read + spent},
            versions={**versions.own(), **one.versions},
        )


def judge_turns(
    files: Sequence[str | os.PathLike[str]],
    task: Any = None,
    profile: str | None = None,
    stress: StressAsked | None = None,
) -> Result:
    """Judge the action files of one problem, a file a turn. Raises :class:`InputError`."""
    loaded = _task(task)
    _check_choice("voxel", profile)
    if loaded is not None and loaded.kind != "voxel":
        raise InputError(f"{loaded.id} is a task of kind {loaded.kind}; turns are of voxel tasks")
    started, begin = now(), time.perf_counter()
    with _explained(""):  # each sentence names its file
        found = read_action_files([Path(file) for file in files])
    read = time.perf_counter() - begin
    kind = kinds.KINDS["voxel"]
    structure = replace(found.runs[-1].blocks, earlier=found.runs[-1].turns[:-1])
    brief, notes = _brief(loaded, kind), found.faults
    if brief is not None and len(files) < len(brief.turns):
        structure = kind.after_episode(structure, brief)
        notes += (
            f"the task has {len(brief.turns)} turns and {len(files)} came; after the others the "
            "blocks of the last one stand, as published",
        )
    judgement = judge_structure(structure, brief, kind.profile_for(profile), stress)
    total = time.perf_counter() - begin
    return Result(
        replace(judgement, notes=(*judgement.notes, *notes)),
        task=loaded.id if loaded else None,
        title=loaded.title if loaded else None,
        source=", ".join(os.fspath(file) for file in files),
        timing={"started": started, "read": read, "judge": total - read, "total": total},
        versions=versions.own(),
    )


def judge_structure(
    structure: kinds.Structure, brief: Any, profile: str, stress: StressAsked | None = None
) -> Judgement:
    """Judge a structure that was read already. Raises :class:`InputError` if it can't be."""
    kind = kinds.kind_of(structure)
    try:
        judgement = kind.judge(structure, brief, profile)
        if stress is not None:
            judgement = stress.added(judgement, structure, brief)
    except ValueError as error:  # what structures and briefs of every kind raise
        raise InputError(str(error)) from error
    return replace(judgement, metrics={kind.counted: len(structure), **judgement.metrics})


def _near(judgement: Judgement, task: tasks.Task | None, structure: kinds.Structure) -> Judgement:
    """The judgement with C, M, V and T beside it, where the ground truth came with the task."""
    if not isinstance(structure, TimberStructure):
        return judgement
    aim = wanted(task)
    figures, note = nearness(aim, structure) if aim is not None else ({}, unknown(task))
    if not figures and not note:
        return judgement
    notes = (*judgement.notes, *([note] if note else []))
    return replace(judgement, metrics={**judgement.metrics, **figures}, notes=notes)


def check_ids(profile: str, kind: str = "timber", brief: Any = None) -> tuple[str, ...]:
    """Ids of the checks of a profile and a brief, for records of what could not be judged."""
    return kinds.KINDS[kind].check_ids(profile, brief)


def _check_choice(kind: str | None, profile: str | None) -> None:
    try:
        if kind is not None:
            kinds.kind_named(kind).profile_for(profile)
        elif profile is not None and profile not in (*kinds.PROFILES, kinds.OWN_PROFILE):
            known = ", ".join(kinds.PROFILES)
            raise InputError(f"there is no profile {profile!r}; known: {known}")
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def _other_kind(name: str | None, found: kinds.Kind, wanted_kind: str) -> str:
    what = "it" if name is None else name
    counted = kinds.KINDS[wanted_kind].counted
    return (
        f"{what}: holds {found.counted}, and {wanted_kind} is judged by {counted}; name a task of "
        f"kind {found.name}, or none"
    )


def _read_as(
    kind: str | None, task: tasks.Task | None, rubric: Mapping[str, Any] | None
) -> dict[str, Any]:
    """How a scene is to be read: as a kind, and if it has to be run, by which rubric."""
    if kind is None:
        return {}
    if task is not None and task.kind == kind:
        return kinds.read_as(task)
    read_as = kinds.KINDS[kind].read_as(None)
    return {**read_as, "rubric": dict(rubric)} if rubric is not None else read_as


def _rubric(rubric: Mapping[str, Any] | None) -> Any:
    """The brief of a rubric. Raises :class:`InputError`."""
    try:
        return None if rubric is None else ReconstructionBrief.from_mapping(rubric)
    except ValueError as error:
        raise InputError(str(error)) from None


def _task(task: Any) -> tasks.Task | None:
    if task is None or isinstance(task, tasks.Task):
        return task
    try:
        return tasks.load_task(task)
    except tasks.TaskError as error:
        raise InputError(str(error)) from error


def _brief(task: tasks.Task | None, kind: kinds.Kind) -> Any:
    try:
        return kind.brief_of(task)
    except ValueError as error:
        raise InputError(f"{task.path if task else ''}: {error}") from error


def _name(source: Any) -> str | None:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else None


@dataclass(frozen=True)
class _Input:
    """One problem that was read: its structure, and what its source tells besides."""

    structure: kinds.Structure
    versions: Mapping[str, str | None] = field(default_factory=dict)
    name: str | None = None
    brief: Any = None
    notes: tuple[str, ...] = ()


def _inputs(source: Any, asked: Mapping[str, Any], worker: BlenderWorker | None) -> list[_Input]:
    """Every problem of an input."""
    kind = asked.get("kind")
    if isinstance(source, (TimberStructure, VoxelStructure, Simulation)):
        return [_Input(source)]
    if isinstance(source, Mapping):
        with _explained("the given data"):
            return [_Input(_from_data(source))]
    if not isinstance(source, (str, os.PathLike)):
        what = type(source).__name__
        raise InputError(f"a {what} can't be judged; give a structure, its plain data or a path")
    path = Path(source)
    held = _format(path)
    if held == "json" and _is_task_list(path):
        raise InputError(
            f"{path}: this is a list of tasks; judge blocks with --task {path}/01-01, or use "
            f"`plumbline tasks validate {path}`"
        )
    found = _KIND_OF_FORMAT.get(held)
    if kind is not None and found is not None and kind != found:
        raise InputError(_other_kind(str(path), kinds.KINDS[found], kind))
    if held == "blend":
        return [_from_blend(path, asked, worker)]
    with _explained(path):
        if held == "blocks":
            return _from_blocks(path)
        if held == "ifc":
            from ..scene.ifc import structure_from_ifc

            return [_Input(structure_from_ifc(path))]
        return [_Input(structure_from_submission(path))]


def _from_blocks(path: Path) -> list[_Input]:
    """Every problem of a file of blocks, each with what was left out of it."""
    file = read_blocks(path)
    several = len(file.runs) > 1
    return [_one_run(run, f"{path}: run {run.number}" if several else None) for run in file.runs]


def _one_run(run: Run, name: str | None) -> _Input:
    structure = replace(run.blocks, earlier=run.turns[:-1])
    return _Input(structure, name=name, brief=run.brief, notes=run.faults)


def _format(path: Path) -> str:
    """``blend``, ``json``, ``ifc`` or ``blocks``: by what is in the file, else by its name.

    Raises :class:`InputError` for what is no readable file of these.
    """
    if os.path.isdir(path):
        run = os.path.isfile(path / "run.json")
        remedy = f"`plumbline report {path}` shows a run" if run else "name the file in it"
        raise InputError(f"{path}: is a folder; {remedy}")
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError(f"{path}: is a pipe or a device; save what comes from it as a file")
        with open(path, "rb") as stream:
            head = stream.read(64)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; check the path") from None
    except PermissionError:
        raise InputError(f"{path}: may not be read; give yourself the right to read it") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: can't be read ({reason}); check the path") from None
    if not head:
        raise InputError(f"{path}: is empty; save it again from where it came")
    found = next((kind for magic, kind in _MAGIC if head.lstrip().startswith(magic)), None)
    named = _FORMATS.get(path.suffix.lower())
    if found is None and named == "blocks":
        return named
    if found is None and head.startswith(_COMPRESSED) and named in (None, "blend"):
        return "blend"
    if found is None and head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        found = "json"
    if found is None and named is None:
        raise InputError(
            f"{path}: is of no known kind; give a .blend, a submission .json, an .ifc or a file of "
            f"blocks ({', '.join(SUFFIXES)})"
        )
    return found or str(named)


def _is_task_list(path: Path) -> bool:
    """Whether a JSON file is a list of tasks; what can't be read is told by its reader."""
    try:
        text = path.read_text(encoding="utf-8-sig").lstrip()
        data = json.loads(text) if text.startswith("[") else None
    except (OSError, ValueError, RecursionError):
        return False
    items = data if isinstance(data, list) else ()
    return any(isinstance(item, dict) and {"prompts", "checks"} <= item.keys() for item in items)


def _from_data(data: Mapping[str, Any]) -> kinds.Structure:
    """A structure from plain structure data or from submission data."""
    if "schema" in data and "members" not in data:
        return structure_from_plain(data)
    return structure_from_submission(data)


def _from_blend(path: Path, asked: Mapping[str, Any], worker: BlenderWorker | None) -> _Input:
    from ..sandbox.client import BlenderWorker, WorkerError
    from ..sandbox.errand import reading_time
    from ..scene.blendfile import inspect

    with _explained(path):
        inspect(path)  # what is cut off needs no Blender to be told
    with contextlib.ExitStack() as stack:
        if worker is None:
            worker = stack.enter_context(BlenderWorker())
        used = worker.request("versions")
        try:
            patience = reading_time(asked, READ_TIMEOUT)
            answer = worker.request("read", timeout=patience, path=os.path.abspath(path), **asked)
        except WorkerError as error:
            if error.kind == "refused":
                raise InputError(_about(path, str(error))) from error
            raise
    with _explained(path):
        structure = structure_from_plain(answer["structure"])
    return _Input(structure, {"blender": used.get("blender")})


@contextlib.contextmanager
def _explained(source: Path | str) -> Iterator[None]:
    """Turn what a reader says into an :class:`InputError` that names the input."""
    try:
        yield
    except InputError:
        raise
    except (ValueError, OSError, ImportError) as error:
        raise InputError(_about(source, str(error))) from error


def _about(source: Path | str, message: str) -> str:
    message = " ".join(message.split())
    return message if str(source) in message else f"{source}: {message}"
