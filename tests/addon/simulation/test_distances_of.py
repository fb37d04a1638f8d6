# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of solids that aren't convex, against cases that are known in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("bpy")

from falling_bodies import ball, box, floor, recorded
from hollow_bodies import bowl, joined, table
from plumbline.addon.simulation.distances_of import distances_of
from plumbline.addon.simulation.solids import Solid
from plumbline.addon.simulation.steps import finish
from plumbline.checks.reconstruction import Body, ReconstructionBrief
from plumbline.checks.reconstruction.limits import Limits
from plumbline.checks.reconstruction.near import near
from plumbline.checks.reconstruction.probes import PROBES

pytestmark = pytest.mark.once


def measured(trajectory):
    return finish(distances_of(trajectory))


def judged(trajectory, probe="interpenetration"):
    whole = replace(trajectory, distances=measured(trajectory))
    brief = ReconstructionBrief()
    return PROBES[probe](whole, brief, brief.limits)


def in_bowl(gaps, radius=0.2):
    """Places of a ball in a bowl of 1 m, each so far from its wall, all along a great circle."""
    angle = np.linspace(-1, 1, len(gaps))
    far = 1 - radius - gaps
    return np.stack((far * np.sin(angle), 0 * angle, -far * np.cos(angle)), axis=1)


def test_a_ball_in_a_bowl_is_exact():
    gaps = np.linspace(-0.01, 0.01, 30)
    found = measured(recorded((bowl(), (0, 0, 0)), (ball("ball", 0.2), in_bowl(gaps)), frames=30))
    # The facets of the bowl are no farther than its sagitta from the sphere.
    sagitta = 2 * (1 - np.cos(np.pi / 64))
    assert found.distance == pytest.approx(gaps, abs=sagitta) and found.exact
    assert found.frame.tolist() == list(range(30)) and found.method == "BVH"
    towards = -found.point / np.linalg.norm(found.point, axis=1, keepdims=True)
    # From the second (ball) to the first (bowl): outwards.
    assert (np.einsum("ki,ki->k", found.normal, -towards) > 0.99).all()


def test_what_is_beyond_reach_has_no_row_but_was_measured():
    far = recorded((bowl(), (0, 0, 0)), (ball("ball", 0.2), (0, 0, 0)), frames=5)
    found = measured(far)
    assert len(found.frame) == 0 and found.measured.tolist() == [[0, 1]]
    assert judged(far).status == "passed"
    assert measured(recorded(floor(), (ball("ball"), (0, 0, 2)), frames=3)) is None


@pytest.mark.parametrize(("sunk", "status"), [(-0.001, "passed"), (0.01, "failed")])
def test_a_crate_on_a_table_with_legs(sunk, status):
    made = recorded(
        (table(), (0, 0, 0)),
        (box("crate", (0.3, 0.3, 0.3)), (0.5, 0.3, 1.025 + 0.15 - sunk)),
        frames=20,
    )
    told = judged(made)
    assert told.status == status
    found = measured(made)
    assert found.distance == pytest.approx(np.full(20, -sunk), abs=1e-6)
    assert found.normal == pytest.approx(np.tile([0, 0, -1.0], (20, 1)), abs=1e-4)
    assert found.exact == (sunk < 0)
    assert judged(made, "support").status == "passed"


def test_a_leg_that_reaches_into_the_top_makes_no_hole():
    # A crate above a leg, deep in the top: the leg's own end lies within the crate's floor.
    place = (0.9, 0.4, 1.025 + 0.15 - 0.02)
    made = recorded((table(), (0, 0, 0)), (box("crate", (0.3, 0.3, 0.3)), place), frames=3)
    assert measured(made).distance == pytest.approx(np.full(3, -0.02), abs=1e-6)


