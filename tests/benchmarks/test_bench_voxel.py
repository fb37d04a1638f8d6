# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast all rule checks judge a voxel construction, beside plain loops, and how that grows.

The figure to reach is 50 ms for 2,000 blocks; nothing is asserted on times. ``-s`` prints the check
that costs most and the curve. Figures are processor time of this process, the best of several runs.
"""

from __future__ import annotations

import math
import time

import plain_voxel
import pytest
from plumbline.checks.voxel import CheckCall, VoxelBrief, VoxelStructure, judge
from voxel_samples import rooms_in_a_row

pytestmark = pytest.mark.benchmark

STONE = {"expected_material": "stone"}

# Every function of the published lists but the stress, as a house is asked.
CALLS = (
    ("physical_plausibility.is_ground_connected", {}),
    ("efficiency.l1_dist", {}),
    ("dependency.material_sequence_order", {"material_sequence": ["stone", "oak", "red"]}),
    ("material.is_all_material_equal_to", STONE),
    ("material.is_block_cnt_equal_to", {"expected_count": 9}),
    ("material.is_block_cnt_larger_than", {"cnt": 9}),
    ("material.is_block_cnt_geq", {"min_count": 9}),
    ("material.is_block_cnt_leq", {"max_count": 9}),
    ("material.is_corner_material_equal_to", STONE),
    ("material.is_min_x_material_equal_to", STONE),
    ("material.is_max_x_material_equal_to", STONE),
    ("material.is_min_z_material_equal_to", STONE),
    ("material.is_max_z_material_equal_to", STONE),
    ("material.is_highest_block_material_equal_to", STONE),
    ("shape.is_top_surface_concave", {"strict": "non-flat"}),
    ("shape.is_bottom_surface_concave", {"strict": "non-flat"}),
    ("shape.has_rooms", {"room_cnt": 99}),
    ("shape.cluster_count_at_y_is", {"y": 1, "expected_count": 9}),
    ("shape.clusters_at_y_have_min_span", {"y": 1, "min_span": 9}),
    ("shape.cluster_at_y_has_min_radius", {"y": 0, "min_radius": 99}),
    ("shape.cluster_at_y_has_min_diameter", {"y": 0, "min_diameter": 999}),
    ("shape.is_single_level", {"start_material": "door"}),
    ("shape.has_exit", {}),
    ("shape.has_wide_exit", {}),
    ("shape.are_doors_passable", {}),
    ("shape.are_adjacent", {"materials": ["door", "sea_lantern"]}),
    ("shape.has_no_axis_symmetry", {}),
    ("shape.is_reachable_by_stairs", {"min_floor_y": 4}),
    ("size.is_equal", {"xz": [7, 7], "y": 1}),
    ("size.is_leq", {"xz": [20, 20]}),
    ("size.min_y_is_equal", {"expected_y": -5}),
    ("size.max_y_is_geq", {"min_y": 8}),
    ("size.all_dimensions_geq", {"min_size": 4}),
)

BRIEF = VoxelBrief.of(*(CheckCall(fn, args) for fn, args in CALLS))
CURVE = (5, 11, 54, 136)  # rooms of about 190 blocks


def fresh(made):
    """The same blocks without anything looked up before."""
    return VoxelStructure(made.positions, made.materials)


def best(run, prepare, times):
    """Least processor time of ``run(prepare())`` in s; only ``run`` counts."""
    least = math.inf
    for _ in range(times):
        made = prepare()
        began = time.process_time()
        run(made)
        least = min(least, time.process_time() - began)
    return least


def house(rooms):
    """Rooms in a row, six cells high, with steps from storey to storey left out."""
    return VoxelStructure.from_blocks(rooms_in_a_row(rooms, high=6))


def test_all_rules_on_2000_blocks(benchmark, rounds, capsys):
    made = house(11)
    assert 1900 < len(made) < 2300
    judgement = benchmark.pedantic(
        judge, setup=lambda: ((fresh(made), BRIEF), {}), rounds=10, warmup_rounds=1
    )
    assert len(judgement.checks) == 33 and {c.status for c in judgement.checks} == {
        "passed",
        "failed",
    }
    cost = {
        call.fn: best(lambda m, c=call: judge(m, VoxelBrief.of(c)), lambda: fresh(made), rounds(3))
        for call in BRIEF.calls
    }
    dearest = max(cost, key=cost.__getitem__)
    with capsys.disabled():
        print(f"\n{len(made)} blocks: dearest is {dearest}, {1000 * cost[dearest]:.1f} ms")


def test_beside_plain_loops(benchmark, capsys):
    made = house(11)
    blocks = [(*p, m) for p, m in zip(made.positions.tolist(), made.materials, strict=True)]
    middle = tuple(made.positions.mean(axis=0).round().astype(int).tolist())
    calls = ("shape.has_rooms", "shape.has_exit", "physical_plausibility.is_ground_connected")
    few = VoxelBrief.of(*(c for c in BRIEF.calls if c.fn in calls))
    began = time.process_time()
    rooms = plain_voxel.rooms(blocks, 1)
    out = plain_voxel.gets_out(blocks, middle, 2, 1, 2)
    loose = plain_voxel.floating(blocks)
    plain = time.process_time() - began
    judgement = benchmark.pedantic(
        judge, setup=lambda: ((fresh(made), few), {}), rounds=10, warmup_rounds=1
    )
    assert judgement.check("shape.has_rooms").figures["rooms"] == len(rooms) == 11
    assert judgement.check("shape.has_exit").score == out
    assert judgement.check(calls[2]).figures["floating"] == len(loose) == 0
    with capsys.disabled():
        print(f"\nrooms, exit and ground of {len(made)} blocks, plain: {1000 * plain:.0f} ms")


def test_how_it_grows(rounds, capsys):
    lines = []
    for rooms in CURVE:
        made = house(rooms)
        cost = best(lambda m: judge(m, BRIEF), lambda m=made: fresh(m), rounds(3))
        lines.append(f"{len(made):6d} blocks {1000 * cost:7.1f} ms")
    with capsys.disabled():
        print("\n" + "\n".join(lines))
