# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of findings: filters, orders, consequences under their root, and that views are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.addon.findings import SORT_KEYS, FindingsTable, Query, natural_key
from plumbline.checks.result import Finding


def finding(check: str, subject: str, **more) -> Finding:
    return Finding(check, subject, f"{subject} fails {check}.", **more)


ROOT = finding("load_path", "Post_2", related=("Sill_1",))
FOLLOWER = finding("dual_end_connection", "Stud_10", follows="load_path:Post_2")
SHORT = finding("bearing", "Joist_10", measured=0.019, limit=0.038, unit="m", margin=-0.019)
LONG = finding("clear_span", "Joist_2", measured=4.12, limit=3.91, unit="m", margin=-0.21)
TABLE = FindingsTable([SHORT, LONG, ROOT, FOLLOWER])


def names(table: FindingsTable, **query) -> list[str]:
    return [table.findings[row].subject for row in table.view(Query(**query)).shown]


def test_worst_first_puts_the_fault_with_consequences_first_and_them_under_it():
    assert names(TABLE) == ["Post_2", "Stud_10", "Joist_10", "Joist_2"]


def test_by_excess_compares_shares_of_the_limit_and_puts_what_is_no_quantity_first():
    # 19 of 38 mm lack half of the limit; 0.21 of 3.91 m are a twentieth.
    assert names(TABLE, sort="margin") == ["Post_2", "Stud_10", "Joist_10", "Joist_2"]
    assert names(TABLE, sort="margin", reverse=True)[:2] == ["Joist_2", "Joist_10"]


def test_by_member_counts_as_people_do():
    assert names(TABLE, sort="member") == ["Joist_2", "Joist_10", "Post_2", "Stud_10"]
    assert natural_key("joist_9") < natural_key("Joist_10")


def test_by_check():
    assert names(TABLE, sort="check") == ["Joist_10", "Joist_2", "Post_2", "Stud_10"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("JOIST", ["Joist_10", "Joist_2"]),
        ("joist span", ["Joist_2"]),
        ("clear span", ["Joist_2"]),
        ("clear_span", ["Joist_2"]),
        ("sill_1", ["Post_2"]),
        ("nothing like it", []),
    ],
)
def test_search_finds_all_words_in_member_check_sentence_and_related(text, shown):
    assert names(TABLE, text=text) == shown


def test_filters_combine():
    assert names(TABLE, check="bearing") == ["Joist_10"]
    assert names(TABLE, roots_only=True) == ["Post_2", "Joist_10", "Joist_2"]
    assert names(TABLE, check="bearing", text="post") == []


def test_consequences_are_listed_under_their_root_through_any_number_of_steps():
    chain = [
        finding("load_path", "A"),
        finding("bearing", "B", follows="load_path:A"),
        finding("clash", "C", follows="bearing:B"),
        finding("clash", "orphan", follows="load_path:not there"),
    ]
    table = FindingsTable(chain)
    assert table.parent == (0, 0, 0, 3)
    assert table.consequences == {0: (1, 2)}
    assert table.root_count == 2


def test_places_beyond_what_is_shown_are_filtered_out():
    view = TABLE.view(Query(text="joist"), length=7, bit=1 << 30)
    assert view.flags == [1 << 30] * 2 + [0] * 5
    assert [view.place[row] for row in view.shown] == [0, 1]


def test_an_unknown_order_is_refused_by_name():
    with pytest.raises(ValueError, match="unknown sort key 'colour'"):
        TABLE.view(Query(sort="colour"))  # type: ignore[arg-type]


def test_asking_again_returns_the_very_same_view():
    assert TABLE.view(Query(text="joist")) is TABLE.view(Query(text="joist"))


def test_views_kept_are_bounded():
    for number in range(100):
        TABLE.view(Query(text=str(number)))
    assert len(TABLE._views) <= 16


@given(
    subjects=st.lists(st.text(min_size=1, max_size=6), max_size=12, unique=True),
    links=st.lists(st.integers(0, 15), max_size=12),
    sort=st.sampled_from(SORT_KEYS),
    reverse=st.booleans(),
    text=st.text(max_size=3),
    roots_only=st.booleans(),
)
def test_every_view_is_a_permutation_with_consequences_under_their_root(
    subjects, links, sort, reverse, text, roots_only
):
    rows = []
    for number, subject in enumerate(subjects):
        link = links[number] if number < len(links) else 99
        follows = f"c:{subjects[link]}" if link < len(subjects) and link != number else None
        rows.append(Finding("c", subject, subject, follows=follows, margin=-number or None))
    table = FindingsTable(rows)
    view = table.view(Query(text, "", roots_only, sort, reverse))
    assert len(set(view.shown)) == len(view.shown) == sum(view.flags)
    assert all(view.shown[place] == row for row, place in view.place.items())
    everything = table.view(Query("", "", False, sort, reverse)).shown
    assert sorted(everything) == list(range(len(rows)))
    assert [row for row in everything if row in view.place] == list(view.shown)
    for place, row in enumerate(everything):
        if table.parent[row] != row:
            assert table.parent[everything[place - 1]] == table.parent[row]


def test_a_role_is_that_of_the_member_or_of_those_beside_what_is_missing():
    place = finding("spacing", "place", subject_kind="place", related=("Stud_1", "Stud_2"))
    between = finding("spacing", "gap", subject_kind="place", related=("Stud_1", "Joist_10"))
    table = FindingsTable(
        [SHORT, place, between],
        lambda: {"Joist_10": "Joist", "Stud_1": "Stud", "Stud_2": "Stud"},
    )
    assert table.row_roles == ("Joist", "Stud", "") and table.roles == ("Joist", "Stud")
    assert names(table, role="Stud") == ["place"]
    assert names(TABLE, role="Stud") == [], "nobody told the roles"


def test_a_fault_is_severe_if_it_is_far_beyond_its_limit_or_no_matter_of_degree():
    slight = finding("bearing", "Joist_3", measured=0.036, limit=0.038, unit="m", margin=-0.002)
    table = FindingsTable([SHORT, LONG, slight, ROOT, FOLLOWER])
    assert table.severities == ("severe", "fault", "fault", "severe", "follows")
    assert table.severity_counts == {"severe": 2, "fault": 2, "follows": 1}
