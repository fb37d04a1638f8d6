# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of faults in motion: what each probe finds is drawn where and when it is."""

from __future__ import annotations

from dataclasses import replace

import falling_bodies as fb
import numpy as np
import pytest
from picture_whole import check_whole
from plumbline.addon.pictures.drawing import Picture, Shown
from plumbline.addon.pictures.reconstruction.book import MAKERS, PICTURES
from plumbline.checks.reconstruction import ReconstructionBrief, Trajectory
from plumbline.checks.reconstruction.bodies import Driver
from plumbline.checks.reconstruction.brief import PROBES
from plumbline.checks.reconstruction.counterfactual import Runs
from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation
from plumbline.checks.result import Finding


def seen(
    run: Trajectory | Simulation, check: str, frame: int | None = None, rubric=None
) -> tuple[Picture, Finding]:
    """The picture of the first finding of a check, and the finding; every picture is whole."""
    simulation = run if isinstance(run, Simulation) else Simulation(run)
    brief = ReconstructionBrief.from_mapping(rubric) if rubric else None
    judgement = judge_simulation(simulation, brief)
    finding = next(f for f in judgement.findings if f.check == check)
    subjects = PICTURES.subjects(simulation, judgement.findings)
    explained = PICTURES.explain(simulation, brief, judgement)
    every = []
    for at in {None, frame, 1, 30, 999}:
        shown = Shown(simulation, judgement, brief, explained, finding, subjects, frame=at)
        every.append((at, PICTURES.picture(shown)))
        check_whole(every[-1][1])
    return next(made for at, made in every if at == frame), finding


def texts(picture: Picture) -> str:
    return " | ".join(words.text for words in picture.words)


def solid_in(picture: Picture, tone: str, behind: float):
    return [f.solid for f in picture.faces if f.tone == tone and f.behind == behind]


def sunk(depth: float = 0.12) -> Trajectory:
    """A box that stays within the floor."""
    floor = fb.floor()
    return fb.recorded(floor, (fb.box("crate"), (0, 0, 0.5 - depth)))


def test_every_probe_has_a_maker():
    assert set(MAKERS) == set(PROBES)


def test_what_a_crate_and_the_floor_share_is_a_solid_through_everything():
    picture, finding = seen(sunk(), "interpenetration", 20)
    (common,) = solid_in(picture, "fault", 0.6)
    low, high = common.points.min(0), common.points.max(0)
    assert np.allclose(high - low, [1, 1, 0.12], atol=1e-6) and high[2] == pytest.approx(0)
    assert "120 mm deep" in texts(picture)
    assert finding.subject == "crate"
    assert any(line.tone == "flow" for line in seen(sunk(), "interpenetration")[0].lines)


def test_bodies_follow_the_frame_that_is_shown():
    run = sunk()
    slid = np.zeros((60, 3)) + [0, 0, 0.38]
    slid[:, 0] = np.linspace(0, 3, 60)
    run = fb.moved(run, "crate", slid)
    here = {}
    for frame in (10, 50):
        (common,) = solid_in(seen(run, "interpenetration", frame)[0], "fault", 0.6)
        here[frame] = (common.points[:, 0].min() + common.points[:, 0].max()) / 2
    assert here[50] - here[10] == pytest.approx(3 * 40 / 59, abs=1e-6)
    boxes = [PICTURES.subjects_at(Simulation(run), frame).corners[1] for frame in (1, 60)]
    assert (boxes[1] - boxes[0]).mean(0) == pytest.approx([3, 0, 0])


def test_a_frame_far_from_the_fault_says_when_it_is():
    up = np.full((60, 3), [0, 0, 3.0])
    up[40:, 2] = 0.38
    picture, finding = seen(fb.moved(sunk(), "crate", up), "interpenetration", 5)
    assert not solid_in(picture, "fault", 0.6)
    assert f"at frame {finding.frame}" in texts(picture)


