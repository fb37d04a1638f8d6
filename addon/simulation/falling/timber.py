# SPDX-License-Identifier: GPL-3.0-or-later
"""A timber frame as something that can fall: contacts are those that its checks find."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....checks.timber.brief import TimberBrief
from ....checks.timber.broadphase import CrowdedError
from ....checks.timber.engineering import table
from ....checks.timber.engineering.couples import find_couples
from ....checks.timber.engineering.fixed_point import on_ground
from ....checks.timber.engineering.joints import Joints
from ....checks.timber.structure import StructureError, TimberStructure
from ..steps import SimulationError
from .model import FIRST, SECOND, Bools, Contacts, Floats, Ints, Model, Strengths
from .strengths import NAIL, Nailed, density

#: Members that can be let fall (measured: each costs 1 to 2 ms a frame, so this many 3 s).
MOST = 1500
#: What is under the ground lies in it, however deep; the ground is never lower than this below the
#: height that the brief names, m (ours: a cellar).
DEEPEST = 5.0


def model_of_timber(
    structure: TimberStructure,
    brief: TimberBrief | None = None,
    strengths: Strengths | None = None,
) -> Model:
    """A timber frame under its brief. Raises :class:`SimulationError`."""
    brief = brief or TimberBrief()
    n = len(structure)
    if not n:
        raise SimulationError("there is no member that could fall; build or open something first")
    if n > MOST:
        raise SimulationError(
            f"{n} members are more than can fall at once ({MOST}); hide a part of them"
        )
    if not (structure.half > 0).all():
        flat = structure.names[int(np.flatnonzero(~(structure.half > 0).all(axis=1))[0])]
        raise SimulationError(f"{flat} has no volume, so no weight; give it a thickness")
    try:
        joints = Joints.of(structure, brief)
    except (CrowdedError, StructureError) as error:
        raise SimulationError(str(error)) from None
    contacts = contacts_of(joints)
    fixed = on_ground(joints)
    species = brief.species if brief.species in NAIL else "spruce-pine-fir"
    low = structure.aabb[0][:, 2]
    bearing = low[~fixed].min() if (~fixed).any() else brief.ground
    held = (strengths or Nailed(brief))(contacts)
    return Model(
        "timber",
        structure.names,
        structure.center,
        structure.axes,
        structure.half,
        8.0 * structure.half.prod(axis=1) * density(species),
        fixed,
        float(max(min(brief.ground, bearing), brief.ground - DEEPEST)),
        contacts,
        held,
        np.zeros(len(contacts), bool),
        notes=structure.notes,
    )


def contacts_of(joints: Joints) -> Contacts:
    """Every pair that the checks take for joined: in contact, fastened, seated or cut to fit."""
    pairs, n = joints.pairs, len(joints.frame)
    key = pairs.i * n + pairs.j
    seats, ends = joints.seats, joints.ends
    seated = np.isin(key, _keys(seats.member, seats.support, n))
    cut = np.isin(key, _keys(ends.member, ends.other, n))
    rows = np.flatnonzero(pairs.connected | seated | cut)
    # A cut end that is drawn square has no face to meet: the cut's own face counts.
    normal, spot = pairs.normal.copy(), pairs.spot.copy()
    bare = ~pairs.patch
    for first, second, places, directions in (
        (ends.member, ends.other, ends.spot, -ends.normal),
        (seats.member, seats.support, seats.spot, np.array([[0.0, 0.0, -1.0]])),
    ):
        at = _find(key, _keys(first, second, n))
        use = np.flatnonzero((at >= 0) & bare[at])
        swap = (first > second)[use, None]
        way = np.broadcast_to(directions, places.shape)[use]
        normal[at[use]] = np.where(swap, -way, way)
        spot[at[use]] = places[use]
    lost = np.abs(normal).max(axis=1, initial=0.0) == 0
    between = pairs.apart / np.maximum(np.linalg.norm(pairs.apart, axis=1)[:, None], 1e-9)
    normal = np.where(lost[:, None], between, normal)
    sides = _sides(joints, normal)
    gap = np.where(pairs.patch, pairs.face_gap, pairs.gap)
    under = _under_another(joints, key)
    kinds = tuple(
        "none" if under[row] else _kind(joints, row, normal, seated, cut) for row in rows.tolist()
    )
    carries = _carries(joints)[rows]
    return Contacts(
        pairs.i[rows],
        pairs.j[rows],
        spot[rows],
        normal[rows],
        sides[rows].prod(axis=1),
        sides[rows].max(axis=1, initial=0.0),
        gap[rows],
        pairs.patch[rows],
        kinds,
        carries,
        _hinges(joints, rows, kinds, carries),
    )


def _carries(joints: Joints) -> NDArray[np.int8]:
    """Who could carry whom, (p,), as the load path has it: supports, and ridges held by couples."""
    pairs, n, supports = joints.pairs, len(joints.frame), joints.supports
    couples = find_couples(joints)
    tied = np.flatnonzero(couples.tied)
    ridge = couples.ridge[tied]
    carried = np.concatenate([supports.carried, ridge, ridge])
    carrier = np.concatenate([supports.carrier, couples.left[tied], couples.right[tied]])
    at = _find(pairs.i * n + pairs.j, _keys(carried, carrier, n))
    bit = np.where(carrier < carried, FIRST, SECOND).astype(np.int8)
    found = np.zeros(len(pairs), np.int8)
    np.bitwise_or.at(found, at[at >= 0], bit[at >= 0])
    return found


def _hinges(joints: Joints, rows: Ints, kinds: tuple[str, ...], carries: Ints) -> Floats:
    """Ends turn freely about the level axis across the carried member: simple supports.

    What stands upright, and plies that lie along each other, don't turn.
    """
    pairs, frame = joints.pairs, joints.frame
    i, j = pairs.i[rows], pairs.j[rows]
    # The one that is carried; of two that carry each other the one that isn't upright.
    second = np.where(carries == SECOND, False, (carries == FIRST) | frame.upright[i])
    along = frame.along[np.where(second, j, i)]
    hinge = np.cross(along, [0.0, 0.0, 1.0])
    length = np.linalg.norm(hinge, axis=1)
    in_line = np.abs(np.einsum("kd,kd->k", frame.along[i], frame.along[j])) >= table.PARALLEL
    turns = np.array([kind not in ("upright", "edge") for kind in kinds], bool)
    turns &= ~in_line & (length > 0.1)
    return np.where(turns[:, None], hinge / np.maximum(length, 1e-9)[:, None], 0.0)


def _under_another(joints: Joints, key: Ints) -> Bools:
    """Pairs of a rafter with the lower of two plates that it sits on: one seat, nailed once."""
    seats, frame = joints.seats, joints.frame
    top = frame.structure.aabb[1][seats.support, 2]
    order = np.lexsort((-top, seats.span.mean(axis=1), seats.member))
    member, place = seats.member[order], seats.span.mean(axis=1)[order]
    under = np.zeros(len(order), bool)
    for step in (1, -1):
        near = np.roll(member, step) == member
        near &= np.abs(np.roll(place, step) - place) < table.BESIDE_BEAM
        under |= near & (top[order] < np.roll(top[order], step) - table.SLACK)
    lower = order[under]
    found: Bools = np.isin(key, _keys(seats.member[lower], seats.support[lower], len(frame)))
    return found


def _keys(first: Ints, second: Ints, n: int) -> Ints:
    keys: Ints = np.minimum(first, second) * n + np.maximum(first, second)
    return keys


def _find(key: Ints, wanted: Ints) -> Ints:
    """Row of each wanted key, -1 where it isn't there."""
    if not len(key):
        return np.full(len(wanted), -1, np.intp)
    order = np.argsort(key, kind="stable")
    place = np.minimum(np.searchsorted(key[order], wanted), len(key) - 1)
    return np.where(key[order][place] == wanted, order[place], -1)


