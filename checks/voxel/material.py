# SPDX-License-Identifier: GPL-3.0-or-later
"""Material: one for all, counts, and the shares of regions (algorithms 1 to 3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cells import Bools
from .outcome import Outcome, failed, fault, passed, plural, tally
from .rules import Rules
from .structure import VoxelStructure

_UNIFORM = "MineCEraft, algorithm 1"
_COUNT = "MineCEraft, algorithm 2"
_SHARE = "MineCEraft, algorithm 3"

Selector = Callable[[VoxelStructure, Bools], Bools]


def is_all_material_equal_to(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    expected_material: str,
    use_substring_match: bool = False,
) -> Outcome:
    """Every block is of the material; without blocks it fails."""
    if not len(blocks):
        return failed()
    wrong = np.flatnonzero(~blocks.of_material(expected_material, use_substring_match))
    if not len(wrong):
        return passed(blocks=len(blocks))
    message = (
        f"{len(wrong)} of {plural(len(blocks), 'block')} should be "
        f"{_named(expected_material, use_substring_match)}, not {tally(blocks, wrong)}"
    )
    return failed(
        fault(
            message,
            blocks.positions[wrong],
            clause=_UNIFORM,
            measured=len(wrong),
            limit=0,
            unit="blocks",
        ),
        blocks=len(blocks),
        wrong=len(wrong),
    )


def is_block_cnt_equal_to(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    expected_count: int,
    expected_material: str | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """Exactly so many blocks, of the material where one is named."""
    return _count(
        blocks, expected_count, expected_count, expected_material, use_substring_match, "exactly"
    )


def is_block_cnt_larger_than(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    cnt: int,
    expected_material: str | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """More than so many blocks, of the material where one is named."""
    return _count(blocks, cnt + 1, None, expected_material, use_substring_match, "at least")


def is_block_cnt_geq(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    min_count: int,
    expected_material: str | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """At least so many blocks, of the material where one is named."""
    return _count(blocks, min_count, None, expected_material, use_substring_match, "at least")


def is_block_cnt_leq(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    max_count: int,
    expected_material: str | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """At most so many blocks, of the material where one is named."""
    return _count(blocks, None, max_count, expected_material, use_substring_match, "at most")


def _count(
    blocks: VoxelStructure,
    least: int | None,
    most: int | None,
    material: str | None,
    substring: bool,
    bound: str,
) -> Outcome:
    """A count between two limits; too many names those that came after the limit was reached."""
    rows = np.arange(len(blocks))
    if material is not None:
        rows = np.flatnonzero(blocks.of_material(material, substring))
    count, limit = len(rows), least if least is not None and len(rows) < least else most
    if limit is None or ((most is None or count <= most) and (least is None or count >= least)):
        return passed(count=count)
    of = "" if material is None else f" of {_named(material, substring)}"
    message = f"{plural(count, 'block')}{of}; {bound} {limit} should be there"
    extra = blocks.positions[rows[limit:]] if most is not None and count > most else ()
    place = None if len(extra) else f"blocks{of}"
    return failed(
        fault(
            message,
            extra,
            place=place,
            clause=_COUNT,
            measured=count,
            limit=limit,
            unit="blocks",
        ),
        count=count,
    )


def is_corner_material_equal_to(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    expected_material: str,
    height_y: int | None = None,
    ratio_threshold: float | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """Enough of the corners at a height are of the material.

    Corners are all blocks there that attain the most of x+z, x-z, -x+z or -x-z.
    """

    def corners(of: VoxelStructure, layer: Bools) -> Bools:
        x, z = of.positions[:, 0], of.positions[:, 2]
        found = np.zeros(len(of), dtype=bool)
        for along in (x + z, x - z):
            found |= (along == along[layer].max()) | (along == along[layer].min())
        return found & layer

    level = rules.region_level if height_y is None else height_y
    return _share(
        blocks, rules, corners, level, "corners", expected_material, ratio_threshold,
        use_substring_match,
    )  # fmt: skip


def wall(axis: int, side: int) -> Callable[..., Outcome]:
    """The grader of one wall: at the extreme of ``axis`` (0 x, 2 z) on ``side`` (-1 or 1)."""
    name = f"wall at the {'least' if side < 0 else 'greatest'} {'x' if axis == 0 else 'z'}"

    def outermost(of: VoxelStructure, layer: Bools) -> Bools:
        along = of.positions[:, axis] * side
        found: Bools = layer & (along == along[layer].max())
        return found

    def grader(
        blocks: VoxelStructure,
        rules: Rules,
        *,
        expected_material: str,
        height_y: int | None = None,
        ratio_threshold: float | None = None,
        use_substring_match: bool = False,
    ) -> Outcome:
        level = rules.region_level if height_y is None else height_y
        return _share(
            blocks, rules, outermost, level, name, expected_material, ratio_threshold,
            use_substring_match,
        )  # fmt: skip

    grader.__doc__ = f"Enough of the {name}, at a height, is of the material."
    return grader


is_min_x_material_equal_to = wall(0, -1)
is_max_x_material_equal_to = wall(0, 1)
is_min_z_material_equal_to = wall(2, -1)
is_max_z_material_equal_to = wall(2, 1)


def is_highest_block_material_equal_to(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    expected_material: str,
    ratio_threshold: float | None = None,
    use_substring_match: bool = False,
) -> Outcome:
    """Enough of the blocks at the greatest height are of the material."""
    level = int(blocks.high[1]) if len(blocks) else 0
    return _share(
        blocks, rules, lambda of, layer: layer, level, "top layer", expected_material,
        ratio_threshold, use_substring_match,
    )  # fmt: skip


def _share(
    blocks: VoxelStructure,
    rules: Rules,
    select: Selector,
    level: int,
    region: str,
    material: str,
    threshold: float | None,
    substring: bool,
) -> Outcome:
    """The share of a region of the layer ``level`` that is of a material."""
    least = rules.region_share if threshold is None else threshold
    layer = blocks.positions[:, 1] == level
    named = _named(material, substring)
    if not layer.any():
        message = f"no block at y = {level}, where the {region} should be {named}"
        return failed(fault(message, place=region, clause=_SHARE), blocks=0)
    there = select(blocks, layer)
    right = blocks.of_material(material, substring)
    share = float((there & right).sum() / there.sum())
    if share >= least:
        return passed(share=share, blocks=int(there.sum()))
    wrong = np.flatnonzero(there & ~right)
    message = (
        f"{region} at y = {level}: {there.sum() - len(wrong)} of {there.sum()} blocks are {named}, "
        f"at least {least:.0%} should be; the others are {tally(blocks, wrong)}"
    )
    return failed(
        fault(
            message,
            blocks.positions[wrong],
            clause=_SHARE,
            measured=share,
            limit=least,
            unit="share",
        ),
        share=share,
        blocks=int(there.sum()),
    )


def _named(material: str, substring: bool) -> str:
    return f"some '{material}'" if substring else material
