# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an agent's code runs: asked by an episode, offered by a worker or by the open session.

An episode is written once and runs on either bench. It never touches Blender itself: it says what
to run on which scene and gets back what happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

#: How a run of code ended. ``finished``: to its end. ``raised``: with an exception. ``refused``:
#: the policy found what it may not do, nothing was run. ``timeout``, ``memory``, ``crashed``: its
#: process was ended at the deadline, at the memory limit, or died twice in a row.
Outcome = Literal["finished", "raised", "refused", "timeout", "memory", "crashed"]

Isolation = Literal["none", "process", "bubblewrap"]


@dataclass(frozen=True)
class Scene:
    """A scene as a bench keeps it: a .blend file, and in the open session the scene's name."""

    blend: Path
    name: str | None = None


@dataclass(frozen=True)
class Problem:
    """What the policy found: line and column (from 1), the rule, one sentence with the remedy."""

    line: int
    column: int
    rule: str
    message: str


@dataclass(frozen=True)
class Execution:
    """What became of one run of code.

    ``message`` is one sentence on how it ended, ``None`` if it finished. ``output`` is what it
    printed (cut at a limit, marked so) and ``traceback`` its own frames only. ``scene`` is what it
    left: there is none after a refusal, a deadline or a crash. ``structure`` is what was read from
    that scene, in a process that the code never ran in, as the plain data of its kind;
    ``unreadable`` says why it could not be. ``seconds`` is the code alone; ``cpu`` (s) and
    ``memory`` (bytes, peak) are those of its process, ``None`` where unknown.
    """

    outcome: Outcome
    isolation: Isolation
    message: str | None = None
    output: str = ""
    traceback: str | None = None
    problems: tuple[Problem, ...] = ()
    scene: Scene | None = None
    structure: Mapping[str, Any] | None = None
    unreadable: str | None = None
    seconds: float = 0.0
    cpu: float | None = None
    memory: int | None = None
    versions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether it ran to its end and what it left could be read."""
        return self.outcome == "finished" and self.structure is not None


#: Kind of fault where what a program left can't be drawn, however often it is tried. That is no
#: fault of the environment and no reason to end an episode.
UNDRAWABLE = "undrawable"


class BenchError(RuntimeError):
    """The bench itself failed: a fault of the environment.

    ``kind`` is its class in records: ``no_blender``, ``isolation``, ``disk``, ``blender``.
    """

    def __init__(self, message: str, kind: str = "blender") -> None:
        super().__init__(message)
        self.kind = kind


#: Kind of the fault when a scene is not what a run of code left.
TAMPERED = "tampered"


class Bench(Protocol):
    """Runs code and looks at scenes. Raises :class:`BenchError` for faults of its own only."""

    @property
    def isolation(self) -> Isolation:
        """What code runs in."""
        ...

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run ``code`` on ``start`` (an empty metric scene if ``None``), which stays as it is.

        ``label`` (``step-03-floor``) names the files and, in the session, the scene.
        """
        ...

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """PNG of each named canonical view, with alpha; framed on ``target`` if there is one."""
        ...

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """PNG of ``scene`` with the findings of a plain judgement coloured, for the model."""
        ...
