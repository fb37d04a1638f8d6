# SPDX-License-Identifier: GPL-3.0-or-later
"""What a record of blocks says beside its findings: scores, and that nothing was built.

Records of other kinds have none of it, whatever stands in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...checks.voxel.stress.score import ID as STRESS
from ...checks.voxel.stress.score import told as pascals
from ..pictures.voxel.told import function_of
from . import wording

NOTHING = "nothing was built"

# Modules of the paper (section 4) whose checks have a score between 0 and 1 that says something.
_SCORED = ("structural_stability.", "efficiency.")


def nothing_built(record: Mapping[str, Any]) -> bool:
    """Whether a record tells of blocks, and that there are none."""
    return record["kind"] == "voxel" and record["metrics"].get("blocks") == 0


def tally(record: Mapping[str, Any], roots: int, findings: int) -> str:
    """As :func:`.wording.tally`; of no blocks that fail without a finding, why they do."""
    if not findings and record["verdict"] == "failed" and nothing_built(record):
        return NOTHING
    return wording.tally(roots, findings, record["verdict"])


def scored(record: Mapping[str, Any], check: Mapping[str, Any]) -> str | None:
    """Main figure and score of a check: ``5.3 kPa of 7.8 kPa (the flat bridge), score 1.00``.

    ``None`` for a check without a score worth telling, and where there was nothing to check.
    """
    figures = check.get("figures")
    figures = figures if isinstance(figures, Mapping) else {}
    score = _number(check.get("score"))
    if record["kind"] != "voxel" or score is None or check["status"] in ("vacuous", "not_run"):
        return None
    function = function_of(check["id"])
    graded = figures.get("scored") is True or function.startswith(_SCORED)
    if not graded and function != STRESS:
        return None
    # Only what is 1 is shown as 1.
    told = f"score {min(score, 0.99) if score < 1 else score:.2f}"
    main = _way(figures) if function.startswith("efficiency.") else _stress(figures)
    return f"{main}, {told}" if main else told


def named(check: Mapping[str, Any]) -> str:
    """The id of a check, with the solver where there are two of them: ``stress (fem)``."""
    figures = check.get("figures")
    solver = figures.get("solver") if isinstance(figures, Mapping) else None
    return f"{check['id']} ({solver})" if check["id"] == STRESS and solver else str(check["id"])


def _stress(figures: Mapping[str, Any]) -> str:
    """The greatest stress against its reference, both Pa; empty where there is none."""
    greatest, reference = _number(figures.get("greatest")), _number(figures.get("reference"))
    if greatest is None:
        return ""
    if reference is None:
        return pascals(greatest)
    name = figures.get("reference_name")
    return f"{pascals(greatest)} of {pascals(reference)}{f' ({name})' if name else ''}"


def _way(figures: Mapping[str, Any]) -> str:
    """The way from block to block in steps of one cell, and the least there can be."""
    length, least = _number(figures.get("length")), _number(figures.get("least"))
    if length is None or least is None:
        return ""
    return f"a way of {wording.count(int(length), 'step')} where {int(least):,} would do"


def _number(value: Any) -> float | None:
    """A finite number, anything else ``None``: records may come from anywhere."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer beyond all numbers
        return None
    return number if math.isfinite(number) else None
