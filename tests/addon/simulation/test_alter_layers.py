# SPDX-License-Identifier: GPL-3.0-or-later
"""One pair is switched by collision collections, and every other pair is as it was."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from plumbline.addon.simulation.alter_layers import LAYERS, apart, together
from plumbline.addon.simulation.steps import SimulationError


def check(layers, active, first, second, assign):
    """The pair is switched, and no other that can be felt."""
    made = assign(layers, active, first, second)
    assert all(0 <= bits < 1 << LAYERS for bits in made)
    for i, j in combinations(range(len(layers)), 2):
        meet = bool(made[i] & made[j])
        if {i, j} == {first, second}:
            assert meet == (assign is together)
        elif active[i] or active[j]:
            assert meet == bool(layers[i] & layers[j]), f"{i} and {j}"
    return made


def test_all_in_one_collection():
    made = check([1] * 5, [True] * 5, 1, 3, apart)
    assert made[1] == 1, "the first keeps what it had"


@pytest.mark.parametrize("seed", range(6))
def test_any_scene_with_few_collections(seed):
    rng = np.random.default_rng(seed)
    layers = [int(b) for b in rng.integers(0, 1 << 6, 12)]
    active = [bool(a) for a in rng.integers(0, 2, 12)]
    for i, j in combinations(range(12), 2):
        if active[i] or active[j]:
            check(layers, active, i, j, apart if layers[i] & layers[j] else together)


def test_where_all_twenty_are_taken_what_can_be_is_joined():
    """Each body has a collection of its own that the floor is in too: one would do for all."""
    layers = [(1 << LAYERS) - 1] + [1 << k for k in range(LAYERS)]
    active = [False] + [True] * LAYERS
    check(layers, active, 0, 5, apart)
    check(layers, active, 3, 5, together)


def test_where_twenty_do_not_do_it_is_said():
    """Twenty pairs that feel each other and nobody else need twenty collections."""
    layers = [1 << k for k in range(LAYERS) for _ in range(2)]
    active = [True] * len(layers)
    with pytest.raises(SimulationError, match=r"21 collision collections are needed .* has 20"):
        together(layers, active, 0, 2)
    check(layers, active, 0, 1, apart)
