# SPDX-License-Identifier: GPL-3.0-or-later
"""The structure of a file is let fall in a process that is ours alone; plain data comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ....checks.timber.brief import TimberBrief
from ...scene.blocks import structure_of_scene
from ...scene.files import open_blend
from ..steps import finish
from .answers import let_it_fall, what_if
from .asked import WhatIf


def fall_of_file(
    path: str | Path,
    kind: str | None = None,
    *,
    seconds: float = 5.0,
    brief: Mapping[str, Any] | None = None,
    asked: Sequence[Mapping[str, Any]] = (),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Open a .blend without its scripts and let what stands in it fall.

    ``kind`` is that of the structure (``None``: as the scene says), ``brief`` of a timber task,
    ``asked`` what is otherwise (:meth:`.asked.WhatIf.from_mapping`). Returns the plain form of
    ``Fallen``, or of a ``Comparison`` where something is asked. Raises ``BlendFileError`` for a
    file that can't be opened, ``BriefError`` for a brief that can't be read, and
    :class:`..steps.SimulationError`.
    """
    wanted = [WhatIf.from_mapping(one) for one in asked]
    own = TimberBrief.from_mapping(brief) if brief is not None else None
    notes = open_blend(path)
    structure = structure_of_scene(bpy.context.scene, kind)
    if wanted:
        found = finish(what_if(structure, wanted, own, seconds=seconds), progress).to_plain()
        return {**found, "notes": list(notes)}
    found = finish(let_it_fall(structure, own, seconds=seconds), progress).to_plain()
    return {**found, "notes": [*notes, *found["notes"]]}
