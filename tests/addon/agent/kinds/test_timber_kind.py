# SPDX-License-Identifier: GPL-3.0-or-later
"""What protocols are told of timber: facts from the tables, gates of phases, what stands when."""

from dataclasses import replace
from itertools import pairwise

import pytest
from carpentry import framed_floor, framed_wall, without
from gables import gable
from plumbline.addon.agent.kinds import UnknownKind, kind_for
from plumbline.addon.scene.plain import structure_to_plain
from plumbline.checks.timber import profiles
from plumbline.checks.timber import roles as timber_roles
from plumbline.tasks import load_task, select

TASK = load_task("timber/cabin")
KIND = kind_for(TASK)


def judged(structure, profile="engineering", scope="mid"):
    return KIND.judge(TASK, structure_to_plain(structure), profile, scope)


def test_an_unknown_kind_is_named():
    with pytest.raises(UnknownKind, match="kind 'soup'; known: timber"):
        kind_for(replace(TASK, kind="soup"))


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_every_task_has_facts_in_every_profile(profile):
    for task in select(["timber/*"]):
        facts = KIND.facts(task, profile)
        assert all(isinstance(text, str) and text for text in facts.values())
        assert "None" not in facts["figures"] and task.title == facts["title"]


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_the_limits_are_the_checks_of_the_profile_in_their_order(profile):
    lines = KIND.facts(TASK, profile)["limits"].splitlines()
    empty = framed_floor().subset([])
    ids = [check.id for check in judged(empty, profile, "all").checks]
    assert [line.split(":")[0].removeprefix("- ") for line in lines] == ids


def test_what_the_task_excludes_is_not_asked_for():
    task = replace(TASK, brief={**TASK.brief, "not_applicable": {"bearing": "on stone"}})
    assert "- bearing:" not in KIND.facts(task, "engineering")["limits"]


def test_spans_follow_the_wood_and_the_loads_of_the_task():
    plain = KIND.facts(TASK, "engineering")
    assert "- 2x10: 5.25 m / 4.69 m / 3.82 m" in plain["spans"]  # table of the specification
    brief = {**TASK.brief, "species": "DF-L", "grade": "SS", "ground_snow": 3352.0}
    strong = KIND.facts(replace(TASK, brief=brief), "engineering")
    assert "- 2x10: 5.25 m / 4.69 m / 3.82 m" not in strong["spans"]
    assert "ground snow 3.35 kPa (70 psf)" in strong["loads"]


def test_every_role_of_the_checks_is_named_in_the_prompt():
    named = KIND.facts(TASK, "engineering")["members"].replace(",", "").split()
    assert set(timber_roles.ROLES) <= set(named)


def test_a_brief_with_a_fault_is_one_sentence():
    with pytest.raises(ValueError, match="unknown field 'colour'"):
        KIND.facts(replace(TASK, brief={"colour": "red"}), "engineering")


# --- Gates of phases ------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_a_foundation_alone_passes_its_gate(profile):
    sills = framed_floor()
    sills = sills.subset([name.startswith("Sill") for name in sills.names])
    result = judged(sills, profile)
    assert result.verdict == "passed", result.findings
    assert len(result.checks) == 2


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_nothing_at_all_passes_no_gate(profile):
    assert judged(framed_floor().subset([]), profile).verdict != "passed"


@pytest.mark.parametrize("profile", profiles.PROFILES)
def test_what_floats_fails_its_gate(profile):
    wall = framed_wall()
    floating = replace(wall, center=wall.center + [0, 0, 0.5])
    result = judged(floating, profile)
    assert result.verdict == "failed" and result.check("load_path").status == "failed"


def test_the_gate_of_our_profile_is_load_path_and_clash():
    floor = framed_floor()
    assert [check.id for check in judged(floor).checks] == ["load_path", "clash"]
    assert judged(floor, scope="all").check("completeness").status == "failed"


def test_what_the_task_excludes_gates_nothing():
    task = replace(TASK, brief={**TASK.brief, "not_applicable": {"clash": "old wood"}})
    result = KIND.judge(task, structure_to_plain(framed_floor()), "engineering", "mid")
    assert [check.status for check in result.checks] == ["passed", "not_applicable"]


def test_what_is_no_structure_is_one_sentence():
    with pytest.raises(ValueError, match="this is no structure"):
        KIND.judge(TASK, {"members": []}, "engineering")


# --- What stands when -----------------------------------------------------------------------------


def test_a_whole_house_is_cut_by_phases():
    house = gable(30.0)
    plain = structure_to_plain(house)
    names = [set(KIND.until(plain, phase)) for phase in KIND.phases]
    assert names[0] < names[-1] == set(house.names)
    assert not any("Rafter" in name for name in names[2])
    assert all(a <= b for a, b in pairwise(names))


def test_upper_floors_are_built_with_the_walls():
    wall, floor = framed_wall(), framed_floor()
    upper = replace(floor, center=floor.center + [0, 0, 3.0])
    both = replace(
        wall,
        names=(*wall.names, *(f"{name}_2" for name in upper.names)),
        explicit_roles=(*wall.explicit_roles, *upper.explicit_roles),
        center=[*wall.center, *upper.center],
        axes=[*wall.axes, *upper.axes],
        half=[*wall.half, *upper.half],
    )
    plain = structure_to_plain(both)
    assert not any(name.startswith("Joist") for name in KIND.until(plain, "floor"))
    assert any(name.startswith("Joist") for name in KIND.until(plain, "walls"))


def test_what_stands_is_listed_from_the_top_and_cut_at_its_limit():
    plain = structure_to_plain(framed_floor())
    lines = KIND.inventory(plain, 10_000).splitlines()
    assert len(lines) == len(plain["names"])
    assert lines[-1].startswith("Sill_") and lines[-1].endswith("z 0.000..0.038")
    short = KIND.inventory(plain, 40)
    assert len(short) < 40 * 4 + 60
    shown = len(short.splitlines()) - 1
    assert short.endswith(f"and {len(lines) - shown} more that are not listed here")
    assert KIND.inventory(structure_to_plain(framed_floor().subset([])), 99) == "nothing yet"


def test_a_phase_that_only_renames_is_caught():
    before = structure_to_plain(framed_floor())
    after = structure_to_plain(without(framed_floor(), "Sill_S"))
    [nothing, gone] = KIND.phase_faults(TASK, "walls", before, after)
    assert "added no walls member" in nothing and gone.endswith("as they are: Sill_S.")
    assert KIND.phase_faults(TASK, "floor", None, before) == []


def test_a_phase_that_the_task_does_not_need_may_add_nothing():
    task = replace(TASK, brief={"required_categories": ["foundation"]})
    plain = structure_to_plain(framed_floor())
    assert KIND.phase_faults(task, "roof", plain, plain) == []
