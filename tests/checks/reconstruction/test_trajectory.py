# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trajectory takes and refuses, and its plain form."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import ball, box, changed, fallen, floor, recorded
from plumbline.checks.reconstruction import Distances, Joint, Liquid, TrajectoryError
from plumbline.checks.reconstruction.bodies import Body, edges_of
from plumbline.checks.reconstruction.plain import SCHEMA, from_plain, to_plain
from plumbline.checks.reconstruction.profiles import judge
from plumbline.checks.reconstruction.surroundings import ForceField


def _sample(frames=12):
    slab = box("slab", (0.2, 0.2, 0.01), medium="cloth", mass=None, pinned=np.array([0, 1]))
    made = recorded(
        floor(),
        (ball("ball", role="mover"), fallen((0, 0, 3), frames=frames)),
        (slab, (2, 0, 1)),
        frames=frames,
    )
    mesh = np.broadcast_to(slab.vertices + (2, 0, 1), (frames, 8, 3)).copy()
    joint = Joint("hinge", "hinge", "ball", None, (0, 0, 0), (0, 0, 3))
    near = Distances(
        np.array([3]),
        np.array([0]),
        np.array([1]),
        np.array([0.5]),
        np.full((1, 3), np.nan),
        np.array([[0, 0, -1.0]]),
        np.array([[0, 1]]),
        1.0,
        "BVH",
    )
    return replace(made, meshes={"slab": mesh}, joints=(joint,), distances=near)


def test_plain_form_is_json_and_comes_back():
    made = _sample()
    text = json.dumps(to_plain(made), allow_nan=False)
    back = from_plain(json.loads(text))
    assert json.loads(text)["schema"] == SCHEMA
    assert back.names == made.names and back.bodies[1].role == "mover"
    np.testing.assert_array_equal(back.position, made.position)
    np.testing.assert_array_equal(back.meshes["slab"], made.meshes["slab"])
    np.testing.assert_array_equal(back.bodies[2].pinned, [0, 1])
    assert back.bodies[1].drivers == made.bodies[1].drivers
    assert back.joints[0].second is None and np.isnan(back.distances.point).all()
    assert json.dumps(to_plain(back)) == json.dumps(to_plain(made))


def test_large_arrays_are_packed_to_the_same_bits():
    made = recorded(floor(), (ball("ball"), fallen((0, 0, 3), frames=900)), frames=900)
    plain = json.loads(json.dumps(to_plain(made), allow_nan=False))
    assert plain["position"]["dtype"] == "<f8"
    assert from_plain(plain).position.tobytes() == made.position.tobytes()


def test_what_exploded_is_kept_as_null_and_told():
    made = _sample()
    made.position[7:, 1] = np.nan
    back = from_plain(json.loads(json.dumps(to_plain(made), allow_nan=False)))
    assert np.isnan(back.position[7:, 1]).all()
    assert not back.finite[7:, 1].any() and back.finite[:7].all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"frames": np.array([], int)}, "no frames"),
        ({"frames": np.arange(1, 25, 2)}, "rise by 1"),
        ({"fps": 0.0}, "frame rate"),
        ({"gravity": np.array([0, 0, np.nan])}, "gravity"),
        ({"position": np.zeros((12, 2, 3))}, r"position must be \(12, 3, 3\)"),
        ({"kinematic": np.zeros((3, 3), bool)}, "kinematic"),
        ({"meshes": {"slab": np.zeros((12, 3, 3))}}, "mesh of 'slab'"),
        ({"meshes": {"sail": np.zeros((12, 3, 3))}}, "no body or role 'sail'"),
        ({"joints": (Joint("j", "point", "ball", "wall", (0, 0, 0), (0, 0, 0)),)}, "'wall'"),
        ({"liquids": (Liquid("slab", np.zeros(3), np.zeros(12)),)}, "volume must be"),
    ],
)
def test_bad_input_is_one_sentence(change, words):
    with pytest.raises(TrajectoryError, match=words) as caught:
        replace(_sample(), **change)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"part": "flying"}, "part must be one of"),
        ({"medium": "jelly"}, "medium must be one of"),
        ({"margin": -1.0}, "margin must be 0 or more"),
        ({"vertices": np.zeros((4, 2))}, "vertices must be"),
        ({"triangles": np.array([[0, 1, 99]])}, "triangles name a vertex"),
    ],
)
def test_bad_bodies_are_one_sentence(values, words):
    with pytest.raises(TrajectoryError, match=f"body 'floor': {words}"):
        changed(recorded(floor(), frames=2), "floor", **values)


