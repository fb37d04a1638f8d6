# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a slider tips over, held against the span tables themselves; and the meter beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plumbline.addon.lessons import loader, meter
from plumbline.addon.lessons.tipping import tip_of
from plumbline.checks.result import CheckResult, Finding, Judgement, Measures
from plumbline.checks.timber.brief import TimberBrief
from plumbline.checks.timber.spans import allowable_span

BRIEF = TimberBrief()
WOOD = {"species": BRIEF.species, "grade": BRIEF.grade}
JOIST = loader.find("over_spanned_joist")


def test_a_load_tips_where_the_table_says():
    slider = JOIST.slider("load")
    tip = tip_of(slider, BRIEF)
    limit = allowable_span(
        "joist", 0.038, 0.286, 0.406, **WOOD, live=tip * 1000.0, dead=BRIEF.floor_dead
    )
    assert float(limit.length) == pytest.approx(4.224, abs=1e-6)


def test_stops_tip_between_the_last_that_holds_and_the_first_that_does_not():
    assert tip_of(JOIST.slider("depth"), BRIEF) == pytest.approx((0.184 + 0.235) / 2)


def test_snow_tips_a_rafter():
    slider = loader.find("missing_ridge").slider("snow")
    tip = tip_of(slider, BRIEF)
    limit = allowable_span(
        "rafter", 0.038, 0.14, 0.406, **WOOD, live=BRIEF.roof_live, dead=BRIEF.roof_dead,
        snow=tip * 1000.0,
    )  # fmt: skip
    assert float(limit.length) == pytest.approx(1.795, abs=1e-6)


def test_what_never_tips_has_no_mark():
    slider = JOIST.slider("load")
    table = {**slider.tip.table, "span": 0.1}
    assert tip_of(replace(slider, tip=replace(slider.tip, table=table)), BRIEF) is None


def test_a_slider_takes_only_what_it_may():
    depth, load = JOIST.slider("depth"), JOIST.slider("load")
    assert depth.taken(0.2) == 0.184 and depth.taken(9.0) == 0.286
    assert load.taken(99.0) == 6.0 and load.taken(-1.0) == 1.0 and load.taken(2.5) == 2.5
    assert load.taken(float("nan")) == load.default
    assert depth.words(0.235) == "235 mm" and load.words(1.92) == "1.92 kPa"
    assert depth.words(0.2286, "imperial") == '9"' and load.words(2.0, "imperial") == "2.00 kPa"
    with pytest.raises(KeyError, match="no slider 'height'; known: depth, load"):
        JOIST.slider("height")


def judgement(*results) -> Judgement:
    return Judgement("timber", "engineering", results)


def measured(share: float, name: str = "Joist_07") -> Measures:
    return Measures((name, "Joist_08"), np.array([share, 0.1]), np.ones(2), "m")


def test_the_meter_reads_a_sound_member():
    slider = JOIST.slider("depth")
    found = meter.read(
        judgement(CheckResult("clear_span", "passed", measures=(measured(0.91),))), slider
    )
    assert found.holds and found.verdict == "passed" and found.faults == 0
    assert found.used == pytest.approx(0.91) and found.words == "9 % to spare"


def test_the_meter_reads_a_fault_whichever_way_its_limit_points():
    slider = JOIST.slider("depth")
    for figure, limit in ((4.48, 4.0), (4.0, 4.48)):
        finding = Finding("clear_span", "Joist_07", "Too far.", measured=figure, limit=limit)
        found = meter.read(judgement(CheckResult("clear_span", "failed", (finding,))), slider)
        assert not found.holds and found.faults == 1 and found.verdict == "failed"
        assert found.words == "12 % beyond the limit"


def test_the_meter_says_so_where_there_is_no_figure():
    slider = JOIST.slider("depth")
    finding = Finding("clear_span", "Joist_07", "It is not there.")
    found = meter.read(judgement(CheckResult("clear_span", "failed", (finding,))), slider)
    assert found.used is None and found.words == "beyond the limit"
    found = meter.read(judgement(CheckResult("clash", "passed")), slider)
    assert found.used is None and found.holds and found.words == "within the limit"


def test_the_meter_leaves_other_members_out():
    slider = JOIST.slider("depth")
    finding = Finding("clear_span", "Joist_08", "Too far.", measured=5.0, limit=4.0)
    result = CheckResult("clear_span", "failed", (finding,), measures=(measured(0.5),))
    found = meter.read(judgement(result), slider)
    assert found.holds and found.verdict == "failed" and found.words == "50 % to spare"
