# SPDX-License-Identifier: GPL-3.0-or-later
"""Impossible parameters are refused in one sentence that names parameter, value and limit."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from plumbline.tasks.houses.generate import build, generate, sample
from plumbline.tasks.houses.parameters import HouseParameters, ParameterError

RANCH = HouseParameters("Ranch", 1, 12.218, 7.346, 1, 18.43, 0.40)

REFUSED = {
    "no footprint": ({"footprint_x": 0.0}, "footprint_x is 0.0 m: it must be at least 2.4 m"),
    "negative": ({"footprint_y": -3.0}, "footprint_y is -3.0 m: it must be at least 2.4 m"),
    "beyond the lot": ({"footprint_x": 41.0}, "footprint_x is 41.0 m: it must be at most 40 m"),
    "too deep for joists": ({"footprint_y": 13.0}, "footprint_y is 13 m: joists 6.48 m long"),
    "no storey": ({"stories": 0}, "stories is 0: it must be at least 1"),
    "30 storeys": ({"stories": 30}, "stories is 30: it must be at most 3"),
    "two storeys of a ranch": ({"stories": 2}, "stories is 2: a Ranch has 1"),
    "nearly a wall": ({"pitch": 89.0}, "pitch is 89.0 degrees: it must be at most 65 degrees"),
    "flat": ({"pitch": 3.0}, "pitch is 3.0 degrees: it must be at least 14.04 degrees"),
    "too steep for a seat": ({"pitch": 60.0}, "pitch is 60.00 degrees: over walls it must be"),
    "long tails": ({"overhang": 1.0}, "overhang is 1.0 m: it must be at most 0.56 m"),
    "wings of a ranch": ({"wings": 3, "wing_length": 2.0}, "wings is 3: a Ranch has "),
    "too many openings": ({"openings": 1.5}, "openings is 1.5: it must be at most 1"),
    "spacing": ({"spacing": 0.5}, "spacing is 0.5: it is 0.406 or 0.61 m on centre"),
    "species": ({"species": "balsa"}, "species is 'balsa': unknown species 'balsa'; known: dou"),
    "grade": ({"grade": "9"}, "grade is '9': unknown grade '9'; known: SS, 1, 2, 3"),
    "too much snow": ({"ground_snow": 9500.0}, "footprint_y is 7.346 m: rafters "),
    "an avalanche": ({"ground_snow": 1e5}, "ground_snow is 100000.0 Pa: it must be at most 1005"),
    "a load that lifts": ({"floor_live": -1.0}, "floor_live is -1.0 Pa: it must be at least 0 Pa"),
    "no number": ({"pitch": math.nan}, "pitch is nan: it must be a finite number"),
    "endless": ({"footprint_x": math.inf}, "footprint_x is inf: it must be a finite number"),
    "a text": ({"footprint_x": "wide"}, "footprint_x is 'wide': it must be a number"),
    "a list": ({"footprint_x": [9.0]}, "footprint_x is [9.0]: it must be a number"),
    "a truth": ({"stories": True}, "stories is True: it must be a whole number"),
    "half a storey": ({"stories": 1.5}, "stories is 1.5: it must be a whole number"),
    "a number for wood": ({"species": 3}, "species is 3: it must be a text"),
    "a style that is none": ({"style": "Castle"}, "style is 'Castle', which is none of A-Frame,"),
    "a style that is a book": ({"style": "x" * 10**6}, "style is 'xxxx"),
    "a whole number that fits no float": ({"pitch": 10**400}, "pitch is 1000"),
    "one that is too long to be written": ({"overhang": 10**5000}, "overhang is a value that is"),
    "storeys to the moon": ({"stories": -(10**5000)}, "stories is a value that is too long to"),
    "a seed that is too long": ({"seed": 10**5000}, "seed is a value that is too long to write: "),
    "a seed below": ({"seed": -1}, "seed is -1: it must be a whole number from 0 to 999,999,999"),
    "no style": ({"style": None}, "style is None, which is none of "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_says_which_constraint_is_violated(name):
    changes, words = REFUSED[name]
    with pytest.raises(ParameterError) as refused:
        build(replace(RANCH, **changes))
    assert str(refused.value).startswith(words)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_the_house_that_they_are_changed_from_is_fine():
    assert len(build(RANCH)) > 300


@pytest.mark.parametrize(
    ("style", "fixed", "words"),
    [
        ("Townhouse", {"footprint_x": 12.0}, "footprint_x is 12 m: a Townhouse is at most 7.5 m"),
        ("Shotgun", {"footprint_y": 6.0}, "footprint_y is 6 m: a Shotgun is at most 4.4 m wide"),
        ("Shotgun", {"footprint_x": 5.0, "footprint_y": 4.0}, "footprint_x is 5 m: a Shotgun 4 m"),
        ("Carriage", {"footprint_x": 3.0}, "footprint_x is 3 m: a carriage door needs at least"),
        ("Barn", {"footprint_y": 3.0}, "footprint_y is 3 m: a Barn is at least 4 m"),
        ("Colonial", {"stories": 3, "spacing": 0.610}, "spacing is 0.61: studs under two floors"),
        ("Ranch", {"nonsense": 1}, "unknown parameter 'nonsense'; known: floor_live, "),
        ("Ranch", {"spacing": 1e-320}, "spacing is 1e-320: it is 0.406 or 0.61 m on centre"),
        ("Ranch", {"spacing": None}, "spacing is None: it must be a number"),
        ("Ranch", {"footprint_y": 12.0}, "footprint_y is 12 m: "),
    ],
)
def test_what_is_fixed_and_leaves_no_house_is_said(style, fixed, words):
    with pytest.raises(ParameterError) as refused:
        generate(style, 1, **fixed)
    assert str(refused.value).startswith(words)


def test_wings_larger_than_the_lot_are_refused():
    parameters = replace(sample("Farmhouse", 1), wings=1, wing_length=60.0)
    with pytest.raises(ParameterError) as refused:
        build(parameters)
    assert str(refused.value).startswith("wing_length is 60.0 m: ")


def test_unknown_and_missing_fields_of_json_are_named():
    data = RANCH.to_mapping()
    with pytest.raises(ParameterError, match="unknown parameter 'colour'"):
        HouseParameters.from_mapping({**data, "colour": "red"})
    del data["pitch"]
    with pytest.raises(ParameterError, match="'pitch'"):
        HouseParameters.from_mapping(data)


@pytest.mark.parametrize("data", [None, 7, "Ranch", ["style"], [("style", "Ranch")]])
def test_parameters_that_are_no_object_are_refused(data):
    with pytest.raises(ParameterError, match="which is no object"):
        HouseParameters.from_mapping(data)


@pytest.mark.parametrize("seed", [10**400, -1, 1.5, None, "7"])
def test_nothing_is_drawn_for_what_is_no_seed(seed):
    with pytest.raises(ParameterError, match=r"^seed is "):
        sample("Ranch", seed)