def test_a_gap_below_a_body_at_rest_is_a_dimension():
    run = fb.recorded(fb.floor(), (fb.ball("egg", 0.03), (0, 0, 0.08)))
    picture, _ = seen(run, "support", 20)
    line = max(picture.lines, key=lambda each: each.width)
    assert line.tone == "fault"
    assert sorted(line.points[:, 2]) == pytest.approx([0, 0.05], abs=2e-3)
    assert "50 mm of air" in texts(picture)


def test_a_collision_shape_that_is_not_what_is_seen_is_drawn_round_it():
    wide = fb.box("table", (1, 1, 0.1)).vertices * [2, 1, 1]
    table = fb.box("table", (1, 1, 0.1), part="passive", collision_vertices=wide)
    run = fb.recorded((table, (0, 0, 1)))
    picture, _ = seen(run, "support")
    dashed = [line for line in picture.lines if line.dashed]
    assert np.ptp(dashed[0].points[:, 0]) == pytest.approx(2.0)
    assert "felt 500 mm beside what is seen" in texts(picture)


def test_a_jump_has_both_places_and_its_length():
    path = fb.fallen((0, 0, 40))
    path[30:, 0] += 2.0
    picture, finding = seen(fb.recorded((fb.box("die"), path)), "numerical_stability")
    assert finding.frame == 31
    assert "2.0" in texts(picture) and "in one frame" in texts(picture)
    arrow = max(np.ptp(line.points[:, 0]) for line in picture.lines if line.tone == "fault")
    assert arrow >= 2.0
    assert sum(f.tone == "plain" for f in picture.faces) == 1  # where it was


def test_a_fall_with_half_of_gravity_is_drawn_beside_gravity():
    path = fb.fallen((0, 0, 30))
    path[:, 2] = 30 - fb.G / 4 * fb.times() ** 2
    picture, _ = seen(fb.recorded((fb.box("die"), path)), "gravity")
    arrows = {line.tone: line for line in picture.lines if line.tone in ("fault", "allowed")}
    lengths = {tone: np.ptp(line.points[:, 2]) for tone, line in arrows.items()}
    assert lengths["allowed"] / lengths["fault"] == pytest.approx(2, rel=0.02)
    assert "9.81 m/s² of gravity" in texts(picture)


def test_what_moves_a_body_is_written_at_it():
    keyed = (Driver("keyframes", "action Swing"),)
    path = np.zeros((60, 3))
    path[:, 0] = np.linspace(0, 1, 60)
    run = fb.recorded((fb.box("arm", drivers=keyed), path), gravity=np.zeros(3))
    picture, _ = seen(run, "prescribed_motion")
    assert "moved by keyframes" in texts(picture)


def test_a_lively_bounce_has_arrows_before_and_after():
    path = np.zeros((60, 3))
    path[:, 2] = fb.bounced(3.0, 0.9)
    run = fb.recorded(fb.floor(), (fb.ball("ball", restitution=0.5), path))
    run = fb.changed(run, "floor", restitution=0.5)
    picture, finding = seen(run, "restitution")
    tones = {line.tone for line in picture.lines if line.width > 2}
    assert tones == {"related", "fault"}
    assert "of the speed back" in texts(picture) and finding.subject == "ball"


