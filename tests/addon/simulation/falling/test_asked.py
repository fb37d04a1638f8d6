# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made otherwise, as plain data."""

from __future__ import annotations

import pytest
from plumbline.addon.simulation.falling.asked import WhatIf
from plumbline.addon.simulation.steps import SimulationError


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ({"kind": "remove", "members": ["Post_1"]}, "Post_1 isn't there"),
        ({"kind": "shift", "members": ["A", "B"], "offset": [0.0, 0.1, 0.0]},
         "A and B stand (0, 0.1, 0) m elsewhere"),
        ({"kind": "weaken", "members": ["A"], "factor": 0.5},
         "the joints of A hold 50% of what they held"),
        ({"kind": "cut", "members": ["A", "B"]}, "A and B don't hold each other"),
        ({"kind": "gravity", "vector": [0.0, 0.0, -2.0]}, "gravity is (0, 0, -2) g"),
        ({"kind": "push", "members": ["A"], "vector": [50.0, 0.0, 0.0], "unit": "N"},
         "A is pushed by (50, 0, 0) N"),
    ],
)  # fmt: skip
def test_each_kind_goes_there_and_back(plain, says):
    asked = WhatIf.from_mapping(plain)
    assert asked.to_mapping() == plain and asked.says == says


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ({"kind": "burn"}, "unknown kind 'burn'; known: remove"),
        ({}, "unknown kind ''"),
        ({"kind": "remove"}, "needs members"),
        ({"kind": "remove", "members": "Post"}, "a list of names"),
        ({"kind": "cut", "members": ["A"]}, "two members"),
        ({"kind": "push", "members": ["A"], "vector": [1, 2]}, "vector must be three numbers"),
        ({"kind": "push", "members": ["A"], "vector": [1, 2, float("nan")]}, "is no number"),
        ({"kind": "push", "members": ["A"], "vector": [1, 2, 3], "unit": "kg"}, "N or m/s"),
        ({"kind": "weaken", "members": ["A"], "factor": -1}, "must not be negative"),
        ({"kind": "weaken", "members": ["A"], "factor": "half"}, "factor must be a number"),
        ({"kind": "gravity", "direction": [0, 0, 1]}, "unknown field 'direction'"),
    ],
)
def test_what_can_t_be_read_is_said(plain, why):
    with pytest.raises(SimulationError, match=why):
        WhatIf.from_mapping(plain)
