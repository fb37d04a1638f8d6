# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding of blocks tells: its cells, read with care, and the check's function.

Findings may come from a file that somebody else wrote: whatever is odd reads as absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....checks.result import Finding
from ....checks.voxel.cells import REACH, Ints, pack

#: Cells of one finding beyond this are left out of pictures.
MOST_CELLS = 200_000
#: Blocks that findings name beyond this are not coloured one by one, first come first served.
MOST_NAMED = 20_000
_MOST_GROUPS = 64

_BLOCK = re.compile(r"block \((-?\d{1,7}), (-?\d{1,7}), (-?\d{1,7})\)")
_TURN = re.compile(r"turn([1-9]\d{0,3})\.(.+)")


def function_of(check: str) -> str:
    """``turn2.shape.has_rooms#2`` -> ``shape.has_rooms``."""
    turn = _TURN.fullmatch(check)
    return (turn[2] if turn else check).partition("#")[0]


def turn_of(check: str) -> int | None:
    """The turn that a check is about, counted from 1; ``None`` where there is only one."""
    turn = _TURN.fullmatch(check)
    return int(turn[1]) if turn else None


def cell_of(name: Any) -> tuple[int, int, int] | None:
    """The cell of ``"block (x, y, z)"``; ``None`` for any other name."""
    found = _BLOCK.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        return None
    x, y, z = (int(part) for part in found.groups())
    return (x, y, z) if max(abs(x), abs(y), abs(z)) <= REACH else None


def cells(finding: Finding, key: str) -> Ints:
    """The cells (k, 3) of a finding's detail under a key; none where there are none."""
    detail = finding.detail
    return _cells(detail.get(key) if isinstance(detail, Mapping) else None)


def groups(finding: Finding, key: str) -> list[Ints]:
    """Lists of cells of a finding's detail, those that are not empty."""
    detail = finding.detail
    value = detail.get(key) if isinstance(detail, Mapping) else None
    if not isinstance(value, (list, tuple)):
        return []
    return [found for each in value[:_MOST_GROUPS] if len(found := _cells(each))]


def _cells(value: Any) -> Ints:
    none = np.zeros((0, 3), np.int64)
    if not isinstance(value, (list, tuple, np.ndarray)):
        return none
    try:
        array = np.asarray(value[:MOST_CELLS], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return none
    if array.ndim != 2 or array.shape[1] != 3 or not (np.abs(array) <= REACH).all():
        return none
    return array.astype(np.int64) if (array % 1 == 0).all() else none


def named(names: Any) -> Ints:
    """The cells (k, 3) of those names that are blocks'."""
    listed = names if isinstance(names, (list, tuple)) else ()
    found = [cell for name in listed if (cell := cell_of(name)) is not None]
    return np.array(found, np.int64).reshape(-1, 3)


def without(some: Ints, others: Ints) -> Ints:
    """The cells of ``some`` (k, 3) that are not among ``others``, in their order."""
    if not len(some) or not len(others):
        return some
    return some[~np.isin(pack(some), pack(others))]


def fault_cells(finding: Finding) -> Ints:
    """The blocks at fault, (k, 3): those of the detail that do not merely take part."""
    blocks = cells(finding, "blocks")
    if not len(blocks) and finding.subject_kind == "member":
        blocks = named([finding.subject])
    return without(blocks, named(finding.related))


def related_cells(finding: Finding) -> Ints:
    """The blocks that take part, (k, 3)."""
    return named(finding.related)


def block_names(found: Ints) -> list[str]:
    """What findings call the blocks on these cells (k, 3)."""
    return [f"block ({x}, {y}, {z})" for x, y, z in found.tolist()]
