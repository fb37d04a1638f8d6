# SPDX-License-Identifier: GPL-3.0-or-later
"""Schematics of three kinds become blocks without an order, each on its own cell."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from nbt_writer import byte_array, litematica, long_array, mcedit, nbt, packed, short, sponge
from plumbline.addon.voxel_files import BlocksError, read_blocks
from plumbline.addon.voxel_files import litematica as reader
from plumbline.addon.voxel_files.legacy_ids import material
from plumbline.checks.voxel import VoxelStructure, judge

REAL = Path(__file__).parents[4] / "shared/data/voxel"
STATES = {
    "minecraft:air": 0,
    "minecraft:stone": 1,
    "minecraft:oak_door[facing=east,half=lower]": 2,
    "minecraft:oak_door[facing=east,half=upper]": 3,
    "minecraft:red_bed[part=foot]": 4,
    "minecraft:red_bed[part=head]": 300,
}
# Two wide (x), three high (y), two long (z); the lowest layer is empty.
BOX = (2, 3, 2)
CELLS = [0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 3, 300]
BLOCKS = {(0, 0, 0): "stone", (1, 0, 0): "stone", (0, 0, 1): "oak_door", (1, 0, 1): "red_bed"}


def write(folder: Path, root: dict[str, Any], name: str = "a.schem") -> Path:
    (folder / name).write_bytes(packed(root))
    return folder / name


def placed(blocks: VoxelStructure) -> dict[tuple[int, int, int], str]:
    return dict(zip(blocks.index, blocks.materials, strict=True))


def states() -> list[dict[str, Any]]:
    """The palette as Litematica has it, each in its place up to 300."""
    found: list[dict[str, Any]] = [{"Name": "minecraft:dirt"} for _ in range(301)]
    for text, number in STATES.items():
        name, _, rest = text.rstrip("]").partition("[")
        pairs = dict(part.split("=") for part in rest.split(",") if part)
        found[number] = {"Name": name, **({"Properties": pairs} if pairs else {})}
    return found


@pytest.mark.parametrize("version", [1, 2, 3])
def test_sponge(tmp_path: Path, version: int) -> None:
    blocks = read_blocks(write(tmp_path, sponge(BOX, CELLS, STATES, version))).blocks
    assert placed(blocks) == BLOCKS
    assert not blocks.ordered
    assert blocks.source["format"] == "Sponge"
    assert any("no placement order" in note for note in blocks.notes)
    assert any("2 cells" in note for note in blocks.notes), "the second halves are told"


def test_litematica(tmp_path: Path) -> None:
    root = {"Version": 6, "Regions": {"a": litematica(BOX, (0, 0, 0), CELLS, states())}}
    assert placed(read_blocks(write(tmp_path, root, "a.litematic")).blocks) == BLOCKS


def test_regions_of_negative_size_reach_backwards(tmp_path: Path) -> None:
    palette = [{"Name": "minecraft:air"}, {"Name": "minecraft:stone"}, {"Name": "minecraft:dirt"}]
    regions = {
        "near": litematica((1, 1, 1), (0, 0, 0), [1], palette),
        "far": litematica((-3, 2, -1), (9, 4, 5), [2, 0, 0, 0, 0, 1], palette),
    }
    blocks = read_blocks(write(tmp_path, {"Regions": regions}, "a.litematic")).blocks
    assert placed(blocks) == {(0, 0, 0): "stone", (7, 4, 5): "dirt", (9, 5, 5): "stone"}


def test_cells_that_reach_over_two_words(tmp_path: Path) -> None:
    palette = [{"Name": f"minecraft:m{i}"} for i in range(20)]  # 5 bits: 64 is no multiple
    cells = [(7 * i) % 20 for i in range(60)]
    root = {"Regions": {"a": litematica((5, 4, 3), (0, 0, 0), cells, palette)}}
    blocks = read_blocks(write(tmp_path, root, "a.litematic")).blocks
    wanted = {(i % 5, i // 15, i // 5 % 3): f"m{n}" for i, n in enumerate(cells)}
    assert placed(blocks) == wanted


def test_mcedit(tmp_path: Path) -> None:
    ids, data = [0, 0, 0, 0, 1, 35, 64, 26, 0, 0, 64, 26], [0] * 5 + [14, 0, 0, 0, 0, 8, 8]
    blocks = read_blocks(write(tmp_path, mcedit(BOX, ids, data), "a.schematic")).blocks
    assert placed(blocks) == {**BLOCKS, (1, 0, 0): "red_wool"}


def test_mcedit_numbers_of_other_mods_by_their_names(tmp_path: Path) -> None:
    root = mcedit((2, 1, 1), [1, 44], [0, 0])
    root["AddBlocks"] = byte_array([0x10])  # the second number is 44 + 256
    with pytest.raises(BlocksError, match="block number 300, which no Minecraft"):
        read_blocks(write(tmp_path, root, "a.schematic"))
    for names in ({"BlockIDs": {"300": "mod:marble"}}, {"SchematicaMapping": {"mod:marble": 300}}):
        blocks = read_blocks(write(tmp_path, {**root, **names}, "a.schematic")).blocks
        assert placed(blocks) == {(0, 0, 0): "stone", (1, 0, 0): "marble"}


def test_old_numbers() -> None:
    assert [material(5, d) for d in (0, 5)] == ["oak_planks", "dark_oak_planks"]
    assert [material(251, d) for d in (0, 7, 14)] == [
        *("white_concrete", "gray_concrete", "red_concrete")
    ]
    assert (material(1, 0), material(1, 15), material(253, 0)) == ("stone", "stone", None)


def change(root: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {k: v for k, v in {**root, **fields}.items() if v is not None}


SPONGE = sponge(BOX, CELLS, STATES)
LITE = litematica(BOX, (0, 0, 0), CELLS, states())
OLD = mcedit((1, 1, 1), [1], [0])


@pytest.mark.parametrize(
    ("root", "told"),
    [
        ({}, "is no Sponge, MCEdit or Litematica schematic"),
        (change(SPONGE, Version=9), "of version 9; 1, 2 and 3 can be read"),
        (change(SPONGE, Width=None), "its Width is missing"),
        (change(SPONGE, Width="two"), "its Width is of another kind"),
        (change(SPONGE, Width=short(0)), "a box of 0 x 3 x 2 cells; all three must be 1 or more"),
        (change(SPONGE, Width=short(-1), Height=short(-1)), "more than the 8388608 that are read"),
        (change(SPONGE, Height=short(4)), "holds 12 cells, its size says 16"),
        (change(SPONGE, BlockData=byte_array([1, 129])), "end within a number"),
        (change(SPONGE, BlockData=byte_array([129] * 6 + [1])), "more than 32 bits"),
        (change(SPONGE, BlockData=long_array([1])), "its BlockData is of another kind"),
        (change(SPONGE, Palette={"a": -1}), "a number that is none of a palette"),
        (change(SPONGE, Palette={"a": 2**31 - 1}), "a number that is none of a palette"),
        (change(SPONGE, Palette={}), "more kinds of blocks than the 0 of its palette"),
        (
            change(SPONGE, Palette={"minecraft:air": 0, "x": 300}),
            "block number 1, which its palette",
        ),
        ({"Regions": {}}, "has no region"),
        ({"Regions": {"r": change(LITE, BlockStates=long_array([1]))}}, "holds 1 words of cells"),
        ({"Regions": {"r": change(LITE, BlockStatePalette=[])}}, "has an empty palette"),
        ({"Regions": {"r": change(LITE, Size={"x": 1})}}, "region 'r': its y is missing"),
        (change(OLD, Blocks=byte_array([1, 1])), "holds 2 cells in its Blocks, its size says 1"),
        (change(OLD, Data=None), "its Data is missing"),
    ],
)
def test_a_faulty_schematic_is_one_sentence(
    tmp_path: Path, root: dict[str, Any], told: str
) -> None:
    file = write(tmp_path, root)
    with pytest.raises(BlocksError) as caught:
        read_blocks(file)
    message = str(caught.value)
    assert told in message
    assert message.startswith(f"{file}: ")
    assert "\n" not in message


@pytest.mark.parametrize("root", [SPONGE, {"Regions": {"r": LITE}}, OLD])
def test_damaged_schematics_are_refused_or_read(tmp_path: Path, root: dict[str, Any]) -> None:
    chance = random.Random(7)
    plain = nbt(root)
    file = tmp_path / "a.schem"
    for _ in range(150):
        data = bytearray(plain)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(data)
        with contextlib.suppress(BlocksError):
            read_blocks(file)


def test_regions_out_of_reach(tmp_path: Path) -> None:
    root = {"Regions": {"r": {**LITE, "Position": {"x": 2**31 - 9, "y": 0, "z": 0}}}}
    with pytest.raises(BlocksError, match="within 1000000 of the origin"):
        read_blocks(write(tmp_path, root))


def test_regions_are_not_larger_together_than_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST_CELLS", 20)
    root = {"Regions": {"r": LITE}}
    assert len(read_blocks(write(tmp_path, root)).blocks) == 4
    with pytest.raises(BlocksError, match="more than the 20 cells"):
        read_blocks(write(tmp_path, {"Regions": {"r": LITE, "s": LITE}}))


def test_a_truncated_file_is_one_sentence(tmp_path: Path) -> None:
    file = write(tmp_path, SPONGE)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(BlocksError, match="ends within its packed data; save it again"):
        read_blocks(file)


def test_an_import_is_judged_but_not_for_its_order(tmp_path: Path) -> None:
    result = judge(read_blocks(write(tmp_path, SPONGE)).blocks)
    assert {c.id: c.status for c in result.checks} == {
        "physical_plausibility.is_ground_connected": "passed",
        "efficiency.l1_dist": "not_run",
    }


@pytest.mark.skipif(not REAL.is_dir(), reason="files that others wrote lie beside the project")
@pytest.mark.parametrize(
    ("name", "high", "most"),
    [
        # Counted with nbtlib and litemapy, cell by cell the same.
        ("SimpleHouse.litematic", (4, 5, 4), {"grass_block": 16, "oak_planks": 15}),
        ("tree.litematic", (15, 13, 11), {"stone": 316, "water": 310}),
        ("smallhouse1.schem", (19, 26, 19), {"spruce_stairs": 513, "spruce_planks": 330}),
        ("viking-house1.schematic", (22, 24, 22), {"spruce_planks": 485, "spruce_log": 472}),
    ],
)
def test_files_that_others_wrote(
    name: str, high: tuple[int, int, int], most: dict[str, int]
) -> None:
    total = {"Sim": 77, "tre": 889, "sma": 3194, "vik": 2491}[name[:3]]
    blocks = read_blocks(REAL / name).blocks
    assert len(blocks) == total
    assert tuple(blocks.high) == high
    assert dict(Counter(blocks.materials).most_common(2)) == most
    assert blocks.low[1] == 0
