# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd trajectories end in results, never in tracebacks, and never pass for want of anything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import ball, box, fallen, floor, recorded
from plumbline.checks.reconstruction import Body, ForceField, Joint, Liquid, Trajectory, judge
from plumbline.checks.reconstruction.brief import PROBES
from plumbline.checks.reconstruction.plain import from_plain, to_plain


def _plain(frames=20, **more):
    return recorded(
        floor(), (ball("ball"), fallen((0, 0, 9), frames=frames)), frames=frames, **more
    )


def _flat():
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    sheet = Body(
        "plane",
        part="passive",
        vertices=corners,
        triangles=np.array([[0, 1, 2], [0, 2, 3]]),
        closed=False,
    )
    return recorded((sheet, (0, 0, 0)), (box("block", (0.5, 0.5, 0.5)), (0, 0, 0.25)))


def _cloth(triangles=True):
    sheet = box("sheet", (1, 1, 0.01), medium="cloth", mass=None)
    sheet = sheet if triangles else replace(sheet, triangles=np.zeros((0, 3), np.int64))
    mesh = np.repeat(sheet.vertices[None], 20, 0)
    return replace(recorded((sheet, (0, 0, 0)), frames=20), meshes={"sheet": mesh})


def _empty(frames):
    return Trajectory(
        np.arange(frames), (), np.zeros((frames, 0, 3)), np.zeros((frames, 0, 4)), 24.0, np.zeros(3)
    )


ODD = {
    "nobody": lambda: _empty(5),
    "one frame and nobody": lambda: _empty(1),
    "one frame": lambda: _plain(1),
    "two frames": lambda: _plain(2),
    "three frames": lambda: _plain(3),
    "no gravity": lambda: _plain(gravity=np.zeros(3)),
    "gravity sideways": lambda: _plain(gravity=np.array([9.81, 0, 0])),
    "one body": lambda: recorded((ball("ball"), (0, 0, 0))),
    "without shape": lambda: recorded(floor(), (Body("empty", mass=1.0), (0, 0, 1))),
    "a point": lambda: recorded(floor(), (Body("dot", vertices=np.zeros((1, 3))), (0, 0, 1))),
    "a flat support": _flat,
    "all at one place": lambda: recorded(*((box(f"b{k}"), (0, 0, 0)) for k in range(4))),
    "no turn": lambda: replace(_plain(), quaternion=np.zeros((20, 2, 4))),
    "nothing is a number": lambda: replace(_plain(), position=np.full((20, 2, 3), np.nan)),
    "cloth": _cloth,
    "cloth without triangles": lambda: _cloth(False),
    "zero scale": lambda: replace(_plain(), scale=np.zeros((20, 2, 3))),
    "all kinematic": lambda: replace(_plain(), kinematic=np.ones((20, 2), bool)),
    "a joint to itself": lambda: replace(
        _plain(), joints=(Joint("j", "hinge", "ball", "ball", (0, 0, 0), (0, 0, 0)),)
    ),
    "a joint that broke": lambda: replace(
        _plain(), joints=(Joint("j", "fixed", "ball", None, (0, 0, 0), (0, 0, 9), until=-5),)
    ),
    "wind": lambda: replace(_plain(), fields=(ForceField("wind", "WIND", 1.0),)),
    "empty liquid": lambda: replace(
        _plain(), liquids=(Liquid("ball", np.zeros(20), np.zeros(20), level=np.full(20, np.nan)),)
    ),
    "heavy": lambda: recorded(floor(), (box("b", mass=1e300, material="oak"), (0, 0, 0.5))),
    "tiny": lambda: recorded(floor(), (box("b", (1e-9, 1e-9, 1e-9)), (0, 0, 1e-9))),
    "huge": lambda: recorded(floor(), (box("b", (1e8, 1e8, 1e8)), (0, 0, 5e7))),
}


@pytest.mark.parametrize("case", ODD)
@pytest.mark.filterwarnings("error")
def test_an_odd_trajectory_is_judged(case):
    made = ODD[case]()
    judgement = judge(made)
    assert [check.id for check in judgement.checks] == list(PROBES)
    for check in judgement.checks:
        for finding in check.findings:
            assert finding.message and "nan" not in finding.message.lower()
    again = judge(from_plain(to_plain(made)))
    assert [c.status for c in again.checks] == [c.status for c in judgement.checks]


@pytest.mark.parametrize("case", ["nobody", "one frame and nobody"])
def test_an_empty_scene_doesnt_pass(case):
    judgement = judge(ODD[case]())
    assert judgement.verdict == "not_judged"
    assert all(check.status == "vacuous" for check in judgement.checks)


def test_a_flat_support_holds():
    assert judge(_flat()).check("support").status == "passed"
    assert judge(_flat()).check("interpenetration").status == "passed"
