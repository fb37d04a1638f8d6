# SPDX-License-Identifier: GPL-3.0-or-later
"""No false alarm on a sound pile of a solver of our own, and alarm on its faulty twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import ball, box, changed, fallen, moved, recorded, spun, times
from plain_balls import simulate
from plumbline.checks.reconstruction import Joint, Trajectory, judge

RADIUS, WALLS, FRAMES, COUNT = 0.15, 0.75, 60, 9
BOUNCE = 0.5


def pile(lifted: float = 0.0) -> Trajectory:
    rng = np.random.default_rng(11)
    grid = np.array([[i % 3 - 1, i // 3 - 1, 0] for i in range(COUNT)]) * 0.5
    places = grid + [0, 0, 1.2] + rng.uniform([0, 0, 0], [0.01, 0.01, 1.5], (COUNT, 3))
    masses = rng.uniform(0.5, 2, COUNT)
    told = simulate(
        *(places, rng.uniform(-1, 1, (COUNT, 3)), RADIUS, masses, BOUNCE, WALLS, FRAMES),
        lifted=lifted,
    )
    settings = {"restitution": np.sqrt(BOUNCE), "friction": 0.0}
    wall = {"part": "passive", **settings}
    sides = [
        (box("floor", (2, 2, 0.2), **wall), (0, 0, -0.1)),
        *((box(f"x{s}", (0.2, 2, 6), **wall), (s * (WALLS + 0.1), 0, 3)) for s in (-1, 1)),
        *((box(f"y{s}", (1.3, 0.2, 6), **wall), (0, s * (WALLS + 0.1), 3)) for s in (-1, 1)),
    ]
    balls = [
        (ball(f"ball {k}", RADIUS, mass=masses[k], **settings), told[:, k]) for k in range(COUNT)
    ]
    return recorded(*sides, *balls, frames=FRAMES)


@pytest.fixture(scope="module")
def sound() -> Trajectory:
    return pile()


def failed(made: Trajectory) -> dict[str, list[str]]:
    judgement = judge(made)
    return {
        c.id: [f"{f.subject}@{f.frame}: {f.message}" for f in c.findings]
        for c in judgement.checks
        if c.status == "failed"
    }


def test_a_sound_pile_raises_no_alarm(sound):
    assert failed(sound) == {}
    judgement = judge(sound)
    for name in ("gravity", "contact", "energy", "interpenetration", "restitution"):
        assert judgement.check(name).status == "passed", name
    assert judgement.check("gravity").figures["flights"] >= COUNT // 2


def test_contacts_that_give_energy_are_told():
    told = failed(pile(lifted=3.0))
    assert "energy" in told and "gravity" not in told


def test_a_ball_that_jumps_is_told(sound):
    place = sound.position[:, sound.index("ball 4")].copy()
    place[30:, 2] += 0.4
    told = failed(moved(sound, "ball 4", place))
    assert [words.split(":")[0] for words in told["numerical_stability"]] == ["ball 4@31"]


def test_a_ball_that_hovers_is_told(sound):
    told = failed(moved(sound, "ball 2", (0, 0, 3.5)))
    assert list(told) == ["support"] and told["support"][0].startswith("ball 2")


def test_a_ball_that_nothing_stops_is_told(sound):
    k = sound.index("ball 8")
    fall = fallen(sound.position[0, k], frames=FRAMES)
    told = failed(moved(sound, "ball 8", fall))
    assert "no response" in "".join(told["contact"]) and "interpenetration" in told


def test_more_bounce_than_declared_is_told(sound):
    dull = sound
    for k in range(COUNT):
        dull = changed(dull, f"ball {k}", restitution=0.2)
    assert list(failed(dull)) == ["restitution"]


def test_the_order_of_bodies_changes_nothing(sound):
    order = np.random.default_rng(2).permutation(len(sound.bodies))
    mixed = replace(
        sound,
        bodies=tuple(sound.bodies[k] for k in order),
        position=sound.position[:, order],
        quaternion=sound.quaternion[:, order],
    )
    assert [c.status for c in judge(mixed).checks] == [c.status for c in judge(sound).checks]


# --- A Newton's cradle (the paper's D.2) ----------------------------------------------------------


def cradle(gain: float = 1.0, frames: int = 120) -> Trajectory:
    """Five balls of 0.1 m on ropes of 1 m; each half swing is ``gain`` times as wide."""
    radius, length, wide = 0.05, 1.0, 0.3
    phase = np.sqrt(9.81 / length) * times(frames)
    half = np.floor((phase + np.pi / 2) / np.pi)
    swing = wide * gain**half * np.cos(phase)
    angles = np.zeros((frames, 5))
    angles[:, 0] = np.where(swing > 0, -swing, 0)
    angles[:, 4] = np.where(swing < 0, -swing, 0)
    placed, joints, turned = [], [], {}
    for k, a in enumerate(angles.T):
        x = (k - 2) * 2 * radius
        place = np.stack((x + length * np.sin(a), 0 * a, 2 - length * np.cos(a)), axis=1)
        placed.append((ball(f"ball {k}", radius, restitution=1.0), place))
        joints.append(Joint(f"rope {k}", "point", f"ball {k}", None, (0, 0, length), (x, 0, 2.0)))
        turned[f"ball {k}"] = spun((0, -1, 0), a)
    made = recorded(*placed, frames=frames, turned=turned)
    return replace(made, joints=tuple(joints))


def test_a_cradle_is_sound_and_one_that_gains_energy_is_told():
    assert failed(cradle()) == {}
    assert judge(cradle()).check("energy").figures["rise"] < 0.01
    assert list(failed(cradle(0.9))) == []
    assert list(failed(cradle(1.1))) == ["energy"]


# --- A gripper through a block (D.2) --------------------------------------------------------------


def test_a_gripper_that_closes_into_a_block_is_told():
    frames = 40
    block = (box("block", (0.2, 0.2, 0.2)), (0, 0, 0.1))
    jaw = box("jaw", (0.02, 0.1, 0.1), part="animated", role="gripper")

    def closing(least):
        x = np.maximum(0.4 - 0.02 * np.arange(frames), least)
        return recorded(
            *((box("table", (2, 2, 0.2), part="passive"), (0, 0, -0.1)), block),
            (jaw, np.stack((x, 0 * x, 0 * x + 0.1), axis=1)),
            frames=frames,
        )

    assert failed(closing(0.11)) == {}
    told = failed(closing(0.05))
    assert "interpenetration" in told and "block" in told["interpenetration"][0]
