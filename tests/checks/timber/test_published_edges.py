# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd structures: a sentence and a number for each, never a traceback, a warning or a NaN."""

import json
import math
import warnings

import numpy as np
import pytest
from plumbline.checks.timber.brief import TimberBrief
from plumbline.checks.timber.paper import judge_paper
from plumbline.checks.timber.release import judge_release, release_result
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

ROLES = ("Sill", "Joist", "Rafter", "Stud", "Purlin", "Post", "Beam", "Ridge", "Header", "Odd")


def boxes(names, center, size):
    n = len(names)
    return TimberStructure.from_boxes(
        names,
        np.reshape(np.asarray(center, float), (n, 3)),
        np.tile(np.eye(3), (n, 1, 1)),
        np.reshape(np.asarray(size, float), (n, 3)),
    )


def of_every_role(size, place=(0, 0, 1)):
    names = [f"{role}_{k}" for role in ROLES for k in range(3)]
    return boxes(names, [place] * len(names), [size] * len(names))


def with_giant(axis, length):
    house = gable_house(140)
    giant = np.full(3, 0.089)
    giant[axis] = length
    return boxes(
        [*house.names, "Beam_giant"],
        np.vstack([house.center, [0, 0, 0.05]]),
        np.vstack([2 * house.half, giant]),
    )


ODD = {
    "no member": lambda: boxes([], np.zeros((0, 3)), np.zeros((0, 3))),
    "one sill": lambda: boxes(["Sill_1"], [0, 0, 0.02], [4, 0.14, 0.038]),
    "one rafter": lambda: boxes(["Rafter_1"], [0, 0, 5], [4, 0.14, 0.038]),
    "one stud": lambda: boxes(["Stud_1"], [0, 0, 5], [0.038, 0.089, 2.4]),
    "one joist": lambda: boxes(["Joist_1"], [0, 0, 5], [0.038, 4, 0.235]),
    "one post": lambda: boxes(["Post_1"], [0, 0, 5], [0.089, 0.089, 2.4]),
    "one nameless": lambda: boxes([""], [0, 0, 5], [1, 1, 1]),
    "all at one place": lambda: of_every_role((3, 0.089, 0.038)),
    "cubes, all sides tied": lambda: of_every_role((0.1, 0.1, 0.1)),
    "points without size": lambda: of_every_role((0, 0, 0)),
    "planes without thickness": lambda: of_every_role((3, 2, 0)),
    "lines": lambda: of_every_role((3, 0, 0)),
    "dust": lambda: of_every_role((1e-9, 1e-9, 1e-9)),
    "upright rafters and joists": lambda: of_every_role((0.038, 0.089, 4)),
    "far away": lambda: of_every_role((3, 0.089, 0.038), place=(1e7, -1e7, 1e6)),
    "a kilometre along x": lambda: with_giant(0, 1e3),
    "a kilometre up": lambda: with_giant(2, 1e3),
    "a million kilometres along y": lambda: with_giant(1, 1e9),
    "no joists": lambda: only_without("Joist"),
    "no roof": lambda: only_without("Rafter", "Ridge"),
    "no foundation": lambda: only_without("Sill"),
    "only studs": lambda: only("Stud"),
    "only rafters": lambda: only("Rafter"),
}


# What the published rules let pass: nothing of them asks for joists, or for more foundation than
# a rim board less than 100 mm above the ground.
HOLES = {("no joists", "release"), ("no foundation", "paper")}


def only(*starts):
    house = gable_house(140)
    return house.subset(np.array([n.startswith(starts) for n in house.names]))


def only_without(*starts):
    house = gable_house(140)
    return house.subset(np.array([not n.startswith(starts) for n in house.names]))


def numbers(value):
    if isinstance(value, dict):
        for v in value.values():
            yield from numbers(v)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from numbers(v)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("judge", [judge_paper, judge_release])
@pytest.mark.parametrize("name", ODD)
def test_odd_structures(name, judge):
    structure = ODD[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judgement = judge(structure)
    assert len(judgement.checks) == 10
    assert (judgement.verdict == "passed") == ((name, judgement.profile) in HOLES)
    plain = {
        "metrics": dict(judgement.metrics),
        "checks": [
            {"figures": dict(c.figures), "score": c.score, "reason": c.reason}
            for c in judgement.checks
        ],
        "findings": [
            [f.measured, f.limit, f.margin, f.location, dict(f.detail), f.message]
            for f in judgement.findings
        ],
    }
    # Plain data (no NumPy numbers), finite throughout, whole sentences.
    json.dumps(plain, allow_nan=False)
    assert all(math.isfinite(v) for v in numbers(plain))
    for finding in judgement.findings:
        assert finding.message.endswith(".")
        assert "nan" not in finding.message
    roots = {f.key for f in judgement.findings if f.is_root}
    assert all(f.follows in roots for f in judgement.findings if not f.is_root)


@pytest.mark.parametrize("judge", [judge_paper, judge_release])
def test_crowd_of_copies_is_said_not_guessed(judge):
    n = 7000
    crowd = boxes([f"Stud_{k}" for k in range(n)], [[0, 0, 1.2]] * n, [[0.038, 0.089, 2.4]] * n)
    judgement = judge(crowd)
    check = judgement.check("load_path")
    assert check.status == "not_run"
    assert "duplicates" in check.reason
    assert judgement.verdict == "failed"


@pytest.mark.parametrize("judge", [judge_paper, judge_release])
def test_bad_brief_says_so(judge):
    judgement = judge(gable_house(140), TimberBrief(grade="best"))
    assert judgement.verdict == "not_judged"
    check = judgement.check("span_limits")
    assert check.status == "not_run"
    assert "'best'" in check.reason


def test_unloaded_floor_has_no_limit_and_that_is_said():
    brief = TimberBrief(floor_live=0.0, floor_dead=0.0)
    check = judge_paper(gable_house(140), brief).check("span_limits")
    assert check.status == "not_run"
    assert "no load" in check.reason


def test_empty_release_result_is_whole():
    result = release_result(judge_release(ODD["no member"]()), None)
    assert result["all_passed"] is False
    assert result["stability_details"] == {
        "score": 0.0,
        "total_members": 0,
        "grounded_members": 0,
    }


def test_judging_does_not_touch_the_structure():
    house = gable_house(140)
    before = [a.copy() for a in (house.center, house.axes, house.half)]
    judge_paper(house)
    judge_release(house)
    for old, new in zip(before, (house.center, house.axes, house.half), strict=True):
        assert np.array_equal(old, new)
