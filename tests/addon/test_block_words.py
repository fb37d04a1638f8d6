# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of blocks in words."""

from __future__ import annotations

from plumbline.addon.block_words import GROUPS, TITLES, asked, block_check_title, found, group_of
from plumbline.addon.words import check_title
from plumbline.checks.voxel.registry import AREAS, GRADERS


def test_every_check_of_blocks_has_a_title_of_its_own_and_a_group():
    assert set(TITLES) == set(GRADERS) and len(set(TITLES.values())) == len(TITLES)
    assert set(GROUPS) == set(AREAS)
    assert all(group_of(fn) for fn in GRADERS)


def test_turn_and_number_stand_in_the_title():
    assert check_title("shape.has_rooms") == "Closed rooms"
    assert check_title("turn2.shape.has_rooms#2") == "Closed rooms (2), turn 2"
    assert check_title("nothing.of_ours") == "Nothing.of ours"
    assert block_check_title("clear_span") is None and group_of("clear_span") == ""


def test_arguments_and_figures_are_told_without_what_only_pictures_use():
    figures = {
        "fn": "shape.has_rooms",
        "args": {"room_cnt": 2, "y": 2},
        "area": "accuracy",
        "rooms": 1,
        "moves": [{"from": [0, 0, 0]}],
        "share": 0.33333,
        "size": [5, 4, 5],
        "concave": False,
    }
    assert asked(figures) == "room count 2, y 2"
    assert found(figures) == "rooms 1, share 0.3333, size 5 × 4 × 5, concave no"
    assert asked({}) == found({}) == ""
