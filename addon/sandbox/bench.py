# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench of a run: code runs in a worker, its scenes lie in the attempt's folder.

Of every step the code and the scene that it left are kept, as ``steps/LABEL.py`` and
``steps/LABEL.blend``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..agent.bench import UNDRAWABLE, BenchError, Execution, Isolation, Outcome, Scene
from ..runs import pictures
from ..runs.storage import check_room, make_folder, write_whole
from .client import BlenderWorker, WorkerError
from .policy import Policy, vet

#: Folder in an attempt's folder for code and scenes.
STEPS = "steps"
# How long drawing may take, s: the first picture in a process may compile shaders.
_DRAWING = 180.0
# What dies is tried once more in a fresh process: dying need not be the program's doing.
_TRIES = 2


class WorkerBench:
    """Runs code in ``worker`` and keeps scenes in ``folder``; a program has ``timeout`` seconds.

    With a ``policy`` code is read first, and what the policy refuses is not run. Scenes are read as
    ``read_as`` says (:meth:`..kinds.Kind.read_as`); ``None``: as what they hold. Raises
    :class:`BenchError` where Blender can't be had or used, and ``StorageError`` where the folder
    can't be written.
    """

    def __init__(
        self,
        worker: BlenderWorker,
        folder: Path,
        timeout: float,
        policy: Policy | None = None,
        read_as: Mapping[str, Any] | None = None,
    ) -> None:
        self._worker = worker
        self._folder = folder
        self._timeout = timeout
        self._policy = policy
        self._read_as = read_as
        self._versions: dict[str, Any] | None = None

    @property
    def isolation(self) -> Isolation:
        """What code runs in. Raises ``BenchError`` if the worker can't have what it should."""
        try:
            return self._worker.isolation
        except WorkerError as error:
            raise _fault(error) from error

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run ``code`` on a copy of ``start``, or on an empty metric scene."""
        steps = self._folder / STEPS
        make_folder(steps)
        write_whole(steps / f"{label}.py", code)
        problems = vet(code, self._policy) if self._policy is not None else ()
        if problems:
            return Execution("refused", self.isolation, _refusal(len(problems)), problems=problems)
        for left in reversed(range(_TRIES)):
            try:
                return self._run(code, start, steps / f"{label}.blend")
            except WorkerError as error:
                check_room(self._folder)
                if error.kind == "crash" and left:
                    self._worker.close()
                    continue
                if error.stage not in ("program", "read") or error.kind == "refused":
                    raise _fault(error) from error
                return self._ended(error)
        raise AssertionError("unreachable")

    def _run(self, code: str, start: Scene | None, scene: Path) -> Execution:
        used = self._used()
        answer = self._worker.request(
            "build",
            timeout=self._timeout,
            program=code,
            start=str(start.blend) if start else None,
            save=str(scene.resolve()),
            unreadable=True,
            read_as=self._read_as,
        )
        return Execution(
            "finished" if answer["ok"] else "raised",
            answer["isolation"],
            None if answer["ok"] else _last_line(answer["traceback"]),
            answer["stdout"],
            answer["traceback"],
            scene=Scene(scene),
            structure=answer["structure"],
            unreadable=answer["unreadable"],
            seconds=answer["seconds"],
            cpu=answer["cpu"],
            memory=answer["memory"],
            versions=used,
        )

    def _ended(self, error: WorkerError) -> Execution:
        """What became of a program that was ended, or that ended its process."""
        outcome: Outcome = "crashed"
        message = "The program ended Blender itself, twice in a row"
        if error.kind == "timeout":
            outcome, message = "timeout", f"The program did not end within {self._timeout:g} s"
        elif error.kind == "memory":
            outcome, message = "memory", "The program needed more memory than it may have"
        first, _, rest = error.message.partition("\n")
        reason = first.partition(": ")[2]
        return Execution(
            outcome,
            self.isolation,
            f"{message}{f' ({reason})' if reason and outcome != 'timeout' else ''}.",
            output=rest,
            seconds=error.usage.get("wall") or 0.0,
            cpu=error.usage.get("cpu"),
            memory=error.usage.get("memory"),
            versions=self._used(),
        )

    def _used(self) -> dict[str, Any]:
        """Versions of what works here, asked for once."""
        if self._versions is None:
            self._versions = self._worker.request("versions")
        return self._versions

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """PNG of each named canonical view. Raises ``BenchError``, see :data:`UNDRAWABLE`."""
        framed = str(target.blend.resolve()) if target else None
        answer = self._draw("views", scene, target=framed, names=list(names), size=list(size))
        return dict(answer["views"])

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """PNG of the scene with the findings of ``record`` coloured. Raises ``BenchError``."""
        answer = self._draw(
            "picture",
            scene,
            colours=pictures.colours_of(record),
            solids=pictures.solids_of(record),
            view=view,
            size=list(pictures.SIZE),
        )
        return bytes(answer["out"])

    def evidence(
        self,
        scene: Scene,
        record: Mapping[str, Any],
        structure: Mapping[str, Any] | None = None,
        rubric: Mapping[str, Any] | None = None,
    ) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
        """What pictures show of the faults of a simulation, and each PNG by its file's name.

        Drawn from ``structure``; without one the scene is run again, with the altered runs of its
        ``rubric``. Raises ``BenchError``.
        """
        run = {"structure": structure} if structure is not None else {"rubric": rubric}
        answer = self._draw("evidence", scene, record=dict(record), **run)
        return list(answer["evidence"]), dict(answer.get("views") or {})

    def _draw(self, action: str, scene: Scene, **look: Any) -> dict[str, Any]:
        for left in reversed(range(_TRIES)):
            try:
                blend = str(scene.blend.resolve())
                return self._worker.request(action, timeout=_DRAWING, blend=blend, **look)
            except WorkerError as error:
                if error.stage != "picture":
                    raise _fault(error) from error
                if error.kind in ("refused", "timeout", "memory") or not left:
                    raise BenchError(error.message, UNDRAWABLE) from error
                self._worker.close()
        raise AssertionError("unreachable")


def _refusal(count: int) -> str:
    several = f"{count} problems" if count > 1 else "a problem"
    return f"The code was not run: {several} found in it."


def _last_line(trace: str | None) -> str:
    lines = (trace or "").strip().splitlines()
    return lines[-1].strip() if lines else "it ended with an error"


def _fault(error: WorkerError) -> BenchError:
    kind = error.kind if error.kind in ("no_blender", "isolation") else "blender"
    return BenchError(error.message, kind)
