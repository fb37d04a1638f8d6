# SPDX-License-Identifier: GPL-3.0-or-later
"""Which collision collections bodies must be in so that one pair changes and no other does.

Blender has no switch for a pair: two bodies feel each other where they share one of 20 collections.
Finding the fewest is hard in general; this keeps what there is, splits what must be split, and only
where 20 don't do, throws out and joins what can be. No ``bpy`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from .steps import SimulationError

#: Collision collections that Blender has.
LAYERS = 20


def apart(layers: Sequence[int], active: Sequence[bool], first: int, second: int) -> list[int]:
    """The bits of each body so that ``first`` and ``second`` share none, and others as before.

    ``layers`` are bits, ``active`` says which bodies the solver moves: of others no two ever feel
    each other, so they may share what they like. Raises :class:`SimulationError` where 20
    collections don't do.
    """
    groups = _groups(layers)
    made = []
    for members in groups:
        if {first, second} <= members:
            made += [members - {second}, members - {first}]
        else:
            made.append(members)
    return _bits(_kept(made, layers, active, (first, second), meet=False), layers)


def together(layers: Sequence[int], active: Sequence[bool], first: int, second: int) -> list[int]:
    """The same so that the two do share one."""
    made = [*_groups(layers), {first, second}]
    return _bits(_kept(made, layers, active, (first, second), meet=True), layers)


def _groups(layers: Sequence[int]) -> list[set[int]]:
    """The bodies of each collection, empty ones among them so that each keeps its place."""
    return [{k for k, bits in enumerate(layers) if bits >> one & 1} for one in range(LAYERS)]


def _kept(
    groups: list[set[int]],
    layers: Sequence[int],
    active: Sequence[bool],
    pair: tuple[int, int],
    meet: bool,
) -> list[set[int]]:
    """At most 20 of the groups, which have the same bodies feel each other."""
    groups = [group for group in groups if group]
    if len(groups) <= LAYERS:
        return groups

    def matters(i: int, j: int) -> bool:
        return active[i] or active[j]

    wanted = {
        (i, j)
        for group in groups
        for i, j in combinations(sorted(group), 2)
        if matters(i, j) and (meet or {i, j} != set(pair))
    }
    groups = _without_idle(groups, wanted)
    groups = _joined(groups, wanted, matters)
    if len(groups) > LAYERS:
        raise SimulationError(
            f"{len(groups)} collision collections are needed to change the contact of one pair "
            f"with all others kept, and Blender has {LAYERS}; give bodies that feel the same "
            f"others the same collections"
        )
    return groups


def _without_idle(groups: list[set[int]], wanted: set[tuple[int, int]]) -> list[set[int]]:
    """Without those whose pairs all meet in others too, the smallest first."""
    count = dict.fromkeys(wanted, 0)
    pairs = [[p for p in combinations(sorted(group), 2) if p in count] for group in groups]
    for own in pairs:
        for p in own:
            count[p] += 1
    kept = []
    for k in sorted(range(len(groups)), key=lambda k: len(groups[k])):
        if all(count[p] > 1 for p in pairs[k]):
            for p in pairs[k]:
                count[p] -= 1
        else:
            kept.append(k)
    return [groups[k] for k in sorted(kept)]


def _joined(
    groups: list[set[int]], wanted: set[tuple[int, int]], matters: Callable[[int, int], bool]
) -> list[set[int]]:
    """Two groups become one where nobody in it would feel another who mustn't be felt."""
    made: list[set[int]] = []
    for group in groups:
        for k, other in enumerate(made):
            crossing = ((min(i, j), max(i, j)) for i in group - other for j in other - group)
            if all(p in wanted or not matters(*p) for p in crossing):
                made[k] = other | group
                break
        else:
            made.append(set(group))
    return made


def _bits(groups: list[set[int]], layers: Sequence[int]) -> list[int]:
    """Bits by body; a group keeps the collection that it mostly was, others take free ones."""
    before = _groups(layers)
    free, taken = set(range(LAYERS)), {}
    for k, group in sorted(enumerate(groups), key=lambda item: -len(item[1])):
        likely = max(free, key=lambda one: (len(before[one] & group), -one))
        taken[k] = likely
        free.discard(likely)
    bits = [0] * len(layers)
    for k, group in enumerate(groups):
        for body in group:
            bits[body] |= 1 << taken[k]
    return bits
