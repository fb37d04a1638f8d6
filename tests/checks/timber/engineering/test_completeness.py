# SPDX-License-Identifier: GPL-3.0-or-later
"""Required parts are there and every member has a role."""

import sys
from pathlib import Path

import numpy as np
from plumbline.checks.timber import TimberStructure
from plumbline.checks.timber.engineering.completeness import completeness

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import joints_of


def test_a_whole_house_has_no_finding():
    outcome = completeness(joints_of(gables.gable(0.5)))
    assert outcome.findings == ()
    assert outcome.subjects == outcome.figures["members"] + 4


def test_each_missing_category_is_a_place():
    frame = gables.Frame()
    frame.box("Stud_01", (0, 0, 0), (0.038, 0.089, 2.4))
    found = completeness(joints_of(frame.structure())).findings
    assert [f.subject for f in found] == [f"place for {c}" for c in ("foundation", "floor", "roof")]
    assert {f.subject_kind for f in found} == {"place"}
    assert all(f.margin < 0 for f in found)
    one = completeness(joints_of(frame.structure(), required_categories=("walls", "roof")))
    assert [f.subject for f in one.findings] == ["place for roof"]


def test_a_name_that_says_nothing_is_a_finding_of_its_member():
    frame = gables.Frame()
    frame.box("Thing", (0, 0, 0), (1, 1, 1))
    frame.box("Stud_01", (2, 0, 0), (2.038, 0.089, 2.4))
    structure = frame.structure()
    joints = joints_of(structure, required_categories=())
    (finding,) = completeness(joints).findings
    assert (finding.subject, finding.subject_kind) == ("Thing", "member")
    assert "plumbline_role" in finding.message
    odd = TimberStructure(
        structure.names, (None, "Banana"), structure.center, structure.axes, structure.half
    )
    messages = [f.message for f in completeness(joints_of(odd, required_categories=())).findings]
    assert "'Banana' is no known role" in messages[1]


def test_an_empty_structure_lacks_everything_and_does_not_fail():
    empty = TimberStructure((), (), np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)))
    assert len(completeness(joints_of(empty)).findings) == 4


def test_ten_thousand_trees_are_all_named():
    n = 10_000
    at = np.arange(n)[:, None] * [3.0, 0, 0]
    trees = TimberStructure.from_boxes(
        [f"Tree.{k:05d}" for k in range(n)], at, np.tile(np.eye(3), (n, 1, 1)), np.ones((n, 3))
    )
    joints = joints_of(trees)
    outcome = completeness(joints)
    assert len(outcome.findings) == n + 4
