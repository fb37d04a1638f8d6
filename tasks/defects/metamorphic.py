# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to a structure that must not change what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ...checks.result import Finding
from ...checks.timber.roles import resolve
from ...checks.timber.structure import Floats, TimberStructure
from .editing import rebuilt

#: A finding keeps its place within this, m: of two plies side by side either may be named.
_SAME_PLACE = 0.200
_FOOT = 0.3048  # m in one foot, exact


@dataclass(frozen=True)
class Changed:
    """The changed structure, and where a place of the old one is now: ``turn @ place + shift``."""

    structure: TimberStructure
    turn: Floats
    shift: Floats


@dataclass(frozen=True)
class Variant:
    """One change. ``apply`` draws what it needs from a generator of its own."""

    id: str
    title: str
    apply: Callable[[TimberStructure, Random], Changed]


def _placed(structure: TimberStructure, turn: Floats, shift: Floats) -> Changed:
    new = rebuilt(structure, center=structure.center @ turn.T + shift, axes=structure.axes @ turn.T)
    return Changed(new, turn, shift)


def _unmoved(structure: TimberStructure) -> Changed:
    return Changed(structure, np.eye(3), np.zeros(3))


def _turn(degrees: float) -> Floats:
    a = np.radians(degrees)
    cos, sin = np.round([np.cos(a), np.sin(a)], 15)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _translated(structure: TimberStructure, random: Random) -> Changed:
    """Up to 400 m away on the lot."""
    x, y = ((random.random() - 0.5) * 800.0 for _ in range(2))
    return _placed(structure, np.eye(3), np.array([x, y, 0.0]))


def _quarter(structure: TimberStructure, random: Random) -> Changed:
    return _placed(structure, _turn(90.0 * (1 + int(3 * random.random()))), np.zeros(3))


def _turned(structure: TimberStructure, random: Random) -> Changed:
    return _placed(structure, _turn(5.0 + 80.0 * random.random()), np.zeros(3))


def _mirrored(structure: TimberStructure, random: Random) -> Changed:
    sides = [-1.0, 1.0, 1.0] if random.random() < 0.5 else [1.0, -1.0, 1.0]
    return _placed(structure, np.diag(sides), np.zeros(3))


def _renamed(structure: TimberStructure, random: Random) -> Changed:
    """Every member under another name of the same role; numbers are dealt anew."""
    numbers = _shuffle(len(structure), random)
    roles = resolve(structure).role
    names = tuple(
        f"{role or 'Thing'}_{number:04d}" for role, number in zip(roles, numbers, strict=True)
    )
    return _unmoved(rebuilt(structure, names=names))


def _shuffled(structure: TimberStructure, random: Random) -> Changed:
    return _unmoved(structure.subset(_shuffle(len(structure), random)))


def _in_feet(structure: TimberStructure, random: Random) -> Changed:
    """As a scene in feet holds it: single precision, then scaled to metres."""
    center, half = (_single(v / _FOOT) * _FOOT for v in (structure.center, structure.half))
    return _unmoved(rebuilt(structure, center=center, half=half, axes=_single(structure.axes)))


def _single(values: Floats) -> Floats:
    return values.astype(np.float32).astype(np.float64)


def _other_axes(structure: TimberStructure, random: Random) -> Changed:
    """As objects with other local axes: permuted and turned round, the boxes are the same."""
    n = len(structure)
    order = np.array([_shuffle(3, random) for _ in range(n)]).reshape(n, 3)
    sign = np.array([[1.0 if random.random() < 0.5 else -1.0 for _ in range(3)] for _ in range(n)])
    axes = np.take_along_axis(structure.axes, order[:, :, None], axis=1) * sign[:, :, None]
    half = np.take_along_axis(structure.half, order, axis=1)
    return _unmoved(rebuilt(structure, half=half, axes=axes))


def _shuffle(n: int, random: Random) -> list[int]:
    """The numbers below ``n`` in an order that ``random.random()`` gives."""
    keys = [random.random() for _ in range(n)]
    return sorted(range(n), key=keys.__getitem__)


VARIANTS: dict[str, Variant] = {
    variant.id: variant
    for variant in (
        Variant("translated", "moved by up to 400 m", _translated),
        Variant("quarter_turned", "turned by 90, 180 or 270 degrees", _quarter),
        Variant("turned", "turned by 5 to 85 degrees", _turned),
        Variant("mirrored", "mirrored", _mirrored),
        Variant("renamed", "renamed within the role", _renamed),
        Variant("shuffled", "members in another order", _shuffled),
        Variant("in_feet", "built in feet, in single precision", _in_feet),
        Variant("other_axes", "boxes with other local axes", _other_axes),
    )
}


def differences(
    before: Sequence[Finding], after: Sequence[Finding], changed: Changed
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Root findings that are gone, and new ones, by check and place."""
    gone: list[Finding] = []
    new = [finding for finding in after if finding.is_root]
    for finding in before:
        if not finding.is_root:
            continue
        match = next((other for other in new if _same(finding, other, changed)), None)
        if match is None:
            gone.append(finding)
        else:
            new.remove(match)
    return tuple(gone), tuple(new)


def _same(before: Finding, after: Finding, changed: Changed) -> bool:
    if before.check != after.check or before.subject_kind != after.subject_kind:
        return False
    if before.location is None or after.location is None:
        return before.location is after.location
    moved = changed.turn @ np.asarray(before.location) + changed.shift
    return bool(np.linalg.norm(moved - np.asarray(after.location)) <= _SAME_PLACE)
