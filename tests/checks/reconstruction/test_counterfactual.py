# SPDX-License-Identifier: GPL-3.0-or-later
"""Counterfactual criteria on runs in closed form: the paper's cases, and every way to not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from falling_bodies import G, ball, box, changed, fallen, floor, moved, recorded, times
from plumbline.checks.reconstruction import Joint, ReconstructionBrief, judge
from plumbline.checks.reconstruction.counterfactual import Runs, judge_counterfactual, took_effect
from plumbline.checks.reconstruction.expectations import Expectation
from plumbline.checks.reconstruction.interventions import Intervention
from plumbline.checks.reconstruction.limits import Limits
from plumbline.checks.reconstruction.profiles import UnknownProfile, check_ids, validity
from plumbline.checks.reconstruction.responses import measure

FRAMES = 60


def criterion(**asked):
    whole = {"criteria": [{"id": "c", "counterfactual": asked}]}
    return ReconstructionBrief.from_mapping(whole).criteria[0]


# --- A ball level beyond the table's edge (D.3.2) -------------------------------------------------


def rolled(speed, supported, frames=FRAMES):
    """A ball of 0.1 m that rolls along x on a table that ends at x = 2."""
    t = times(frames)
    place = np.stack((speed * t, 0 * t, np.full(frames, 0.1)), axis=1)
    over = np.flatnonzero(place[:, 0] > 2.0)
    if len(over) and not supported:
        place[over, 2] -= G * (t[over] - t[over[0]]) ** 2 / 2
    table = box("table", (4, 4, 0.2), part="passive")
    return recorded((table, (0, 0, -0.1)), (ball("ball", 0.1), place), frames=frames)


EDGE = criterion(
    intervention={"kind": "velocity", "object": "ball", "linear": [2, 0, 0]},
    expects=[{"predicate": "falls_below", "subject": "ball", "height": -0.2}],
    held=["table"],
    positive={
        "intervention": {"kind": "bound_support", "object": "table"},
        "expects": [{"predicate": "falls_below", "subject": "ball", "height": -0.2}],
    },
)


def applied(made, *kinds):
    return replace(made, source={"applied": list(kinds)})


def edge_runs(supported):
    slow = rolled(0.5, True)
    return Runs(
        baseline=slow,
        repeat=rolled(0.5, True),
        branch=applied(rolled(2.0, supported), "velocity"),
        positive=applied(rolled(2.0, False), "velocity", "bound_support"),
    )


def test_a_ball_that_falls_over_the_edge_is_sound():
    told = judge_counterfactual(EDGE, edge_runs(supported=False))
    assert told.status == "passed" and told.figures["responses"][0]["holds"] is True
    assert told.figures["took_effect"] is True and told.figures["repeat"] == 0


def test_a_ball_level_beyond_the_edge_fails():
    told = judge_counterfactual(EDGE, edge_runs(supported=True))
    assert told.status == "failed"
    assert told.findings[0].subject == "ball" and told.findings[0].frame is not None
    assert told.figures["positive"][0]["holds"] is True


def test_findings_name_objects_where_the_rubric_speaks_of_roles():
    brief = ReconstructionBrief(criteria=(EDGE,), roles={"ball": "Sphere.001", "table": "Slab"})
    names = {"ball": "Sphere.001", "table": "Slab"}

    def renamed(made):
        return replace(made, bodies=tuple(replace(b, name=names[b.name]) for b in made.bodies))

    whole = edge_runs(supported=True)
    runs = {name: renamed(getattr(whole, name)) for name in ("baseline", "repeat")}
    runs |= {name: renamed(getattr(whole, name)) for name in ("branch", "positive")}
    judged = judge(runs["baseline"], brief, runs={"c": Runs(**runs)})
    assert [f.subject for f in judged.findings] == ["Sphere.001"]
    said = judged.findings[0].message
    assert said.startswith("Sphere.001 starts otherwise: it doesn't fall far enough: its")
    assert " ball" not in said
    assert judged.findings[0].check == "counterfactual.c" == judged.checks[-1].id


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"baseline": None}, "not_run", "baseline was not run"),
        ({"branch": None}, "not_run", "altered scene was not run"),
        ({"refused": {"branch": "no such hinge"}}, "inconclusive", "no such hinge"),
        ({"repeat": None}, "inconclusive", "only once"),
        ({"repeat": rolled(0.6, True)}, "inconclusive", "doesn't repeat itself"),
        ({"branch": rolled(0.5, True)}, "inconclusive", "doesn't show"),
        ({"positive": None}, "inconclusive", "doesn't answer"),
        ({"positive": applied(rolled(2.0, True), "bound_support")}, "inconclusive", "answer"),
        (
            {"branch": moved(applied(rolled(2.0, True), "velocity"), "table", (0, 0, -0.3))},
            "inconclusive",
            "table was to be held",
        ),
    ],
)
def test_every_way_to_not_know(change, status, words):
    told = judge_counterfactual(EDGE, replace(edge_runs(supported=True), **change))
    assert told.status == status and words in told.reason


def test_a_change_of_trajectory_alone_is_no_failure():
    asked = criterion(
        intervention={"kind": "gravity", "scale": 2},
        expects=[{"predicate": "unchanged", "subject": "ball"}],
        positive={
            "intervention": {"kind": "none"},
            "expects": [{"predicate": "unchanged", "subject": "ball"}],
        },
    )
    slow = rolled(0.5, True)
    branch = replace(rolled(0.8, True), gravity=slow.gravity * 2)
    told = judge_counterfactual(asked, Runs(slow, slow, branch, slow))
    assert told.status == "inconclusive" and "only the trajectory" in told.reason


def test_what_no_setting_shows_must_have_been_read_back():
    asked = criterion(
        intervention={"kind": "add_support", "centre": [3, 0, -0.1], "size": [2, 4, 0.2]},
        expects=[{"predicate": "displacement_under", "subject": "ball", "limit": 9}],
    )
    base, branch = rolled(2.0, False), rolled(2.0, True)
    told = judge_counterfactual(asked, Runs(base, base, branch))
    assert told.status == "inconclusive" and "can't be told" in told.reason
    told = judge_counterfactual(asked, Runs(base, base, applied(branch)))
    assert told.status == "inconclusive" and "doesn't show" in told.reason
    told = judge_counterfactual(asked, Runs(base, base, applied(branch, "add_support")))
    assert told.status == "passed"


def test_no_positive_control_no_failure():
    asked = criterion(
        intervention={"kind": "velocity", "object": "ball", "linear": [2, 0, 0]},
        expects=[{"predicate": "falls_below", "subject": "ball", "height": -0.2}],
    )
    told = judge_counterfactual(asked, edge_runs(supported=True))
    assert told.status == "inconclusive" and "no positive control" in told.reason
    lowest = told.figures["responses"][0]["measured"]
    assert f"gets down to {lowest:.3g} m, below -0.2 m was expected" in told.reason


# --- A bearing that hides a missing table collision (D.3.3) ---------------------------------------


def released(arrested):
    """A rotor held 0.5 m over a table up to frame 20, whose hinge is then taken away."""
    place = np.full((FRAMES, 3), (0, 0, 0.75))
    place[20:] = fallen((0, 0, 0.75), frames=FRAMES)[1 : FRAMES - 19]
    if arrested:
        place[:, 2] = np.maximum(place[:, 2], 0.25)
    table = box("table", (4, 4, 0.2), part="passive")
    return recorded((table, (0, 0, -0.1)), (box("rotor", (0.5, 0.5, 0.5)), place), frames=FRAMES)


BEARING = criterion(
    intervention={"kind": "remove_constraint", "constraint": "hinge", "at_frame": 20},
    expects=[{"predicate": "arrested_at", "subject": "rotor", "object": "table"}],
    held=["table"],
    positive={
        "intervention": {"kind": "add_contact", "pair": ["rotor", "table"]},
        "expects": [{"predicate": "arrested_at", "subject": "rotor", "object": "table"}],
    },
    negative={
        "intervention": {"kind": "remove", "object": "table"},
        "expects": [{"predicate": "falls_below", "subject": "rotor", "height": 9}],
    },
)


def bearing_runs(arrested):
    hinge = Joint("hinge", "hinge", "rotor", None, (0, 0, 0), (0, 0, 0.75))
    still = moved(released(True), "rotor", (0, 0, 0.75))
    base = replace(still, joints=(hinge,))
    alone = recorded((box("rotor", (0.5, 0.5, 0.5)), released(False).position[:, 1]), frames=FRAMES)
    return Runs(
        base, replace(base), released(arrested), applied(released(True), "add_contact"), alone
    )


def test_a_table_that_stops_the_rotor_is_sound():
    quiet = criterion(
        intervention={"kind": "remove_constraint", "constraint": "hinge", "at_frame": 20},
        expects=[{"predicate": "arrested_at", "subject": "rotor", "object": "table"}],
    )
    assert judge_counterfactual(quiet, bearing_runs(True)).status == "passed"


def test_a_table_without_contact_fails_and_tells_how_deep():
    told = judge_counterfactual(BEARING, bearing_runs(False))
    assert told.status == "failed" and told.findings[0].related == ("table",)
    assert told.findings[0].measured > 0.05
    assert told.findings[0].message.startswith("without hinge: rotor gets up to ")


def test_a_response_in_the_negative_control_tells_nothing():
    told = judge_counterfactual(BEARING, bearing_runs(True))
    assert told.status == "inconclusive" and "negative control" in told.reason


def test_the_prefix_must_be_held():
    runs = bearing_runs(False)
    early = runs.branch.position[:, 1].copy()
    early[5:10, 0] += 0.01
    told = judge_counterfactual(BEARING, replace(runs, branch=moved(runs.branch, "rotor", early)))
    assert told.status == "inconclusive" and "up to frame 20" in told.reason


# --- Predicates -----------------------------------------------------------------------------------


def hold(made, baseline=None, **data):
    return measure(Expectation.from_mapping(data), made, baseline or made, Limits())


def test_predicates():
    made = recorded(
        floor(), (ball("ball", 0.5), fallen((0, 0, 5), (1, 0, 0), frames=25)), frames=25
    )
    assert hold(made, predicate="displacement_over", subject="ball", limit=0.7, axis="x").holds
    assert not hold(made, predicate="displacement_over", subject="ball", limit=0.9, axis="x").holds
    assert hold(made, predicate="displacement_under", subject="ball", limit=0.9, axis="x").holds
    size = {"limit": 0.75, "unit": "size", "axis": "x"}
    assert hold(made, predicate="displacement_over", subject="ball", **size).holds
    assert hold(made, predicate="unchanged", subject="ball").holds
    assert not hold(made, predicate="changed", subject="ball").holds
    other = moved(made, "ball", made.position[:, 1] + [0, 0, 1])
    assert hold(made, other, predicate="changed", subject="ball").holds
    assert hold(made, predicate="no_contact", pair=["ball", "floor"]).holds
    against = {"against": "baseline", "limit": 0.9}
    assert hold(made, other, predicate="displacement_over", subject="ball", **against).holds
    whole = {"subject": "ball", "height": 2.1, "part": "whole"}
    assert not hold(made, predicate="falls_below", **whole).holds
    assert hold(made, predicate="falls_below", subject="ball", height=2.1).holds
    first = {"predicate": "falls_below", "subject": "ball", "height": 2.1, "to_frame": 20}
    assert not hold(made, **first).holds


def test_contact_and_depth():
    made = recorded(floor(), (ball("ball", 0.5), (0, 0, 0.48)))
    assert hold(made, predicate="contact", pair=["ball", "floor"]).holds
    assert hold(made, predicate="penetration_under", pair=["floor", "ball"], limit=0.03).holds
    deep = hold(made, predicate="penetration_under", pair=["floor", "ball"], limit=0.01)
    assert not deep.holds and deep.witness and deep.figures["frames_inside"] == 60
    assert deep.message == "floor gets up to 20 mm inside ball, 10 mm is allowed"


def test_what_cant_be_measured_is_told():
    made = recorded(floor(), (ball("ball", 0.5), (0, 0, 0.48)))
    assert hold(made, predicate="unchanged", subject="dish").holds is None
    hollow = changed(made, "floor", convex=False)
    told = hold(hollow, predicate="no_contact", pair=["ball", "floor"])
    assert told.holds is None and "not measured" in told.message
    lost = moved(made, "ball", (np.nan, 0, 0))
    assert hold(lost, predicate="unchanged", subject="ball").holds is None


def test_slipping_over_the_edge_is_no_falling_through():
    """It ends below the table, beside it; and one that goes through is told even between frames."""
    beside = rolled(2.0, False, 90)
    found = hold(beside, predicate="arrested_at", subject="ball", object="table")
    assert found.holds, found.message
    place = np.repeat([[0, 0, 0.5]], 20, 0).astype(float)
    place[10:, 2] = -3.0
    through = moved(rolled(0.0, True, 20), "ball", place)
    found = hold(through, predicate="arrested_at", subject="ball", object="table")
    assert not found.holds and found.witness


@pytest.mark.parametrize(
    ("data", "change", "shown"),
    [
        ({"kind": "gravity", "scale": 0}, {"gravity": np.zeros(3)}, True),
        ({"kind": "gravity", "scale": 0}, {}, False),
        ({"kind": "none"}, {}, True),
        ({"kind": "remove_constraint", "constraint": "hinge"}, {}, True),
        ({"kind": "field", "field": "wind", "scale": 0}, {}, False),
        ({"kind": "add_support", "centre": [0, 0, 0], "size": [1, 1, 1]}, {}, None),
    ],
)
def test_whether_it_took_effect(data, change, shown):
    base = rolled(0.5, True)
    assert took_effect(Intervention.from_mapping(data), base, replace(base, **change)) is shown


def test_settings_of_a_body_show():
    base = rolled(0.5, True)
    lighter = changed(base, "ball", mass=0.5)
    heavy = Intervention.from_mapping({"kind": "mass", "object": "ball", "scale": 0.5})
    assert took_effect(heavy, base, lighter) and not took_effect(heavy, base, base)
    pair = {"kind": "remove_contact", "pair": ["ball", "table"]}
    apart = changed(base, "ball", layers=2)
    assert took_effect(Intervention.from_mapping(pair), base, apart)
    assert took_effect(Intervention.from_mapping(pair), base, base) is None
    shift = Intervention.from_mapping({"kind": "release", "object": "ball", "offset": [0, 1, 0]})
    there = moved(base, "ball", base.position[:, 1] + [0, 1, 0])
    assert took_effect(shift, base, there) and not took_effect(shift, base, base)


# --- Judging --------------------------------------------------------------------------------------


def test_without_a_rubric_all_probes_are_run():
    told = []
    judgement = judge(rolled(0.5, True), progress=lambda *step: told.append(step))
    assert [c.id for c in judgement.checks] == list(check_ids()) and len(told) == 15
    assert judgement.kind == "reconstruction" and judgement.verdict == "passed"
    assert judge(rolled(2.0, True)).verdict == "failed"
    with pytest.raises(UnknownProfile, match="it has paper"):
        judge(rolled(0.5, True), profile="best")


def test_validity_of_a_rubric():
    rubric = {
        "criteria": [
            {"id": "fall", "weight": 3, "probes": ["gravity"], "roles": ["ball"]},
            {"id": "inside", "weight": 1, "cap": 0.5, "probes": ["interpenetration"]},
            {
                "id": "edge",
                "weight": 4,
                "counterfactual": {
                    "intervention": {"kind": "velocity", "object": "ball", "linear": [2, 0, 0]},
                    "expects": [{"predicate": "falls_below", "subject": "ball", "height": 0}],
                },
            },
        ]
    }
    brief = ReconstructionBrief.from_mapping(rubric)
    over = rolled(2.0, False)
    judgement = judge(over, brief)
    assert judgement.metrics["criteria"] == {
        "fall": "passed",
        "inside": "passed",
        "edge": "unresolved",
    }
    assert judgement.metrics["validity"] == [0.5, 1.0]
    assert judgement.check("counterfactual.edge").status == "not_run"
    assert judgement.verdict == "not_judged"
    told = judge(over, brief, runs={"edge": edge_runs(supported=False)})
    assert told.metrics["validity"] == [1.0, 1.0] and told.verdict == "passed"
    sunk = moved(over, "table", (0, 0, -0.05))
    assert judge(sunk, brief).metrics["validity"] == [3 / 8, 0.5]


def test_a_role_that_nobody_bound_leaves_its_criterion_unresolved():
    rubric = {"criteria": [{"id": "fall", "probes": ["gravity"], "roles": ["egg"]}]}
    brief = ReconstructionBrief.from_mapping(rubric)
    made = rolled(2.0, False)
    assert judge(made, brief).metrics["validity"] == [0.0, 1.0]
    bound = changed(made, "ball", role="egg")
    assert judge(bound, brief).metrics["validity"] == [1.0, 1.0]


def test_roles_are_bound_by_the_rubric_where_the_scene_doesnt():
    rubric = {
        "roles": {"egg": "ball"},
        "core": ["egg", "hand"],
        "criteria": [
            {"id": "fall", "probes": ["gravity"], "roles": ["egg"]},
            {"id": "own", "probes": ["prescribed_motion"]},
        ],
    }
    told = judge(rolled(2.0, False), ReconstructionBrief.from_mapping(rubric))
    assert told.metrics["criteria"] == {"fall": "passed", "own": "unresolved"}
    assert told.check("prescribed_motion").status == "not_run"
    assert any("no object is bound to hand" in note for note in told.notes)


def test_findings_on_others_dont_count_against_a_role():
    rubric = {"criteria": [{"id": "in", "probes": ["interpenetration"], "roles": ["ball"]}]}
    brief = ReconstructionBrief.from_mapping(rubric)
    table = box("table", (4, 4, 0.2), part="passive")
    made = recorded(
        *((table, (0, 0, -0.1)), (ball("ball", 0.1), (0, 0, 0.1))), (ball("egg", 0.1), (1, 0, 0.05))
    )
    told = judge(made, brief)
    check = told.check("interpenetration")
    assert (check.status, check.figures["elsewhere"]) == ("passed", 1)
    assert told.metrics["criteria"] == {"in": "passed"} and told.verdict == "passed"
    everything = {"criteria": [*rubric["criteria"], {"id": "all", "probes": ["interpenetration"]}]}
    told = judge(made, ReconstructionBrief.from_mapping(everything))
    assert told.metrics["criteria"] == {"in": "passed", "all": "failed"}
    assert told.verdict == "failed"


@pytest.mark.parametrize(
    ("criterion", "outcome", "verdict"),
    [
        ({"probes": ["gravity"], "roles": ["nobody"]}, "unresolved", "not_judged"),
        ({"probes": ["gravity"], "roles": ["ball", "nobody"]}, "unresolved", "not_judged"),
        ({"probes": ["cloth"]}, "failed", "failed"),
        ({"probes": ["cloth", "gravity"]}, "passed", "passed"),
    ],
)
def test_the_verdict_is_that_of_the_criteria(criterion, outcome, verdict):
    """A role that isn't there is never passed, nor is cloth where there is none."""
    sound = {"id": "sound", "probes": ["numerical_stability"]}
    brief = ReconstructionBrief.from_mapping({"criteria": [sound, {"id": "x", **criterion}]})
    told = judge(rolled(2.0, False), brief)
    assert told.metrics["criteria"] == {"sound": "passed", "x": outcome}
    assert told.verdict == verdict


