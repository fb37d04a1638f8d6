# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes of motion on closed-form trajectories: each sound one passes, its faulty twin fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import (
    G,
    ball,
    bounced,
    box,
    changed,
    fallen,
    floor,
    moved,
    recorded,
    spun,
    times,
)
from plumbline.checks.reconstruction import Body, ForceField, Joint, Limits, ReconstructionBrief
from plumbline.checks.reconstruction.bodies import Driver
from plumbline.checks.reconstruction.probes import PROBES


def probe(name, trajectory, brief=None):
    brief = ReconstructionBrief.from_mapping(brief or {})
    return PROBES[name](trajectory, brief, brief.limits)


def dropped(frames=20):
    """A ball that falls 3 m and more onto nothing, with a floor far below."""
    return recorded(floor(top=-50), (ball("ball"), fallen((0, 0, 3), frames=frames)), frames=frames)


def bouncing(ratio=0.7, frames=90):
    slab, at = floor(restitution=1.0)
    heights = bounced(2.5, ratio, frames=frames)
    places = np.stack((np.zeros(frames), np.zeros(frames), heights), axis=1)
    return recorded((slab, at), (ball("ball", restitution=ratio), places), frames=frames)


def sliding(friction=0.4, frames=45):
    """A box that slides on a floor of friction 1 until it stops."""
    t = np.minimum(times(frames), 5.0 / (friction * G))
    x = 5.0 * t - friction * G * t**2 / 2
    places = np.stack((x - 3, np.zeros(frames), np.full(frames, 0.25)), axis=1)
    slab, at = floor(friction=1.0)
    body = box("crate", (0.5, 0.5, 0.5), friction=friction)
    return recorded((slab, at), (body, places), frames=frames)


def rolling(slip=0.0, frames=60):
    t = times(frames)
    places = np.stack((t * 1.5 - 2, np.zeros(frames), np.full(frames, 0.5)), axis=1)
    turned = {"ball": spun((0, 1, 0), 1.5 * (1 - slip) * t / 0.5)}
    return recorded(floor(), (ball("ball", role="mover"), places), turned=turned, frames=frames)


def swinging(frames=90, gain=0.0):
    """A bob on a rope of 1 m: the true equation by small steps, ``gain`` of energy a second."""
    fine, angle, rate = 200, 0.6, 0.0
    angles = []
    for _ in range(frames):
        angles.append(angle)
        for _ in range(fine):
            rate += (-G * np.sin(angle) + gain * rate) / (fine * 30)
            angle += rate / (fine * 30)
    a = np.array(angles)
    places = np.stack((np.sin(a), np.zeros(frames), 3 - np.cos(a)), axis=1)
    made = recorded(
        floor(),
        (ball("bob", 0.05), places),
        turned={"bob": spun((0, -1, 0), a)},
        frames=frames,
    )
    rope = Joint("rope", "point", "bob", None, (0.0, 0.0, 1.0), (0.0, 0.0, 3.0))
    return replace(made, joints=(rope,))


# --- Numerical stability --------------------------------------------------------------------------


def test_free_fall_is_stable():
    assert probe("numerical_stability", dropped()).status == "passed"


def test_what_is_no_number_is_a_finding_with_its_frame():
    made = dropped()
    place = made.position[:, 1].copy()
    place[12:] = np.nan
    told = probe("numerical_stability", moved(made, "ball", place))
    assert told.status == "failed" and told.findings[0].frame == 13
    assert told.findings[0].subject == "ball" and told.findings[0].location is not None


@pytest.mark.parametrize("name", list(PROBES))
@pytest.mark.filterwarnings("error")
def test_no_probe_stumbles_over_what_exploded(name):
    for made in (bouncing(), swinging(), rolling()):
        for bad in (np.nan, np.inf, 1e300):
            place = made.position[:, 1].copy()
            place[20:] = bad
            assert probe(name, moved(made, "ball" if "ball" in made.names else "bob", place))


def test_a_teleport_is_a_jump():
    made = dropped(30)
    place = made.position[:, 1].copy()
    place[15:, 0] += 0.8
    told = probe("numerical_stability", moved(made, "ball", place))
    assert [f.frame for f in told.findings] == [16]
    assert told.figures["jumps"] == 1


