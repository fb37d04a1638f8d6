# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures as plain data that JSON can carry between processes, and back. No ``bpy``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

import numpy as np

from ...checks.reconstruction.simulation import Simulation
from ...checks.result import Finding
from ...checks.timber.structure import StructureError, TimberStructure
from ...checks.voxel.structure import VoxelError, VoxelStructure
from ..simulation import plain as simulations

SCHEMA = "plumbline.structure/1"
BLOCKS = "plumbline.blocks-structure/1"

#: What stands in one moment, and can be drawn as members or blocks.
Standing: TypeAlias = TimberStructure | VoxelStructure
Structure: TypeAlias = Standing | Simulation


def structure_to_plain(structure: Structure) -> dict[str, Any]:
    """The structure as lists, texts and numbers; :func:`structure_from_plain` gives it back."""
    if isinstance(structure, Simulation):
        return simulations.simulation_to_plain(structure)
    if isinstance(structure, VoxelStructure):
        earlier = [_blocks_to_plain(stood) for stood in structure.earlier]
        return {"schema": BLOCKS, **_blocks_to_plain(structure), "earlier": earlier}
    return {
        "schema": SCHEMA,
        "names": list(structure.names),
        "explicit_roles": list(structure.explicit_roles),
        "center": structure.center.tolist(),
        "axes": structure.axes.tolist(),
        "half": structure.half.tolist(),
        "notes": list(structure.notes),
        "skipped": dict(structure.skipped),
        "findings": [asdict(finding) for finding in structure.findings],
        "source": dict(structure.source),
    }


def structure_from_plain(data: Mapping[str, Any]) -> Structure:
    """A structure from :func:`structure_to_plain`, bit for bit the same.

    Raises :class:`StructureError`, of blocks :class:`VoxelError`, of simulations
    ``TrajectoryError``, for anything else, naming what is wrong.
    """
    if isinstance(data, Mapping) and data.get("schema") == simulations.SCHEMA:
        return simulations.simulation_from_plain(data)
    if isinstance(data, Mapping) and data.get("schema") == BLOCKS:
        return _blocks(data)
    return members_from_plain(data)


def members_from_plain(data: Mapping[str, Any]) -> TimberStructure:
    """As :func:`structure_from_plain`, but blocks are a :class:`StructureError` too."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise StructureError(f"this is no structure: its schema isn't {SCHEMA!r}")
    try:
        n = len(data["names"])
        arrays = {
            "center": np.array(data["center"], dtype=np.float64).reshape(n, 3),
            "axes": np.array(data["axes"], dtype=np.float64).reshape(n, 3, 3),
            "half": np.array(data["half"], dtype=np.float64).reshape(n, 3),
        }
        findings = tuple(_finding(finding) for finding in data["findings"])
        return TimberStructure(
            tuple(data["names"]),
            tuple(data["explicit_roles"]),
            **arrays,
            notes=tuple(data["notes"]),
            skipped=dict(data["skipped"]),
            findings=findings,
            source=dict(data["source"]),
        )
    except KeyError as missing:
        raise StructureError(f"the structure lacks the field {missing}") from None
    except (TypeError, ValueError) as error:
        if isinstance(error, StructureError):
            raise
        raise StructureError(f"the structure holds a value of the wrong kind: {error}") from None


def count_of(plain: Mapping[str, Any] | None) -> int:
    """How many members, blocks or bodies a structure's plain data has; 0 where there is none."""
    plain = plain or {}
    if plain.get("schema") == simulations.SCHEMA:
        return simulations.count_of(plain)
    return len(plain.get("positions" if plain.get("schema") == BLOCKS else "names", ()))


def _finding(data: Mapping[str, Any]) -> Finding:
    values = dict(data)
    values["related"] = tuple(values.get("related", ()))
    if values.get("location") is not None:
        values["location"] = tuple(values["location"])
    return Finding(**values)


def _blocks_to_plain(structure: VoxelStructure) -> dict[str, Any]:
    return {
        "positions": structure.positions.tolist(),
        "palette": list(structure.palette),
        "codes": structure.material_codes.tolist(),
        "ordered": structure.ordered,
        "notes": list(structure.notes),
        "source": dict(structure.source),
    }


def _blocks(data: Mapping[str, Any]) -> VoxelStructure:
    try:
        earlier = tuple(_some_blocks(stood) for stood in data["earlier"])
        return _some_blocks(data, earlier=earlier)
    except KeyError as missing:
        raise VoxelError(f"the blocks lack the field {missing}") from None
    except (TypeError, ValueError, IndexError) as error:
        if isinstance(error, VoxelError):
            raise
        raise VoxelError(f"the blocks hold a value of the wrong kind: {error}") from None


def _some_blocks(
    data: Mapping[str, Any], earlier: tuple[VoxelStructure, ...] = ()
) -> VoxelStructure:
    palette, codes = list(data["palette"]), list(data["codes"])
    if any(code < 0 for code in codes):
        raise VoxelError("the blocks have a material that isn't in their palette")
    return VoxelStructure(
        data["positions"],
        tuple(palette[code] for code in codes),
        ordered=bool(data["ordered"]),
        notes=tuple(data["notes"]),
        source=dict(data["source"]),
        earlier=earlier,
    )
