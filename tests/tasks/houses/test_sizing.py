# SPDX-License-Identifier: GPL-3.0-or-later
"""Lumber is chosen by the span engine: it changes with load, wood and spacing, and never idles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plumbline.checks.timber import judge
from plumbline.checks.timber.brief import PSF
from plumbline.checks.timber.spans import allowable_beam_span, allowable_span
from plumbline.tasks.houses.generate import build, plan
from plumbline.tasks.houses.parameters import HouseParameters
from plumbline.tasks.houses.sizing import wood_of
from plumbline.tasks.houses.wood import DEPTHS, USED, beam_span, depth_for, joist_spans

#: A town house of three storeys whose joists are 3.6 m long.
TOWN = HouseParameters("Townhouse", 1, 5.722, 7.346, 3, 33.69, 0.30, openings=1.0)


def lumber(**changes):
    """The lumber of the main volume of :data:`TOWN` with some parameters changed."""
    return plan(replace(TOWN, **changes))[1][0][1]


def test_joists_get_deeper_with_load_and_with_weaker_wood():
    light = lumber(floor_live=30 * PSF).joists[0]
    heavy = lumber(floor_live=80 * PSF, stories=2).joists[0]
    strong = lumber(species="douglas-fir-larch", grade="SS", stories=2).joists[0]
    weak = lumber(grade="3", stories=2).joists[0]
    assert light < heavy
    assert strong < weak


def test_rafters_get_deeper_with_snow():
    free, snowy = (lumber(pitch=22.62, ground_snow=snow) for snow in (0.0, 50 * PSF))
    assert free.rafter < snowy.rafter


def test_girders_get_more_posts_with_load():
    assert len(lumber(stories=2).girder_posts) < len(lumber().girder_posts)


def test_headers_are_larger_under_more_floors():
    volume, found = plan(TOWN)[1][0]
    sizes = {
        o.storey: width * plies * depth
        for o, (width, plies, depth) in zip(volume.openings, found.headers, strict=True)
        if o.wall == "S" and o.kind == "window"
    }
    assert sizes[3] < sizes[1]


def test_openings_that_no_header_spans_get_narrower():
    free, _ = plan(TOWN)[1][0]
    loaded, _ = plan(replace(TOWN, floor_live=50 * PSF))[1][0]
    widths = [
        max(o.high - o.low for o in volume.openings if o.storey == 1 and o.wall == "S")
        for volume in (free, loaded)
    ]
    assert widths[1] < widths[0]


def test_sections_of_members_are_those_that_were_chosen():
    house = build(TOWN)
    volume, found = plan(TOWN)[1][0]
    joist = house.roles.mask("Joist").nonzero()[0]
    nominal = {0.140: "2x6", 0.184: "2x8", 0.235: "2x10", 0.286: "2x12"}
    assert {house.sections[i] for i in joist} == {nominal[found.joists[0]]}
    rafter = house.roles.mask("Rafter").nonzero()[0]
    assert {house.sections[i] for i in rafter} == {nominal[found.rafter]}
    assert volume.lines == 1 and house.roles.mask("Beam").any()


def test_one_size_less_would_fail():
    """The chosen joists are needed: with one size less the house is judged unsound."""
    limits = joist_spans(wood_of(TOWN))
    volume, found = plan(TOWN)[1][0]
    run = volume.middle - 0.038
    smaller = DEPTHS[DEPTHS.index(found.joists[0]) - 1]
    assert limits[DEPTHS.index(smaller)] < run <= limits[DEPTHS.index(found.joists[0])]


@pytest.mark.parametrize("heavier", [{"floor_live": 80 * PSF}, {"ground_snow": 70 * PSF}])
def test_a_house_fails_under_loads_that_it_was_not_sized_for(heavier):
    house = build(TOWN)
    assert judge(house.structure, house.brief).verdict == "passed"
    assert judge(house.structure, replace(house.brief, **heavier)).verdict == "failed"


def test_spans_are_those_of_the_engine():
    wood = wood_of(TOWN)
    common = {"species": wood.species, "grade": wood.grade}
    joists = allowable_span(
        "joist", 0.038, 0.184, 0.406, live=wood.floor_live, dead=wood.floor_dead, **common
    )
    # Shorter of that and the paper's 3.06 m (specification, section 1.2).
    limit = joist_spans(wood)[DEPTHS.index(0.184)]
    assert limit == pytest.approx(USED * min(float(joists.length), 3.06), rel=2e-3)
    header = allowable_beam_span(
        0.089, 0.235, 2.5, live=wood.floor_live, dead=wood.floor_dead, **common
    )
    found = beam_span(wood, (0.089, 1, 0.235), (2.5, 0.0, 0.0))
    assert found == pytest.approx(USED * float(header.length), rel=1e-6)


def test_no_depth_is_found_for_what_none_reaches():
    assert depth_for(3.0, (1.0, 2.0, 3.5, 4.0, 5.0)) == 0.184
    assert depth_for(0.5, (1.0, 2.0, 3.5, 4.0, 5.0)) == 0.140
    assert depth_for(5.1, (1.0, 2.0, 3.5, 4.0, 5.0)) is None
