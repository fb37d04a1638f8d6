# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes of solids and surfaces: each sound scene passes, its faulty twin fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import ball, box, changed, fallen, floor, moved, recorded, spun, times
from plumbline.checks.reconstruction import (
    Body,
    ForceField,
    Joint,
    Liquid,
    ReconstructionBrief,
)
from plumbline.checks.reconstruction.bodies import Driver
from plumbline.checks.reconstruction.probes import PROBES
from plumbline.checks.reconstruction.probes.wind import wind


def probe(name, trajectory, brief=None):
    brief = ReconstructionBrief.from_mapping(brief or {})
    return PROBES[name](trajectory, brief, brief.limits)


def stack(gap=0.0, frames=30):
    """Three boxes of 0.5 m on a floor, each ``gap`` above the one below."""
    placed = [floor()]
    for k in range(3):
        height = 0.25 + 0.5 * k + gap * (k + 1)
        placed.append((box(f"block {k}", (0.5, 0.5, 0.5), role=f"b{k}"), (0, 0, height)))
    return recorded(*placed, frames=frames)


# --- Interpenetration -----------------------------------------------------------------------------


def test_a_stack_is_sound():
    made = stack()
    for name in ("interpenetration", "support", "contact", "energy", "numerical_stability"):
        told = probe(name, made)
        assert told.status == "passed", (name, told.findings, told.reason)


@pytest.mark.parametrize(("sunk", "status"), [(0.004, "passed"), (0.006, "failed")])
def test_depth_counts_from_one_percent(sunk, status):
    made = stack()
    told = probe("interpenetration", moved(made, "block 0", (0, 0, 0.25 - sunk)))
    assert told.status == status
    if status == "failed":
        found = told.findings[0]
        assert found.measured == pytest.approx(sunk) and found.limit == pytest.approx(0.005)
        assert found.detail["frames"] == [1, 30] and found.related == ("floor",)
        assert found.location[2] == pytest.approx(-sunk)


def test_of_two_that_stay_still_the_smaller_is_named():
    made = changed(stack(), "block 0", part="passive")
    told = probe("interpenetration", moved(made, "block 0", (0, 0, 0.2)))
    found = told.findings[0]
    assert (found.subject, found.related) == ("block 0", ("floor",))


@pytest.mark.parametrize(
    ("depth", "frames", "status"),
    [(0.02, 9, "passed"), (0.02, 10, "failed"), (0.024, 1, "passed"), (0.026, 1, "failed")],
)
def test_a_moment_is_allowed_more(depth, frames, status):
    made = recorded(floor(), (box("block", (0.5, 0.5, 0.5)), (0, 0, 0.25)), frames=40)
    place = made.position[:, 1].copy()
    place[10 : 10 + frames, 2] -= depth
    told = probe("interpenetration", moved(made, "block", place))
    assert told.status == status
    if told.findings:
        assert told.findings[0].detail["persistent"] == (frames == 10)


def test_an_overlap_of_still_bodies_counts_and_may_be_admitted():
    crate = box("crate", (1, 1, 0.2), part="passive", role="crate")
    made = recorded(floor(), (crate, (0, 0, 0.05)))
    assert probe("interpenetration", made).status == "failed"
    admitted = {"may_overlap": [["crate", "floor"]]}
    assert probe("interpenetration", made, admitted).status == "passed"


def test_what_a_joint_holds_together_is_left_out_and_told():
    made = recorded((box("arm"), (0, 0, 0)), (box("hand"), (0.9, 0, 0)))
    joint = Joint("wrist", "fixed", "arm", "hand", (0.5, 0, 0), (-0.4, 0, 0))
    told = probe("interpenetration", replace(made, joints=(joint,)))
    assert told.status == "passed" and told.figures["joined"] == ["arm, hand"]
    free = replace(made, joints=(replace(joint, collides=True),))
    assert probe("interpenetration", free).status == "failed"


def test_what_is_parented_belongs_to_its_body():
    frames = 20
    made = recorded(floor(top=-50), (ball("ball"), fallen((0, 0, 3), frames=frames)), frames=frames)
    drivers = (Driver("parent", "ball"),)
    label = box("label", (0.2, 0.2, 0.2), part="none", mass=None, drivers=drivers)
    whole = recorded(
        *zip(made.bodies, made.position.swapaxes(0, 1), strict=True),
        (label, made.position[:, 1] + [0, 0, 0.4]),
        frames=frames,
    )
    assert probe("interpenetration", whole).status == "failed"
    assert probe("gravity", whole).status == "vacuous"
    one = changed(changed(whole, "ball", group="ball"), "label", group="ball")
    assert probe("interpenetration", one).status == "passed"
    assert probe("gravity", one).status == "passed"
    assert probe("prescribed_motion", whole).status == "failed"
    assert probe("prescribed_motion", one).status == "passed"


