# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colour every member gets, and what the legend says of it."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.colouring import (
    LOUD,
    MODES,
    MOST_ENTRIES,
    NONE,
    QUIET,
    SEVERAL,
    colours_of,
    measured_checks,
    utilisation_of,
)
from plumbline.addon.palette import COLOUR_BLIND_SAFE, STANDARD, UNKNOWN, categories, heat
from plumbline.addon.pictures.drawing import Subjects
from plumbline.checks.result import CheckResult, Finding, Judgement, Measures

NAMES = ("Joist_1", "Joist_2", "Plate_1", "Stud_1", "Stud_2")
ROLES = ("Joist", "Joist", "TopPlate", "Stud", "")


def subjects(names=NAMES, roles=ROLES):
    return Subjects(names, np.zeros((len(names), 8, 3)), roles)


SAGGING = Finding(
    "clear_span", "Joist_1", "It spans too far.", related=("Plate_1",),
    measured=4.2, limit=4.0, unit="m", margin=-0.2,
)  # fmt: skip
SHORT = Finding(
    "bearing", "Joist_1", "It bears too little.", measured=0.02, limit=0.04, unit="m", margin=-0.02
)
HANGING = Finding("load_path", "Stud_1", "It hangs.", follows="clear_span:Joist_1")
MISSING = Finding(
    "spacing", "place between Stud_1 and Stud_2", "A stud is missing.",
    subject_kind="place", location=(1.0, 2.0, 3.0), measured=0.8, limit=0.4, unit="m",
)  # fmt: skip


def judgement(*findings, measures=(), others=()):
    checks = dict.fromkeys(f.check for f in findings)
    results = [
        CheckResult(c, "failed", tuple(f for f in findings if f.check == c), measures=measures)
        for c in checks
    ]
    return Judgement("timber", "engineering", (*results, *others))


def by_name(colours):
    return {n: tuple(np.round(c, 4)) for n, c in zip(NAMES, colours.rgb.tolist(), strict=True)}


def words(colours):
    return {e.words: e.count for e in colours.legend.entries}


@pytest.mark.parametrize("palette", [STANDARD, COLOUR_BLIND_SAFE])
def test_verdict(palette):
    found = colours_of(subjects(), judgement(SAGGING, HANGING, MISSING), "verdict", palette)
    rgb = by_name(found)
    assert rgb["Joist_1"] == palette.fault and rgb["Plate_1"] == palette.related
    assert rgb["Joist_2"] == rgb["Stud_2"] == palette.sound
    assert rgb["Stud_1"] == pytest.approx((np.array(palette.fault) + palette.related) / 2, abs=1e-4)
    assert found.weight.tolist() == [LOUD, QUIET, LOUD, LOUD, QUIET]
    assert words(found) == {
        "something missing here": 1,
        "at fault": 1,
        "follows from a fault": 1,
        "takes part in a fault": 1,
        "nothing found": 2,
    }
    assert found.missing == (((1.0, 2.0, 3.0), palette.fault),)
    assert found.legend.note == ""


def test_the_worst_that_is_known_of_a_member_counts():
    """One that is at fault, takes part and follows is at fault."""
    both = Finding("clash", "Plate_1", "It clashes.", related=("Joist_1",))
    also = Finding("load_path", "Plate_1", "It hangs.", follows="clash:Plate_1")
    found = colours_of(subjects(), judgement(SAGGING, both, also), "verdict", STANDARD)
    assert words(found) == {"at fault": 2, "nothing found": 3}


def test_nothing_found_says_less_while_a_check_has_no_answer():
    blank = CheckResult("stability", "not_run", reason="needs SciPy")
    found = colours_of(subjects(), judgement(others=(blank,)), "verdict", STANDARD)
    assert words(found) == {"nothing found": 5}
    assert found.legend.note == "1 check without an answer"