def test_what_is_optional_or_left_out_stands_in_nobodys_way():
    sound = {"id": "sound", "probes": ["numerical_stability"]}
    asked = {"criteria": [sound, {"id": "x", "probes": ["cloth"]}]}
    for more in ({"optional": ["cloth"]}, {"not_applicable": {"x": "there is no cloth"}}):
        told = judge(rolled(2.0, False), ReconstructionBrief.from_mapping({**asked, **more}))
        assert told.metrics["criteria"] == {"sound": "passed", "x": "not_applicable"}
        assert told.verdict == "passed" and told.metrics["validity"] == [1.0, 1.0]


def test_no_weight_no_validity():
    rubric = {"criteria": [{"id": "a", "probes": ["gravity"], "weight": 0}]}
    brief = ReconstructionBrief.from_mapping(rubric)
    assert validity(brief, {"a": "passed"}) is None


def test_the_frames_that_are_worth_a_picture_are_told():
    told = judge_counterfactual(EDGE, edge_runs(supported=True)).figures["moments"]
    assert told["intervention"] == told["bodies"]["ball"]["frame"] - FRAMES + 1
    assert told["largest_difference"]["body"] == "ball"
    assert told["largest_difference"]["distance"] == pytest.approx(1.5 * (FRAMES - 1) / 30)
    assert told["first_difference"] == told["intervention"] + 1
    assert told["response"] is not None and "first_intrusion" not in told