def test_a_jump_shows_against_the_solvers_own_velocity():
    made = dropped(30)
    speed = np.zeros_like(made.position)
    speed[:, 1, 2] = -G * times(30)
    assert probe("numerical_stability", replace(made, velocity=speed)).status == "passed"
    # One that glides away at a constant speed that the solver knows nothing of.
    place = made.position[:, 1] + times(30)[:, None] * [9.0, 0, 0]
    told = probe("numerical_stability", moved(replace(made, velocity=speed), "ball", place))
    assert told.status == "failed"


def test_a_blow_in_the_last_frame_is_no_jump():
    made = recorded(floor(), (ball("ball"), (0, 0, 0.5)), frames=20)
    place = made.position[:, 1].copy()
    place[-1, 0] = 0.3
    assert probe("numerical_stability", moved(made, "ball", place)).status == "passed"


def test_the_top_of_a_throw_is_no_rest_however_large_the_body():
    frames = 60
    place = fallen((0, 0, 500), (0, 0, G), frames=frames)
    made = recorded(floor(9.0, top=-90), (ball("ball", 100.0), place), frames=frames)
    assert probe("support", made).status == "vacuous"
    assert probe("gravity", made).status == "passed"


def test_an_explosion_is_told():
    made = bouncing()
    place = made.position[:, 1].copy()
    place[40:, 0] += np.cumsum(np.full(len(place) - 40, 300.0))
    told = probe("numerical_stability", moved(made, "ball", place))
    assert any("explodes" in f.message for f in told.findings)


# --- Gravity --------------------------------------------------------------------------------------


def test_free_fall_is_gravity():
    told = probe("gravity", dropped())
    assert told.status == "passed" and told.figures["flights"] == 1
    assert told.figures["largest_deviation"] < 1e-9


def test_what_falls_side_by_side_is_in_free_flight():
    pair = [(ball(f"ball {k}", 0.1), fallen((0.22 * k, 0, 5), frames=25)) for k in range(2)]
    told = probe("gravity", recorded(floor(), *pair, frames=25))
    assert told.status == "passed" and told.figures["flights"] == 2


@pytest.mark.parametrize(
    ("factor", "status"), [(0.96, "passed"), (0.94, "failed"), (1.06, "failed")]
)
def test_the_threshold_is_five_percent(factor, status):
    made = dropped()
    place = made.position[:, 1].copy()
    place[:, 2] = 3 + (place[:, 2] - 3) * factor
    assert probe("gravity", moved(made, "ball", place)).status == status


def test_declared_damping_is_allowed_for():
    frames, loss = 30, 0.5
    made = changed(dropped(frames), "ball", linear_damping=loss)
    rate = -np.log(1 - loss)
    t = times(frames)
    fall = -G / rate * (t - (1 - np.exp(-rate * t)) / rate)
    made = moved(made, "ball", np.stack((0 * t, 0 * t, 3 + fall), axis=1))
    assert probe("gravity", made).status == "passed"
    assert probe("gravity", changed(made, "ball", linear_damping=0.0)).status == "failed"


def test_a_keyframed_fall_that_eases_out_is_no_gravity():
    made = dropped(40)
    s = np.linspace(0, 1, 40)
    ease = 3 * s**2 - 2 * s**3
    place = np.stack((2 * s, 0 * s, 3 - 4 * ease), axis=1)
    told = probe("gravity", moved(made, "ball", place))
    assert told.status == "failed" and "touches nothing" in told.findings[0].message


def test_a_ball_level_beyond_the_edge_is_no_gravity():
    frames = 60
    t = times(frames)
    top, at = box("table", (4, 4, 0.2), part="passive"), (0, 0, -0.1)
    level = np.stack((2.0 * t, 0 * t, np.full(frames, 0.1)), axis=1)
    made = recorded((top, at), (ball("ball", 0.1), level), frames=frames)
    told = probe("gravity", made)
    assert told.status == "failed" and told.findings[0].frame > 33
    over = np.flatnonzero(level[:, 0] > 2.0)
    falling = level.copy()
    falling[over, 2] -= G * (t[over] - t[over[0]]) ** 2 / 2
    assert probe("gravity", moved(made, "ball", falling)).status == "passed"


def test_the_scene_has_the_gravity_that_is_asked_for():
    assert probe("gravity", dropped(), {"gravity": [0, 0, -9.81]}).status == "passed"
    told = probe("gravity", dropped(), {"gravity": [0, 0, -1.62]})
    assert told.status == "failed" and told.findings[0].subject == "gravity"