def test_by_check():
    found = colours_of(subjects(), judgement(SAGGING, SHORT, HANGING, MISSING), "check", STANDARD)
    rgb = by_name(found)
    colour = dict(
        zip(("clear_span", "bearing", "load_path", "spacing"), categories(4), strict=True)
    )
    assert rgb["Joist_1"] == SEVERAL
    assert rgb["Stud_1"] == pytest.approx(colour["load_path"])
    assert found.weight.tolist() == [LOUD, NONE, NONE, LOUD, NONE]
    assert words(found) == {"Load path": 1, "Spacing": 1, "Several checks": 1}
    assert found.missing[0][1] == pytest.approx(colour["spacing"])
    place = next(e for e in found.legend.entries if e.words == "Spacing")
    assert place.place


def test_a_fault_of_its_own_goes_before_what_follows():
    also = Finding("load_path", "Joist_1", "It hangs.", follows="bearing:Joist_2")
    found = colours_of(subjects(), judgement(SAGGING, also), "check", STANDARD)
    assert words(found) == {"Clear span": 1}


def test_by_check_without_a_fault():
    found = colours_of(subjects(), judgement(), "check", STANDARD)
    assert not found.weight.any() and found.legend.note == "No check fails anywhere"


def test_by_role():
    found = colours_of(subjects(), judgement(), "role", STANDARD)
    assert words(found) == {"Joist": 2, "Stud": 1, "Top plate": 1, "No role": 1}
    rgb = by_name(found)
    assert rgb["Joist_1"] == rgb["Joist_2"] != rgb["Stud_1"]
    assert (found.weight == LOUD).all()


def test_a_long_legend_is_summed_up():
    names = tuple(f"M_{i}" for i in range(200))
    roles = tuple(f"Role{i % 20}" for i in range(200))
    entries = colours_of(subjects(names, roles), judgement(), "role", STANDARD).legend.entries
    assert len(entries) == MOST_ENTRIES
    assert entries[-1].words == "9 more kinds" and sum(e.count for e in entries) == 200


MEASURED = Measures(
    ("Joist_1", "Joist_2", "Joist_1", "Gone"),
    np.array([2.0, 4.0, 5.0, 9.0]),
    np.array([4.0, 4.0, 4.0, 4.0]),
    "m",
)


def test_margin_is_the_worst_of_all_that_was_measured():
    told = judgement(SAGGING, measures=(MEASURED,))
    used = utilisation_of(subjects(), told)
    assert used[:2] == pytest.approx([1.25, 1.0]) and np.isnan(used[2:]).all()
    found = colours_of(subjects(), told, "margin", STANDARD)
    assert found.rgb[:2] == pytest.approx(heat([1.25, 1.0]), abs=1e-6)
    assert found.weight.tolist() == [LOUD, LOUD, QUIET, QUIET, QUIET]
    assert by_name(found)["Stud_1"] == pytest.approx(UNKNOWN)
    assert words(found) == {"beyond the limit": 1, "not measured": 3}
    marks = {w: s for s, w in found.legend.ramp.marks}
    assert marks["0 %"] < marks["50 %"] < marks["100 %"] < marks["beyond"]
    at_limit = round(marks["100 %"] * len(found.legend.ramp.colours))
    ramp = found.legend.ramp.colours
    assert ramp[at_limit - 1] == pytest.approx(heat([1.0])[0], abs=1e-3)
    assert ramp[at_limit] == pytest.approx(heat([1.001])[0], abs=1e-2), "it breaks at the limit"


def test_margin_of_one_check_and_of_checks_that_keep_no_measures():
    told = judgement(SAGGING, SHORT, MISSING)
    assert utilisation_of(subjects(), told)[0] == pytest.approx(2.0)
    assert utilisation_of(subjects(), told, "clear_span")[0] == pytest.approx(1.05)
    assert np.isnan(utilisation_of(subjects(), told, "spacing")).all(), "a place is no member"
    assert measured_checks(told) == ("clear_span", "bearing")
    found = colours_of(subjects(), told, "margin", STANDARD, check="spacing")
    assert found.legend.note == "Nothing was measured" and "Spacing" in found.legend.title


