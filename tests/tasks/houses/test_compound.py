# SPDX-License-Identifier: GPL-3.0-or-later
"""Styles of several parts and their roofs: sound, and what must meet does meet."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.checks.timber import judge
from plumbline.tasks.houses.generate import build, generate, plan, sample
from plumbline.tasks.houses.parameters import HouseParameters, ParameterError

T = 0.038
STYLES = (
    "A-Frame", "Courtyard", "Cruciform", "Farmhouse", "Saltbox", "Split-Level", "Z-Plan",
)  # fmt: skip
#: Wings of each style and valleys that they make.
VALLEYS = {"Farmhouse": 2, "Cruciform": 4, "Z-Plan": 4, "Courtyard": 4}


@pytest.fixture(scope="module", params=[(style, seed) for style in STYLES for seed in (1, 2)])
def house(request):
    return generate(*request.param)


def named(house, start):
    """Low and high corners of the members whose names begin so, (k, 3) each."""
    rows = [i for i, name in enumerate(house.structure.names) if name.startswith(start)]
    low, high = house.structure.aabb
    return low[rows], high[rows]


def plain(style, **changes):
    """A house that no seed has a say in but for its openings."""
    values = {
        "style": style, "seed": 3, "footprint_x": 10.188, "footprint_y": 4.098, "stories": 1,
        "pitch": 36.87, "overhang": 0.3, "wings": 1, "wing_length": 2.842,
    }  # fmt: skip
    return HouseParameters(**{**values, **changes})


@pytest.mark.parametrize("profile", ["engineering", "paper", "release"])
def test_a_house_passes_without_a_finding(house, profile):
    judgement = judge(house.structure, house.brief, profile)
    assert [f.message for check in judgement.checks for f in check.findings] == []
    assert judgement.verdict == "passed"


def test_a_house_has_as_many_members_as_published_ones(house):
    assert 133 <= len(house) <= 1548
    assert len(set(house.structure.names)) == len(house)


def test_the_same_seed_gives_the_same_members(house):
    again = build(HouseParameters.from_mapping(house.parameters.to_mapping()))
    assert again.structure.names == house.structure.names
    for one, other in zip(again.structure.aabb, house.structure.aabb, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("style", sorted(VALLEYS))
def test_ridges_of_wings_meet_the_main_one_at_one_height_over_posts(style):
    house = generate(style, 1)
    low, high = named(house, "Ridge_")
    assert np.ptp(high[:, 2]) < 1e-5
    valleys = named(house, "ValleyRafter")[0]
    assert len(valleys) == VALLEYS[style] + (4 if house.parameters.wings == 3 else 0)
    under = low[:, 2].min()
    posts = named(house, "RidgePost")[1]
    assert np.allclose(posts[:, 2], under, atol=1e-5)


def test_a_wing_is_its_own_mirror_image():
    house = build(plain("Farmhouse"))
    (west,), (east,) = (named(house, f"ValleyRafter_S{tag}")[k] for k, tag in ((0, "W"), (1, "E")))
    ridge = named(house, "Ridge_Wing")
    middle = (ridge[0][0, 0] + ridge[1][0, 0]) / 2
    assert middle - west[0] == pytest.approx(east[0] - middle, abs=1e-5)
    south, north = (named(house, f"ValleyJack_Wing_E{tag}") for tag in "SN")
    assert len(south[0]) == len(north[0]) > 2
    assert np.allclose(south[1][:, 0] - middle, middle - north[0][:, 0], atol=1e-5)
    assert np.allclose(south[0][:, 2], north[0][:, 2], atol=1e-5)


def test_wings_of_a_cross_are_mirrored_at_the_main_ridge():
    house = build(plain("Cruciform", wings=2))
    south, north = (named(house, f"ValleyRafter_{tag}") for tag in "SN")
    depth = house.parameters.footprint_y
    assert np.allclose(south[0][:, 1], depth - north[1][:, 1], atol=1e-5)
    assert np.allclose(south[0][:, 0], north[0][:, 0], atol=1e-5)
    rafters = [named(house, f"Rafter_{tag}") for tag in ("South", "North")]
    assert len(rafters[0][0]) == len(rafters[1][0])


def test_wings_of_a_z_stand_on_opposite_sides_at_opposite_ends():
    house = build(plain("Z-Plan", footprint_x=11.0, wings=2))
    (front, back) = (named(house, f"Ridge_{tag}") for tag in ("Front", "Back"))
    assert front[0][:, 1].min() < 0 < house.parameters.footprint_y < back[1][:, 1].max()
    middle = (front[0][0, 0] + front[1][0, 0] + back[0][0, 0] + back[1][0, 0]) / 4
    assert middle == pytest.approx(house.parameters.footprint_x / 2, abs=1e-3)


def test_a_closed_court_has_eight_valleys_and_no_roof_over_its_middle():
    p = plain("Courtyard", footprint_x=12.238, footprint_y=3.698, spacing=0.61, wings=3)
    house = build(HouseParameters(**{**p.to_mapping(), "wing_length": 3.05}))
    assert len(named(house, "ValleyRafter")[0]) == 8
    low, high = house.structure.aabb
    court = np.array([p.footprint_x / 2, -3.05 / 2])
    over = ((low[:, :2] < court) & (high[:, :2] > court)).all(axis=1)
    assert not over.any()
    assert judge(house.structure, house.brief).verdict == "passed"


def test_the_rear_plane_of_a_saltbox_is_one_and_its_lower_plates_are_lower():
    house = build(plain("Saltbox", footprint_y=8.158, stories=2, pitch=33.69, wings=0))
    names, structure = house.structure.names, house.structure
    rear = [i for i, name in enumerate(names) if name.startswith("Rafter_N_")]
    normal = structure.axes[rear, 1]
    assert np.allclose(normal, normal[0], atol=1e-9)
    assert np.ptp(structure.center[rear] @ normal[0]) < 2e-6
    upper, lower = named(house, "TopPlate_N2_Upper")[1], named(house, "TopPlate_N1_Upper")[1]
    assert upper[0, 2] - lower[0, 2] > 2.3
    assert judge(structure, house.brief).verdict == "passed"


def test_floors_of_a_split_level_are_half_a_storey_apart():
    parameters = sample("Split-Level", 4)
    (high, _), (low, _) = plan(parameters)[1]
    first, second = (high.levels.floor_top(storey) for storey in (1, 2))
    assert low.levels.floor_top(1) == pytest.approx((first + second) / 2)
    house = build(parameters)
    assert named(house, "Ridge_Low")[1][:, 2].max() < named(house, "Ridge_High")[0][:, 2].min()


def test_a_hip_roof_has_four_hips_to_a_ridge_on_two_posts():
    house = build(plain("Ranch", footprint_x=11.812, footprint_y=6.128, pitch=22.62, wings=0,
                        wing_length=0.0, seed=0))  # fmt: skip
    assert house.constraints["roof_type"] == "hip"
    hips, jacks = named(house, "HipRafter"), named(house, "HipJack_S")
    assert len(hips[0]) == 4 and len(named(house, "RidgePost")[0]) == 2
    assert np.ptp(hips[0][:, 2]) < 1e-5 and np.ptp(hips[1][:, 2]) < 1e-5
    middle = house.parameters.footprint_x / 2
    assert np.allclose(
        np.sort(jacks[0][:, 0] - middle), np.sort(middle - jacks[1][:, 0]), atol=1e-5
    )
    for profile in ("engineering", "paper"):
        assert judge(house.structure, house.brief, profile).verdict == "passed"


@pytest.mark.parametrize(
    ("style", "changes", "words"),
    [
        ("Farmhouse", {"pitch": 20.0}, "pitch is 20 degrees, with valleys"),
        ("Farmhouse", {"overhang": 0.5}, "overhang is 0.5 m, with valleys"),
        ("Farmhouse", {"footprint_x": 5.5}, "footprint_x is 5.5 m"),
        ("Farmhouse", {"wing_length": 0.8}, "wing_length is"),
        ("Farmhouse", {"footprint_y": 2.5}, "footprint_y is 2.5 m, with wings"),
        ("Farmhouse", {"footprint_x": 16.0, "wing_length": 6.0}, "lie under no roof"),
        ("Farmhouse", {"wing_length": 39.0}, "wing_length is 39.0 m"),
        ("Cruciform", {"wings": 1}, "wings is 1"),
        ("Z-Plan", {"footprint_x": 9.0, "wings": 2}, "its wings overlap"),
        ("Courtyard", {"wings": 2}, "of court between its wings"),
        ("Saltbox", {"stories": 2, "wings": 0, "footprint_y": 8.2, "pitch": 45.0}, "pitch is 45"),
        ("Split-Level", {"stories": 2, "wing_length": 1.0}, "wing_length is 1 m"),
        ("Split-Level", {"stories": 2, "footprint_y": 3.2}, "its lower part is narrower"),
        ("Farmhouse", {"overhang": 0.05}, "overhang is 0.05 m, with valleys"),
        ("A-Frame", {"wings": 0}, "overhang is 0.3 m"),
        ("A-Frame", {"wings": 0, "overhang": 0.0}, "pitch is 36.87 degrees"),
        ("A-Frame", {"wings": 0, "overhang": 0.0, "pitch": 60.0, "footprint_y": 3.0}, "no room"),
        ("A-Frame", {"wings": 0, "overhang": 0.0, "pitch": 60.0, "footprint_y": 9.0}, "reach"),
    ],
)  # fmt: skip
def test_impossible_houses_are_refused_with_their_constraint(style, changes, words):
    with pytest.raises(ParameterError) as refused:
        build(plain(style, **changes))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("spacing", [0.406, 0.610])
@pytest.mark.parametrize("depth", [4.4, 4.9, 5.5, 6.1])
@pytest.mark.parametrize("seed", [2, 3])
def test_the_stairs_of_a_split_level_lead_into_its_low_part(spacing, depth, seed):
    design, _ = plan(sample("Split-Level", seed, footprint_y=depth, spacing=spacing))
    high, low = design.volumes
    ways = [o for o in high.openings if o.kind == "passage" and o.wall in ("W", "E")]
    assert len(ways) == 1
    assert low.offset[1] < ways[0].low
    assert ways[0].high <= high.middle
