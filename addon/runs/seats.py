# SPDX-License-Identifier: GPL-3.0-or-later
"""Where one thread of a run works: a Blender of its own, lent to attempt after attempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..agent.bench import Bench, BenchError, Execution, Isolation, Scene
from ..sandbox.client import BlenderWorker, WorkerError
from . import pictures
from .storage import check_room

# A process that died is tried once more in a fresh one: dying need not be the program's doing.
_TRIES_AFTER_CRASH = 2

# How long a picture may take, s: the first one in a process compiles shaders.
PICTURE_TIMEOUT = 120.0


class Seat(Protocol):
    """A Blender for the attempts of one thread."""

    def versions(self) -> Mapping[str, Any]:
        """Versions of what works here. Raises ``BenchError``."""
        ...

    def bench(self, folder: Path) -> Bench:
        """The bench for one attempt; its files go into ``folder``."""
        ...

    def kill(self) -> None:
        """Stop at once and for good, from any thread."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


MakeSeat = Callable[[], Seat]


class WorkerSeat:
    """A seat with a worker Blender; ``timeout`` is what a program may take, s."""

    def __init__(self, timeout: float = 120.0) -> None:
        self._worker = BlenderWorker()
        self._timeout = timeout
        self._used: Mapping[str, Any] = {}

    def versions(self) -> Mapping[str, Any]:
        """Versions of the worker. Raises ``BenchError``."""
        try:
            self._used = self._worker.request("versions")
        except WorkerError as error:
            raise BenchError(str(error), error.kind) from error
        return {"blender": self._used.get("blender")}

    def bench(self, folder: Path) -> Bench:
        """A bench whose scenes lie in ``folder``."""
        used = self._used or self.versions()
        return _Bench(self._worker, folder, self._timeout, used)

    def kill(self) -> None:
        """End the Blender at once and for good."""
        self._worker.kill()

    def close(self) -> None:
        """End the Blender."""
        self._worker.close()


class _Bench:
    """Runs programs with the actions of a worker."""

    isolation: Isolation = "process"

    def __init__(
        self, worker: BlenderWorker, folder: Path, timeout: float, used: Mapping[str, Any]
    ) -> None:
        self._worker = worker
        self._folder = folder
        self._timeout = timeout
        self._versions = {"blender": used.get("blender")}

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run ``code``; a process that died is tried once more."""
        for left in reversed(range(_TRIES_AFTER_CRASH)):
            try:
                return self._execute(code, start, label)
            except WorkerError as error:
                if error.kind == "no_blender":
                    raise BenchError(str(error), error.kind) from error
                if error.kind == "crash" and left:
                    continue
                check_room(self._folder)
                return self._ended(error)
        raise AssertionError("unreachable")

    def _execute(self, code: str, start: Scene | None, label: str) -> Execution:
        save = (self._folder / f"{label}.blend").resolve()
        answer = self._worker.request(
            "build",
            timeout=self._timeout,
            program=code,
            start=str(start.blend) if start else None,
            save=str(save),
        )
        told = (answer["traceback"] or "").strip().splitlines()
        return Execution(
            "finished" if answer["ok"] else "raised",
            self.isolation,
            message=None if answer["ok"] else told[-1] if told else "it ended with an error",
            output=answer["stdout"],
            traceback=answer["traceback"],
            scene=Scene(save),
            structure=answer["structure"],
            seconds=answer["seconds"],
            versions=self._versions,
        )

    def _ended(self, error: WorkerError) -> Execution:
        if error.kind == "refused":
            return Execution(
                "finished", self.isolation, unreadable=str(error), versions=self._versions
            )
        if error.kind == "timeout":
            text = f"The program did not end within {self._timeout:g} s."
            return Execution("timeout", self.isolation, text, versions=self._versions)
        text = "The program ended Blender, twice in a row."
        return Execution("crashed", self.isolation, text, str(error), versions=self._versions)

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """This bench has none."""
        raise BenchError("this bench renders no views", "blender")

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """PNG of the scene with the findings of ``record`` coloured. Raises ``BenchError``."""
        out = (self._folder / f".{scene.blend.stem}.png").resolve()
        try:
            self._worker.request(
                "picture",
                timeout=PICTURE_TIMEOUT,
                blend=str(scene.blend.resolve()),
                colours=pictures.colours_of(record),
                solids=pictures.solids_of(record),
                out=str(out),
                view=view,
                size=list(pictures.SIZE),
            )
            return out.read_bytes()
        except WorkerError as error:
            raise BenchError(str(error), error.kind) from error
        finally:
            out.unlink(missing_ok=True)