def test_open_surfaces_are_a_weaker_instrument_and_told():
    told = probe("interpenetration", changed(stack(), "block 1", closed=False))
    assert told.status == "passed" and told.degraded and told.figures["open"] == ["block 1"]
    assert not probe("interpenetration", stack()).degraded


def test_what_was_not_measured_is_inconclusive():
    made = changed(stack(), "block 1", convex=False)
    told = probe("interpenetration", made)
    assert told.status == "inconclusive" and "block 1" in told.reason


# --- Support --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "status"), [(0.009, "passed"), (0.011, "failed")])
def test_a_gap_counts_from_two_percent(gap, status):
    made = recorded(floor(), (box("block", (0.5, 0.5, 0.5)), (0, 0, 0.25 + gap)))
    told = probe("support", made)
    assert told.status == status
    if status == "failed":
        assert told.findings[0].measured == pytest.approx(gap)
        assert told.findings[0].related == ("floor",)
        wide = changed(made, "block", margin=0.04)
        assert probe("support", wide).status == "passed"


def test_a_body_that_rests_in_the_air():
    made = recorded(floor(), (ball("ball", 0.1), (0, 0, 2.0)))
    told = probe("support", made)
    assert told.status == "failed" and told.findings[0].measured == pytest.approx(1.9)
    assert "rests in the air" in told.findings[0].message


def test_what_hangs_on_a_joint_is_held():
    made = recorded(floor(), (ball("lamp", 0.1), (0, 0, 2.0)))
    rope = Joint("rope", "point", "lamp", None, (0, 0, 1.0), (0, 0, 3.0))
    assert probe("support", replace(made, joints=(rope,))).status == "vacuous"


def test_an_unseen_support():
    hidden = box("helper", (2, 2, 0.1), part="passive", visible=False)
    made = recorded((hidden, (0, 0, 0.95)), (box("block", (0.5, 0.5, 0.5)), (0, 0, 1.25)))
    told = probe("support", made)
    assert told.status == "failed" and told.findings[0].related == ("helper",)
    assert probe("support", changed(made, "helper", visible=True)).status == "passed"


@pytest.mark.parametrize(("radius", "status"), [(0.52, "passed"), (0.6, "failed"), (0.4, "failed")])
def test_a_collision_shape_keeps_to_the_surface(radius, status):
    core = {"collision_vertices": np.zeros((1, 3)), "collision_rounding": radius}
    made = recorded(floor(), (ball("ball", 0.5, **core), (0, 0, 0.5)))
    told = probe("support", made)
    assert told.status == status
    if status == "failed":
        assert told.findings[0].measured == pytest.approx(abs(radius - 0.5))


# --- Rigidity -------------------------------------------------------------------------------------


def test_a_rigid_body_keeps_its_shape():
    frames = 20
    angles = times(frames)
    made = recorded(
        (box("block"), (0, 0, 0)), frames=frames, turned={"block": spun((1, 2, 3), angles)}
    )
    from plumbline.checks.reconstruction.motion import rotations

    turned = rotations(made)[:, 0]
    mesh = np.einsum("fij,vj->fvi", turned, made.bodies[0].vertices)
    sound = replace(made, meshes={"block": mesh})
    assert probe("rigidity", sound).status == "passed"
    grown = mesh * np.linspace(1, 1.002, frames)[:, None, None]
    told = probe("rigidity", replace(made, meshes={"block": grown}))
    assert told.status == "failed" and told.findings[0].frame == frames
    scaled = np.ones((frames, 1, 3))
    assert probe("rigidity", replace(made, scale=scaled)).status == "passed"
    scaled[10:, 0, 1] = 1.01
    assert probe("rigidity", replace(made, scale=scaled)).status == "failed"
    assert probe("rigidity", made).status == "vacuous"


# --- Cloth, soft bodies ---------------------------------------------------------------------------


def flag(side=12, frames=12, **values):
    """A square sheet of 1 m in the xz plane, pinned along one edge, that waves gently."""
    u, w = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side), indexing="ij")
    points = np.stack((u, 0 * u, w), axis=-1).reshape(-1, 3)
    k = np.arange(side * side).reshape(side, side)
    a, b, c, d = (x.ravel() for x in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    triangles = np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))
    body = Body(
        "flag",
        **{"medium": "cloth", "closed": False, "convex": False, "pinned": k[0], **values},
        vertices=points,
        triangles=triangles,
    )
    mesh = np.repeat(points[None], frames, 0)
    phase = np.linspace(0, 2, frames)[:, None]
    mesh[..., 1] = 0.05 * points[:, 0] * np.sin(3 * points[:, 0] + phase)
    mesh -= mesh[:1] - points
    return replace(recorded((body, (0, 0, 0)), frames=frames), meshes={"flag": mesh})


def _remeshed(made, change):
    mesh = made.meshes["flag"].copy()
    change(mesh)
    return replace(made, meshes={"flag": mesh})


