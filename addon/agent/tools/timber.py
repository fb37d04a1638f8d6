# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for building a timber frame by code: run, check, look, list, hand in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...scene.plain import members_from_plain, structure_to_plain
from .scene_tools import CALLS, CHECKS, RENDERS, TOKENS, SceneTools, Words, budgets
from .tool import Outcome

__all__ = ["CALLS", "CHECKS", "RENDERS", "TimberTools", "budgets"]


class TimberTools(SceneTools):
    """See :class:`.scene_tools.SceneTools`."""

    counted = "members"
    words = Words(
        run="Run Python in Blender. With fresh=true it builds from an empty scene and replaces "
        "what stands; with fresh=false it goes on from what stands. A run that fails "
        "changes nothing of a sound scene.",
        fresh="true: start from an empty scene; false: go on from what stands",
        check="Judge what stands as it will be judged in the end: every check with its status, "
        "and the faults, the worst first.",
        listed="List the members that stand with their extents in metres.",
        query="only members with this in their name",
        submit="Hand in what stands; it is then judged and the episode is over.",
    )

    def _list(self, arguments: Mapping[str, Any]) -> Outcome:
        frame = members_from_plain(self._standing())
        query = str(arguments.get("query", "")).lower()
        chosen = [i for i, name in enumerate(frame.names) if query in name.lower()]
        listed = structure_to_plain(frame.subset(chosen))
        return Outcome(
            {
                "members": len(frame),
                "listed": self._kind.inventory(listed, TOKENS).splitlines() if chosen else [],
            }
        )
