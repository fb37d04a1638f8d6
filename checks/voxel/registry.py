# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks by name: the 34 functions of the published task lists, and three beside them.

``size.min_y_is_leq`` is in the graders and in no list; ``structural_stability.fem_score`` and
``fem_limit`` are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from . import arguments as kind
from .arguments import Parameter
from .outcome import Outcome

Area = Literal["accuracy", "safety", "planning"]

#: Area of the paper that each module of checks belongs to (section 4).
AREAS: dict[str, Area] = {
    "material": "accuracy",
    "shape": "accuracy",
    "size": "accuracy",
    "physical_plausibility": "safety",
    "structural_stability": "safety",
    "efficiency": "planning",
    "dependency": "planning",
}


@dataclass(frozen=True)
class Grader:
    """One check function.

    Attributes
    ----------
    module, function
        Where it lives, beside this file; imported when it is first called.
    parameters
        What it takes.
    scored
        It gives a score that has no limit: never failed by it (efficiency, stability).
    needs_order
        It can't be run on blocks without a placement order.
    """

    module: str
    function: str
    parameters: tuple[Parameter, ...] = ()
    scored: bool = False
    needs_order: bool = False

    def load(self) -> Callable[..., Outcome]:
        """The function. Raises ``ImportError`` where a library that it needs is not there."""
        found: Callable[..., Outcome] = getattr(
            import_module(self.module, __package__), self.function
        )
        return found


def _p(name: str, read: Callable[[Any], Any]) -> Parameter:
    return Parameter(name, read)


def _optional(name: str, read: Callable[[Any], Any]) -> Parameter:
    return Parameter(name, read, required=False)


_SUBSTRING = _optional("use_substring_match", kind.flag)
_MATERIAL = (_p("expected_material", kind.text), _SUBSTRING)
_FILTER = (_optional("expected_material", kind.text), _SUBSTRING)
_SHARE = _optional("ratio_threshold", kind.share)
_REGION = (*_MATERIAL, _optional("height_y", kind.whole), _SHARE)
_PLANE = (_p("y", kind.whole), _optional("use_8_neighbors", kind.flag))
_START = _optional("start_material", kind.text)
_STRICT = (_optional("strict", kind.strictness),)
_BOX = (_p("xz", kind.plan), _optional("y", kind.whole))

_MATERIALS: dict[str, tuple[Parameter, ...]] = {
    "is_all_material_equal_to": _MATERIAL,
    "is_block_cnt_equal_to": (_p("expected_count", kind.whole), *_FILTER),
    "is_block_cnt_larger_than": (_p("cnt", kind.whole), *_FILTER),
    "is_block_cnt_geq": (_p("min_count", kind.whole), *_FILTER),
    "is_block_cnt_leq": (_p("max_count", kind.whole), *_FILTER),
    "is_corner_material_equal_to": _REGION,
    "is_min_x_material_equal_to": _REGION,
    "is_max_x_material_equal_to": _REGION,
    "is_min_z_material_equal_to": _REGION,
    "is_max_z_material_equal_to": _REGION,
    "is_highest_block_material_equal_to": (*_MATERIAL, _SHARE),
}

# Module and parameters of each check of shape.
_SHAPES: dict[str, tuple[str, tuple[Parameter, ...]]] = {
    "is_top_surface_concave": (".surfaces", _STRICT),
    "is_bottom_surface_concave": (".surfaces", _STRICT),
    "has_rooms": (".rooms", (_p("room_cnt", kind.whole), _optional("y", kind.whole))),
    "cluster_count_at_y_is": (".clusters", (*_PLANE, _p("expected_count", kind.whole))),
    "clusters_at_y_have_min_span": (".clusters", (*_PLANE, _p("min_span", kind.number))),
    "cluster_at_y_has_min_radius": (".clusters", (*_PLANE, _p("min_radius", kind.number))),
    "cluster_at_y_has_min_diameter": (".clusters", (*_PLANE, _p("min_diameter", kind.number))),
    "is_single_level": (".levels", (_START,)),
    "has_exit": (
        ".exits",
        (*(_optional(name, kind.size) for name in ("width", "depth", "height")), _START),
    ),
    "has_wide_exit": (".exits", (_optional("width", kind.size), _START)),
    "are_doors_passable": (".doors", ()),
    "are_adjacent": (
        ".doors",
        (_p("materials", kind.two_texts), _optional("substring_match", kind.flag)),
    ),
    "has_no_axis_symmetry": (".symmetry", ()),
    "is_reachable_by_stairs": (".stairs", (_p("min_floor_y", kind.whole),)),
}

_SIZES: dict[str, tuple[Parameter, ...]] = {
    "is_equal": _BOX,
    "is_leq": _BOX,
    "min_y_is_equal": (_p("expected_y", kind.whole),),
    "min_y_is_leq": (_p("max_y", kind.whole),),
    "max_y_is_geq": (_p("min_y", kind.whole),),
    "all_dimensions_geq": (_p("min_size", kind.whole),),
}

_ORDER = (_p("material_sequence", kind.texts), _SUBSTRING)

GRADERS: dict[str, Grader] = {
    **{f"material.{name}": Grader(".material", name, takes) for name, takes in _MATERIALS.items()},
    **{f"shape.{name}": Grader(file, name, takes) for name, (file, takes) in _SHAPES.items()},
    **{f"size.{name}": Grader(".size", name, takes) for name, takes in _SIZES.items()},
    "physical_plausibility.is_ground_connected": Grader(".plausibility", "is_ground_connected"),
    "structural_stability.stress_score": Grader(
        ".stability", "stress_score", (_p("von_mises_stress", kind.reference),), scored=True
    ),
    "structural_stability.fem_score": Grader(
        ".stability", "fem_score", (_p("reference", kind.reference),), scored=True
    ),
    "structural_stability.fem_limit": Grader(
        ".stability", "fem_limit", (_p("limit", kind.positive),)
    ),
    "efficiency.l1_dist": Grader(".planning", "l1_dist", scored=True, needs_order=True),
    "dependency.material_sequence_order": Grader(
        ".planning", "material_sequence_order", _ORDER, needs_order=True
    ),
}
