# SPDX-License-Identifier: GPL-3.0-or-later
"""A file is simulated in a process that is ours alone, and comes back as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy

from ...checks.reconstruction.brief import ReconstructionBrief
from ..scene.files import open_blend
from .experiments import simulate
from .plain import simulation_to_plain
from .steps import finish


def simulation_of_file(
    path: str | Path,
    rubric: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Open a .blend without its scripts, run its scene and what the rubric asks for.

    Returns the plain form of a simulation, see :func:`.plain.simulation_to_plain`. Raises
    ``BlendFileError`` for a file that can't be opened, ``BriefError`` for a rubric that can't be
    read, :class:`.steps.SimulationError` for a scene that can't be simulated.
    """
    brief = None if rubric is None else ReconstructionBrief.from_mapping(rubric)
    notes = open_blend(path)
    found = finish(simulate(bpy.context.scene, brief), progress)
    plain = simulation_to_plain(found)
    return {**plain, "notes": [*notes, *plain["notes"]]}
