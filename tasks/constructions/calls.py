# SPDX-License-Identifier: GPL-3.0-or-later
"""The check calls that the grids are made of, in the published spelling of names and arguments."""

from __future__ import annotations

from typing import Any

from ...checks.voxel.brief import CheckCall
from .problem import Turn

#: Every block hangs together with the ground.
CONNECTED = CheckCall("physical_plausibility.is_ground_connected")
#: How directly one moves from block to block.
MOVED = CheckCall("efficiency.l1_dist")
#: Every door can be walked through.
DOORS = CheckCall("shape.are_doors_passable")


def material(function: str, **args: Any) -> CheckCall:
    """A check of material."""
    return CheckCall(f"material.{function}", args)


def shape(function: str, **args: Any) -> CheckCall:
    """A check of shape."""
    return CheckCall(f"shape.{function}", args)


def size(function: str, **args: Any) -> CheckCall:
    """A check of size."""
    return CheckCall(f"size.{function}", args)


def all_of(name: str) -> CheckCall:
    """Every block is of this material."""
    return material("is_all_material_equal_to", expected_material=name)


def containing(function: str, name: str, **count: int) -> CheckCall:
    """A count of the blocks whose material contains ``name``."""
    return material(function, **count, expected_material=name, use_substring_match=True)


def beds(number: int) -> CheckCall:
    """Exactly so many blocks of beds."""
    return containing("is_block_cnt_equal_to", "bed", expected_count=number)


def clusters(y: int, number: int) -> CheckCall:
    """Exactly so many groups of blocks at a level."""
    return shape("cluster_count_at_y_is", y=y, expected_count=number)


def apart(y: int, span: int) -> CheckCall:
    """The groups of blocks at a level are at least so far apart."""
    return shape("clusters_at_y_have_min_span", y=y, min_span=span)


def stairs(y: int) -> CheckCall:
    """One can climb from the ground to this level."""
    return shape("is_reachable_by_stairs", min_floor_y=y)


def high(y: int) -> CheckCall:
    """The highest block stands at least at this level."""
    return size("max_y_is_geq", min_y=y)


def order(*materials: str) -> CheckCall:
    """The materials come one after the other."""
    return CheckCall("dependency.material_sequence_order", {"material_sequence": list(materials)})


def stress(reference: float) -> CheckCall:
    """Highest von Mises stress against a reference, Pa."""
    return CheckCall("structural_stability.stress_score", {"von_mises_stress": reference})


def curved(side: str) -> CheckCall:
    """The top or the bottom surface bulges."""
    return shape(f"is_{side}_surface_concave", strict="non-flat")


def rooms(number: int) -> Turn:
    """So many rooms, and doors that can be walked through."""
    return (shape("has_rooms", room_cnt=number), DOORS)
