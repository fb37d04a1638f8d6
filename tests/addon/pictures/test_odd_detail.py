# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings of foreign files: whatever their detail holds, there is a picture and no error."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from picture_whole import check_whole
from plumbline.addon.pictures.drawing import Shown
from plumbline.addon.pictures.timber.book import MAKERS, PICTURES
from plumbline.checks.result import CheckResult, Finding, Judgement
from plumbline.checks.timber.structure import TimberStructure

STRUCTURE = TimberStructure.from_boxes(
    ["Joist_1", "Sill_1", "Nothing"],
    [[0, 0, 1], [3, 0, 0.05], [0, 0, 0]],
    [np.eye(3)] * 3,
    [[0.1, 0.1, 2.0], [4.0, 0.1, 0.1], [0, 0, 0]],
)
KEYS = (
    "solid", "volume", "from", "to", "back", "patch", "needed", "ticks", "cells", "places", "cut",
    "missing", "line", "lines", "outline", "sides", "nearest", "size", "loose", "text",
)  # fmt: skip


def odd(dice: random.Random, depth: int = 0):
    """Anything that JSON or Python can hold."""
    plain = [
        None, True, "", "low", "2x8", 0, -1, 3, 1e308, -1e-320, math.nan, math.inf, 10**400, b"x",
        object(), np.float32(2), np.array(3.0), {}, [], (),
    ]  # fmt: skip
    if depth > 3 or dice.random() < 0.3:
        return dice.choice(plain)
    kind = dice.randrange(4)
    if kind == 0:
        return [odd(dice, depth + 1) for _ in range(dice.randrange(9))]
    if kind == 1:
        return {dice.choice(KEYS): odd(dice, depth + 1)}
    # Nearly right: places, lists of them and quads, now and then with one figure that is none.
    shape = dice.choice(
        [(3,), (1, 3), (2, 3), (4, 3), (8, 3), (5, 4, 3), (2, 2, 3), (2, 2), (70, 3)]
    )
    array = np.array([dice.uniform(-3, 3) for _ in range(int(np.prod(shape)))]).reshape(shape)
    flat = array.round(dice.choice([0, 3]))
    if dice.random() < 0.2:
        flat.flat[0] = dice.choice([math.nan, math.inf, 1e300])
    return dice.choice([flat, flat.tolist(), tuple(flat.tolist())])


def finding(dice: random.Random, check: str) -> Finding:
    names = ["Joist_1", "Sill_1", "Nothing", "gone"]
    number = [None, 0, 0.5, 4.2, -3.0, math.nan, math.inf, "7", [1], True, 1e300]
    return Finding(
        check,
        dice.choice(names),
        "Something.",
        subject_kind=dice.choice(["member", "place", "ghost"]),
        related=dice.choice([(), ("Sill_1",), ("gone", "Joist_1"), ["Nothing"], (1, None), None]),
        measured=dice.choice(number),
        limit=dice.choice(number),
        unit=dice.choice(["m", "mm", "1", "", None, 5, ["m"]]),
        location=dice.choice([None, (0, 0, 1), [1, 2, 3], (1, 2), (math.nan, 0, 0), (1, "x", 2)]),
        detail={key: odd(dice) for key in KEYS if dice.random() < 0.7}
        if dice.random() < 0.95
        else dice.choice([None, [], "solid", 3]),
    )  # fmt: skip


@pytest.mark.parametrize("check", [*MAKERS, "stability_index", "deflection", "unheard_of"])
def test_odd_findings_have_pictures(check):
    dice = random.Random(check)
    subjects = PICTURES.subjects(STRUCTURE)
    known = PICTURES.explain(STRUCTURE, None, Judgement("timber", "engineering", ()))
    assert known is not None
    shift = np.eye(4)
    shift[0, 3] = 1.0
    for _ in range(120):
        told = finding(dice, check)
        judgement = Judgement("timber", "engineering", (CheckResult(check, "failed", (told,)),))
        explained = dice.choice([None, known, known, 3, "x"])
        moves = dice.choice([{}, {}, {}, {"Joist_1": shift}])
        check_whole(
            PICTURES.picture(Shown(STRUCTURE, judgement, None, explained, told, subjects, moves))
        )


def test_what_is_no_structure_explains_nothing():
    judgement = Judgement("timber", "engineering", ())
    assert PICTURES.explain(None, None, judgement) is None
    assert PICTURES.explain(STRUCTURE.subset(np.zeros(0, int)), None, judgement) is None
    assert PICTURES.path(None, PICTURES.subjects(STRUCTURE), "Joist_1") is None
