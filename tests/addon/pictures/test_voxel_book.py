# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of findings of blocks: made by the real checks, in metres of Blender's frame."""

from __future__ import annotations

import random

import numpy as np
import pytest
from picture_whole import check_whole
from plumbline.addon.pictures.drawing import Picture, Shown
from plumbline.addon.pictures.kind import pictures_of
from plumbline.addon.pictures.voxel.book import MAKERS, PICTURES
from plumbline.addon.pictures.voxel.parts import plain
from plumbline.addon.pictures.voxel.shell import EDGED, SKIN, shell
from plumbline.addon.pictures.voxel.told import MOST_NAMED, cell_of, function_of, turn_of
from plumbline.checks.result import Finding, Judgement
from plumbline.checks.voxel.brief import CheckCall, VoxelBrief
from plumbline.checks.voxel.cells import block_name, to_blender
from plumbline.checks.voxel.profiles import judge
from plumbline.checks.voxel.registry import GRADERS
from plumbline.checks.voxel.structure import VoxelStructure


def box(low, high, material="stone"):
    """All cells of a box, x fastest last."""
    axes = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
    return [(x, y, z, material) for x in axes[0] for y in axes[1] for z in axes[2]]


def walls(wide, high, material="stone"):
    return [b for b in box((0, 0, 0), (wide, high, wide), material) if {b[0], b[2]} & {0, wide}]


def without(blocks, *cells):
    return [b for b in blocks if b[:3] not in cells]


def judged(blocks, fn, **args):
    structure = VoxelStructure.from_blocks(blocks)
    judgement = judge(structure, VoxelBrief.of(CheckCall(fn, args)))
    assert judgement.findings, judgement.checks
    return structure, judgement


def pictures(structure, judgement, moves=None) -> list[Picture]:
    subjects = PICTURES.subjects(structure, judgement.findings)
    return [
        PICTURES.picture(Shown(structure, judgement, None, None, f, subjects, moves or {}))
        for f in judgement.findings
    ]


SLAB = box((0, 0, 0), (4, 0, 4))
ROOM = walls(4, 3)
PLANK = [(2, 5, 2, "oak_planks")]
DOOR = [(0, 1, 2, "oak_door")]
STEPS = [(x, x, 0, "stone") for x in range(4)]

