# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that can be judged goes in, a result comes out: the entry for people who script.

Reading a .blend needs Blender, which runs in a worker process; everything else is read here.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import tasks
from ...checks.result import Judgement, Kind
from ...checks.timber import judge as judge_timber
from ...checks.timber import profiles
from ...checks.timber.brief import BriefError, TimberBrief
from ...checks.timber.structure import StructureError, TimberStructure
from ..scene.plain import structure_from_plain
from ..scene.submission import structure_from_submission
from . import versions
from .nearness import nearness, unknown, wanted
from .records import Result
from .runfolder import now

if TYPE_CHECKING:
    from ..sandbox.client import BlenderWorker

KINDS: tuple[Kind, ...] = ("timber",)
PROFILES: Mapping[str, tuple[str, ...]] = {"timber": profiles.PROFILES}

# How long Blender may take to open one file, s: a house takes one, a city with textures many.
READ_TIMEOUT = 300.0

_FORMATS = {".blend": "blend", ".json": "json", ".ifc": "ifc", ".ifczip": "ifc", ".ifcxml": "ifc"}
_MAGIC = ((b"BLENDER", "blend"), (b"ISO-10303-21", "ifc"))
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


class InputError(ValueError):
    """An input that can't be judged. ``str()`` is one sentence: file, place, remedy."""


def judge(
    structure_or_path: TimberStructure | Mapping[str, Any] | str | os.PathLike[str],
    task: Any = None,
    profile: str = profiles.DEFAULT,
    kind: str | None = None,
    worker: BlenderWorker | None = None,
) -> Result:
    """Judge one structure or file.

    Parameters
    ----------
    structure_or_path
        A :class:`TimberStructure`, its plain form (``structure_to_plain``), submission data
        (``{"members": [...]}``), or the path of a ``.blend``, a submission ``.json`` or an
        ``.ifc``.
    task
        A task, its id or its path; it sets loads, species and required parts. ``None``: the
        defaults of the specification.
    profile
        ``"engineering"``, ``"paper"`` or ``"release"``.
    kind
        ``"timber"``, the only kind there is now; ``None`` takes the task's or the input's.
    worker
        A running :class:`BlenderWorker` to read .blend files with; without one, one is started for
        this call.

    Raises
    ------
    InputError
        If the input, the task or the profile can't be used: one sentence with the remedy.
    plumbline.addon.sandbox.client.WorkerError
        If Blender died or took too long; what was asked may be sound.
    """
    loaded = _task(task)
    _check_choice(kind or (loaded.kind if loaded else "timber"), profile)
    brief = _brief(loaded)
    started, begin = now(), time.perf_counter()
    structure, used = _structure(structure_or_path, worker)
    read = time.perf_counter() - begin
    judgement = _near(judge_structure(structure, brief, profile), loaded, structure)
    total = time.perf_counter() - begin
    return Result(
        judgement,
        task=loaded.id if loaded else None,
        title=loaded.title if loaded else None,
        source=_name(structure_or_path),
        timing={"started": started, "read": read, "judge": total - read, "total": total},
        versions={**versions.own(), **used},
    )


def judge_structure(
    structure: TimberStructure, brief: TimberBrief | None, profile: str
) -> Judgement:
    """Judge a structure that was read already. Raises :class:`InputError` if it can't be."""
    try:
        judgement = judge_timber(structure, brief, profile)
    except (StructureError, BriefError) as error:
        raise InputError(str(error)) from error
    return replace(judgement, metrics={"members": len(structure), **judgement.metrics})


def _near(judgement: Judgement, task: tasks.Task | None, structure: TimberStructure) -> Judgement:
    """The judgement with C, M, V and T beside it, where the ground truth came with the task."""
    aim = wanted(task)
    figures, note = nearness(aim, structure) if aim is not None else ({}, unknown(task))
    if not figures and not note:
        return judgement
    notes = (*judgement.notes, *([note] if note else []))
    return replace(judgement, metrics={**judgement.metrics, **figures}, notes=notes)


def check_ids(profile: str) -> tuple[str, ...]:
    """Ids of the checks of a timber profile, for records of what could not be judged."""
    empty = TimberStructure.from_boxes((), (), (), ())
    return tuple(check.id for check in judge_timber(empty, None, profile).checks)


def _check_choice(kind: str, profile: str) -> None:
    if kind not in KINDS:
        raise InputError(f"kind {kind!r} can't be judged; known: {', '.join(KINDS)}")
    if profile not in PROFILES[kind]:
        known = ", ".join(PROFILES[kind])
        raise InputError(f"{kind} has no profile {profile!r}; known: {known}")


def _task(task: Any) -> tasks.Task | None:
    if task is None or isinstance(task, tasks.Task):
        return task
    try:
        return tasks.load_task(task)
    except tasks.TaskError as error:
        raise InputError(str(error)) from error


def _brief(task: tasks.Task | None) -> TimberBrief | None:
    try:
        return TimberBrief.from_mapping(task.brief) if task else None
    except BriefError as error:
        raise InputError(f"{task.path if task else ''}: {error}") from error


def _name(source: Any) -> str | None:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else None


def _structure(
    source: Any, worker: BlenderWorker | None
) -> tuple[TimberStructure, dict[str, str | None]]:
    """The structure of any input, and the versions of what read it."""
    if isinstance(source, TimberStructure):
        return source, {}
    if isinstance(source, Mapping):
        with _explained("the given data"):
            return _from_data(source), {}
    if not isinstance(source, (str, os.PathLike)):
        what = type(source).__name__
        raise InputError(f"a {what} can't be judged; give a structure, its plain data or a path")
    path = Path(source)
    kind = _format(path)
    if kind == "blend":
        return _from_blend(path, worker)
    with _explained(path):
        if kind == "ifc":
            from ..scene.ifc import structure_from_ifc

            return structure_from_ifc(path), {}
        return structure_from_submission(path), {}


def _format(path: Path) -> str:
    """``blend``, ``json`` or ``ifc``, by what is in the file; its name decides what looks alike.

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
    if found is None and head.startswith(_COMPRESSED) and named in (None, "blend"):
        return "blend"
    if found is None and head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        found = "json"
    if found is None and named is None:
        raise InputError(
            f"{path}: is of no known kind; give a .blend, a submission .json or an .ifc"
        )
    return found or str(named)


def _from_data(data: Mapping[str, Any]) -> TimberStructure:
    """A structure from plain structure data or from submission data."""
    if "schema" in data and "members" not in data:
        return structure_from_plain(data)
    return structure_from_submission(data)


def _from_blend(
    path: Path, worker: BlenderWorker | None
) -> tuple[TimberStructure, dict[str, str | None]]:
    from ..sandbox.client import BlenderWorker, WorkerError
    from ..scene.blendfile import inspect

    with _explained(path):
        inspect(path)  # what is cut off needs no Blender to be told
    with contextlib.ExitStack() as stack:
        if worker is None:
            worker = stack.enter_context(BlenderWorker())
        used = worker.request("versions")
        try:
            answer = worker.request("read", timeout=READ_TIMEOUT, path=os.path.abspath(path))
        except WorkerError as error:
            if error.kind == "refused":
                raise InputError(_about(path, str(error))) from error
            raise
    with _explained(path):
        return structure_from_plain(answer["structure"]), {"blender": used.get("blender")}


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