def test_names_differ():
    with pytest.raises(TrajectoryError, match="two bodies are called 'floor'"):
        recorded(floor(), floor(), frames=2)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "schema"),
        ({"schema": SCHEMA, "bodies": 3}, "bodies must be a list"),
        ({"schema": SCHEMA, "bodies": [{"name": "a", "colour": 1}]}, "body 1: unknown field"),
        ({"schema": SCHEMA, "bodies": [{}]}, "body 1: name missing"),
        (
            {"schema": SCHEMA, "bodies": [{"name": "a", "margin": "x"}]},
            "body 1: margin must be a number",
        ),
        ({"schema": SCHEMA, "bodies": [3]}, "body 1: must be an object"),
        ({"schema": SCHEMA, "frames": [3], "bodies": []}, "missing"),
        ({"schema": SCHEMA, "frames": 3, "bodies": []}, "frames must have 1 axes"),
        ({"schema": SCHEMA, "frames": [1], "position": "x"}, "array"),
    ],
)
def test_bad_plain_forms_are_one_sentence(data, words):
    with pytest.raises(TrajectoryError, match=words):
        from_plain(data)


_BAD = (
    *(True, 0, -1, 10**400, 10**30, float("nan"), "", "x", [], [None], [[]], {}, {"a": 1}, [5, 5]),
    {"shape": [10**9, 10**9], "dtype": "<f8", "base64": ""},
    {"shape": "x", "dtype": ["<f8"], "base64": 5},
)


def _damaged(plain):
    """The plain form with each of its values, and each of those within, replaced or left out."""
    for key, value in plain.items():
        for bad in _BAD:
            yield {**plain, key: bad}
        yield {k: v for k, v in plain.items() if k != key}
        if isinstance(value, dict):
            yield from ({**plain, key: one} for one in _damaged(value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ({**plain, key: [one, *value[1:]]} for one in _damaged(value[0]))


def test_whatever_is_damaged_is_one_sentence_or_can_be_judged():
    water = Liquid("slab", np.ones(6), np.ones(6), level=np.ones(6))
    breeze = ForceField("breeze", "WIND", 1.0)
    made = replace(_sample(6), liquids=(water,), fields=(breeze,), handlers=("f",))
    taken, refused = 0, set()
    for plain in _damaged(json.loads(json.dumps(to_plain(made)))):
        try:
            back = from_plain(plain)
        except TrajectoryError as error:
            refused.add(str(error))
            continue
        json.dumps(to_plain(back), allow_nan=False)
        if taken % 20 == 0:
            judge(back)
        taken += 1
    assert len(refused) > 100 < taken
    assert not any("\n" in words or len(words) > 600 for words in refused)


def test_edges_are_listed_once():
    assert edges_of(np.array([[0, 1, 2], [2, 1, 3]])).tolist() == [
        *([0, 1], [0, 2], [1, 2], [1, 3], [2, 3])
    ]


def test_a_ball_is_as_large_as_its_radius_says_also_with_its_surface():
    net = box("net", (1, 1, 1))
    seen = replace(ball("ball", 0.5), vertices=net.vertices, triangles=net.triangles)
    assert seen.size == pytest.approx(1.0) and len(seen.points) == 1


def test_of_very_many_vertices_the_outermost_are_taken():
    """A finely meshed ball and box: as large as before, from a few hundred points."""
    turn = np.random.default_rng(3).normal(size=(30_000, 3))
    ball = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    dense = Body("ball", vertices=ball)
    assert len(dense.points) < 2000 and len(dense.solids[0]) < 2000
    assert dense.size == pytest.approx(2.0, rel=0.003)
    ways = turn[:500] / np.linalg.norm(turn[:500], axis=1, keepdims=True)
    assert (dense.points @ ways.T).max(0).min() > 0.996
    inside = np.random.default_rng(4).uniform(-1, 1, (5_000, 3))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    block = Body("block", vertices=np.concatenate((inside, corners)))
    assert block.extents.tolist() == [2, 2, 2]
    assert {tuple(c) for c in corners} <= {tuple(p) for p in block.points.tolist()}