def test_noise_of_single_precision_is_not_beyond_a_limit():
    near = Measures(("Joist_1", "Joist_2"), np.array([1.00001, 1.001]), np.ones(2), "m")
    used = utilisation_of(subjects(), judgement(SAGGING, measures=(near,)))
    assert used[0] == 1.0 and used[1] == pytest.approx(1.001)


def test_nothing_at_all_under_a_least_length_is_the_worst():
    nothing = Measures(("Joist_1",), np.zeros(1), np.array([0.038]), "m", at_least=True)
    found = colours_of(subjects(), judgement(SHORT, measures=(nothing,)), "margin", STANDARD)
    assert np.isinf(utilisation_of(subjects(), judgement(SHORT, measures=(nothing,)))[0])
    assert found.rgb[0] == pytest.approx(heat([9.0])[0], abs=1e-6)


def test_the_chosen_finding_alone():
    told = judgement(SAGGING, MISSING)
    found = colours_of(subjects(), told, "finding", STANDARD, SAGGING)
    assert found.weight.tolist() == [LOUD, NONE, LOUD, NONE, NONE] and found.legend is None
    assert not found.missing
    found = colours_of(subjects(), told, "finding", STANDARD, MISSING)
    assert not found.weight.any() and len(found.missing) == 1
    assert not colours_of(subjects(), told, "finding", STANDARD).weight.any()


def test_only_some():
    found = colours_of(subjects(), judgement(SAGGING, MISSING), "verdict", STANDARD)
    one = found.only(np.array([True, False, False, False, False]), (0.0, 0.0, 0.0))
    assert one.weight.tolist() == [LOUD, NONE, NONE, NONE, NONE] and not one.missing
    assert found.only(np.zeros(5, bool), MISSING.location).missing == found.missing


@pytest.mark.parametrize("mode", MODES)
def test_nothing_to_colour(mode):
    found = colours_of(subjects((), ()), judgement(MISSING), mode, STANDARD)
    assert found.rgb.shape == (0, 3) and found.weight.shape == (0,)


def test_an_unknown_mode_is_said():
    with pytest.raises(ValueError, match=r"'rainbow'.*verdict, check"):
        colours_of(subjects(), judgement(), "rainbow", STANDARD)


def test_all_blocks_of_a_finding_have_its_colour():
    from plumbline.addon.pictures.named import at_fault, involved

    cells = ([0, 3, 0], [1, 3, 0], [0, 1, 0])
    blocks = tuple(f"block ({x}, {y}, {z})" for x, y, z in cells)
    floats = Finding(
        "physical_plausibility.is_ground_connected", blocks[0], "Two float.",
        detail={"blocks": [list(c) for c in cells[:2]]},
    )  # fmt: skip
    door = Finding(
        "shape.are_doors_passable", blocks[1], "Shut.", related=(blocks[2],),
        detail={"blocks": [list(c) for c in cells[1:]]},
    )  # fmt: skip
    assert at_fault(floats) == blocks[:2] and at_fault(door) == blocks[1:2]
    assert involved(door) == (blocks[1], blocks[2])
    seen = subjects(blocks, ("stone", "stone", "oak_planks"))
    judged = Judgement(
        "voxel", "paper", tuple(CheckResult(f.check, "failed", (f,)) for f in (floats, door))
    )
    chosen = colours_of(seen, judged, "finding", STANDARD, floats)
    assert chosen.weight.tolist() == [LOUD, LOUD, NONE] and chosen.legend is None
    other = colours_of(seen, judged, "finding", STANDARD, door)
    assert other.weight.tolist() == [QUIET, LOUD, LOUD], "what else is at fault is pale"
    verdict = colours_of(seen, judged, "verdict", STANDARD)
    assert np.allclose(verdict.rgb[2], STANDARD.related) and words(verdict) == {
        "at fault": 2,
        "takes part in a fault": 1,
    }
    checks = colours_of(seen, judged, "check", STANDARD)
    assert np.allclose(checks.rgb[1], SEVERAL) and words(checks)["Ground connection"] == 1
    role = colours_of(seen, judged, "role", STANDARD).legend
    assert role.title.startswith("Material") and next(e.words for e in role.entries) == "Stone"
