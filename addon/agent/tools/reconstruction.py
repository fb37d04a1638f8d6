# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools for building a simulation by code: run, check, look, list, hand in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..history import CHARACTERS_PER_TOKEN
from ..kinds.reconstruction import listing, simulation_of
from .scene_tools import TOKENS, SceneTools, Words
from .tool import Outcome


class ReconstructionTools(SceneTools):
    """See :class:`.scene_tools.SceneTools`."""

    counted = "bodies"
    words = Words(
        run="Run Python in Blender. With fresh=true it builds from an empty scene and replaces "
        "what stands; with fresh=false it goes on from what stands. The scene that it leaves is "
        "then run frame by frame. A run that fails changes nothing of a sound scene.",
        fresh="true: start from an empty scene; false: go on from what stands",
        check="Judge the simulation as it will be judged in the end: every check with its status, "
        "and the faults with bodies and frames, the worst first.",
        listed="List the bodies with mass and from where to where each went, in metres.",
        query="only bodies with this in their name or role",
        submit="Hand in what stands; it is then judged and the episode is over.",
    )

    def _list(self, arguments: Mapping[str, Any]) -> Outcome:
        simulation = simulation_of(self._standing())
        query = str(arguments.get("query", "")).lower()
        listed = listing(simulation, TOKENS * CHARACTERS_PER_TOKEN, query)
        return Outcome({"bodies": len(simulation), "listed": listed.splitlines()})
