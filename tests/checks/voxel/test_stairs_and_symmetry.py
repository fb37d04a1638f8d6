# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights reached by steps of one block, and mirror images."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_voxel import highest_by_stairs, mirror_axes
from voxel_samples import arch, ask, box, staircase

STAIRS, UNLIKE = "shape.is_reachable_by_stairs", "shape.has_no_axis_symmetry"

SMALL = st.sets(
    st.tuples(st.integers(0, 4), st.integers(-1, 4), st.integers(0, 3)), min_size=1, max_size=60
).map(lambda cells: [(*cell, "stone") for cell in sorted(cells)])


@pytest.mark.parametrize("top", [3, 4, 8])
def test_stairs_lead_up(top):
    assert ask(staircase(top), STAIRS, min_floor_y=top).score == 1
    check = ask(staircase(top), STAIRS, min_floor_y=top + 1)
    assert check.score == 0 and check.findings[0].measured == top
    assert all(b[1] == top for b in check.findings[0].detail["blocks"])


def test_a_step_of_two_is_too_high():
    made = [b for b in staircase(5) if b[0] != 3]
    assert ask(made, STAIRS, min_floor_y=2).score == 1
    assert ask(made, STAIRS, min_floor_y=3).score == 0


def test_a_slab_low_over_the_stairs_stops_them():
    made = [*staircase(5), *box((3, 5), (5, 5), (0, 0))]
    check = ask(made, STAIRS, min_floor_y=5)
    assert check.score == 0 and "two free cells above" in check.findings[0].message
    assert check.findings[0].detail["hindered"] == [[3, 3, 0]]


def test_nobody_steps_down():
    made = [*staircase(3), *[(x, 2, 0, "stone") for x in (7, 8)], *staircase(5)[:0]]
    beyond = [*made, *[(8 + i, 2 + i, 0, "stone") for i in range(1, 5)]]
    assert ask(beyond, STAIRS, min_floor_y=4).score == 0


def test_nobody_starts_off_the_ground():
    raised = [(x, y + 1, z, m) for x, y, z, m in staircase(3)]
    check = ask(raised, STAIRS, min_floor_y=3)
    assert check.score == 0 and "there is none" in check.findings[0].message
    buried = [*box((0, 1), (0, 1), (0, 1))]
    assert "none of them" in ask(buried, STAIRS, min_floor_y=1).findings[0].message


@settings(max_examples=60, deadline=None)
@given(SMALL)
def test_as_in_a_plain_search(blocks):
    top = highest_by_stairs(blocks)
    at = 0 if top is None else top
    assert ask(blocks, STAIRS, min_floor_y=at).score == (top is not None)
    assert ask(blocks, STAIRS, min_floor_y=at + 1).score == 0


def test_an_arch_is_its_own_mirror_image_twice():
    check = ask(arch(), UNLIKE)
    assert check.score == 0 and check.figures["symmetric"] == "xz"
    assert [f.subject for f in check.findings] == ["plane x = 4", "plane z = 0.5"]
    assert ask([*arch(), (0, 1, 0, "dirt")], UNLIKE).score == 1


def test_height_counts_and_materials_do_not():
    check = ask([(0, 0, 0, "stone"), (0, 2, 0, "dirt"), (0, 1, 0, "stone")], UNLIKE)
    assert check.figures["symmetric"] == "y"
    assert ask([(0, 0, 0, "stone")], UNLIKE).score == 1  # no extent, nothing to mirror


@settings(max_examples=50, deadline=None)
@given(SMALL, st.sampled_from("xyz-"))
def test_as_with_mirrored_sets(blocks, mirror):
    if mirror != "-":
        k = "xyz".index(mirror)
        flipped = [(*b[:k], -b[k], *b[k + 1 :]) for b in blocks]
        blocks = [(*cell, "stone") for cell in sorted({b[:3] for b in blocks + flipped})]
    assert ask(blocks, UNLIKE).figures["symmetric"] == mirror_axes(blocks)