def test_the_first_frame_in_which_something_is_inside_is_told():
    base = recorded(floor(), (box("crate"), (0, 0, 0.5)), frames=20)
    sunk = np.tile([0, 0, 0.5], (20, 1))
    sunk[8:, 2] = 0.3
    branch = applied(recorded(floor(), (box("crate"), sunk), frames=20), "none")
    asked = criterion(
        intervention={"kind": "none"},
        expects=[{"predicate": "arrested_at", "subject": "crate", "object": "floor"}],
    )
    told = judge_counterfactual(asked, Runs(base, base, branch))
    assert told.figures["moments"]["first_intrusion"] == int(base.frames[8])
    assert told.figures["responses"][0]["frames_inside"] == 12


def test_what_was_applied_late_is_told_by_what_was_read_back():
    base = recorded(floor(), (box("crate"), (0, 0, 0.5)), frames=20)
    asked = {"kind": "mass", "object": "crate", "scale": 3}
    late = Intervention.from_mapping({**asked, "at_frame": int(base.frames[9])})
    assert took_effect(late, base, base) is False
    assert took_effect(late, base, applied(base, "mass")) is True
    assert took_effect(Intervention.from_mapping(asked), base, applied(base, "mass")) is False


def test_cloth_is_where_its_vertices_are():
    """Its object stays where it was put, and the sheet falls from it."""
    sheet = box("sheet", (2, 2, 0.01), medium="cloth")
    still = recorded((sheet, (0, 0, 2.0)), frames=20)
    fall = np.linspace(0, 1.5, 20)[:, None, None] * [0, 0, -1.0]
    vertices = sheet.vertices + [0, 0, 2.0]
    base = replace(still, meshes={"sheet": np.tile(vertices, (20, 1, 1))})
    down = replace(still, meshes={"sheet": vertices + fall})
    for predicate, values, holds in (
        ("falls_below", {"height": 0.6}, True),
        ("falls_below", {"height": 0.6, "part": "whole"}, True),
        ("falls_below", {"height": 0.5, "part": "whole"}, False),
        ("displacement_over", {"limit": 1.4, "axis": "z"}, True),
        ("displacement_under", {"limit": 1.4, "against": "baseline"}, False),
        ("changed", {}, True),
        ("unchanged", {}, False),
    ):
        asked = Expectation.from_mapping({"predicate": predicate, "subject": "sheet", **values})
        assert measure(asked, down, base, Limits()).holds is holds, (predicate, values)
    asked = criterion(
        intervention={"kind": "none"}, expects=[{"predicate": "unchanged", "subject": "sheet"}]
    )
    told = judge_counterfactual(asked, Runs(base, down, base))
    assert told.status == "inconclusive" and "doesn't repeat itself: sheet" in told.reason


def test_a_role_of_two_bodies_is_nobodys():
    rubric = {"criteria": [{"id": "fall", "probes": ["gravity"], "roles": ["egg"]}]}
    made = changed(changed(rolled(2.0, False), "ball", role="egg"), "table", role="egg")
    told = judge(made, ReconstructionBrief.from_mapping(rubric))
    assert told.metrics["criteria"] == {"fall": "unresolved"} and told.verdict == "not_judged"
