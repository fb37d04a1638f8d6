# SPDX-License-Identifier: GPL-3.0-or-later
"""The released server's ten keys: the published verdict, its format, and each key by itself."""

import json
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber.brief import TimberBrief
from plumbline.checks.timber.paper import judge_paper
from plumbline.checks.timber.release import KEYS, judge_release, release_result
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "timber"


def frame(**members):
    """A structure from ``name=(low corner, high corner)``, boxes along the axes."""
    low = np.array([m[0] for m in members.values()], float).reshape(-1, 3)
    high = np.array([m[1] for m in members.values()], float).reshape(-1, 3)
    axes = np.tile(np.eye(3), (len(members), 1, 1))
    return TimberStructure.from_boxes(list(members), (low + high) / 2, axes, high - low)


def without(structure, *names):
    return structure.subset(np.array([n not in names for n in structure.names]))


def subjects(structure, key, **brief):
    check = judge_release(structure, TimberBrief(**brief)).check(key)
    return [f.subject for f in check.findings]


def four_sills():
    return frame(
        Sill_1=((0, -0.07, 0), (6, 0.07, 0.038)),
        Sill_2=((0, 9.93, 0), (6, 10.07, 0.038)),
        Sill_3=((-0.07, 0, 0), (0.07, 10, 0.038)),
        Sill_4=((5.93, 0, 0), (6.07, 10, 0.038)),
    )


@pytest.fixture(scope="module")
def house():
    return gable_house(240, stories=1)


# --- The whole ---------------------------------------------------------------------------------


def test_the_published_verdict():
    """Four sills on 6 x 10 m score 5 of 10."""
    judgement = judge_release(four_sills())
    result = release_result(judgement, "FH_01_0001")
    assert result["pass_rate"] == judgement.metrics["pass_rate"] == 0.5
    assert not result["all_passed"]
    assert {key for key, passed in result["tests"].items() if not passed} == {
        "completeness",
        "load_path",
        "roof_coverage",
        "gap_detection",
        "stability_score",
    }
    assert judgement.verdict == "failed"


def test_sound_house_passes_all_keys(house):
    judgement = judge_release(house)
    assert judgement.verdict == "passed"
    assert judgement.metrics == {"pass_rate": 1.0}
    assert tuple(c.id for c in judgement.checks) == KEYS
    # Vacuous counts in the rate only: the status stays what it is.
    assert judgement.check("point_load").status == "vacuous"


def test_documentation_lists_every_key(root):
    page = (root / "docs" / "checks-release.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"\n| `{key}` |" in page


def shape(value):
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return (
        "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value)
    )


@pytest.mark.parametrize("name", ["dreamhouse-7_result_fail.json", "dreamhouse-7_result_pass.json"])
def test_format_is_that_of_the_released_results(house, name):
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"no {name} in {SHARED}: the real results are not part of the project")
    real = json.loads(path.read_text(encoding="utf-8"))["results"]
    ours = release_result(judge_release(house), real["task_id"])
    assert shape(ours) == shape(real)
    assert list(ours) == list(real)
    assert list(ours["tests"]) == list(real["tests"])
    assert real["pass_rate"] == pytest.approx(sum(real["tests"].values()) / len(real["tests"]))
    json.dumps(ours, allow_nan=False)


def test_passing_result_counts_as_theirs_does(house):
    result = release_result(judge_release(house), "AF_01_0018")
    assert result["all_passed"]
    assert result["stability_details"] == {
        "score": 1.0,
        "total_members": 240,
        "grounded_members": 240,
    }
    details = result["dual_end_details"]
    assert details["rafters_failed"] == details["studs_failed"] == 0
    assert details["rafters_checked"] == sum(n.startswith("Rafter") for n in house.names)


def test_other_profiles_have_no_such_format(house):
    with pytest.raises(ValueError, match="release"):
        release_result(judge_paper(house), "x")


def test_what_could_not_be_run_is_false(house):
    judgement = judge_release(house, TimberBrief(species="balsa"))
    assert judgement.check("span_limits").status == "not_run"
    result = release_result(judgement, "x")
    assert result["tests"]["span_limits"] is False
    assert result["pass_rate"] == pytest.approx(0.9)


# --- completeness, load_path, stability_score ----------------------------------------------------


def test_missing_categories_are_places(house):
    bare = without(house, *[n for n in house.names if n.startswith(("Rafter", "Ridge", "Ceiling"))])
    check = judge_release(bare).check("completeness")
    assert [(f.subject, f.subject_kind) for f in check.findings] == [("roof", "place")]
    assert (
        judge_release(bare, TimberBrief(required_categories=("foundation", "floor", "walls")))
        .check("completeness")
        .status
        == "passed"
    )