def test_a_waving_flag_is_sound():
    told = probe("cloth", flag())
    assert told.status == "passed", told.findings
    assert told.figures["flag"]["crossings"] == {} and told.figures["flag"]["every"] == 1


def test_a_flag_that_crosses_itself():
    def fold(mesh):
        far = mesh[8:, :, 0] > 0.6
        part = mesh[8:]
        part[..., 0] = np.where(far, 1.2 - part[..., 0], part[..., 0])
        part[..., 1] = np.where(far, 0.08 - 0.4 * (0.6 - part[..., 0]), part[..., 1])

    told = probe("cloth", _remeshed(flag(), fold))
    found = next(f for f in told.findings if f.unit == "pairs")
    assert found.measured > 5 and found.detail["frames"] == [9, 10, 11, 12]


def test_neighbours_dont_count_as_crossing():
    def crease(mesh):
        mesh[5:, :, 1] += 0.02 * (np.arange(mesh.shape[1]) % 2)

    told = probe("cloth", _remeshed(flag(), crease))
    assert not [f for f in told.findings if f.unit == "pairs"]


def test_a_flag_that_is_stretched_or_comes_loose():
    def stretch(mesh):
        mesh[6:, :, 0] *= 1.2

    def loose(mesh):
        mesh[6:, :, 2] -= 0.05

    told = probe("cloth", _remeshed(flag(), stretch))
    assert [f.unit for f in told.findings] == ["1"]
    assert told.findings[0].measured == pytest.approx(0.2, abs=0.01)
    told = probe("cloth", _remeshed(flag(), loose))
    assert [f.frame for f in told.findings] == [7] and "comes loose" in told.findings[0].message


def test_cloth_without_its_surface_is_not_run():
    assert probe("cloth", replace(flag(), meshes={})).status == "not_run"


def cushion(squeeze=1.0, frames=10):
    body = box("cushion", medium="soft", pinned=np.array([0]))
    mesh = np.repeat(body.vertices[None], frames, 0)
    mesh[5:, 1:] *= squeeze
    return replace(recorded((body, (0, 0, 0)), frames=frames), meshes={"cushion": mesh})


def test_a_soft_body_keeps_its_volume():
    assert probe("soft_body", cushion()).status == "passed"
    assert probe("soft_body", cushion(1.02)).status == "passed"
    told = probe("soft_body", cushion(0.8))
    assert told.status == "failed"
    filled = {"may_change_volume": ["cushion"]}
    assert probe("soft_body", cushion(0.8), filled).status == "passed"


# --- Liquid, wind ---------------------------------------------------------------------------------


def pouring(frames=20, **values):
    water = Body("water", medium="liquid")
    added = np.linspace(0, 0.002, frames)
    given = {
        "volume": added * 0.97,
        "added": added,
        "container": "glass",
        "leaked": np.zeros(frames),
        "inside": np.zeros(frames),
        "level": added * 50,
        **values,
    }
    made = recorded((water, (0, 0, 0)), (box("glass", part="passive"), (0, 0, 0)), frames=frames)
    return replace(made, liquids=(Liquid("water", **given),))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"volume": np.linspace(0, 0.0017, 20)}, "volume"),
        ({"leaked": np.linspace(0, 0.03, 20)}, "outside of its container"),
        ({"inside": np.linspace(0, 0.03, 20)}, "inside the material"),
        ({"level": np.full(20, 0.1)}, "level doesn't rise"),
    ],
)
def test_liquid(values, words):
    assert probe("liquid", pouring()).status == "passed"
    told = probe("liquid", pouring(**values))
    assert told.status == "failed" and words in told.findings[0].message


def test_liquid_of_which_nobody_knows_how_much_came_in():
    unknown = np.full(20, np.nan)
    told = probe("liquid", pouring(added=unknown))
    assert told.status == "passed" and told.degraded and not probe("liquid", pouring()).degraded
    leaking = pouring(added=unknown, leaked=np.linspace(0, 0.03, 20))
    assert probe("liquid", leaking).status == "failed"
    blind = pouring(added=unknown, leaked=None, inside=None, level=None)
    assert probe("liquid", blind).status == "inconclusive"


def test_liquid_that_was_not_measured():
    assert probe("liquid", replace(pouring(), liquids=())).status == "not_run"


def test_wind_is_a_counterfactual():
    blown = replace(flag(), fields=(ForceField("wind", "WIND", 50.0),))

    def hang(mesh):
        mesh[:] = mesh[:1]
        mesh[..., 1] += 0.3 * mesh[..., 0]

    brief = ReconstructionBrief()
    assert probe("wind", flag()).status == "vacuous"
    assert probe("wind", blown).status == "not_run"
    calm = _remeshed(flag(), hang)
    assert wind(blown, brief, brief.limits, calm).status == "passed"
    assert wind(blown, brief, brief.limits, flag()).status == "failed"
    assert wind(blown, brief, brief.limits, blown).status == "inconclusive"