# What fails, and what the picture of its first finding must say.
FAILING = {
    "physical_plausibility.is_ground_connected": (SLAB + PLANK, {}, "4 empty cells down to stone"),
    "shape.has_rooms": (without(ROOM, (0, 2, 0)), {"room_cnt": 1, "y": 2}, "no closed room"),
    "shape.is_single_level": (ROOM, {}, "y = 0, should be y = -1"),
    "shape.has_exit": (walls(4, 3) + box((0, 4, 0), (4, 4, 4)), {}, "reached, all inside"),
    "shape.has_wide_exit": (walls(4, 3) + box((0, 4, 0), (4, 4, 4)), {}, "reached, all inside"),
    "shape.are_doors_passable": (
        DOOR + [(0, 1, 1, "stone"), (0, 1, 3, "stone"), (1, 1, 2, "stone")],
        {},
        "3 of 4 sides taken",
    ),
    "shape.are_adjacent": (
        [(0, 0, 0, "stone"), (3, 0, 0, "oak_log")],
        {"materials": ["stone", "oak"]},
        "3 apart, at most 1 asked for",
    ),
    "shape.is_top_surface_concave": (
        [(x, (2, 1, 0, 1, 2)[x], 0, "stone") for x in range(5)],
        {"strict": "non-flat"},
        "bends the other way here",
    ),
    "shape.is_bottom_surface_concave": (
        [(x, (0, 3, 2, 3, 0)[x], 0, "stone") for x in range(5)],
        {},
        "bends the other way here",
    ),
    "shape.cluster_count_at_y_is": (
        [(0, 0, 0, "stone"), (3, 0, 0, "stone"), (6, 0, 0, "stone"), (7, 0, 0, "stone")],
        {"y": 0, "expected_count": 2},
        "1",
    ),
    "shape.clusters_at_y_have_min_span": (
        [(0, 0, 0, "stone"), (3, 0, 0, "stone")],
        {"y": 0, "min_span": 5},
        "3 apart, at least 5 asked for",
    ),
    "shape.cluster_at_y_has_min_radius": (
        SLAB,
        {"y": 0, "min_radius": 5},
        "2.828 blocks, asked for 5",
    ),
    "shape.cluster_at_y_has_min_diameter": (
        SLAB,
        {"y": 0, "min_diameter": 9},
        "5.657 blocks, asked for 9",
    ),
    "shape.has_no_axis_symmetry": (SLAB, {}, "mirror: x = 2"),
    "shape.is_reachable_by_stairs": (STEPS, {"min_floor_y": 5}, "y = 3 is reached"),
    "size.is_equal": (SLAB, {"xz": [5, 4]}, "5 blocks, asked for 4"),
    "size.is_leq": (SLAB, {"xz": [4, 4]}, "5 blocks, asked for 4"),
    "size.all_dimensions_geq": (SLAB, {"min_size": 3}, "1 blocks, asked for 3"),
    "size.min_y_is_equal": (SLAB, {"expected_y": -2}, "y = -2 asked for"),
    "size.min_y_is_leq": (SLAB, {"max_y": -2}, "y = -2 asked for"),
    "size.max_y_is_geq": (SLAB, {"min_y": 4}, "y = 4 asked for"),
    "dependency.material_sequence_order": (
        [(0, 0, 0, "stone"), (1, 0, 0, "oak_planks"), (1, 1, 0, "oak_planks")],
        {"material_sequence": ["oak_planks", "stone"]},
        "1st: stone, too early",
    ),
    "material.is_all_material_equal_to": (
        SLAB + PLANK,
        {"expected_material": "stone"},
        "oak_planks, should be stone",
    ),
    "material.is_corner_material_equal_to": (
        SLAB,
        {"expected_material": "oak_log", "height_y": 0},
        "stone, should be oak_log",
    ),
}


@pytest.mark.parametrize("fn", sorted(FAILING))
def test_every_kind_of_fault_has_a_picture_that_says_what_is_wrong(fn):
    blocks, args, says = FAILING[fn]
    structure, judgement = judged(blocks, fn, **args)
    made = pictures(structure, judgement)
    for picture, finding in zip(made, judgement.findings, strict=True):
        check_whole(picture)
        assert picture.anchor is not None
        shown = Shown(structure, judgement, None, None, finding, PICTURES.subjects(structure), {})
        assert MAKERS[fn](shown) is not None, "no mere plain picture"
        assert picture.lines or picture.words or len(picture.faces) > len(plain(shown).faces)
    assert says in [w.text for w in made[0].words]


def test_every_check_that_can_have_findings_has_a_maker():
    assert pictures_of("voxel") is PICTURES
    scored = {fn for fn, grader in GRADERS.items() if grader.scored}
    assert set(GRADERS) - scored == set(MAKERS)


@pytest.mark.parametrize("fn", sorted(FAILING))
def test_what_was_moved_is_shown_where_it_is_without_what_was_measured(fn):
    blocks, args, _ = FAILING[fn]
    structure, judgement = judged(blocks, fn, **args)
    names = [block_name(p) for p in structure.positions]
    shift = np.eye(4)
    shift[0, 3] = 10.0
    for picture in pictures(structure, judgement, dict.fromkeys(names, shift)):
        check_whole(picture)
        assert not picture.words
        assert all(face.solid.points[:, 0].min() > 4 for face in picture.faces)


def test_the_line_under_a_floating_piece_ends_on_the_next_block_or_on_the_ground():
    structure, judgement = judged(SLAB + PLANK, "physical_plausibility.is_ground_connected")
    (picture,) = pictures(structure, judgement)
    drop = picture.lines[0].points
    assert drop.tolist() == [[2, -2, 4.5], [2, -2, 0.5]]
    aside = [*SLAB, (9, 3, 9, "stone"), (9, 4, 9, "stone")]
    structure, judgement = judged(aside, "physical_plausibility.is_ground_connected")
    (picture,) = pictures(structure, judgement)
    assert picture.lines[0].points.tolist() == [[9, -9, 2.5], [9, -9, 0.5]]
    assert picture.words[0].text == "2 empty cells down to ground"
    assert [face.tone for face in picture.faces] == ["fault", "allowed"]


