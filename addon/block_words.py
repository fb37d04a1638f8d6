# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of blocks and their figures in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .pictures.voxel.told import function_of, turn_of

#: Groups of checks in the order of the paper (section 4): the module's name, and what it is called.
GROUPS: dict[str, str] = {
    "material": "Material",
    "shape": "Shape",
    "size": "Size",
    "physical_plausibility": "Plausibility",
    "structural_stability": "Stability",
    "efficiency": "Efficiency",
    "dependency": "Dependency",
}

TITLES: dict[str, str] = {
    "material.is_all_material_equal_to": "One material",
    "material.is_block_cnt_equal_to": "Exact number of blocks",
    "material.is_block_cnt_larger_than": "More blocks than",
    "material.is_block_cnt_geq": "Least number of blocks",
    "material.is_block_cnt_leq": "Greatest number of blocks",
    "material.is_corner_material_equal_to": "Material of the corners",
    "material.is_min_x_material_equal_to": "Material of the wall at least x",
    "material.is_max_x_material_equal_to": "Material of the wall at greatest x",
    "material.is_min_z_material_equal_to": "Material of the wall at least z",
    "material.is_max_z_material_equal_to": "Material of the wall at greatest z",
    "material.is_highest_block_material_equal_to": "Material of the top",
    "shape.is_top_surface_concave": "Top surface",
    "shape.is_bottom_surface_concave": "Bottom surface",
    "shape.has_rooms": "Closed rooms",
    "shape.cluster_count_at_y_is": "Number of clusters",
    "shape.clusters_at_y_have_min_span": "Span between clusters",
    "shape.cluster_at_y_has_min_radius": "Radius of the cluster",
    "shape.cluster_at_y_has_min_diameter": "Diameter of the cluster",
    "shape.is_single_level": "Level way out",
    "shape.has_exit": "Way out",
    "shape.has_wide_exit": "Wide way out",
    "shape.are_doors_passable": "Passable doors",
    "shape.are_adjacent": "Side by side",
    "shape.has_no_axis_symmetry": "Asymmetry",
    "shape.is_reachable_by_stairs": "Stairs up to a height",
    "size.is_equal": "Exact size",
    "size.is_leq": "Greatest size",
    "size.min_y_is_equal": "Lowest level",
    "size.min_y_is_leq": "Low enough",
    "size.max_y_is_geq": "High enough",
    "size.all_dimensions_geq": "Large enough",
    "physical_plausibility.is_ground_connected": "Ground connection",
    "structural_stability.stress_score": "Stress score",
    "structural_stability.fem_score": "Stress score (finite elements)",
    "structural_stability.fem_limit": "Greatest stress",
    "efficiency.l1_dist": "Way from block to block",
    "dependency.material_sequence_order": "Order of the materials",
}

# Figures that are not told: which call it was, and what only pictures can use.
_UNTOLD = {"fn", "args", "area", "scored", "turn", "moves", "first", "at"}


def block_check_title(check: str) -> str | None:
    """``turn2.shape.has_rooms#2`` -> ``Closed rooms (2), turn 2``; ``None`` for other ids."""
    title = TITLES.get(function_of(check))
    if title is None:
        return None
    number, turn = check.partition("#")[2], turn_of(check)
    return title + (f" ({number})" if number else "") + (f", turn {turn}" if turn else "")


def group_of(check: str) -> str:
    """The group that a check of blocks belongs to, empty for others."""
    return GROUPS.get(function_of(check).partition(".")[0], "")


def asked(figures: Mapping[str, Any]) -> str:
    """What a check was asked: ``room count 2, y 2``; empty for nothing."""
    args = figures.get("args")
    return _listed(args) if isinstance(args, Mapping) else ""


def found(figures: Mapping[str, Any]) -> str:
    """What a check measured: ``rooms 1, y 2``; empty for nothing."""
    return _listed({k: v for k, v in figures.items() if k not in _UNTOLD})


def _listed(values: Mapping[str, Any]) -> str:
    told = [f"{_plain(name)} {text}" for name, v in values.items() if (text := _value(v))]
    return ", ".join(told)


def _plain(name: str) -> str:
    return str(name).replace("_cnt", " count").replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(v, (int, float, str)) for v in value):
        return " × ".join(map(str, value)) if len(value) <= 3 else ", ".join(map(str, value))
    return ""
