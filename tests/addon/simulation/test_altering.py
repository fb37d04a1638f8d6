# SPDX-License-Identifier: GPL-3.0-or-later
"""Each intervention does what it says on a copy, all before it is the same to the last bit, and
the person's scene is as it was."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from plumbline.addon.simulation.experiments import simulate, what_if
from plumbline.addon.simulation.hashing import state_hash
from plumbline.addon.simulation.steps import SimulationError, finish
from plumbline.checks.reconstruction.interventions import Intervention
from simulated_scene import ball, box, empty_world, joint, layers, wind

FRAMES = 30
G = 9.81
#: Kinds that put a body somewhere in their own frame, there as exactly as 4-byte numbers can.
MOVED = ("release", "velocity")


@pytest.fixture(scope="module")
def yard():
    """Crates on a floor, one in the air, a bob on a joint, a ledge that nothing feels, a breeze."""
    scene = empty_world(FRAMES)
    box("floor", (0, 0, -0.5), (30, 30, 1), "PASSIVE")
    box("low", (0, 0, 0.5))
    box("high", (0.1, 0, 1.8))
    free = box("free", (6, 0, 3))
    free["plumbline_role"] = "rover"
    anchor = box("anchor", (-6, 0, 6), (0.3, 0.3, 0.3), "PASSIVE")
    bob = ball("bob", (-5, 0, 6))
    joint("hinge", (-6, 0, 6), anchor, bob)
    box("ledge", (0, 6, 1), (2, 2, 0.2), None)
    drop = ball("drop", (0, 6, 2.2))
    layers(drop, 0, 3)
    wind("breeze", 4.0)
    scene.frame_set(1)
    yield scene
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


@pytest.fixture(scope="module")
def base(yard):
    """The scene as it is."""
    return finish(simulate(yard)).trajectory


@pytest.fixture
def tried(yard, base):
    """Baseline and altered run; the scene is proven untouched, and nothing of a copy is left."""

    def run(*asked):
        counts = [len(getattr(bpy.data, name)) for name in ("objects", "meshes", "scenes")]
        before = state_hash(yard)
        try:
            several = [Intervention.from_mapping(one) for one in asked]
            return finish(what_if(yard, several, baseline=base))
        finally:
            assert state_hash(yard) == before, "the person's scene was changed"
            now = [len(getattr(bpy.data, name)) for name in ("objects", "meshes", "scenes")]
            assert now == counts, "something of a copy was left"

    return run


def of(trajectory, name):
    """Positions of a body, (f, 3)."""
    return trajectory.position[:, trajectory.index(name)]


def begins(base, altered, name):
    """The first frame in which a body is elsewhere than in the baseline; ``None`` if never."""
    apart = (of(base, name) != of(altered, name)).any(1)
    return int(base.frames[apart.argmax()]) if apart.any() else None


def told(altered, kind):
    return altered.source["applied"][kind]


@pytest.mark.parametrize("at", [None, 4])
def test_gravity_is_off(tried, at):
    asked = {"kind": "gravity", "scale": 0, **({"at_frame": at} if at else {})}
    base, altered = tried(asked, {"kind": "field", "field": "breeze", "scale": 0})
    start = at or 1
    fall = np.diff(of(altered, "free")[start:, 2], n=2) * base.fps**2
    assert np.abs(fall).max() < 0.05 * G
    assert told(altered, "gravity")["gravity"] == [0.0, 0.0, 0.0]
    if at:
        assert told(altered, "gravity")["at_frame"] == 4


def test_gravity_of_another_kind(tried):
    _, altered = tried({"kind": "gravity", "vector": [0, 2.0, -1.0]})
    np.testing.assert_allclose(altered.gravity, [0, 2.0, -1.0])
    path = np.diff(of(altered, "free")[:8, 1:], n=2, axis=0) * altered.fps**2
    np.testing.assert_allclose(path.mean(0), [2.0, -1.0], rtol=0.05)


@pytest.mark.parametrize("at", [None, 12])
def test_a_body_is_removed(tried, at):
    base, altered = tried({"kind": "remove", "object": "low", **({"at_frame": at} if at else {})})
    assert "low" not in altered.names and "high" in altered.names
    assert of(base, "high")[-1, 2] == pytest.approx(1.5, abs=0.02)
    assert of(altered, "high")[-1, 2] == pytest.approx(0.5, abs=0.05)
    assert begins(base, altered, "high") > (at or 1)


@pytest.mark.parametrize("at", [None, 20])
def test_one_pair_feels_nothing_and_all_others_do(tried, at):
    asked = {"kind": "remove_contact", "pair": ["high", "low"]}
    base, altered = tried({**asked, **({"at_frame": at} if at else {})})
    assert of(altered, "high")[-1, 2] < 1.0 < of(base, "high")[-1, 2], "it falls through the other"
    for name in ("low", "free", "drop"):
        assert of(altered, name)[-1, 2] == pytest.approx(of(base, name)[-1, 2], abs=0.01), (
            "the floor still stops it"
        )
    if at:
        assert all(begins(base, altered, n) in (None, *range(at + 1, 31)) for n in base.names)


def test_a_pair_feels_each_other_by_what_is_seen(tried):
    base, altered = tried({"kind": "add_contact", "pair": ["drop", "ledge"]})
    assert of(base, "drop")[-1, 2] == pytest.approx(0.5, abs=0.02), "it falls through the ledge"
    assert of(altered, "drop")[-1, 2] == pytest.approx(1.6, abs=0.03), "the ledge stops it"
    shapes = told(altered, "add_contact")["shapes"]
    assert shapes == {"drop": "SPHERE", "ledge": "MESH"}
    assert begins(base, altered, "low") is None


@pytest.mark.parametrize("at", [None, 10])
def test_a_joint_lets_go(tried, at):
    asked = {"kind": "remove_constraint", "constraint": "hinge"}
    base, altered = tried({**asked, **({"at_frame": at} if at else {})})
    away = np.linalg.norm(of(altered, "bob") - (-6, 0, 6), axis=1)
    kept = np.linalg.norm(of(base, "bob") - (-6, 0, 6), axis=1)
    assert kept.max() < 1.1 < away[-1]
    assert begins(base, altered, "bob") == (at or 1) + 1
    assert not told(altered, "remove_constraint")["enabled"]
    if at:
        assert altered.joints[0].until == at


@pytest.mark.parametrize("at", [None, 8])
def test_a_field_is_off(tried, at):
    asked = {"kind": "field", "field": "breeze", "scale": 0, **({"at_frame": at} if at else {})}
    base, altered = tried(asked)
    assert begins(base, altered, "free") == (at or 1) + 1
    assert of(base, "free")[-1, 0] > of(altered, "free")[-1, 0] > 5.9
    assert told(altered, "field")["strength"] == 0.0


def test_a_body_starts_elsewhere_and_turned(tried):
    base, altered = tried(
        {"kind": "release", "object": "rover", "offset": [0, 3, 1], "rotation": [0, 0, 0.5]}
    )
    np.testing.assert_allclose(of(altered, "free")[0] - of(base, "free")[0], [0, 3, 1], atol=1e-6)
    turn = altered.quaternion[0, altered.index("free")]
    np.testing.assert_allclose(turn, [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-6)
    assert begins(base, altered, "low") is None


def test_a_body_is_shifted_in_midst_of_its_fall_and_keeps_its_velocity(tried):
    base, altered = tried(
        {"kind": "release", "object": "free", "offset": [0, 2, 0], "at_frame": 10}
    )
    one, other = of(base, "free"), of(altered, "free")
    assert (one[:9] == other[:9]).all()
    np.testing.assert_allclose(other[9] - one[9], [0, 2, 0], atol=1e-6)
    velocity = [np.diff(p[9:11], axis=0) * base.fps for p in (one, other)]
    np.testing.assert_allclose(velocity[1], velocity[0], atol=0.02)
    assert all(begins(base, altered, n) is None for n in base.names if n != "free")


def drift(base, altered, name, row):
    """Velocity that a body has more than in the baseline in the frame after a row, m/s."""
    one, other = of(base, name), of(altered, name)
    return (np.diff(other[row : row + 2], axis=0) - np.diff(one[row : row + 2], axis=0))[
        0
    ] * base.fps


def test_a_body_starts_with_another_velocity(tried):
    base, altered = tried(
        {"kind": "velocity", "object": "free", "linear": [1, -2, 0.5], "angular": [0, 0, 3]}
    )
    np.testing.assert_allclose(of(altered, "free")[0], of(base, "free")[0], atol=1e-6)
    # The body's own damping of 0.04 a second takes 0.1 % of it in the first frame.
    np.testing.assert_allclose(drift(base, altered, "free", 0), [1, -2, 0.5], rtol=2e-3)
    turn = altered.quaternion[1, altered.index("free")]
    assert 2 * np.arcsin(turn[3]) * base.fps == pytest.approx(3, rel=5e-3)
    for name in ("high", "bob", "drop"):
        assert (of(base, name)[:6] == of(altered, name)[:6]).all()
    assert [b.part for b in altered.bodies] == [b.part for b in base.bodies]
    assert (altered.kinematic == base.kinematic).all()


def test_a_body_on_a_joint_starts_with_another_velocity(tried):
    asked = {"kind": "velocity", "object": "bob", "linear": [0, 2, 0], "angular": [0, 0, 2]}
    base, altered = tried(asked)
    np.testing.assert_allclose(drift(base, altered, "bob", 0)[1], 2, rtol=0.02)
    away = np.linalg.norm(of(altered, "bob") - (-6, 0, 6), axis=1)
    np.testing.assert_allclose(away, 1.0, atol=0.02)


def test_a_body_has_another_velocity_from_a_frame_on(tried):
    base, altered = tried(
        {"kind": "velocity", "object": "free", "linear": [0, 1.2, 0], "at_frame": 10}
    )
    one, other = of(base, "free"), of(altered, "free")
    assert (one[:9] == other[:9]).all()
    np.testing.assert_allclose(one[9], other[9], atol=1e-6)
    step = (other[10] - other[9]) * base.fps
    # Blown by the wind and pulled down for the one frame.
    np.testing.assert_allclose(step[1:], [1.2, -G / base.fps * 0.55], atol=0.01)
    assert all(begins(base, altered, n) is None for n in base.names if n != "free")


def test_what_touches_another_is_not_moved_in_midst_of_it(tried):
    with pytest.raises(SimulationError, match="high touches low in the 2 frames before 25"):
        tried({"kind": "velocity", "object": "high", "linear": [0, 1, 0], "at_frame": 25})


@pytest.mark.parametrize("at", [None, 10])
def test_a_body_is_heavier(tried, at):
    asked = {"kind": "mass", "object": "free", "scale": 10, **({"at_frame": at} if at else {})}
    base, altered = tried(asked)
    assert told(altered, "mass")["mass"] == 10.0
    assert begins(base, altered, "free") == (at or 1) + 1
    assert of(altered, "free")[-1, 0] < of(base, "free")[-1, 0], "the wind moves it less"


def test_friction_and_restitution(tried):
    wound = {"kind": "velocity", "object": "free", "linear": [0, 6, 0]}
    _, rough = tried(wound)
    _, smooth = tried(wound, {"kind": "friction", "object": "free", "value": 0})
    assert of(smooth, "free")[-1, 1] > of(rough, "free")[-1, 1] + 0.1
    assert smooth.bodies[smooth.index("free")].friction == 0
    _, springy = tried(
        {"kind": "restitution", "object": "floor", "value": 0.9},
        {"kind": "restitution", "object": "free", "value": 0.9},
    )
    assert of(springy, "free")[25:, 2].max() > 0.8 > of(rough, "free")[25:, 2].max()


@pytest.mark.parametrize("at", [None, 3])
def test_a_support_is_there(tried, at):
    asked = {"kind": "add_support", "centre": [6, 0, 1], "size": [2, 2, 1]}
    base, altered = tried({**asked, **({"at_frame": at} if at else {})})
    assert of(altered, "free")[-1, 2] == pytest.approx(2.0, abs=0.02)
    assert of(base, "free")[-1, 2] == pytest.approx(0.5, abs=0.02)
    assert told(altered, "add_support")["size"] == pytest.approx([2, 2, 1])


@pytest.mark.parametrize("at", [None, 6])
def test_nothing_is_otherwise(tried, at):
    base, altered = tried({"kind": "none", **({"at_frame": at} if at else {})})
    assert (base.position == altered.position).all()
    assert "none" in altered.source["applied"]


@pytest.mark.parametrize("at", [None, 6])
def test_the_solver_takes_smaller_steps(tried, at):
    base, altered = tried({"kind": "none", "substeps": 2, **({"at_frame": at} if at else {})})
    assert (base.substeps, altered.substeps) == (10, 20)
    assert begins(base, altered, "free") == (at or 1) + 1
    np.testing.assert_allclose(of(altered, "free")[-1], of(base, "free")[-1], atol=0.05)


LATE = [
    {"kind": "gravity", "scale": 0.5},
    {"kind": "remove", "object": "bob"},
    {"kind": "remove_contact", "pair": ["low", "floor"]},
    {"kind": "add_contact", "pair": ["drop", "ledge"]},
    {"kind": "remove_constraint", "constraint": "hinge"},
    {"kind": "field", "field": "breeze", "scale": -3},
    {"kind": "release", "object": "free", "rotation": [0.3, 0, 0]},
    {"kind": "velocity", "object": "bob", "linear": [0, 0, 1]},
    {"kind": "mass", "object": "high", "value": 30},
    {"kind": "friction", "object": "low", "value": 0},
    {"kind": "restitution", "object": "floor", "value": 1},
    {"kind": "add_support", "centre": [0, 0, 4], "size": [1, 1, 1]},
    {"kind": "bound_support", "object": "floor"},
    {"kind": "none", "substeps": 0.5},
]


@pytest.mark.parametrize("asked", LATE, ids=lambda one: one["kind"])
def test_all_before_is_held_to_the_last_bit(tried, asked):
    at = 6
    base, altered = tried({**asked, "at_frame": at})
    for name in altered.names:
        if name in base.names:
            i, j = base.index(name), altered.index(name)
            exact = at - 1 if name == asked.get("object") and asked["kind"] in MOVED else at
            assert (base.position[:exact, i] == altered.position[:exact, j]).all()
            assert (base.quaternion[:exact, i] == altered.quaternion[:exact, j]).all()
    assert altered.source["applied"][asked["kind"]]["at_frame"] == at


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "remove", "object": "lwo"}, "no object .* 'lwo'; did you mean low"),
        ({"kind": "remove_contact", "pair": ["rover", "free"]}, "are the same object, free"),
        ({"kind": "remove_contact", "pair": ["ledge", "drop"]}, "ledge is no rigid body: there is"),
        ({"kind": "add_contact", "pair": ["ledge", "floor"]}, "neither ledge nor floor is moved"),
        ({"kind": "add_contact", "pair": ["low", "breeze"]}, "breeze has no surface of its own"),
        ({"kind": "remove_constraint", "constraint": "henge"}, "no joint .* there are hinge"),
        ({"kind": "field", "field": "low", "scale": 0}, "low has no force field"),
        ({"kind": "velocity", "object": "floor", "linear": [1, 0, 0]}, "floor is no active rigid"),
        ({"kind": "mass", "object": "ledge", "value": 2}, "ledge is no rigid body"),
        ({"kind": "mass", "object": "low", "value": 0}, "mass of low must be above 0"),
        ({"kind": "release", "object": "low"}, "neither shifted nor turned"),
        ({"kind": "none", "substeps": 0.33}, "times 0.33 are no whole number"),
        ({"kind": "gravity", "scale": 0, "at_frame": 30}, "at_frame 30 leaves nothing"),
        ({"kind": "gravity", "scale": 0, "at_frame": 0}, "the frames that are run are 1 to 30"),
        ({"kind": "add_support", "centre": [0, 0, 0], "size": [1, 0, 1]}, "three lengths above 0"),
        ({"kind": "velocity", "object": "free", "at_frame": 2}, "must be led for 2 frames before"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(tried, asked, words):
    with pytest.raises(SimulationError, match=words):
        tried(asked)


def test_the_simulation_of_the_person_goes_on_as_if_nothing_had_been_asked(yard):
    """In its midst, with the solver's state that no hash can see: the same bits afterwards."""

    def path(asked=()):
        found = []
        for frame in range(1, FRAMES + 1):
            yard.frame_set(frame)
            graph = bpy.context.view_layer.depsgraph
            found.append([o.evaluated_get(graph).matrix_world.copy() for o in yard.objects])
            if frame == 12:
                for one in asked:
                    finish(what_if(yard, [Intervention.from_mapping(one)], last=14))
        yard.frame_set(1)
        return found

    asked = [
        {"kind": "remove", "object": "bob"},
        {"kind": "remove_constraint", "constraint": "hinge", "at_frame": 5},
        {"kind": "add_contact", "pair": ["drop", "ledge"]},
        {"kind": "add_support", "centre": [6, 0, 1], "size": [2, 2, 1], "at_frame": 3},
        {"kind": "velocity", "object": "high", "linear": [1, 0, 0]},
        {"kind": "release", "object": "free", "offset": [0, 2, 0], "at_frame": 6},
    ]
    assert path(asked) == path()
