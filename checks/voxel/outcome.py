# SPDX-License-Identifier: GPL-3.0-or-later
"""What a grader hands back: a value, the faults with their blocks, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np

from ..result import Finding, Measures
from .cells import Ints, block_name, to_blender
from .structure import VoxelStructure

# So many faults of one kind are told one by one, in order of weight; the rest in one sentence.
TOLD = 20
# Characters of a material's name, of a subject and of a sentence, which hold words of strangers.
_NAME, _SUBJECT, _SENTENCE = 60, 200, 2000

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """The value of one check in [0, 1] and what there is to say.

    ``vacuous`` says why nothing was there to check; with ``neutral`` that does not stand in the way
    of a pass. ``undecided`` says why the value tells nothing, ``note`` what else there is to know;
    ``degraded`` marks a value of a weaker instrument. ``figures`` are plain data. Findings have no
    check id yet.
    """

    value: float
    findings: tuple[Finding, ...] = ()
    vacuous: str | None = None
    neutral: bool = False
    undecided: str | None = None
    note: str | None = None
    degraded: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[Measures, ...] = ()


def passed(**figures: Any) -> Outcome:
    """All is as asked."""
    return Outcome(1.0, figures=figures)


def failed(*findings: Finding, **figures: Any) -> Outcome:
    """Nothing of the value is left; the findings say why."""
    return Outcome(0.0, findings, figures=figures)


def nothing(value: bool | float, reason: str, **figures: Any) -> Outcome:
    """Nothing to check, and that is no fault: what the published rule then gives."""
    return Outcome(float(value), vacuous=reason, neutral=True, figures=figures)


def listed(positions: Any) -> list[list[int]]:
    """Cells as plain lists [x, y, z]."""
    found: list[list[int]] = np.asarray(positions, dtype=np.int64).reshape(-1, 3).tolist()
    return found


def plural(count: int, one: str, many: str | None = None) -> str:
    """``"1 block"``, ``"3 blocks"``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def cut(text: str, most: int) -> str:
    """A text of at most so many characters and an ellipsis."""
    return text if len(text) <= most else f"{text[:most]}..."


def fault(
    message: str,
    blocks: Any = (),
    *,
    place: str | None = None,
    at: Any = None,
    related: Any = (),
    clause: str = "",
    measured: float | None = None,
    limit: float | None = None,
    unit: str | None = None,
    margin: float | None = None,
    **detail: Any,
) -> Finding:
    """A fault of ``blocks`` (k, 3), or of ``place`` where that is named.

    Its subject is the first block; its location that block, or the cell ``at``. ``margin`` is by
    default how far measured and limit are apart, negative.
    """
    cells = np.asarray(blocks, dtype=np.int64).reshape(-1, 3)
    spot = np.asarray(at if at is not None else cells[:1], dtype=np.float64).reshape(-1, 3)
    subject = cut(place, _SUBJECT) if place is not None else block_name(cells[0])
    kind: Literal["member", "place"] = "member" if place is None else "place"
    location = None
    if len(spot):
        x, y, z = to_blender(spot)[0].tolist()
        location = (x, y, z)
    if margin is None and measured is not None and limit is not None:
        margin = -abs(float(measured) - float(limit))
    return Finding(
        "",
        subject,
        cut(message, _SENTENCE),
        kind,
        tuple(block_name(c) for c in np.asarray(related, dtype=np.int64).reshape(-1, 3)),
        None if measured is None else float(measured),
        None if limit is None else float(limit),
        unit,
        margin,
        location,
        clause=clause or None,
        detail={"blocks": listed(cells), **detail},
    )


def told(
    items: Sequence[T], make: Callable[[T], Finding], cells: Callable[[Sequence[T]], Any], what: str
) -> tuple[Finding, ...]:
    """A finding each of the first :data:`TOLD` ``items``, and one for the rest with their cells.

    ``cells`` gives those of several items, (k, 3).
    """
    first = tuple(make(item) for item in items[:TOLD])
    if len(items) <= TOLD:
        return first
    rest = cells(items[TOLD:])
    count = len(items) - TOLD
    return (*first, fault(f"{count} more {what}", rest, clause=first[0].clause or ""))


def tally(blocks: VoxelStructure, rows: Ints, most: int = 3) -> str:
    """What the blocks of ``rows`` are made of, the most frequent first: ``"12 dirt, 1 stone"``."""
    codes, counts = np.unique(blocks.material_codes[rows], return_counts=True)
    first = sorted(zip(counts.tolist(), codes.tolist(), strict=True), key=lambda p: (-p[0], p[1]))
    text = ", ".join(
        f"{count} {cut(blocks.palette[code], _NAME) or 'nameless'}" for count, code in first[:most]
    )
    return text + (f" and {len(first) - most} more materials" if len(first) > most else "")
