# SPDX-License-Identifier: GPL-3.0-or-later
"""What a check of this profile returns before the profile makes a result of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...result import Finding, Measures
from ..broadphase import aabb_pairs, components
from ..structure import Floats


@dataclass(frozen=True)
class Outcome:
    """Findings of one check.

    ``subjects`` counts the members or places that were looked at: with none the check is vacuous,
    and ``nothing`` says what there was none of (``"no joists, rafters or ceiling joists"``).
    ``not_run`` is set, with the reason, where the check could not be made at all. ``measures`` are
    the quantities of all subjects.
    """

    subjects: int
    findings: tuple[Finding, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    nothing: str = "no members of these roles"
    not_run: str | None = None
    measures: tuple[Measures, ...] = ()


def metres(value: float) -> str:
    """A length for a sentence: millimetres below one metre, else metres with two decimals."""
    return f"{value * 1000:.0f} mm" if abs(value) < 0.9995 else f"{value:.2f} m"


def points(places: Any) -> list[list[float]]:
    """Places (k, 3) for a finding's detail: plain floats, rounded to 0.1 mm."""
    rounded: list[list[float]] = (np.round(np.asarray(places, np.float64), 4) + 0.0).tolist()
    return rounded


def measured(
    names: Sequence[str], rows: Any, measure: Any, limit: Any, *, at_least: bool = False
) -> tuple[Measures, ...]:
    """What was measured at members ``rows`` (k,), m; nothing where there are none."""
    rows = np.asarray(rows, dtype=np.intp).tolist()
    if not rows:
        return ()
    figure = np.asarray(measure, dtype=np.float64).reshape(-1)
    limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), figure.shape)
    return (Measures(tuple([names[row] for row in rows]), figure, limits, "m", at_least),)


def point(xyz: Any) -> tuple[float, float, float]:
    """A place for a finding: three plain floats, rounded to 0.1 mm."""
    x, y, z = (round(float(v), 4) + 0.0 for v in xyz)
    return x, y, z


def place(xyz: Any) -> str:
    """A place for the name of what is missing: ``(3.66, 0.00, 2.44)``, m."""
    return "({:.2f}, {:.2f}, {:.2f})".format(*(round(float(v), 2) + 0.0 for v in xyz))


def neighbours(spots: Floats, reach: float) -> list[list[int]]:
    """Groups of places (k, 3) that are linked by steps of at most ``reach`` m, each in line order.

    Groups come by their first index; within one the places run along its longest direction.
    """
    i, j = aabb_pairs(spots, spots, reach)
    near = np.linalg.norm(spots[i] - spots[j], axis=1) <= reach
    label = components(len(spots), i[near], j[near])
    return [in_line(spots, np.flatnonzero(label == first)) for first in np.unique(label)]


def in_line(spots: Floats, group: Any) -> list[int]:
    """Indices of ``group`` ordered along the longest direction of their places, towards +xyz."""
    here = spots[group]
    if len(here) < 2:
        return [int(g) for g in group]
    along = np.linalg.svd(here - here.mean(axis=0), full_matrices=False)[2][0]
    along = along if along[np.abs(along).argmax()] > 0 else -along
    return [int(group[k]) for k in np.argsort(np.round(here @ along, 3), kind="stable")]