def test_what_never_flies_is_vacuous():
    assert probe("gravity", rolling()).status == "vacuous"


# --- Contact, energy, restitution, friction -------------------------------------------------------


def test_a_bounce_is_sound():
    made = bouncing(0.7)
    for name in ("numerical_stability", "gravity", "contact", "energy", "restitution"):
        told = probe(name, made)
        assert told.status == "passed", (name, told.findings, told.reason)
    assert probe("restitution", made).figures["impacts"][0]["ratio"] == pytest.approx(0.7, abs=0.06)


def test_a_bounce_that_gives_more_than_declared():
    made = changed(bouncing(0.7), "ball", restitution=0.4)
    told = probe("restitution", made)
    assert told.status == "failed" and told.findings[0].limit == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("declared", "status", "allowed"), [(0.44, "failed", 0.69), (0.5, "passed", None)]
)
def test_the_solver_parts_what_overlaps_a_little_faster(declared, status, allowed):
    made = changed(bouncing(0.72), "ball", restitution=declared)
    told = probe("restitution", made)
    assert told.status == status
    strict = probe("restitution", made, {"limits": {"recovery": 0}})
    assert strict.status == "failed"
    assert allowed is None or told.findings[0].limit == pytest.approx(allowed)


def test_a_bounce_in_mid_air_is_a_blow_from_nothing():
    made = bouncing(0.7)
    told = probe("contact", moved(made, "ball", made.position[:, 1] + [0, 0, 2.0]))
    assert told.status == "failed" and "nothing touches it" in told.findings[0].message


def test_a_fall_through_the_floor_meets_no_response():
    made = recorded(floor(), (ball("ball"), fallen((0, 0, 2))))
    told = probe("contact", made)
    assert told.status == "failed" and "no response" in told.findings[0].message
    assert probe("interpenetration", made).status == "failed"


def collided(masses=(1.0, 1.0), after=(0.0, 2.0), frames=60):
    """Two balls in empty space: one comes at 2 m/s, the other waits."""
    t = times(frames)
    hit = 30.1 / 30
    late = np.maximum(t - hit, 0)
    first = np.stack((2 * np.minimum(t, hit) + after[0] * late, 0 * t, 0 * t), axis=1)
    first[:, 0] -= 2 * hit + 1.0
    second = np.stack((after[1] * late, 0 * t, 0 * t), axis=1)
    return recorded(
        (ball("one", mass=masses[0], restitution=1), first),
        (ball("two", mass=masses[1], restitution=1), second),
        frames=frames,
        gravity=np.zeros(3),
    )


@pytest.mark.parametrize("masses", [(1.0, 1.0), (2.0, 3.0)])
def test_a_blow_of_two_keeps_momentum(masses):
    m, n = masses
    after = (2 * (m - n) / (m + n), 4 * m / (m + n))
    told = probe("contact", collided(masses, after))
    assert told.status == "passed", told.findings
    assert told.figures["exchanges"] == 1
    assert told.figures["contacts"][0]["pair"] == ["one", "two"]
    lost = probe("contact", collided((m * 2, n), after))
    assert lost.status == "failed" and "momentum" in lost.findings[0].message


def test_a_pendulum_keeps_its_energy():
    told = probe("energy", swinging())
    assert told.status == "passed" and told.figures["rise"] < 0.02
    assert probe("rigidity", swinging()).status == "passed"


def test_a_pendulum_that_swings_up_has_a_source():
    told = probe("energy", swinging(gain=0.8))
    assert told.status == "failed" and told.findings[0].subject == "bob"
    assert told.findings[0].frame > 1
    wind = replace(swinging(gain=0.8), fields=(ForceField("breeze", "WIND", 1.0),))
    assert probe("energy", wind).status == "inconclusive"
    strict = {"criteria": [{"id": "n3", "probes": ["energy"]}]}
    assert probe("energy", wind, strict).status == "failed"
    assert probe("energy", wind, {**strict, "sources": ["breeze"]}).status == "inconclusive"


@pytest.mark.parametrize(("part", "status"), [("none", "failed"), ("animated", "inconclusive")])
def test_only_what_the_solver_feels_puts_energy_in(part, status):
    made = swinging(gain=0.8)
    twice = {
        name: np.concatenate((getattr(made, name), getattr(made, name)[:, 1:]), axis=1)
        for name in ("position", "quaternion")
    }
    thread = replace(made.bodies[1], name="thread", role=None, part=part)
    assert probe("energy", replace(made, bodies=(*made.bodies, thread), **twice)).status == status