def test_a_room_that_leaks_shows_its_cells_and_the_cell_to_fill():
    blocks, args, _ = FAILING["shape.has_rooms"]
    structure, judgement = judged(blocks, "shape.has_rooms", **args)
    leak = pictures(structure, judgement)[1]
    tones = {face.tone: face.solid for face in leak.faces}
    assert set(tones) == {"flow", "fault", "allowed"}
    # Nine cells side by side, seen as one: 9 above, 9 below, 12 round.
    assert len(tones["flow"].triangles) == 2 * 30
    assert leak.words[0].text == "fill this" and leak.words[0].at == (0.0, 0.0, 2.0)


def test_blocks_that_take_part_differ_from_those_at_fault():
    blocks, args, _ = FAILING["shape.are_doors_passable"]
    structure, judgement = judged(blocks, "shape.are_doors_passable", **args)
    (picture,) = pictures(structure, judgement)
    middle = {face.tone: face.solid.points.mean(axis=0) for face in picture.faces}
    assert middle["fault"] == pytest.approx([0, -2, 1], abs=0.02)
    assert middle["allowed"] == pytest.approx([-1, -2, 1], abs=0.02)


def test_the_shell_of_cells_is_closed_faces_outwards_and_has_no_face_within():
    cells = np.argwhere(np.random.default_rng(3).random((5, 4, 3)) > 0.4)
    made = shell(cells)
    a, b, c = (made.points[made.triangles[:, k]] for k in range(3))
    inner = shell(box((0, 0, 0), (9, 9, 9)) and [b[:3] for b in box((0, 0, 0), (9, 9, 9))])
    assert len(inner.triangles) == 2 * 6 * 100
    outward = np.cross(b - a, c - a)
    near = (a + b + c) / 3 - 0.5 * outward  # one step back lies in a block
    inside = np.rint(to_blender(cells)).astype(int).tolist()
    back = np.rint((a + b + c) / 3 - 0.6 * outward / np.linalg.norm(outward, axis=1)[:, None])
    assert all(place in inside for place in back.astype(int).tolist()) and len(near)
    # The volume by the divergence theorem, of a cube alone: its six faces stand off by the skin.
    one = shell(np.zeros((1, 3), int))
    a, b, c = (one.points[one.triangles[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(1 + 2 * SKIN)


def test_many_cells_keep_only_the_edges_of_their_shape():
    few, many = ([b[:3] for b in box((0, 0, 0), (n, n, n))] for n in (4, 9))
    assert len(few) <= EDGED < len(many)
    assert len(shell(few).edges) == 6 * (2 * 5 * 6) - 12 * 5
    assert len(shell(many).edges) == 12 * 10
    assert not len(shell(np.zeros((0, 3))).points)


def test_only_blocks_that_findings_name_are_subjects():
    structure, judgement = judged(SLAB + PLANK, "physical_plausibility.is_ground_connected")
    subjects = PICTURES.subjects(structure, judgement.findings)
    assert subjects.names == ("block (2, 5, 2)",) and subjects.roles == ("oak_planks",)
    assert subjects.corners.mean(axis=1) == pytest.approx(np.array([[2, -2, 5]]))
    assert PICTURES.subjects(structure).names == ()
    many = VoxelStructure.from_blocks(box((0, 0, 0), (40, 30, 30)))
    judgement = judge(
        many,
        VoxelBrief.of(
            CheckCall("material.is_all_material_equal_to", {"expected_material": "glass"})
        ),
    )
    assert len(many) > MOST_NAMED == len(PICTURES.subjects(many, judgement.findings).names)


def test_a_finding_of_an_earlier_turn_is_shown_by_what_stood_then():
    first = VoxelStructure.from_blocks(SLAB + PLANK)
    last = VoxelStructure.from_blocks(SLAB, earlier=(first,))
    call = CheckCall("physical_plausibility.is_ground_connected")
    judgement = judge(last, VoxelBrief(((call,), (call,))))
    (finding,) = judgement.findings
    assert finding.check == "turn1.physical_plausibility.is_ground_connected"
    (picture,) = pictures(last, judgement)
    assert picture.words[0].text == "4 empty cells down to stone"
    assert PICTURES.subjects(last, judgement.findings).roles == ("oak_planks",)


def test_names_and_ids_are_read():
    assert function_of("turn2.shape.has_rooms#3") == "shape.has_rooms"
    assert (turn_of("turn12.size.is_leq"), turn_of("size.is_leq")) == (12, None)
    assert cell_of("block (-3, 0, 12)") == (-3, 0, 12)
    for odd in ("block (1, 2)", "Joist", "block (1.5, 0, 0)", "block (9999999, 0, 0)", None, 3):
        assert cell_of(odd) is None


KEYS = ("blocks", "air", "rooms", "clusters", "slice", "farthest", "hindered", "axis")


def odd(dice: random.Random):
    """Cells that are nearly right, and all else that JSON can hold."""
    cells = [[dice.randrange(-3, 4) for _ in range(3)] for _ in range(dice.randrange(6))]
    bad = [None, 3, "x", "y", {}, [[1, 2]], [[1.5, 0, 0]], [["a", 0, 0]], [[1e300, 0, 0]], b"z"]
    return dice.choice([cells, cells, cells, [cells, cells], [cells, None], *bad])


@pytest.mark.parametrize("fn", [*MAKERS, "unheard.of"])
def test_odd_findings_have_pictures(fn):
    dice = random.Random(fn)
    structure = VoxelStructure.from_blocks(SLAB + PLANK)
    figures = [None, 0, 2.5, -3, float("nan"), float("inf"), "7", True, 1e300]
    for _ in range(60):
        names = ["block (2, 5, 2)", "block (0, 0, 0)", "Stud", "extent along y", "block (8, 8, 8)"]
        finding = Finding(
            fn,
            dice.choice(names),
            "Something.",
            subject_kind=dice.choice(["member", "place"]),
            related=dice.choice([(), ("block (0, 0, 0)",), ("block (1, 0, 0)", "Stud"), None]),
            measured=dice.choice(figures),
            limit=dice.choice(figures),
            location=dice.choice([None, (0, 0, 1), (1, 2), (float("nan"), 0, 0)]),
            detail={k: odd(dice) for k in KEYS if dice.random() < 0.8}
            if dice.random() < 0.9
            else dice.choice([None, [], 3]),
        )
        subjects = PICTURES.subjects(structure, [finding])
        shown = Shown(
            dice.choice([structure, structure, None]),
            Judgement("voxel", "paper", ()),
            None,
            None,
            finding,
            subjects,
        )
        check_whole(PICTURES.picture(shown))


def test_a_hole_in_a_wall_is_guessed_and_shown_with_the_room_behind_it():
    from plumbline.addon.pictures.voxel.gaps import gaps_at

    whole = VoxelStructure.from_blocks(ROOM)
    assert gaps_at(whole, 2, 1) == []
    holed = without(ROOM, (0, 2, 1), (0, 2, 2))
    (gap,) = gaps_at(VoxelStructure.from_blocks(holed), 2, 1)
    assert gap.fill.tolist() == [[0, 2, 1], [0, 2, 2]] and len(gap.room) == 9
    # Two rooms side by side, each with its hole; an open yard has no gap that is short enough.
    beside = holed + [(x + 8, y, z, m) for x, y, z, m in without(ROOM, (2, 2, 4))]
    two = gaps_at(VoxelStructure.from_blocks(beside), 2, 2)
    assert [g.fill.tolist() for g in two] == [[[10, 2, 4]], [[0, 2, 1], [0, 2, 2]]]
    yard = [b for b in walls(6, 3) if b[0] != 0]
    assert gaps_at(VoxelStructure.from_blocks(yard), 2, 1) == []
    structure, judgement = judged(holed, "shape.has_rooms", room_cnt=1, y=2)
    picture = pictures(structure, judgement)[0]
    assert "open here" in [w.text for w in picture.words]
    assert {"flow", "allowed"} <= {face.tone for face in picture.faces}
