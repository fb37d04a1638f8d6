# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses from seeds: sound under all profiles, the same bytes for the same seed."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from plumbline.checks.timber import judge
from plumbline.checks.timber.roles import resolve
from plumbline.tasks.houses.generate import build, generate, plan, sample
from plumbline.tasks.houses.house import House
from plumbline.tasks.houses.parameters import HouseParameters

STYLES = ("Barn", "Carriage", "Colonial", "Ranch", "Shotgun", "Townhouse")
#: Fewest and most members of a published house (specification, section 7).
MEMBERS = range(133, 1549)


def digest(house: House) -> str:
    """All that a house is made of, as one short text."""
    found = hashlib.sha256("\n".join(house.structure.names).encode())
    for array in (house.structure.center, house.structure.axes, house.structure.half):
        found.update(np.ascontiguousarray(array).tobytes())
    found.update(repr((house.title, house.description, dict(house.constraints))).encode())
    return found.hexdigest()


@pytest.fixture(scope="module", params=[(style, seed) for style in STYLES for seed in (1, 2)])
def house(request):
    return generate(*request.param)


@pytest.mark.parametrize("profile", ["engineering", "paper", "release"])
def test_a_house_passes_without_a_finding(house, profile):
    judgement = judge(house.structure, house.brief, profile)
    assert judgement.verdict == "passed"
    assert [f.message for check in judgement.checks for f in check.findings] == []


def test_a_house_has_as_many_members_as_published_ones(house):
    assert len(house) in MEMBERS
    assert len(set(house.structure.names)) == len(house)


def test_names_say_the_same_role_in_all_conventions(house):
    wanted = resolve(house.structure).role
    assert None not in wanted
    for convention in ("paper", "release"):
        found = resolve(house.structure, convention).role
        differ = {
            (name, one, other)
            for name, one, other in zip(house.structure.names, wanted, found, strict=True)
            if one != other
        }
        assert not differ


def test_all_four_phases_are_there(house):
    assert {"foundation", "floor", "walls", "roof"} <= set(house.categories)


