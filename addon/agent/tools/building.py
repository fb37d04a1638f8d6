# SPDX-License-Identifier: GPL-3.0-or-later
"""What was built so far by running code: the scene that stands, and all the code that made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from ....checks.result import Finding
from ..bench import Execution, Problem, Scene

#: Told of each run: what became of it, its code, its label.
Heard = Callable[[Execution, str, str], None]


class Runs(Protocol):
    """What runs code: a bench, or an episode that writes down what it runs."""

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """See :meth:`..bench.Bench.execute`."""
        ...


class Building:
    """Runs code on a bench, and keeps what it left if that is better than what there was.

    A run that did not end well leaves what stood before as it was, so that ``program`` always makes
    the scene that stands. Only while nothing stands, what a broken program left is kept: that is
    then judged, as it is for everybody.
    """

    def __init__(self, bench: Runs) -> None:
        self._bench = bench
        self.heard: Heard = lambda _execution, _code, _label: None
        self.standing: Execution | None = None
        self.pieces: list[str] = []
        self.runs = 0
        #: Findings of the check ``program`` beside what ``standing`` says.
        self.mishaps: list[Finding] = []

    @property
    def program(self) -> str:
        """All the code that makes the standing scene from nothing."""
        return "\n\n".join(piece.rstrip() for piece in self.pieces) + "\n" if self.pieces else ""

    @property
    def sound(self) -> bool:
        """Whether what stands was made by code that ran to its end and could be read."""
        return self.standing is not None and self.standing.ok

    def run(self, code: str, fresh: bool) -> Execution:
        """Run code on what stands, or on an empty scene. Raises ``BenchError``."""
        self.runs += 1
        start = self.standing.scene if self.standing and self.sound and not fresh else None
        label = f"run-{self.runs:02d}"
        execution = self._bench.execute(code, start, label)
        self.heard(execution, code, label)
        if execution.ok or not self.sound:
            self.pieces = [*self.pieces, code] if start is not None else [code]
            self.standing = execution
        return execution

    def settle(self) -> None:
        """Nothing more is built now. Raises ``BenchError``."""

    def state(self, folder: Path) -> dict[str, Any]:
        """As plain JSON; scenes inside ``folder`` are named from there."""
        standing = execution_to_plain(self.standing, folder) if self.standing else None
        return {"standing": standing, "pieces": list(self.pieces), "runs": self.runs}

    def restore(self, state: Mapping[str, Any], folder: Path) -> None:
        """Go on from :meth:`state`. Raises ``KeyError``, ``TypeError`` or ``ValueError``."""
        standing = state["standing"]
        self.standing = execution_from_plain(standing, folder) if standing else None
        self.pieces = [str(piece) for piece in state["pieces"]]
        self.runs = int(state["runs"])


def execution_to_plain(execution: Execution, folder: Path) -> dict[str, Any]:
    """An execution as plain JSON."""
    plain = asdict(replace(execution, scene=None))
    plain["problems"] = [asdict(problem) for problem in execution.problems]
    if execution.scene is not None:
        blend = execution.scene.blend.absolute()
        inside = blend.is_relative_to(folder.absolute())
        named = blend.relative_to(folder.absolute()).as_posix() if inside else str(blend)
        plain["scene"] = {"blend": named, "name": execution.scene.name}
    return plain


def execution_from_plain(plain: Mapping[str, Any], folder: Path) -> Execution:
    """The execution that :func:`execution_to_plain` wrote."""
    values = dict(plain)
    values["problems"] = tuple(Problem(**problem) for problem in plain["problems"])
    if plain["scene"] is not None:
        scene = plain["scene"]
        values["scene"] = Scene(folder.absolute() / scene["blend"], scene["name"])
    return Execution(**values)
