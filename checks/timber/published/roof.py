# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the footprint the rafters cover: roof coverage (T6) and gaps (T7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...result import CheckResult, Finding
from ..broadphase import Floats, Ints, components
from .scene import Bools, Scene, not_run, outcome
from .table import ROOF_LINES

# Rows of cells worked on at once.
_CHUNK = 200_000


@dataclass(frozen=True)
class Coverage:
    """The footprint in cells.

    ``origin`` (2,) m, ``cell`` m, ``met`` bool (nx, ny): cells that a rafter meets.
    """

    origin: Floats
    cell: float
    met: Bools

    @property
    def share(self) -> float:
        """Share of cells that are met."""
        return float(self.met.mean())


class TooLargeError(ValueError):
    """A footprint of more cells than are counted; the message says what to look for."""


def coverage(scene: Scene) -> Coverage:
    """Cells of the footprint met by rafters. Needs at least one member.

    Raises :class:`TooLargeError` for a footprint of more than a square kilometre.
    """
    constants = scene.constants
    base = scene.roles.in_category("foundation")
    base = base if base.any() else np.ones(len(scene), bool)
    low, high = scene.lo[base, :2].min(axis=0), scene.hi[base, :2].max(axis=0)
    number = np.maximum(np.ceil((high - low - constants.slack) / constants.cell), 1.0)
    if number.prod() > constants.most_cells:
        size = high - low
        raise TooLargeError(
            f"the footprint measures {size[0]:.0f} x {size[1]:.0f} m; look for a member that is "
            "out of place or for wrong units"
        )
    index = np.flatnonzero(scene.roles.mask(*ROOF_LINES))
    corners = _plan(scene, index, constants.rafter_reach)
    cells = (corners - low) / constants.cell
    return Coverage(low, constants.cell, _met(cells, int(number[0]), int(number[1])))


def _plan(scene: Scene, index: Ints, widening: float) -> Floats:
    """Corners of the plan rectangle round each member, widened on all sides, (k, 4, 2), m."""
    s = scene.structure
    axes, half = s.axes[index], s.half[index]
    ahead = axes[:, 0, :2]
    size = np.linalg.norm(ahead, axis=1, keepdims=True)
    ahead = np.where(size > 1e-9, ahead / np.maximum(size, 1e-300), [1.0, 0.0])
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    sides = []
    for direction in (ahead, aside):
        extent = np.abs(np.einsum("kij,kj->ki", axes[:, :, :2], direction))
        reach = (extent * half).sum(axis=1, keepdims=True) + widening
        sides.append(reach * direction)
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    middle = s.center[index, :2]
    return np.stack([middle + a * sides[0] + b * sides[1] for a, b in signs], axis=1)


def _met(corners: Floats, nx: int, ny: int) -> Bools:
    """Unit cells of an nx by ny grid that convex quadrilaterals (k, 4, 2) meet.

    A convex shape cut by a row of cells meets one run of them: so each row of each shape takes one
    entry at either end of its run, and a running sum fills the rows in between.
    """
    ends = np.zeros((ny, nx + 1), dtype=np.int64)
    first = np.clip(np.floor(corners[:, :, 1].min(axis=1) + 1e-9), 0, ny).astype(np.intp)
    last = np.clip(np.ceil(corners[:, :, 1].max(axis=1) - 1e-9), 0, ny).astype(np.intp)
    count = np.maximum(last - first, 0)
    shape = np.repeat(np.arange(len(corners)), count)
    row = np.arange(len(shape)) - np.repeat(np.cumsum(count) - count, count) + first[shape]
    for at in range(0, len(shape), _CHUNK):
        rows = row[at : at + _CHUNK]
        left, right = _run(corners[shape[at : at + _CHUNK]], rows)
        start = np.clip(np.floor(left + 1e-9), 0, nx).astype(np.intp)
        stop = np.clip(np.ceil(right - 1e-9), 0, nx).astype(np.intp)
        some = stop > start
        np.add.at(ends, (rows[some], start[some]), 1)
        np.add.at(ends, (rows[some], stop[some]), -1)
    return (np.cumsum(ends, axis=1)[:, :nx] > 0).T


