# SPDX-License-Identifier: GPL-3.0-or-later
"""Where one thread of a run works: a Blender of its own, lent to attempt after attempt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from ..agent.bench import Bench, BenchError
from ..sandbox.bench import STEPS, WorkerBench
from ..sandbox.client import BlenderWorker, WorkerError
from ..sandbox.policy import DEFAULT, Policy

# How long a picture may take, s: the first one in a process compiles shaders.
PICTURE_TIMEOUT = 120.0


class Seat(Protocol):
    """A Blender for the attempts of one thread."""

    def versions(self) -> Mapping[str, Any]:
        """Versions of what works here. Raises ``BenchError``."""
        ...

    def bench(
        self,
        folder: Path,
        policy: Policy | None = DEFAULT,
        read_as: Mapping[str, Any] | None = None,
    ) -> Bench:
        """The bench for one attempt; its files go into ``folder``.

        What ``policy`` forbids isn't run; ``None`` is for programs of our own. Scenes are read as
        ``read_as`` says (:meth:`..kinds.Kind.read_as`), by ``None`` as what they hold.
        """
        ...

    def kill(self) -> None:
        """Stop at once and for good, from any thread."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


MakeSeat = Callable[[], Seat]


class WorkerSeat:
    """A seat with a worker Blender.

    ``timeout`` is what a program may take, s. ``isolation`` is what programs run in: ``auto`` takes
    the strongest there is, and anything else that can't be had is a ``BenchError`` wherever it is
    asked for.
    """

    def __init__(
        self, timeout: float = 120.0, isolation: Literal["process", "bubblewrap", "auto"] = "auto"
    ) -> None:
        self.worker = BlenderWorker(isolation=isolation)
        self._timeout = timeout

    def versions(self) -> Mapping[str, Any]:
        """Versions of the worker. Raises ``BenchError``."""
        try:
            return {"blender": self.worker.request("versions").get("blender")}
        except WorkerError as error:
            raise BenchError(str(error), error.kind) from error

    def bench(
        self,
        folder: Path,
        policy: Policy | None = DEFAULT,
        read_as: Mapping[str, Any] | None = None,
    ) -> Bench:
        """A bench that keeps every step below ``folder`` (an attempt's, or its ``steps``)."""
        attempt = folder.parent if folder.name == STEPS else folder
        return WorkerBench(self.worker, attempt, self._timeout, policy, read_as)

    def kill(self) -> None:
        """End the Blender at once and for good."""
        self.worker.kill()

    def close(self) -> None:
        """End the Blender."""
        self.worker.close()