def test_convex_solids_are_measured_as_the_checks_do():
    rng = np.random.default_rng(1)
    first, second = box("a", (1, 0.6, 0.4)), box("b", (0.5, 0.5, 0.5))
    away = rng.normal(size=(60, 3))
    away *= (rng.uniform(0.4, 1.0, 60) / np.linalg.norm(away, axis=1))[:, None]
    made = recorded((first, (0, 0, 0)), (second, away), frames=60)
    made = replace(made, quaternion=rng.normal(size=(60, 2, 4)))
    exact = near(made, Limits()).rows
    found = measured(replace(made, bodies=(replace(first, convex=False), second)))
    assert found.frame.tolist() == exact.frame.tolist()
    apart = exact.distance > 0
    assert apart.sum() > 10 and (~apart).sum() > 10
    assert found.distance[apart] == pytest.approx(exact.distance[apart], abs=1e-4)
    # The surface that is deepest is no deeper than what it takes to part the two.
    assert (found.distance[~apart] >= exact.distance[~apart] - 1e-6).all()
    assert (found.distance[~apart] < 1e-3).all()


def test_a_needle_through_a_plate_is_found():
    needle = box("needle", (0.02, 0.02, 0.6))
    made = recorded((table(), (0, 0, 0)), (needle, (0.013, 0.021, 1.0)), frames=12)
    assert measured(made).distance.max() < -0.009


def test_a_hollow_within_a_solid_is_no_solid():
    shell = joined("safe", ((1, 1, 1), (0, 0, 0)), ((0.8, 0.8, 0.8), (0, 0, 0)), part="passive")
    inside_out = shell.triangles.copy()
    inside_out[12:] = inside_out[12:, ::-1]
    made = replace(shell, triangles=inside_out)
    far, _, _ = Solid(made.vertices, made.triangles, True).signed(
        np.array([[0, 0, 0], [0.45, 0, 0], [0.6, 0, 0]]), 1.0
    )
    assert far == pytest.approx([0.4, -0.05, 0.1], abs=1e-6)
    turned = Solid(made.vertices, made.triangles[:, ::-1], True)
    assert turned.signed(np.array([[0.45, 0, 0.0]]), 1.0)[0] == pytest.approx([-0.05], abs=1e-6)


def test_a_bowl_without_thickness_has_no_inside_and_that_is_told():
    gaps = np.linspace(0.001, 0.004, 12)
    thin = bowl(thickness=0.0)
    sound = recorded((thin, (0, 0, 0)), (ball("ball", 0.2), in_bowl(gaps)), frames=12)
    told = judged(sound)
    assert told.status == "passed" and told.degraded and not measured(sound).exact
    through = recorded((thin, (0, 0, 0)), (ball("ball", 0.2), in_bowl(0 * gaps - 0.1)), frames=12)
    assert judged(through).status == "failed"


def sheet(side=15, size=1.2):
    """A square of cloth about the z axis."""
    at = np.linspace(-size / 2, size / 2, side)
    x, y = np.meshgrid(at, at, indexing="ij")
    k = np.arange(side * side).reshape(side, side)
    a, b, c, d = (q.ravel() for q in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    return Body(
        "cloth",
        medium="cloth",
        vertices=np.stack((x, y, 0 * x), axis=-1).reshape(-1, 3),
        triangles=np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1))),
        closed=False,
        convex=False,
    )


@pytest.mark.parametrize("other", ["ball", "box"])
def test_a_cloth_that_comes_down_is_followed(other):
    frames = 12
    heights = np.linspace(0.03, -0.03, frames)
    cloth = sheet()
    mesh = cloth.vertices + np.array([0, 0, 0.5]) + np.multiply.outer(heights, [0, 0, 1])[:, None]
    solid = ball("solid", 0.5) if other == "ball" else box("solid", (1.3, 1.3, 1.0))
    made = recorded((cloth, (0, 0, 0)), (replace(solid, part="passive"), (0, 0, 0)), frames=frames)
    made = replace(made, meshes={"cloth": mesh})
    found = measured(made)
    assert found.distance == pytest.approx(heights[found.frame], abs=1e-5)
    assert len(found.frame) >= frames - 2 and not found.exact


def test_what_was_called_off_leaves_nothing_behind():
    made = recorded((bowl(), (0, 0, 0)), (ball("ball", 0.2), (0, 0, -0.8)), frames=5)
    steps = distances_of(made)
    assert next(steps) == (0, 1)
    steps.close()