def test_names_hold_their_keyword_anywhere_in_any_case():
    structure = frame(
        my_sill_a=((0, 0, 0), (4, 0.14, 0.038)),
        GROUND_JOIST=((0, 0, 0.038), (0.038, 3, 0.27)),
        left_wall_stud_9=((0, 0, 0.27), (0.038, 0.089, 2.6)),
        rAfTeR=((0, 0, 2.6), (0.038, 3, 2.8)),
    )
    assert judge_release(structure).check("completeness").status == "passed"


def test_a_roof_that_floats_fails_both(house):
    lifted = house.center + np.array([0, 0, 3.0]) * np.array(
        [[n.startswith(("Rafter", "Ridge", "Ceiling"))] for n in house.names]
    )
    moved = TimberStructure(house.names, house.explicit_roles, lifted, house.axes, house.half)
    judgement = judge_release(moved)
    found = judgement.check("load_path").findings
    assert found[0].is_root
    assert found[-1].subject == "roof"
    stability = judgement.check("stability_score")
    assert stability.findings[-1].follows == "load_path:roof"


def test_stability_score_asks_for_four_fifths(house):
    def lifted(share):
        center = house.center.copy()
        loose = [k for k, n in enumerate(house.names) if n.startswith(("Stud", "Joist"))]
        count = int(share * len(house))
        center[loose[:count], 0] += 50.0 + 3.0 * np.arange(count)
        center[loose[:count], 2] += 5.0
        return TimberStructure(house.names, house.explicit_roles, center, house.axes, house.half)

    assert judge_release(lifted(0.18)).check("stability_score").status == "passed"
    assert judge_release(lifted(0.22)).check("stability_score").status == "failed"
    assert judge_release(lifted(0.18)).check("load_path").status == "failed"


# --- gap_detection -------------------------------------------------------------------------------


def wall(*studs, header=None, length=6.0):
    members = {
        "Sill_1": ((0, 0, 0), (length, 0.089, 0.038)),
        "TopPlate_1": ((0, 0, 2.438), (length, 0.089, 2.476)),
    }
    for k, x in enumerate(studs):
        members[f"Stud_{k}"] = ((x, 0, 0.038), (x + 0.038, 0.089, 2.438))
    if header:
        members["Header_1"] = ((header[0], 0, 2.1), (header[1], 0.089, 2.335))
    return frame(**members)


def test_spacing_of_studs():
    assert subjects(wall(0, 0.61, 1.22), "gap_detection") == []
    found = judge_release(wall(0, 0.61, 1.24)).check("gap_detection").findings
    assert [f.subject for f in found] == ["bay between Stud_1 and Stud_2"]
    assert found[0].measured == pytest.approx(0.63)
    assert found[0].limit == 0.615
    assert found[0].related == ("Stud_1", "Stud_2")


def test_an_opening_under_a_header_is_no_gap():
    studs = (0, 0.4, 1.4, 1.8)
    assert subjects(wall(*studs), "gap_detection") == ["bay between Stud_1 and Stud_2"]
    assert subjects(wall(*studs, header=(0.4, 1.44)), "gap_detection") == []
    assert subjects(wall(*studs, header=(0.4, 0.8)), "gap_detection") != []


def test_posts_end_a_bay_but_frame_none():
    post = {"Post_1": ((0.8, 0, 0.038), (0.889, 0.089, 2.438))}
    ends = {"Post_2": ((5.9, 0, 0.038), (5.989, 0.089, 2.438))}
    plates = {
        "Sill_1": ((0, 0, 0), (6, 0.089, 0.038)),
        "TopPlate_1": ((0, 0, 2.438), (6, 0.089, 2.476)),
    }
    studs = {
        f"Stud_{k}": ((x, 0, 0.038), (x + 0.038, 0.089, 2.438)) for k, x in ((1, 0.4), (2, 1.2))
    }
    assert subjects(frame(**plates, **studs, **post), "gap_detection") == []
    assert subjects(frame(**plates, **post, **ends), "gap_detection") == ["the frame"]


def test_walls_that_share_no_plate_are_no_neighbours():
    structure = frame(
        Sill_1=((0, 0, 0), (2, 0.089, 0.038)),
        Sill_2=((4, 0, 0), (6, 0.089, 0.038)),
        Stud_1=((1.9, 0, 0.038), (1.938, 0.089, 2.4)),
        Stud_2=((4.1, 0, 0.038), (4.138, 0.089, 2.4)),
    )
    assert subjects(structure, "gap_detection") == []