def _sides(joints: Joints, normal: Floats) -> Floats:
    """Sides of the rectangle that both members cover across the normal, (p, 2), m."""
    pairs, frame = joints.pairs, joints.frame
    along = frame.axes[pairs.i, 0]
    flat = along - np.einsum("pd,pd->p", along, normal)[:, None] * normal
    tilted = np.linalg.norm(flat, axis=1) < 0.1
    other = frame.axes[pairs.i, 1]
    other = other - np.einsum("pd,pd->p", other, normal)[:, None] * normal
    u = np.where(tilted[:, None], other, flat)
    u /= np.maximum(np.linalg.norm(u, axis=1)[:, None], 1e-9)
    sides = []
    for way in (u, np.cross(normal, u)):
        reach_i = np.abs(np.einsum("pkd,pd->pk", frame.axes[pairs.i], way)) * frame.half[pairs.i]
        reach_j = np.abs(np.einsum("pkd,pd->pk", frame.axes[pairs.j], way)) * frame.half[pairs.j]
        a, b = reach_i.sum(axis=1), reach_j.sum(axis=1)
        apart = np.abs(np.einsum("pd,pd->p", pairs.apart, way))
        sides.append(np.clip(a + b - apart, table.PATCH_MIN, 2.0 * np.minimum(a, b)))
    return np.stack(sides, axis=1)


def _kind(joints: Joints, row: int, normal: Floats, seated: Bools, cut: Bools) -> str:
    pairs, frame = joints.pairs, joints.frame
    level = abs(float(normal[row, 2])) >= table.TOP_FACE
    if seated[row]:
        return "seat"
    if level and bool(frame.upright[pairs.i[row]] ^ frame.upright[pairs.j[row]]):
        return "upright"
    if cut[row]:
        return "end"
    if not pairs.patch[row]:
        return "edge"
    return "stacked" if level else "beside"