def _run(corners: Floats, row: Ints) -> tuple[Floats, Floats]:
    """Lowest and highest x of quadrilaterals (m, 4, 2) between y = row and row + 1, (m,) each."""
    following = np.roll(corners, -1, axis=1)
    x0, y0, x1, y1 = corners[..., 0], corners[..., 1], following[..., 0], following[..., 1]
    bottom, top = row[:, None].astype(float), row[:, None] + 1.0
    outside = (np.maximum(y0, y1) < bottom) | (np.minimum(y0, y1) > top)
    steep = np.abs(y1 - y0) > 1e-12
    slope = (x1 - x0) / np.where(steep, y1 - y0, 1.0)
    at0 = np.where(steep, x0 + slope * (np.clip(y0, bottom, top) - y0), x0)
    at1 = np.where(steep, x0 + slope * (np.clip(y1, bottom, top) - y0), x1)
    left = np.where(outside, np.inf, np.minimum(at0, at1)).min(axis=1)
    right = np.where(outside, -np.inf, np.maximum(at0, at1)).max(axis=1)
    return np.where(np.isfinite(left), left, 0.0), np.where(np.isfinite(right), right, 0.0)


def roof_coverage(scene: Scene, must_exist: bool = False) -> CheckResult:
    """T6: rafters, widened by 0.3 m, meet at least 70 % of the cells of the footprint.

    ``must_exist``: no rafter at all is a failure rather than nothing to check.
    """
    return _covered(scene, "roof_coverage", "T6", scene.constants.coverage, "", must_exist)


def gap_detection(scene: Scene) -> CheckResult:
    """T7: at most 20 % of the cells of the footprint are met by no rafter."""
    follows = "roof_coverage"
    return _covered(scene, "gap_detection", "T7", 1.0 - scene.constants.gap, follows, False)


def _covered(
    scene: Scene, check: str, test: str, least: float, cause: str, must_exist: bool
) -> CheckResult:
    rafters = int(scene.roles.mask(*ROOF_LINES).sum())
    if not len(scene) or (not rafters and not must_exist):
        return outcome(scene, check, [], subjects=0, nothing="there is no rafter")
    try:
        covered = scene.once("coverage", lambda: coverage(scene))
    except TooLargeError as error:
        return not_run(scene, check, str(error))
    share = covered.share
    findings: list[Finding] = []
    if share < least - 1e-9:
        # Where the weaker test fails too, its findings are the roots of these.
        root = cause if share < scene.constants.coverage - 1e-9 else ""
        findings = _holes(scene, covered, check, test, least, root)
    return outcome(
        scene,
        check,
        findings,
        subjects=rafters,
        score=share,
        figures={"coverage": share, "cells": covered.met.size, "rafters": rafters},
    )


def _holes(
    scene: Scene, covered: Coverage, check: str, test: str, least: float, root: str
) -> list[Finding]:
    """One finding for each connected region of cells that no rafter meets, largest first."""
    free = np.flatnonzero(~covered.met.ravel())
    ny = covered.met.shape[1]
    region = _regions(~covered.met).ravel()[free]
    order = np.argsort(region, kind="stable")
    free, region = free[order], region[order]
    parts = np.split(free, np.flatnonzero(np.diff(region)) + 1)
    parts.sort(key=lambda part: (-len(part), part[0]))
    top = float(scene.hi[:, 2].max())
    gap = check == "gap_detection"
    measured, limit = (1 - covered.share, 1 - least) if gap else (covered.share, least)
    findings = []
    for part in parts:
        places = np.stack([part // ny, part % ny], axis=1) + 0.5
        x, y = covered.origin + covered.cell * _inside(places)
        subject = f"roof at ({x:.1f}, {y:.1f})"
        findings.append(
            Finding(
                check,
                subject,
                f"No rafter is over {len(part)} of {covered.met.size} cells of the footprint round "
                f"({x:.1f}, {y:.1f}); {100 * covered.share:.0f} % of all are covered, at least "
                f"{100 * least:.0f} % must be: add rafters there.",
                subject_kind="place",
                measured=measured,
                limit=limit,
                unit="",
                margin=limit - measured if gap else measured - limit,
                location=(float(x), float(y), top),
                clause=scene.clause(test),
                follows=f"{root}:{subject}" if root else None,
            )
        )
    return findings


def _regions(free: Bools) -> Ints:
    """Number of the connected region of each cell, by edges between free neighbours."""
    number = np.arange(free.size).reshape(free.shape)
    edges = [
        (number[:-1][free[:-1] & free[1:]], number[1:][free[:-1] & free[1:]]),
        (number[:, :-1][free[:, :-1] & free[:, 1:]], number[:, 1:][free[:, :-1] & free[:, 1:]]),
    ]
    first, second = (np.concatenate(side) for side in zip(*edges, strict=True))
    return components(free.size, first, second).reshape(free.shape)


def _inside(places: Floats) -> Floats:
    """The cell of a region that is nearest to its middle: a middle may lie outside of it."""
    return places[np.argmin(((places - places.mean(axis=0)) ** 2).sum(axis=1))]
