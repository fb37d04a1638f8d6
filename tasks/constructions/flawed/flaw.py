# SPDX-License-Identifier: GPL-3.0-or-later
"""One flaw of a known-good construction, and the twin that is made with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ....checks.voxel.structure import Action
from ...model import TaskError, Twin
from ..known_good import solve
from ..problem import Problem
from ..program import program_text

Turns = tuple[tuple[Action, ...], ...]


@dataclass(frozen=True)
class Flaw:
    """What is done to the known-good construction of a problem, and what must be found.

    Attributes
    ----------
    problem
        Id of the problem, ``FILE/II-WW``.
    id, title, defect
        As of a twin, see :class:`...model.Twin`.
    root, also
        What is found first, and what else is bound to be found; see :mod:`...expected`.
    patch
        Block calls that are added to the known-good program.
    edit
        Where it isn't lines that are added: makes other actions of the known-good ones.
    verdict
        ``"passed"`` where nothing but a score gets worse.
    """

    problem: str
    id: str
    title: str
    defect: str
    root: Mapping[str, Any]
    patch: str = ""
    edit: Callable[[Turns], Turns] | None = None
    also: tuple[Mapping[str, Any], ...] = ()
    verdict: str = "failed"

    @property
    def expected(self) -> dict[str, Any]:
        """What a twin's ``expected.json`` would hold."""
        return {
            "title": self.title,
            "defect": self.defect,
            "verdict": self.verdict,
            "root": dict(self.root),
            "consequences": [],
            "also": [dict(finding) for finding in self.also],
        }


@dataclass(frozen=True)
class FlawedProgram:
    """See :class:`...model.TwinOrigin`."""

    problem: Problem = field(repr=False)
    flaw: Flaw

    def program(self) -> str:
        """The whole program."""
        defect = f"# The defect: {self.flaw.defect}\n"
        turns = solve(self.problem)
        if self.flaw.edit is not None:
            return defect + program_text(self.flaw.edit(turns), self.problem.prompts)
        return f"{program_text(turns, self.problem.prompts)}\n{defect}{self.patch()}"

    def patch(self) -> str:
        """The lines that are added. Raises :class:`TaskError` where it isn't lines."""
        if self.flaw.edit is not None:
            raise TaskError(
                self.problem.id,
                f"twin {self.flaw.id}",
                "adds no lines to the known-good program",
                "run its own program",
            )
        return self.flaw.patch + "\n"


def twin_of(flaw: Flaw, problem: Problem, place: Path) -> Twin:
    """The twin; ``place`` is the path of its task."""
    return Twin(
        flaw.id,
        flaw.title,
        flaw.defect,
        flaw.expected,
        place / "twins" / flaw.id,
        FlawedProgram(problem, flaw),
    )
