# SPDX-License-Identifier: GPL-3.0-or-later
"""Briefs, the registry, statuses, and what no check may depend on."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.checks.voxel import CheckCall, VoxelBrief, VoxelStructure, judge
from plumbline.checks.voxel.arguments import read
from plumbline.checks.voxel.brief import BriefError
from plumbline.checks.voxel.profiles import PROFILES, UnknownProfile
from plumbline.checks.voxel.registry import AREAS, GRADERS
from plumbline.checks.voxel.rules import rows
from voxel_samples import arch, ask, box, room, structure

# Every function of the published task lists, with each set of arguments that they use, and what it
# gives where nothing was built: by the paper's algorithms, else by the public graders.
CALLS = [
    ("dependency.material_sequence_order", {"material_sequence": ["stone", "oak_planks"]}, 0),
    ("efficiency.l1_dist", {}, 1),
    ("material.is_all_material_equal_to", {"expected_material": "stone"}, 0),
    ("material.is_block_cnt_equal_to", {"expected_count": 69}, 0),
    (
        "material.is_block_cnt_equal_to",
        {"expected_count": 1, "expected_material": "bed", "use_substring_match": True},
        0,
    ),
    ("material.is_block_cnt_geq", {"min_count": 21}, 0),
    (
        "material.is_block_cnt_geq",
        {"min_count": 4, "expected_material": "door", "use_substring_match": True},
        0,
    ),
    (
        "material.is_block_cnt_larger_than",
        {"cnt": 32, "expected_material": "concrete", "use_substring_match": True},
        0,
    ),
    (
        "material.is_block_cnt_leq",
        {"max_count": 56, "expected_material": "oak", "use_substring_match": True},
        1,
    ),
    ("material.is_corner_material_equal_to", {"expected_material": "stone"}, 0),
    (
        "material.is_highest_block_material_equal_to",
        {"expected_material": "red", "use_substring_match": True},
        0,
    ),
    ("material.is_max_x_material_equal_to", {"expected_material": "dirt"}, 0),
    ("material.is_max_z_material_equal_to", {"expected_material": "dirt"}, 0),
    ("material.is_min_x_material_equal_to", {"expected_material": "dirt"}, 0),
    ("material.is_min_z_material_equal_to", {"expected_material": "dirt"}, 0),
    ("physical_plausibility.is_ground_connected", {}, 1),
    (
        "shape.are_adjacent",
        {"materials": ["door", "sea_lantern"], "substring_match": True},
        0,
    ),
    ("shape.are_doors_passable", {}, 1),
    ("shape.cluster_at_y_has_min_diameter", {"y": 0, "min_diameter": 5}, 0),
    ("shape.cluster_at_y_has_min_radius", {"y": 0, "min_radius": 2.5}, 0),
    ("shape.cluster_count_at_y_is", {"y": -5, "expected_count": 4}, 0),
    ("shape.clusters_at_y_have_min_span", {"y": -5, "min_span": 1}, 0),
    ("shape.has_exit", {}, 1),
    ("shape.has_no_axis_symmetry", {}, 0),
    ("shape.has_rooms", {"room_cnt": 1}, 0),
    ("shape.has_wide_exit", {}, 1),
    ("shape.is_bottom_surface_concave", {"strict": "non-flat"}, 1),
    ("shape.is_reachable_by_stairs", {"min_floor_y": 4}, 0),
    ("shape.is_single_level", {"start_material": "bed"}, 1),
    ("shape.is_top_surface_concave", {"strict": "non-flat"}, 1),
    ("size.all_dimensions_geq", {"min_size": 4}, 0),
    ("size.is_equal", {"xz": [7, 7], "y": 1}, 0),
    ("size.is_leq", {"xz": [20, 20]}, 0),
    ("size.max_y_is_geq", {"min_y": 8}, 0),
    ("size.min_y_is_equal", {"expected_y": -5}, 0),
    ("structural_stability.stress_score", {"von_mises_stress": 62000000.0}, 0),
]
RULES = [call[:2] for call in CALLS if "stress" not in call[0]]

# Those whose value may change when the same blocks are placed in another order.
IN_ORDER = ("efficiency.l1_dist", "dependency.material_sequence_order")

SMALL = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(-5, 4), st.integers(0, 5)),
    st.sampled_from(["stone", "oak_planks", "red_wool", "oak_door", "red_bed", "sea_lantern"]),
    min_size=1,
    max_size=80,
).map(lambda cells: [(*cell, material) for cell, material in cells.items()])


def brief(calls=RULES, **extra):
    return VoxelBrief.of(*(CheckCall(fn, args) for fn, args in calls), **extra)


def scores(blocks, profile="paper"):
    return {c.id: c.score for c in judge(structure(blocks), brief(), profile).checks}


def test_all_34_functions_are_there_and_take_their_arguments():
    assert len({fn for fn, *_ in CALLS}) == 34
    fem = {"structural_stability.fem_score", "structural_stability.fem_limit"}
    ours = {"size.min_y_is_leq", *fem}
    assert set(GRADERS) - {fn for fn, *_ in CALLS} == ours
    for fn, args, _ in CALLS:
        assert set(read(GRADERS[fn].parameters, args)) == set(args)
        assert fn.split(".")[0] in AREAS
        assert callable(GRADERS[fn].load())


def test_only_scores_have_no_limit_and_only_planning_needs_an_order():
    scored = {fn for fn, grader in GRADERS.items() if grader.scored}
    stability = {f"structural_stability.{name}_score" for name in ("stress", "fem")}
    assert scored == {"efficiency.l1_dist", *stability}
    assert {fn for fn, grader in GRADERS.items() if grader.needs_order} == set(IN_ORDER)


@pytest.mark.parametrize(("fn", "args", "score"), CALLS)
def test_nothing_built_is_vacuous_with_the_published_score(fn, args, score):
    check = ask(VoxelStructure.empty(), fn, **args)
    assert (check.status, check.score, check.required) == ("vacuous", score, True)
    assert check.reason == "nothing was built"


def test_nothing_built_fails():
    assert judge(VoxelStructure.empty(), brief()).verdict == "failed"


def test_the_span_of_nothing_passes_the_code():
    check = ask(
        VoxelStructure.empty(), "shape.clusters_at_y_have_min_span", "code", y=0, min_span=1
    )
    assert (check.status, check.score) == ("vacuous", 1)


@settings(max_examples=25, deadline=None)
@given(SMALL, st.integers(-50, 50), st.integers(-50, 50), st.sampled_from(PROFILES))
def test_where_it_stands_does_not_matter(blocks, dx, dz, profile):
    moved = [(x + dx, y, z + dz, m) for x, y, z, m in blocks]
    assert scores(moved, profile) == scores(blocks, profile)


@settings(max_examples=25, deadline=None)
@given(SMALL, st.randoms(use_true_random=False))
def test_the_order_matters_to_planning_alone(blocks, shuffle):
    other = list(blocks)
    shuffle.shuffle(other)
    before, after = scores(blocks), scores(other)
    assert {k: v for k, v in after.items() if k not in IN_ORDER} == {
        k: v for k, v in before.items() if k not in IN_ORDER
    }


@settings(max_examples=25, deadline=None)
@given(SMALL, st.sampled_from(PROFILES))
def test_every_failure_names_its_blocks_or_its_place(blocks, profile):
    made = structure(blocks)
    for check in judge(made, brief(), profile).checks:
        assert 0 <= check.score <= 1
        assert (check.status == "failed") == bool(check.findings)
        for finding in check.findings:
            named = finding.detail["blocks"]
            assert finding.check == check.id and finding.clause.startswith("MineCEraft")
            assert all(tuple(b) in made.index for b in named)
            if finding.subject_kind == "member":
                assert finding.subject == "block ({}, {}, {})".format(*named[0])
                x, y, z = named[0]
                assert finding.location == (x, -z, y)


def test_a_score_below_one_does_not_fail():
    made = box((0, 4), (0, 0), (0, 4))
    random.Random(3).shuffle(made)
    judgement = judge(structure(made), brief([("efficiency.l1_dist", {})]))
    assert judgement.verdict == "passed" and judgement.checks[0].score < 0.5


def test_the_others_are_judged_beside_what_cannot_be():
    calls = [
        ("shape.is_pretty", {}),
        ("has_rooms", {"room_cnt": 1}),
        ("shape.has_rooms", {}),
        ("shape.has_rooms", {"room_cnt": 1, "level": 2}),
        ("shape.has_rooms", {"room_cnt": "two"}),
        ("size.is_equal", {"xz": [7]}),
        ("shape.is_top_surface_concave", {"strict": "very"}),
        ("shape.has_exit", {"width": 0}),
        ("physical_plausibility.is_ground_connected", {}),
    ]
    judgement = judge(structure(room()), brief(calls))
    assert [c.status for c in judgement.checks] == ["not_run"] * 8 + ["passed"]
    assert judgement.verdict == "not_judged"
    reasons = [c.reason for c in judgement.checks]
    assert "there is no check 'shape.is_pretty'" in reasons[0]
    assert "shape.has_rooms was perhaps meant" in reasons[1]
    assert "'room_cnt' is missing" in reasons[2]
    assert "unknown argument 'level'; it takes room_cnt, y" in reasons[3]
    assert "room_cnt must be a whole number, not 'two'" in reasons[4]
    assert "two whole numbers" in reasons[5] and "'non-flat'" in reasons[6]
    assert "from 1 to 1000" in reasons[7]


@pytest.mark.parametrize("bad", [True, 1.5, float("nan"), float("inf"), "1", [], {}])
def test_no_number_is_no_number(bad):
    check = ask(room(), "size.max_y_is_geq", min_y=bad)
    assert check.status == "not_run" and "whole number" in check.reason


@pytest.mark.parametrize("far", [2**63, -(2**63), 1e299, 10**400, -(10**5000)], ids=range(5))
def test_no_number_is_too_large_to_be_told(far):
    for fn, name, more in (
        ("shape.has_rooms", "y", {"room_cnt": 1}),
        ("size.is_equal", "y", {"xz": [1, 1]}),
        ("size.is_leq", "xz", {}),
        ("shape.clusters_at_y_have_min_span", "min_span", {"y": 0}),
    ):
        value = [far, 1] if name == "xz" else far
        check = ask(room(), fn, **more, **{name: value})
        if check.status == "not_run":
            assert name in check.reason and len(check.reason) < 300
        else:
            assert name == "min_span" and check.status == "failed"


def test_the_same_check_twice_has_two_ids():
    calls = [("shape.cluster_count_at_y_is", {"y": y, "expected_count": 2}) for y in (0, 1, 3)]
    judgement = judge(structure(arch()), brief(calls))
    names = ["", "#2", "#3"]
    assert [c.id for c in judgement.checks] == [f"shape.cluster_count_at_y_is{n}" for n in names]
    assert judgement.check("shape.cluster_count_at_y_is#3").findings[0].check.endswith("#3")
    assert [c.figures["args"]["y"] for c in judgement.checks] == [0, 1, 3]


def test_every_check_is_told_before_it_begins_and_can_end_it():
    told = []
    judge(structure(arch()), brief(), progress=lambda *step: told.append(step))
    assert [done for _, done, _ in told] == list(range(len(RULES)))
    assert {total for *_, total in told} == {len(RULES)}

    def stop(name, done, total):
        if done == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        judge(structure(arch()), brief(), progress=stop)


def test_without_a_task_it_is_whether_it_holds_together():
    judgement = judge(structure([*arch(), (0, 9, 0, "stone")]))
    assert [c.id for c in judgement.checks] == [
        "physical_plausibility.is_ground_connected",
        "efficiency.l1_dist",
    ]
    assert judgement.verdict == "failed" and judgement.kind == "voxel"


def test_there_are_two_profiles():
    assert PROFILES == ("paper", "code")
    with pytest.raises(UnknownProfile, match="paper, code"):
        judge(structure(arch()), profile="engineering")


def test_a_task_may_spare_or_excuse_a_check():
    calls = [
        ("shape.has_rooms", {"room_cnt": 9}),
        ("physical_plausibility.is_ground_connected", {}),
    ]
    spared = brief(calls, not_applicable={"shape.has_rooms": "it is a bridge"})
    assert judge(structure(arch()), spared).verdict == "passed"
    unordered = structure(arch(), ordered=False)
    planned = [("efficiency.l1_dist", {}), ("physical_plausibility.is_ground_connected", {})]
    assert judge(unordered, brief(planned)).verdict == "not_judged"
    assert judge(unordered, brief(planned, optional=("efficiency.l1_dist",))).verdict == "passed"


def test_a_brief_is_read_from_the_published_form():
    one = {"fn": "shape.has_rooms", "args": {"room_cnt": 1}, "_comment": "a hut"}
    two = {"fn": "physical_plausibility.is_ground_connected"}
    made = VoxelBrief.from_mapping({"checks": [[one], [one, two]], "bottom": "belly", "_by": "me"})
    assert [len(turn) for turn in made.turns] == [1, 2]
    assert made.calls == made.turns[1] and made.at_turn(0).calls == made.turns[0]
    assert made.bottom == "belly" and made.calls[0].args == {"room_cnt": 1}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "a list of checks for every turn"),
        ({"checks": []}, "a list of checks for every turn"),
        ({"checks": ["shape.has_rooms"]}, "a list of checks for every turn"),
        ({"checks": [[{"args": {}}]]}, "turn 1, check 1: .*the name of a check"),
        ({"checks": [[], [{"fn": "a.b", "arg": {}}]]}, "turn 2, check 1: unknown field 'arg'"),
        ({"checks": [[{"fn": "a.b", "args": [1]}]]}, "args must be an object"),
        ({"checks": [[]], "bottom": "flat"}, "belly or soffit"),
        ({"checks": [[]], "loads": 3}, "unknown field 'loads'"),
        ({"checks": [[]], "optional": "all"}, "a list of names"),
        ({"checks": [[]], "not_applicable": ["x"]}, "reasons"),
    ],
)
def test_a_bad_brief_is_refused_in_words(data, words):
    with pytest.raises(BriefError, match=words):
        VoxelBrief.from_mapping(data)


def test_nothing_has_no_order_that_could_be_unknown():
    nothing = structure({}, ordered=False)
    statuses = [c.status for c in judge(nothing, brief([("efficiency.l1_dist", {})])).checks]
    assert statuses == ["vacuous"]


def test_turns_that_nobody_asked_for_are_told():
    stood = structure(room())
    built = replace(stood, earlier=(stood, stood))
    connected = [("physical_plausibility.is_ground_connected", {})]
    (note,) = judge(built, brief(connected)).notes
    assert "3 turns were built, 1 turn asked for" in note
    assert not judge(stood, brief(connected)).notes


def test_stability_is_a_score_against_a_reference_and_flags_its_artefact():
    """3886.3 Pa against half of it; a bar one block thick shows no stress at all."""
    check = ask(arch(), "structural_stability.stress_score", von_mises_stress=3886.3 / 2)
    assert check.score == pytest.approx(0.5, abs=1e-4)
    assert check.status == "passed" and not check.degraded
    assert check.figures["greatest"] == pytest.approx(3886.3, abs=0.1)
    assert len(check.measures[0].subjects) == 30
    bar = [(x, 0, 0, "stone") for x in range(4)]
    check = ask(bar, "structural_stability.stress_score", von_mises_stress=3887)
    assert (check.status, check.score, check.required) == ("inconclusive", 0, False)
    assert check.degraded and "one block thick" in check.reason


def test_the_page_lists_every_check_and_constant(root):
    page = (root / "docs" / "checks-voxel.md").read_text(encoding="utf-8")
    for fn in GRADERS:
        assert f"\n| `{fn}` |" in page
    for name, paper, code, unit, source in rows():
        assert f"\n| `{name}` | {paper} | {code} | {unit} | {source} |" in page
        assert source


def test_too_many_blocks_for_the_published_solver_are_not_run():
    many = box((0, 99), (0, 0), (0, 299))
    check = ask(many, "structural_stability.stress_score", von_mises_stress=3887)
    assert (check.status, check.score) == ("not_run", None) and "30000 blocks" in check.reason
