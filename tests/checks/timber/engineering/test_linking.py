# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings that follow from another hang under it; faults of their own stay roots."""

from plumbline.checks.result import Finding
from plumbline.checks.timber.engineering.linking import link


def finding(check, subject, at, kind="member", related=(), follows=None, **detail):
    return Finding(
        check, subject, "…", subject_kind=kind, related=tuple(related), location=at,
        follows=follows, detail=detail,
    )  # fmt: skip


def roots(linked):
    return [(f.check, f.subject) for fs in linked.values() for f in fs if f.is_root]


def test_a_clash_of_a_floating_stud_follows_from_its_floating():
    linked = link({
        "clash": [finding("clash", "Stud_1", (0, 0, 2.4), related=["TopPlate_1"])],
        "load_path": [finding("load_path", "Stud_1", (0, 0, 0.1))],
    })  # fmt: skip
    assert roots(linked) == [("load_path", "Stud_1")]
    (clash,) = linked["clash"]
    assert clash.follows == "load_path:Stud_1"


def test_what_a_member_is_comes_before_what_happens_to_it():
    linked = link({
        "load_path": [finding("load_path", "Joist_1", (0, 0, 0))],
        "orientation": [finding("orientation", "Joist_1", (2, 0, 0))],
    })  # fmt: skip
    assert roots(linked) == [("orientation", "Joist_1")]


def test_a_missing_rafter_explains_the_one_opposite_that_leans_on_nothing():
    hole = finding(
        "spacing", "place between Rafter_N_1 and Rafter_N_3", (1, 3, 4), "place",
        ["Rafter_N_1", "Rafter_N_3"], line=[[1, 4, 3], [1, 2, 5]],
    )  # fmt: skip
    top = finding("load_path", "place at the top of Rafter_S_2", (1, 1.95, 5), "place",
                  ["Rafter_S_2"], places=[[1, 1.95, 5]])  # fmt: skip
    hanging = finding("load_path", "Rafter_S_2", (1, 1, 4), follows=top.key)
    linked = link({"spacing": [hole], "load_path": [top, hanging]})
    assert roots(linked) == [("spacing", hole.subject)]
    assert {f.follows for f in linked["load_path"]} == {hole.key}
    assert top.subject in linked["spacing"][0].related


def test_the_same_member_at_another_place_is_another_fault():
    linked = link({
        "load_path": [finding("load_path", "TopPlate_1", (0, 0, 2.4))],
        "clash": [finding("clash", "Joist_9", (5, 0, 2.4), related=["TopPlate_1"])],
    })  # fmt: skip
    assert len(roots(linked)) == 2


def test_findings_of_one_check_are_never_each_others_cause():
    linked = link({
        "clash": [
            finding("clash", "Stud_1", (0, 0, 0), related=["Plate_1"]),
            finding("clash", "Stud_2", (0.1, 0, 0), related=["Plate_1"]),
        ]
    })  # fmt: skip
    assert len(roots(linked)) == 2


def test_nothing_hangs_under_a_consequence():
    linked = link({
        "section": [finding("section", "A", (0, 0, 0))],
        "load_path": [finding("load_path", "A", (0, 0, 0), related=["B"])],
        "clash": [finding("clash", "B", (0.2, 0, 0), related=["C"])],
    })  # fmt: skip
    assert roots(linked) == [("section", "A"), ("clash", "B")]


def test_order_of_the_checks_given_makes_no_difference():
    one = finding("load_path", "Stud_1", (0, 0, 0))
    two = finding("dual_end_connection", "Stud_1", (0, 0, 0.1))
    first = link({"load_path": [one], "dual_end_connection": [two]})
    second = link({"dual_end_connection": [two], "load_path": [one]})
    assert first == second


def test_of_two_findings_under_one_key_the_root_stays_a_root():
    linked = link({
        "load_path": [finding("load_path", "Plate_1", (9, 0, 2.4))],
        "clash": [
            finding("clash", "Stud_1", (0, 0, 2.4), related=["Stud_2"]),
            finding("clash", "Stud_1", (9, 0, 2.4), related=["Plate_1"]),
        ],
        "dual_end_connection": [finding("dual_end_connection", "Stud_1", (0, 0, 2.4))],
    })  # fmt: skip
    root, other = linked["clash"]
    assert root.is_root and root.related == ("Stud_2",)
    assert other.follows == "load_path:Plate_1"
    assert linked["dual_end_connection"][0].follows == "clash:Stud_1"


def test_an_end_connected_to_nothing_follows_from_what_is_missing_there():
    hole = finding(
        "load_path", "place at the top of Rafter_S_1 to Rafter_N_9", (2, 2, 4), "place",
        ["Rafter_S_1", "Rafter_N_9"], places=[[0.4, 2, 4], [3.6, 2, 4]],
    )  # fmt: skip
    near = finding("dual_end_connection", "Stud_Gable", (0.02, 2.0, 3.9))
    far = finding("dual_end_connection", "Stud_Far", (0.02, 0.5, 3.9))
    linked = link({"load_path": [hole], "dual_end_connection": [near, far]})
    assert roots(linked) == [
        ("load_path", hole.subject),
        ("dual_end_connection", "Stud_Far"),
    ]