def test_missing_joist_and_rafter_leave_gaps(house):
    joist = judge_release(without(house, "Joist_0007")).check("gap_detection").findings
    assert joist
    assert all("Joist" in f.subject for f in joist)
    assert joist[0].measured == pytest.approx(0.812)
    rafter = judge_release(without(house, "Rafter_0005")).check("gap_detection").findings
    assert [f.related for f in rafter] == [("Rafter_0004", "Rafter_0006")]


def test_nothing_to_space_fails():
    assert subjects(four_sills(), "gap_detection") == ["the frame"]


# --- point_load ----------------------------------------------------------------------------------


def posts(offset):
    """Two storeys of posts, the upper one moved aside by ``offset``."""
    x = 1.0 + offset
    return frame(
        Pier_1=((0.9, 0.9, -0.5), (1.1, 1.1, 0.0)),
        Post_1=((0.956, 0.956, 0.0), (1.045, 1.045, 2.4)),
        Beam_1=((0.9, 0.956, 2.4), (4.1, 1.045, 2.635)),
        Post_2=((3.956, 0.956, 0.0), (4.045, 1.045, 2.4)),
        Post_3=((x - 0.045, 0.956, 2.635), (x + 0.045, 1.045, 5.0)),
    )


def test_posts_over_supports():
    assert subjects(posts(0.0), "point_load") == []
    assert judge_release(posts(0.0)).check("point_load").figures == {"posts": 1, "beams": 1}


def test_post_in_the_air():
    found = judge_release(without(posts(0.0), "Beam_1")).check("point_load").findings
    assert [f.subject for f in found] == ["Post_3"]
    assert found[0].measured is None
    assert "Nothing is under" in found[0].message


def test_post_beside_its_support():
    structure = frame(
        Post_1=((0, 0, 0), (0.089, 0.089, 2.4)),
        Post_2=((0.3, 0, 2.4), (0.389, 0.089, 4.8)),
    )
    finding = judge_release(structure).check("point_load").findings[0]
    assert finding.subject == "Post_2"
    assert finding.related == ("Post_1",)
    assert finding.measured == pytest.approx(0.3445 - 0.089)
    assert finding.margin < 0


def test_beam_end_without_support():
    found = judge_release(without(posts(0.0), "Post_2")).check("point_load").findings
    assert [f.subject for f in found] == ["Beam_1"]
    assert found[0].location[0] == pytest.approx(4.1)


# --- cantilever ----------------------------------------------------------------------------------


def overhanging(tail, back=4.0):
    return frame(
        Sill_1=((0, 0, 0.2), (2, 0.14, 0.238)),
        Sill_2=((0, back, 0.2), (2, back + 0.14, 0.238)),
        Pier_1=((0, 0, 0), (0.2, 0.14, 0.2)),
        Pier_2=((0, back, 0), (0.2, back + 0.14, 0.2)),
        Joist_1=((0.1, 0, 0.238), (0.138, back + 0.14 + tail, 0.473)),
    )


@pytest.mark.parametrize(
    ("tail", "back", "fine"),
    [(0.0, 4.0, True), (0.60, 4.0, True), (0.62, 4.0, False), (0.40, 1.5, False), (0.3, 1.5, True)],
)
def test_overhang_of_joists(tail, back, fine):
    check = judge_release(overhanging(tail, back)).check("cantilever")
    assert (check.status == "passed") == fine
    if not fine:
        assert check.findings[0].measured == pytest.approx(tail)
        assert check.findings[0].limit == pytest.approx(min((back - 0.14) / 4, 0.6096))


def test_joists_on_one_support_have_no_backspan():
    check = judge_release(without(overhanging(0.5), "Sill_2", "Pier_2")).check("cantilever")
    assert check.status == "vacuous"


# --- the rest ------------------------------------------------------------------------------------


def test_roof_coverage_without_a_rafter_fails_here():
    check = judge_release(four_sills()).check("roof_coverage")
    assert check.status == "failed"
    assert check.score == 0.0


def test_no_test_of_spacing_and_sections(house):
    half = house.half.copy()
    half[house.names.index("Blocking_0001"), 2] = 0.035
    odd = TimberStructure(house.names, house.explicit_roles, house.center, house.axes, half)
    assert judge_release(odd).verdict == "passed"
    assert judge_paper(odd).verdict == "failed"


def test_dual_end_counts(house):
    center = house.center.copy()
    center[house.names.index("Stud_0003"), 2] += 0.2
    lifted = TimberStructure(house.names, house.explicit_roles, center, house.axes, house.half)
    details = release_result(judge_release(lifted), "x")["dual_end_details"]
    assert details["studs_failed"] == 1
    assert details["rafters_failed"] == 0
