# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of blocks: which maker draws the findings of which check function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ....checks.result import Finding, Judgement
from ....checks.voxel.cells import pack, to_blender
from ....checks.voxel.registry import GRADERS
from ....checks.voxel.structure import VoxelStructure
from ..drawing import Floats, Picture, Shown, Subjects, metres
from ..solids import blocks as cubes
from .clusters import count, width
from .doors import apart, door
from .extents import level, size, symmetry
from .floating import floating
from .material import material
from .order import out_of_order
from .parts import plain
from .rooms import rooms, way_out
from .shell import SKIN
from .stairs import stairs
from .surfaces import concave
from .told import MOST_NAMED, block_names, fault_cells, function_of, related_cells

#: A maker gives ``None`` for a finding that does not tell what its picture needs.
Maker = Callable[[Shown], Picture | None]

#: By check function; findings of any other have the plain picture.
MAKERS: dict[str, Maker] = {
    "physical_plausibility.is_ground_connected": floating,
    "shape.has_rooms": rooms,
    "shape.is_single_level": way_out,
    "shape.has_exit": way_out,
    "shape.has_wide_exit": way_out,
    "shape.are_doors_passable": door,
    "shape.are_adjacent": apart,
    "shape.is_top_surface_concave": concave,
    "shape.is_bottom_surface_concave": concave,
    "shape.cluster_count_at_y_is": count,
    "shape.clusters_at_y_have_min_span": apart,
    "shape.cluster_at_y_has_min_radius": width,
    "shape.cluster_at_y_has_min_diameter": width,
    "shape.has_no_axis_symmetry": symmetry,
    "shape.is_reachable_by_stairs": stairs,
    "size.is_equal": size,
    "size.is_leq": size,
    "size.all_dimensions_geq": size,
    "size.min_y_is_equal": level,
    "size.min_y_is_leq": level,
    "size.max_y_is_geq": level,
    "structural_stability.fem_limit": plain,
    "dependency.material_sequence_order": out_of_order,
    **{fn: material for fn in GRADERS if fn.startswith("material.")},
}


class VoxelPictures:
    """See :class:`..kind.KindPictures`."""

    def subjects(self, structure: VoxelStructure, findings: Iterable[Finding] = ()) -> Subjects:
        """The blocks that findings name; a role is the block's material.

        All others are drawn by the viewport alone: boxes of ours round 100,000 blocks would cost
        seconds and tell nothing.
        """
        found = [part for f in findings for part in (fault_cells(f), related_cells(f))]
        cells = np.concatenate(found) if found else np.zeros((0, 3), np.int64)
        first = np.sort(np.unique(pack(cells), return_index=True)[1])
        cells = cells[first]
        # A block that a later turn took away was judged all the same.
        material = np.full(len(cells), "", dtype=object)
        known = np.zeros(len(cells), dtype=bool)
        for stood in (structure, *structure.earlier):
            rows = stood.rows_at(cells)
            new = (rows >= 0) & ~known
            material[new] = np.array(stood.materials, dtype=object)[rows[new]]
            known |= new
        at = cells[known][:MOST_NAMED]
        corners = cubes(to_blender(at), 1.0 + 2.0 * SKIN)
        roles = tuple(material[known][:MOST_NAMED].tolist())
        return Subjects(tuple(block_names(at)), corners, roles)

    def explain(self, structure: VoxelStructure, brief: Any, judgement: Judgement) -> None:
        """Findings of blocks tell all that their pictures need."""

    def picture(self, shown: Shown) -> Picture:
        """The picture of the finding's check; the plain one where the finding tells too little."""
        maker = MAKERS.get(function_of(shown.finding.check))
        made = maker(shown) if maker is not None else None
        return made or plain(shown)

    def path(
        self,
        explained: Any,
        subjects: Subjects,
        name: str,
        length: Callable[[float], str] = metres,
    ) -> None:
        """Blocks have no load path: where loads go is the business of the stress analysis."""


def block_boxes(structure: VoxelStructure) -> tuple[tuple[str, ...], Floats]:
    """Name and box, (n, 8, 3) m, of every block."""
    cells = structure.positions
    return tuple(block_names(cells)), cubes(to_blender(cells))


PICTURES = VoxelPictures()
