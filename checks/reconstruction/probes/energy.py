# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy: what the passive scene has never rises without a source that may put it in."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Bools, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import rotations, runs, spins
from ..surroundings import WORKING
from ..trajectory import Trajectory
from .common import called, fault, result, rigid
from .mass import moments

ID = "energy"

# Frames over which a dip is filled: in a blow the mean velocity of a frame is below the true one.
_DIP = 5


def energies(trajectory: Trajectory) -> tuple[Floats, Floats]:
    """Kinetic and potential energy of each body halfway between frames, two of (f - 1, n) J.

    Velocities are those of the step, so that nothing of the solver's own is believed. Potential
    energy counts from the lowest place of each body. What has no mass has none.
    """
    weight = np.array([b.mass or 0.0 for b in trajectory.bodies])
    velocity = np.diff(trajectory.position, axis=0) / trajectory.dt
    turned = rotations(trajectory)[:-1]
    local = np.einsum("fnji,fnj->fni", turned, spins(trajectory))
    inertia = np.stack([moments(b) if b.inertia is None else b.inertia for b in trajectory.bodies])
    kinetic = weight * (velocity**2).sum(2) / 2 + (inertia * local**2).sum(2) / 2
    height = trajectory.position @ trajectory.up
    height = (height[1:] + height[:-1]) / 2
    with np.errstate(invalid="ignore"):
        potential = weight * trajectory.g * (height - np.nanmin(height, axis=0))
    return kinetic, potential


def energy(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Kinetic and potential energy of all bodies that the solver moves, over time.

    A rise counts against the least energy before it, as a share of the largest seen before, within
    stretches without a source at work: bodies that something else moves, fields, motors, springs.
    Where the task names its criteria, only the sources that it admits excuse a rise.
    """
    judged = rigid(trajectory) & np.array([bool(b.mass) for b in trajectory.bodies], bool)
    judged &= trajectory.finite.all(0)
    if len(trajectory) < 3 or not judged.any():
        return result(ID, brief, vacuous="no body with a mass is moved by the solver")
    always = _always(trajectory, brief)
    if always:
        return result(
            ID, brief, inconclusive=f"{', '.join(always[:5])} may put energy in all along"
        )
    kinetic, potential = energies(trajectory)
    each = (kinetic + potential)[:, judged]
    total = _filled(each.sum(1))
    quiet = ~_at_work(trajectory, brief)
    stretches = [run for run in runs(quiet) if run[1] - run[0] + 1 >= _DIP]
    findings: list[Finding] = []
    rise, most = 0.0, 0.0
    for first, last in stretches:
        part = total[first : last + 1]
        grown = part - np.minimum.accumulate(part)
        before = np.maximum.accumulate(part)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(grown > 0, grown / np.concatenate((before[:1], before[:-1])), 0.0)
        # Rest is never quite still: what is less than lifting a body by a hair is no energy.
        share[grown <= _hair(trajectory, judged, limits)] = 0.0
        rise, most = max(rise, float(np.nanmax(share))), max(most, float(part.max()))
        if np.nanmax(share) > limits.energy_rise:
            row = int(np.nanargmax(share))
            findings.append(_risen(trajectory, limits, judged, each, (first, row), total, share))
    figures = {
        "first": int(trajectory.frames[0]),
        "largest": most,
        "rise": rise,
        "stretches": [[int(trajectory.frames[k]) for k in run] for run in stretches],
        "kinetic": kinetic[:, judged].sum(1).tolist(),
        "potential": potential[:, judged].sum(1).tolist(),
    }
    none = None if stretches else "something puts energy in in every frame"
    return result(ID, brief, findings, figures, inconclusive=none)


def _risen(
    trajectory: Trajectory,
    limits: Limits,
    judged: Bools,
    each: Floats,
    at: tuple[int, int],
    total: Floats,
    share: Floats,
) -> Finding:
    """The fault of one stretch, told of the body that gained most."""
    first, row = at
    low = first + int(total[first : first + row + 1].argmin())
    gain = each[first + row] - each[low]
    body = int(np.flatnonzero(judged)[gain.argmax()])
    value, before = float(total[first + row]), float(total[low])
    return fault(
        *(trajectory, ID, body, first + row),
        f"energy rises from {before:.4g} J at frame {trajectory.frames[low]} to {value:.4g} J at "
        f"frame {trajectory.frames[first + row]}, most of it in {trajectory.names[body]}, although "
        f"nothing puts any in",
        measured=float(share[row]),
        limit=limits.energy_rise,
        unit="1",
        frames=[int(trajectory.frames[low]), int(trajectory.frames[first + row])],
    )


def _hair(trajectory: Trajectory, judged: Bools, limits: Limits) -> float:
    """Energy that is lost in the solver's own slack, J: all lifted by the depth it lets pass."""
    slack = 0.0
    for k in np.flatnonzero(judged):
        body = trajectory.bodies[k]
        slack += (body.mass or 0.0) * trajectory.g * limits.depth_size * body.size
    return slack / max(1, int(judged.sum()))


def _filled(series: Floats) -> Floats:
    """The series with its short dips filled: the least of the greatest around each."""
    half = _DIP // 2
    wide = np.lib.stride_tricks.sliding_window_view
    grown = wide(np.pad(series, half, mode="edge"), _DIP).max(1)
    filled: Floats = wide(np.pad(grown, half, mode="edge"), _DIP).min(1)
    return filled


def _at_work(trajectory: Trajectory, brief: ReconstructionBrief) -> Bools:
    """Steps in which something that isn't the solver moves a body, (f - 1,)."""
    step = np.abs(np.diff(trajectory.position, axis=0)).max(2) > 1e-7
    step |= np.abs(np.diff(trajectory.quaternion, axis=0)).max(2) > 1e-7
    driven = trajectory.driven[:-1] | trajectory.driven[1:]
    # What takes no part in the solver is carried along, or seen only: nothing feels it.
    driven = driven & [body.part != "none" for body in trajectory.bodies]
    if brief.criteria:
        driven = driven & [bool(called(b) & set(brief.sources)) for b in trajectory.bodies]
    work: Bools = (step & driven).any(1)
    return work


def _always(trajectory: Trajectory, brief: ReconstructionBrief) -> list[str]:
    """Names of what may put energy in at any time."""
    names = [one.name for one in trajectory.fields if one.strength]
    names += [joint.name for joint in trajectory.joints if joint.kind in WORKING]
    names += [b.name for b in trajectory.bodies if b.medium in ("soft", "liquid") and b.moves]
    return [name for name in names if name in brief.sources] if brief.criteria else names
