# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the program of a voxel task comes from: its known-good solution, where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model import TaskError
from .problem import Problem
from .program import program_text


@dataclass(frozen=True)
class ConstructionOrigin:
    """See :class:`..model.Origin`; ``problem`` has the words and the parameters.

    ``place`` says in messages which task it is.
    """

    problem: Problem
    place: str

    @property
    def has_program(self) -> bool:
        """Whether there is a known-good program: for all that were generated, for no others."""
        return self.problem.seed is not None

    def program(self) -> str:
        """Block calls of the known-good solution. Raises :class:`TaskError` without one."""
        if not self.has_program:
            raise TaskError(
                self.place,
                "",
                "brings no known-good program",
                "build it with --agent null or a model",
            )
        from .known_good import solve

        problem = self.problem
        return program_text(solve(problem), problem.prompts)

    def truth(self) -> None:
        """None: many constructions pass the checks, and none of them is the one that was meant."""

    def why_no_truth(self) -> None:
        """Nothing is amiss: there should be none."""

    def references(self) -> Mapping[str, bytes]:
        """No pictures."""
        return {}
