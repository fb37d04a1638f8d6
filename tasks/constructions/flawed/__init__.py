# SPDX-License-Identifier: GPL-3.0-or-later
"""Flawed twins of voxel problems: for each of the 34 checks that a problem asks for one at least.

A twin is the known-good program with a few lines added, or with its blocks placed otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .flaw import Flaw
from .materials import MATERIALS
from .planning import PLANNING
from .shapes import SHAPES
from .sizes import SIZES
from .stability import STABILITY

__all__ = ["FLAWS", "Flaw", "flaws_of"]

#: All of them, in the order of the checks.
FLAWS: tuple[Flaw, ...] = (*MATERIALS, *SHAPES, *SIZES, *STABILITY, *PLANNING)


@lru_cache(maxsize=1)
def _by_problem() -> Mapping[str, tuple[Flaw, ...]]:
    found: dict[str, tuple[Flaw, ...]] = {}
    for flaw in FLAWS:
        found[flaw.problem] = (*found.get(flaw.problem, ()), flaw)
    return found


def flaws_of(problem_id: str) -> tuple[Flaw, ...]:
    """The flaws of a problem ``FILE/II-WW`` that comes with Plumbline; most have none."""
    return _by_problem().get(problem_id, ())
