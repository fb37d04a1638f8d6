# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions to a structure that stands still: does it stand, and what if. Main thread only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....checks.timber.brief import TimberBrief
from ....checks.timber.structure import CORNER_SIGNS, TimberStructure
from ....checks.voxel.structure import VoxelStructure
from ...scene.block_reading import blocks_object
from ...scene.members import unit_scale
from ..probes import Trajectory
from ..steps import SimulationError, Steps
from .altered import altered_model, altered_structure
from .asked import WhatIf
from .blocks import model_of_blocks
from .collapse import collapse
from .damage import Damage, damage_of
from .model import MOST_LOOSE, Model, Strengths
from .motion import Motion, matrices
from .timber import model_of_timber

SCHEMA = "plumbline.fall/1"

#: Triangles of a box over corners in the order of ``CORNER_SIGNS``.
_TRIANGLES = np.array(
    [
        [0, 1, 2], [0, 2, 3], [4, 7, 6], [4, 6, 5], [0, 4, 5], [0, 5, 1],
        [3, 2, 6], [3, 6, 7], [0, 3, 7], [0, 7, 4], [1, 5, 6], [1, 6, 2],
    ]
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Fallen:
    """A structure that was let fall: what it was, how it moved, and what came of it."""

    model: Model
    motion: Motion
    damage: Damage
    source: Mapping[str, Any]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known about it."""
        return _notes(self.model)

    def to_plain(self) -> dict[str, Any]:
        """The damage as plain data, for reports."""
        return {"schema": SCHEMA, **self.damage.to_plain(), "notes": list(self.notes)}


@dataclass(frozen=True, eq=False)
class Comparison:
    """The structure as it is and as it would be, both let fall."""

    asked: tuple[WhatIf, ...]
    baseline: Fallen
    altered: Fallen

    @property
    def only_altered(self) -> tuple[str, ...]:
        """Members that moved only when it was otherwise, in the order in which they did."""
        before = set(self.baseline.damage.moved)
        return tuple(name for name in self.altered.damage.moved if name not in before)

    @property
    def only_baseline(self) -> tuple[str, ...]:
        """Members that moved only as it is: what the change saved."""
        after = set(self.altered.damage.moved)
        return tuple(name for name in self.baseline.damage.moved if name not in after)

    @property
    def says(self) -> str:
        """It in a sentence or two."""
        told = f"If {' and '.join(one.says for one in self.asked)}: {self.altered.damage.says}"
        more, fewer = len(self.only_altered), len(self.only_baseline)
        if more or fewer:
            parts = [f"{more} more"] * bool(more) + [f"{fewer} fewer"] * bool(fewer)
            return f"{told} That is {' and '.join(parts)} than as it is."
        return f"{told} That is no different from how it is."

    def to_plain(self) -> dict[str, Any]:
        """Both and the difference as plain data, for reports."""
        return {
            "schema": SCHEMA,
            "asked": [one.to_mapping() for one in self.asked],
            "baseline": self.baseline.to_plain(),
            "altered": self.altered.to_plain(),
            "only_altered": list(self.only_altered),
            "only_baseline": list(self.only_baseline),
            "says": self.says,
        }


def _notes(model: Model) -> tuple[str, ...]:
    notes = list(model.notes)
    loose = int(model.loose.sum())
    if model.shatters and loose > MOST_LOOSE:
        notes.append(
            f"{loose} blocks hang on nothing; up to {MOST_LOOSE} break apart where they land, "
            "of more each part falls in one piece"
        )
    return tuple(notes)


def model_of(structure: Any, brief: Any = None, strengths: Strengths | None = None) -> Model:
    """The model of a structure of any kind that can fall. Raises :class:`SimulationError`."""
    if isinstance(structure, TimberStructure):
        own = brief if isinstance(brief, TimberBrief) else None
        return model_of_timber(structure, own, strengths)
    if isinstance(structure, VoxelStructure):
        return model_of_blocks(structure, strengths)
    raise SimulationError("only timber frames and constructions of blocks can be let fall so far")


def let_it_fall(
    structure: Any,
    brief: Any = None,
    *,
    seconds: float = 5.0,
    strengths: Strengths | None = None,
    pieces: int = 1,
) -> Steps[Fallen]:
    """Let a structure fall for ``seconds``, or until everything lies still.

    ``strengths`` say what joints hold (default: the table of :mod:`.strengths`), ``pieces`` in how
    many steps a frame is worked. Raises :class:`SimulationError`.
    """
    model = model_of(structure, brief, strengths)
    return (yield from _fall(model, getattr(structure, "source", {}), seconds, pieces))


def _fall(model: Model, source: Mapping[str, Any], seconds: float, pieces: int) -> Steps[Fallen]:
    motion = yield from collapse(model, seconds, pieces)
    return Fallen(model, motion, damage_of(model, motion), source)


def what_if(
    structure: Any,
    asked: Sequence[WhatIf],
    brief: Any = None,
    *,
    seconds: float = 5.0,
    strengths: Strengths | None = None,
    pieces: int = 1,
    baseline: Fallen | None = None,
) -> Steps[Comparison]:
    """Let a structure fall as it is, and as it would be. Raises :class:`SimulationError`.

    ``baseline`` is how it falls as it is, where that is known already.
    """
    if not asked:
        raise SimulationError("what if: nothing is otherwise; choose what should be")
    other = altered_structure(structure, asked)
    altered = altered_model(model_of(other, brief, strengths), asked)
    source = getattr(structure, "source", {})
    models = [altered] if baseline else [model_of(structure, brief, strengths), altered]
    found = [baseline] if baseline else []
    for number, model in enumerate(models):
        steps = _fall(model, source, seconds, pieces)
        try:
            while True:
                done, total = next(steps)
                yield done + number * total, len(models) * total
        except StopIteration as end:
            found.append(end.value)
        finally:
            steps.close()
    return Comparison(tuple(asked), *found)


def trajectory(fallen: Fallen, scene: bpy.types.Scene | None) -> Trajectory:
    """The motion as it is played in the scene that the structure was read from, in its units.

    Members that are objects of the scene move as these; blocks and instances have ``shapes``.
    """
    model = fallen.model
    unit = unit_scale(scene) if scene is not None else 1.0
    moves = matrices(model, fallen.motion, unit)
    there = {obj.name: obj for obj in scene.objects} if scene is not None else {}
    start = np.tile(np.eye(4), (len(model), 1, 1))
    shapes = {}
    for i, name in enumerate(model.names):
        if name in there:
            start[i] = there[name].matrix_world
        else:
            start[i, :3, :3], start[i, :3, 3] = model.axes[i].T, model.center[i] / unit
            shapes[name] = (CORNER_SIGNS * model.half[i] / unit, _TRIANGLES)
    return Trajectory(
        model.names,
        (moves @ start).astype(np.float32),
        fallen.motion.fps,
        shapes,
        _stood_for(fallen, scene) if shapes else (),
    )


def _stood_for(fallen: Fallen, scene: bpy.types.Scene | None) -> tuple[str, ...]:
    """Objects that members with shapes of their own stand for."""
    if scene is None:
        return ()
    if fallen.model.kind == "voxel":
        blocks = blocks_object(scene)
        return (blocks.name,) if blocks is not None else ()
    return tuple(dict.fromkeys(fallen.source.get("instancers", {}).values()))