def test_a_bob_that_leaves_its_pivot():
    made = swinging()
    place = made.position[:, 1] + times(90)[:, None] * [0, 0.01, 0]
    told = probe("rigidity", moved(made, "bob", place))
    assert told.status == "failed" and "rope" in told.findings[0].message


def test_sliding_slows_as_declared():
    told = probe("friction", sliding())
    assert told.status == "passed"
    assert told.figures["sliding"]["crate"]["measured"] == pytest.approx(0.4 * G, rel=1e-6)
    told = probe("friction", changed(sliding(0.4), "crate", friction=0.1))
    assert told.status == "failed" and told.findings[0].related == ("floor",)


def test_rolling_doesnt_slip():
    claim = {"rolling": ["mover"]}
    assert probe("friction", rolling(), claim).status == "passed"
    assert probe("friction", rolling(0.05), claim).status == "passed"
    told = probe("friction", rolling(0.5), claim)
    assert told.status == "failed" and told.findings[0].measured == pytest.approx(0.5, abs=0.02)
    assert probe("friction", rolling(1.0), {}).status in ("vacuous", "failed")


# --- What moves it --------------------------------------------------------------------------------


def test_the_solver_moves_it():
    assert probe("prescribed_motion", dropped()).status == "passed"


@pytest.mark.parametrize("kind", ["keyframes", "driver", "shape_keys", "handler", "force_field"])
def test_what_else_moves_it_must_be_admitted(kind):
    drivers = (Driver("solver"), Driver(kind, "location"))
    made = changed(dropped(), "ball", drivers=drivers, role="egg")
    told = probe("prescribed_motion", made)
    assert told.status == "failed" and "location" in told.findings[0].message
    assert probe("prescribed_motion", made, {"admitted": {"egg": [kind]}}).status == "passed"


def test_motion_from_nowhere_and_motion_unread():
    made = changed(dropped(), "ball", drivers=())
    assert "nothing is found" in probe("prescribed_motion", made).findings[0].message
    assert probe("prescribed_motion", changed(made, "ball", drivers=None)).status == "not_run"


def test_scripts_that_run_in_every_frame():
    made = replace(dropped(), handlers=("update",))
    assert probe("prescribed_motion", made).status == "failed"
    assert probe("prescribed_motion", made, {"admitted": {"*": ["handler"]}}).status == "passed"


def test_an_animated_actuator_is_judged_only_where_it_is_core():
    drivers = (Driver("keyframes"),)
    made = changed(dropped(), "ball", part="animated", drivers=drivers, role="gripper")
    assert probe("prescribed_motion", made).status == "vacuous"
    assert probe("prescribed_motion", made, {"core": ["gripper"]}).status == "failed"


# --- Mass -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "status"), [(700.0, "passed"), (70.0, "failed"), (7000.0, "failed")]
)
def test_a_cubic_metre_of_oak(weight, status):
    made = recorded((box("block", material="oak", mass=weight), (0, 0, 0)))
    assert probe("mass", made).status == status


def test_core_bodies_of_which_no_solver_could_move_any_are_a_fault():
    """A scene that stands still, with something else that falls, passed what it was asked."""
    still = box("egg", part="passive", mass=None)
    made = recorded(floor(), (ball("ball"), fallen((0, 0, 50))), (still, (5, 0, 0.5)))
    assert probe("prescribed_motion", made).status == "passed"
    assert probe("prescribed_motion", made, {"core": ["ball"]}).status == "passed"
    assert probe("prescribed_motion", made, {"core": ["ball", "egg"]}).status == "passed"
    told = probe("prescribed_motion", made, {"core": ["egg"]})
    assert told.status == "failed" and [f.subject for f in told.findings] == ["egg"]
    assert "stays where it is whatever happens" in told.findings[0].message


def test_mass_without_material_is_vacuous_and_without_weight_wrong():
    assert probe("mass", recorded((box("block"), (0, 0, 0)))).status == "vacuous"
    assert probe("mass", recorded((box("block", mass=0.0), (0, 0, 0)))).status == "failed"
    own = {"densities": {"balsa": [100, 200]}}
    made = recorded((box("block", material="balsa", mass=150.0), (0, 0, 0)))
    assert probe("mass", made).status == "vacuous"
    assert probe("mass", made, own).status == "passed"