def test_a_cloth_that_crosses_itself_shows_the_triangles():
    n = 9
    flat = np.array([[x, y, 0.0] for x in range(n) for y in range(n)]) / (n - 1)
    rows = [(x * n + y, x * n + y + 1, (x + 1) * n + y) for x in range(n - 1) for y in range(n - 1)]
    rows += [
        ((x + 1) * n + y, x * n + y + 1, (x + 1) * n + y + 1)
        for x in range(n - 1)
        for y in range(n - 1)
    ]
    body = replace(
        fb.box("flag", medium="cloth"), vertices=flat, triangles=np.array(rows), convex=False
    )
    mesh = np.broadcast_to(flat, (20, *flat.shape)).copy()
    fold = flat.copy()
    turned = fold[:, 0] > 0.5
    fold[turned, 0] = 1 - fold[turned, 0]
    fold[turned, 2] = 0.3 * (fold[turned, 1] - 0.5)
    mesh[10:] = fold
    run = fb.recorded((body, (0, 0, 0)), frames=20, meshes={"flag": mesh})
    picture, _ = seen(run, "cloth", 15)
    crossing = [f for f in picture.faces if f.outline == "plain"]
    assert len(crossing) == 1 and len(crossing[0].solid.triangles) >= 2
    assert "cross" in texts(picture)
    assert not [f for f in seen(run, "cloth", 2)[0].faces if f.outline == "plain"]


def released(run: Trajectory, name: str, position) -> Trajectory:
    return fb.moved(replace(run, gravity=run.gravity), name, position)


def test_a_counterfactual_shows_the_altered_way_beside_the_unchanged_one():
    table = fb.box("table", (4, 4, 0.2), part="passive")
    still = fb.recorded((table, (0, 0, 1)), (fb.ball("token", 0.1), (0, 0, 1.2)))
    sinking = np.zeros((60, 3)) + [0, 0, 1.2]
    sinking[:, 2] -= np.linspace(0, 1.1, 60)
    branch = replace(fb.moved(still, "token", sinking), source={"applied": ["release"]})
    stopped = replace(still, source={"applied": ["add_contact"]})
    arrested = [{"predicate": "arrested_at", "subject": "token", "object": "table"}]
    rubric = {
        "criteria": [
            {
                "id": "S1",
                "counterfactual": {
                    "intervention": {"kind": "release", "object": "token", "offset": [0, 0, 0.01]},
                    "expects": arrested,
                    "positive": {
                        "intervention": {"kind": "add_contact", "pair": ["token", "table"]},
                        "expects": arrested,
                    },
                },
            }
        ]
    }
    runs = {"S1": Runs(still, still, branch, stopped)}
    judged = judge_simulation(Simulation(still, runs), ReconstructionBrief.from_mapping(rubric))
    assert [f.subject for f in judged.findings] == ["token"], judged.checks
    check = judged.findings[0].check
    picture, _ = seen(Simulation(still, runs), check, 40, rubric)
    ways = {line.tone: line for line in picture.lines if len(line.points) > 50}
    assert ways["fault"].points[:, 2].min() < 0.6
    ghost = [f.solid.points.mean(0)[2] for f in picture.faces if f.tone in ("fault", "sound")]
    assert max(ghost) == pytest.approx(1.2, abs=0.02) and min(ghost) < 0.8
    assert "token released elsewhere: here" in texts(picture)


def test_a_body_without_a_place_is_drawn_where_it_was_last():
    path = fb.fallen((0, 0, 40))
    path[25:] = np.nan
    picture, finding = seen(fb.recorded((fb.box("die"), path)), "numerical_stability", 40)
    last = [f.solid.points.mean(0)[2] for f in picture.faces if f.tone == "fault"]
    assert last[0] == pytest.approx(path[24, 2], abs=1e-6)
    assert finding.frame == 26


def test_odd_findings_have_a_picture_all_the_same():
    simulation = Simulation(sunk())
    judgement = judge_simulation(simulation)
    subjects = PICTURES.subjects(simulation)
    for check in [*PROBES, "counterfactual.X", "nonsense"]:
        for detail in ({}, {"frames": "x", "to": [1], "normal": [None] * 3, "drivers": 4}):
            for subject in ("crate", "gone"):
                finding = Finding(
                    check, subject, "odd", related=("gone", "floor"), frame=7, detail=detail,
                    measured=float("nan"), limit=2.0, unit="m", location=(0, 0, float("inf")),
                )  # fmt: skip
                shown = Shown(simulation, judgement, None, None, finding, subjects, frame=9)
                check_whole(PICTURES.picture(shown))
