# SPDX-License-Identifier: GPL-3.0-or-later
"""A structure, and the model of it, with something made otherwise. Nothing is changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ....checks.timber.structure import TimberStructure
from ....checks.voxel.cells import block_name
from ....checks.voxel.structure import VoxelStructure
from ..steps import SimulationError
from .asked import WhatIf
from .model import GRAVITY, MOST_LOOSE, Bools, Model

Structure: TypeAlias = TimberStructure | VoxelStructure


def altered_structure(structure: Structure, asked: Sequence[WhatIf]) -> Structure:
    """The structure without what is removed, and with what is shifted elsewhere.

    Raises :class:`SimulationError` for members that there aren't, and for nothing left.
    """
    for one in asked:
        if one.kind not in ("remove", "shift"):
            continue
        chosen = _chosen(names_of(structure), one.members)
        if one.kind == "remove":
            if chosen.all():
                raise SimulationError("what if: nothing is left to fall; keep some members")
            structure = _kept(structure, ~chosen)
        else:
            structure = _shifted(structure, chosen, one.offset)
    return structure


def names_of(structure: Structure) -> tuple[str, ...]:
    """Names of the members, as :class:`.model.Model` has them."""
    if isinstance(structure, VoxelStructure):
        return tuple(block_name(p) for p in structure.positions)
    return structure.names


def altered_model(model: Model, asked: Sequence[WhatIf]) -> Model:
    """The model with joints weakened or cut, gravity turned, and pushes."""
    for one in asked:
        if one.kind == "gravity":
            model = _breakable(replace(model, gravity=GRAVITY * np.array(one.vector)))
        elif one.kind in ("weaken", "cut"):
            model = _weakened(model, one)
        elif one.kind == "push":
            model = _breakable(_pushed(model, one))
    return model


def _breakable(model: Model) -> Model:
    """Under other loads than its weight what is firm may break, where it isn't too much."""
    if not model.firm.any():
        return model
    if len(model) <= MOST_LOOSE:
        return replace(model, firm=np.zeros_like(model.firm))
    note = (
        f"{len(model)} blocks are too many to break under another load (at most {MOST_LOOSE}); "
        "what stands in the ground stays in one piece"
    )
    return replace(model, notes=tuple(dict.fromkeys((*model.notes, note))))


def _weakened(model: Model, one: WhatIf) -> Model:
    chosen = _chosen(model.names, one.members)
    at_first, at_second = chosen[model.contacts.first], chosen[model.contacts.second]
    touched = at_first & at_second if one.kind == "cut" else at_first | at_second
    if not touched.any():
        who = " and ".join(one.members)
        raise SimulationError(f"what if: {who} have no joint that could be cut; pick others")
    factor = 0.0 if one.kind == "cut" else one.factor
    held = model.held.scaled(np.where(touched, factor, 1.0))
    # What is said to hold less is no longer taken for one piece with the rest.
    firm = model.firm & ~touched if factor < 1.0 else model.firm
    return replace(model, held=held, firm=firm)


def _pushed(model: Model, one: WhatIf) -> Model:
    chosen = _chosen(model.names, one.members)
    if (chosen & model.fixed).any():
        name = model.names[int(np.flatnonzero(chosen & model.fixed)[0])]
        raise SimulationError(f"what if: {name} is held by the ground and can't be pushed")
    pushes = chosen[:, None] * np.array(one.vector)
    if one.unit == "N":
        return replace(model, force=pushes + (0.0 if model.force is None else model.force))
    return replace(model, velocity=pushes + (0.0 if model.velocity is None else model.velocity))


def _chosen(names: Sequence[str], wanted: Iterable[str]) -> Bools:
    rows = {name: i for i, name in enumerate(names)}
    chosen = np.zeros(len(names), bool)
    for name in wanted:
        if name not in rows:
            raise SimulationError(f"what if: there is no member {name!r}; pick it in the scene")
        chosen[rows[name]] = True
    return chosen


def _kept(structure: Structure, keep: Bools) -> Structure:
    if isinstance(structure, TimberStructure):
        return structure.subset(keep)
    materials = tuple(m for m, k in zip(structure.materials, keep, strict=True) if k)
    return replace(structure, positions=structure.positions[keep], materials=materials, earlier=())


def _shifted(structure: Structure, chosen: Bools, offset: tuple[float, float, float]) -> Structure:
    if isinstance(structure, TimberStructure):
        return replace(structure, center=structure.center + chosen[:, None] * np.array(offset))
    x, y, z = offset
    step = np.array([x, z, -y])  # a block (x, y, z) stands at Blender's (x, -z, y)
    whole = np.round(step).astype(np.int64)
    if np.abs(step - whole).max() > 1e-6:
        raise SimulationError("what if: blocks shift by whole blocks only; choose whole metres")
    positions = structure.positions + chosen[:, None] * whole
    if len(np.unique(positions, axis=0)) < len(positions):
        raise SimulationError("what if: there is a block already where one is shifted to")
    return replace(structure, positions=positions, earlier=())