def test_moments_of_inertia():
    right = np.full(3, 1 / 6)
    made = recorded((box("block", inertia=right), (0, 0, 0)))
    assert probe("mass", made).status == "passed"
    assert probe("mass", changed(made, "block", inertia=right * [1, 1, 5])).status == "failed"


# --- Metamorphic ----------------------------------------------------------------------------------

EVERY = [n for n in PROBES if n not in ("cloth", "liquid", "soft_body", "wind")]
CASES = {
    "bounce": lambda: bouncing(0.7),
    "mid_air": lambda: moved(bouncing(0.7), "ball", bouncing(0.7).position[:, 1] + [0, 0, 2.0]),
    "slide": sliding,
    "swing": swinging,
    "swing_up": lambda: swinging(gain=0.8),
    "through": lambda: recorded(floor(), (ball("ball"), fallen((0, 0, 2)))),
}


def _turned(made, angle):
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    w, z = np.cos(angle / 2), np.sin(angle / 2)
    a, b, e, d = np.moveaxis(made.quaternion, -1, 0)
    product = np.stack((w * a - z * d, w * b - z * e, w * e + z * b, w * d + z * a), axis=-1)
    joints = tuple(
        replace(j, second_pivot=tuple(turn @ j.second_pivot)) if j.second is None else j
        for j in made.joints
    )
    return replace(made, position=made.position @ turn.T, quaternion=product, joints=joints)


def _shifted(made, by):
    joints = tuple(
        replace(j, second_pivot=tuple(np.add(j.second_pivot, by))) if j.second is None else j
        for j in made.joints
    )
    return replace(made, position=made.position + by, joints=joints)


def _grown(body: Body, scale):
    return replace(
        body,
        vertices=body.vertices * scale,
        pieces=tuple(p * scale for p in body.pieces),
        rounding=body.rounding * scale,
        margin=body.margin * scale,
    )


def _scaled(made, scale):
    """Longer and heavier on all sides: the same motion in the same time."""
    joints = tuple(
        replace(
            j,
            first_pivot=tuple(np.multiply(j.first_pivot, scale)),
            second_pivot=tuple(np.multiply(j.second_pivot, scale)),
        )
        for j in made.joints
    )
    return replace(
        made,
        position=made.position * scale,
        gravity=made.gravity * scale,
        bodies=tuple(_grown(b, scale) for b in made.bodies),
        joints=joints,
    )


def _statuses(made):
    return {name: probe(name, made).status for name in EVERY}


@pytest.mark.parametrize("case", CASES)
def test_a_place_a_heading_and_a_unit_change_nothing(case):
    made = CASES[case]()
    usual = _statuses(made)
    assert _statuses(_shifted(made, np.array([13.0, -7.0, 5.0]))) == usual
    assert _statuses(_turned(made, 0.7)) == usual
    assert _statuses(_scaled(made, 20.0)) == usual


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_free_fall_at_any_frame_rate(fps):
    frames = 40
    for factor, status in ((1.0, "passed"), (0.9, "failed")):
        place = fallen((0, 0, 3), frames=frames, fps=fps)
        place[:, 2] = 3 + (place[:, 2] - 3) * factor
        made = recorded(floor(top=-50), (ball("ball"), place), frames=frames, fps=fps)
        assert probe("gravity", made).status == status


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_bounce_at_any_frame_rate(fps):
    frames = int(3 * fps)
    heights = bounced(2.5, 0.7, frames=frames, fps=fps)
    places = np.stack((0 * heights, 0 * heights, heights), axis=1)
    slab, at = floor(restitution=1.0)
    made = recorded(*((slab, at), (ball("ball", restitution=0.7), places)), frames=frames, fps=fps)
    usual = _statuses(bouncing(0.7))
    assert _statuses(made) == usual and usual["restitution"] == "passed"
    dull = changed(made, "ball", restitution=0.4)
    assert _statuses(dull) == {**usual, "restitution": "failed"}


def test_limits_are_those_of_the_rubric():
    made = changed(bouncing(0.7), "ball", restitution=0.4)
    loose = {"limits": {"restitution": 0.5}}
    assert probe("restitution", made, loose).status == "passed"
    assert Limits().depth(0.1) == 0.002 and Limits().depth(1.0) == 0.01
