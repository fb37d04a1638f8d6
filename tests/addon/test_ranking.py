# SPDX-License-Identifier: GPL-3.0-or-later
"""Every finding is shown exactly once, under the root that it follows from."""

from hypothesis import given
from hypothesis import strategies as st
from plumbline.addon.ranking import (
    count_roots,
    findings_of,
    grouped,
    relative_margin,
    worst_first,
)


def finding(subject, follows=None, margin=None, limit=None, check="c"):
    return {"check": check, "subject": subject, "follows": follows, "margin": margin,
            "limit": limit}  # fmt: skip


def test_the_root_with_most_consequences_comes_first(record):
    groups = grouped(findings_of(record))
    assert [g.root["subject"] for g in groups] == [
        "Sill_02",
        "place at 1.20, 0.00, 2.10",
        "Joist_07",
    ]
    assert [f["subject"] for f in groups[0].followers] == ["Joist_01", "Joist_02"]
    assert count_roots(findings_of(record)) == 3


def test_chains_end_at_their_first_root():
    listed = [finding("c", "c:b"), finding("b", "c:a"), finding("a")]
    (group,) = grouped(listed)
    assert group.root["subject"] == "a"
    assert [f["subject"] for f in group.followers] == ["c", "b"]


def test_a_finding_whose_root_is_missing_is_a_root():
    assert count_roots([finding("a", "c:gone"), finding("b")]) == 2


def test_circles_are_shown_once():
    listed = [finding("a", "c:b"), finding("b", "c:a"), finding("self", "c:self")]
    groups = grouped(listed)
    assert sum(1 + len(g.followers) for g in groups) == 3


def test_findings_themselves_come_in_the_same_order(judgement):
    shown = worst_first(judgement.findings)
    assert [f.subject for f in shown][:3] == ["Sill_02", "Joist_01", "Joist_02"]
    assert sorted(map(id, shown)) == sorted(map(id, judgement.findings))


def test_margins_compare_across_units_and_zero_limits():
    assert relative_margin(finding("a", margin=-0.2, limit=4.0)) == -0.05
    assert relative_margin(finding("a", margin=-0.2, limit=0.0)) == -0.2
    assert relative_margin(finding("a")) == float("-inf")


names = st.sampled_from("abcdefg")


@given(st.lists(st.builds(finding, names, st.none() | names.map("c:{}".format)), max_size=20))
def test_nothing_is_lost_and_nothing_doubled(listed):
    shown = [f for g in grouped(listed) for f in (g.root, *g.followers)]
    assert sorted(map(id, shown)) == sorted(map(id, listed))