def test_the_same_seed_gives_the_same_bytes_in_every_process():
    script = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "import checkout\n"
        "from test_generate import STYLES, digest, generate\n"
        "print(*[digest(generate(style, 5)) for style in STYLES])"
    )
    here = [digest(generate(style, 5)) for style in STYLES]
    folder = os.path.dirname(__file__)
    ran = subprocess.run(
        [sys.executable, "-c", script, folder, *sys.path],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ran.stdout.split() == here
    assert len(set(here)) == len(STYLES)


def test_another_seed_gives_another_house():
    assert len({digest(generate("Ranch", seed)) for seed in range(4)}) == 4


def test_what_is_fixed_stays_and_moves_nothing_else():
    free = sample("Townhouse", 8)
    fixed = sample("Townhouse", 8, species="hem-fir", openings=0.25)
    assert (fixed.species, fixed.openings) == ("hem-fir", 0.25)
    others = {
        name: value
        for name, value in free.to_mapping().items()
        if name not in ("species", "openings")
    }
    assert others.items() <= fixed.to_mapping().items()


def test_parameters_survive_json():
    parameters = sample("Colonial", 3)
    assert HouseParameters.from_mapping(parameters.to_mapping()) == parameters
    assert digest(build(parameters)) == digest(generate("Colonial", 3))


def test_a_house_is_as_large_as_its_parameters_say():
    house = generate("Carriage", 2)
    p = house.parameters
    low, high = house.structure.subset(house.roles.mask("Sill")).aabb
    size = high.max(axis=0) - low.min(axis=0)
    assert size[0] == pytest.approx(p.footprint_x, abs=1e-5)
    assert size[1] == pytest.approx(p.footprint_y, abs=1e-5)
    low, high = house.structure.subset(house.roles.mask("Rafter")).aabb
    eaves = high[:, 1].max() - low[:, 1].min()
    # A square tail ends where its centre line does, half of its depth aside.
    assert p.footprint_y + 2 * p.overhang < eaves < p.footprint_y + 2 * p.overhang + 0.3


def test_title_description_and_constraints_say_what_was_built():
    house = generate("Colonial", 4, stories=2, ground_snow=1436.4)
    assert house.title.startswith("Two-storey Colonial, ")
    for part in ("two storeys", "gable roof", "406 mm", "double door", "1.44 kPa (30 psf)"):
        assert part in house.description
    assert house.parameters.species.replace("-", " ") in house.description
    found = house.constraints
    assert set(found) == {
        "footprint_x",
        "footprint_y",
        "stories",
        "roof_type",
        "lot_width",
        "lot_depth",
        "wings",
        "complexity",
        "roof_pitch",
        "overhang",
    }
    assert found["lot_width"] > found["footprint_x"] + 2 * found["overhang"]
    assert found["lot_depth"] > found["footprint_y"] + 2 * found["overhang"]


@pytest.mark.parametrize(("style", "seed"), [("Colonial", 4), ("Carriage", 1), ("Farmhouse", 3)])
def test_the_description_says_where_every_opening_is(style, seed):
    house = generate(style, seed)
    said = re.findall(r"(-?\d+\.\d\d) to (-?\d+\.\d\d) [a-z]", house.description)
    low, high = house.structure.subset(house.roles.mask("Header")).aabb
    axis = (high - low)[:, :2].argmax(axis=1)
    row = np.arange(len(low))
    # Headers reach over the trimmers; plies side by side are one, and so are floors.
    ends = np.column_stack([low[row, axis] + 0.038, high[row, axis] - 0.038])
    wanted = {(f"{a:.2f}", f"{b:.2f}") for a, b in ends}
    assert set(said) == wanted


def test_what_is_in_the_very_middle_stands_in_the_middle():
    house = generate("Colonial", 4)
    header = house.roles.mask("Header")
    front = header & (house.structure.aabb[1][:, 1] < 0.2)
    middle = house.constraints["footprint_x"] / 2
    assert np.isclose(house.structure.center[front, 0], middle, atol=1e-3).sum() >= 2


def test_all_kinds_of_members_of_a_framed_house_are_there():
    wanted = (
        "Anchor Beam Blocking BottomPlate CeilingJoist CollarTie Cripple Footing Foundation Header "
        "Joist KingStud Lookout Post Rafter Ridge RimJoist Sill Stud TopPlate TrimmerStud "
        "WindowSill"
    )
    assert set(wanted.split()) == set(generate("Carriage", 1).roles.role)


def test_upper_top_plates_lap_over_the_corners():
    house = generate("Townhouse", 1)
    low, high = house.structure.aabb
    plate = house.roles.mask("TopPlate")
    upper = np.array(["_Upper_" in name for name in house.structure.names])
    size = house.parameters.footprint_x
    for storey in range(1, house.parameters.stories + 1):
        tags = [name.split("_")[1] for name in house.structure.names]
        named = np.array([tag.endswith(str(storey)) for tag in tags])
        at_corner = plate & named & (low[:, 0] < 0.05) & (low[:, 1] < 0.05)
        below, above = at_corner & ~upper, at_corner & upper
        assert below.sum() == above.sum() == 1
        # One runs along the end wall, the other along the front, one 38 mm above the other.
        assert (high - low)[below][0].argmax() == 1 and (high - low)[above][0].argmax() == 0
        assert low[above, 2] == pytest.approx(high[below, 2])
    assert high[plate, 0].max() == pytest.approx(size, abs=1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_the_front_of_a_colonial_is_symmetrical_and_its_windows_are_in_line(seed):
    volume, _ = plan(sample("Colonial", seed))[1][0]
    spans = {
        storey: {
            (round(o.low, 3), round(o.high, 3))
            for o in volume.openings
            if o.wall == "S" and o.storey == storey
        }
        for storey in range(1, volume.storeys + 1)
    }
    for here in spans.values():
        assert len(here) >= 3
        assert {(round(volume.length - b, 3), round(volume.length - a, 3)) for a, b in here} == here
