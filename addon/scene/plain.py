# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures as plain data that JSON can carry between processes, and back. No ``bpy``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ...checks.result import Finding
from ...checks.timber.structure import StructureError, TimberStructure

SCHEMA = "plumbline.structure/1"


def structure_to_plain(structure: TimberStructure) -> dict[str, Any]:
    """The structure as lists, texts and numbers; :func:`structure_from_plain` gives it back."""
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


def structure_from_plain(data: Mapping[str, Any]) -> TimberStructure:
    """A structure from :func:`structure_to_plain`, bit for bit the same.

    Raises :class:`StructureError` for anything else, naming what is wrong.
    """
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


def _finding(data: Mapping[str, Any]) -> Finding:
    values = dict(data)
    values["related"] = tuple(values.get("related", ()))
    if values.get("location") is not None:
        values["location"] = tuple(values["location"])
    return Finding(**values)
