# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures of loads need beyond the judgement: the way of every member's load."""

from __future__ import annotations

from dataclasses import dataclass

from ....checks.timber.brief import TimberBrief
from ....checks.timber.broadphase import CrowdedError
from ....checks.timber.engineering.reactions import Reactions, Way
from ....checks.timber.engineering.workings import Workings
from ....checks.timber.structure import TimberStructure


@dataclass(frozen=True)
class Explained:
    """The ways of loads through one structure; ``index`` is the row of each member's name."""

    reactions: Reactions
    index: dict[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rows."""
        return self.reactions.joints.frame.names

    def way(self, name: str) -> Way | None:
        """The way of a member's load, ``None`` of an unknown one and of accessories."""
        row = self.index.get(name)
        if row is None or not bool(self.reactions.joints.frame.judged[row]):
            return None
        return self.reactions.way(row)


def explain(structure: object, brief: object, workings: object) -> Explained | None:
    """Ready to follow any load; ``None`` for what is no structure of timber or is a mere heap."""
    if not isinstance(workings, Workings):
        if not isinstance(structure, TimberStructure) or not len(structure):
            return None
        given = brief if isinstance(brief, TimberBrief) else TimberBrief()
        try:
            workings = Workings.of(structure, given)
        except CrowdedError:
            return None
    names = workings.joints.frame.names
    return Explained(Reactions(workings), {name: row for row, name in enumerate(names)})
