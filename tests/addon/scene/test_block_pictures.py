# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of blocks: every face that can be seen, materials told apart, faults in their colour."""

import bpy
import numpy as np
import pytest
from plumbline.addon.runs.pictures import AT_FAULT, colours_of
from plumbline.addon.sandbox import actions
from plumbline.addon.scene.block_faces import BlockFaces, corners_of_blocks
from plumbline.addon.scene.blocks import add_blocks
from plumbline.addon.scene.files import save_blend
from plumbline.addon.scene.picture import PictureError, render
from plumbline.addon.scene.plain import structure_from_plain
from plumbline.addon.scene.views import render_views
from plumbline.checks.voxel.cells import to_blender
from plumbline.checks.voxel.structure import VoxelStructure

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.once]


def row():
    """Along Blender's x: gold behind stone seen from the left, red wool on the right."""
    blocks = [(0, 0, 0, "stone"), (1, 0, 0, "gold_block"), (2, 0, 0, "red_wool")]
    return VoxelStructure.from_blocks(blocks)


def pixels(path):
    image = bpy.data.images.load(str(path))
    image.alpha_mode = "CHANNEL_PACKED"
    width, height = image.size
    values = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[::-1]


def test_faces_are_those_that_nothing_covers_and_look_outward():
    cells = [(x, y, z, "stone") for x in range(3) for y in range(4) for z in range(5)]
    structure = VoxelStructure.from_blocks(cells)
    faces = BlockFaces.draw(structure, np.arange(len(structure)), bpy.context.scene)
    assert len(faces.block) == 2 * (3 * 4 + 4 * 5 + 3 * 5)
    mesh = faces.obj.data
    normals = np.array([p.normal for p in mesh.polygons])
    centres = np.array([p.center for p in mesh.polygons])
    middle = to_blender([(1, 1.5, 2)])
    assert (np.einsum("ni,ni->n", centres - middle, normals) > 1.4).all()
    area = sum(p.area for p in mesh.polygons)
    assert area == pytest.approx(len(faces.block), rel=1e-4)


def test_a_block_at_fault_shines_through(tmp_path):
    record = {
        "checks": [
            {
                "id": "plausibility.is_connected",
                "findings": [
                    {
                        "check": "plausibility.is_connected",
                        "subject": "block (1, 0, 0)",
                        "subject_kind": "member",
                        "message": "It floats.",
                        "detail": {"blocks": [[1, 0, 0]]},
                    }
                ],
            }
        ]
    }
    colours = colours_of(record)
    assert colours == {"block (1, 0, 0)": AT_FAULT}
    picture = pixels(render(row(), tmp_path / "a.png", "left", (60, 60), colours))
    seen = picture[30, 30]
    assert seen[0] - max(seen[1], seen[2]) > 0.2
    plain = pixels(render(row(), tmp_path / "b.png", "left", (60, 60)))
    assert np.ptp(plain[30, 30, :3]) < 0.05


def test_every_cell_of_a_finding_is_coloured():
    finding = {
        "subject": "window",
        "subject_kind": "place",
        "follows": "another",
        "detail": {"blocks": [[0, 1, 2], [3, 4, 5], "no cell"]},
    }
    record = {"checks": [{"id": "a", "findings": [finding]}]}
    assert set(colours_of(record)) == {"block (0, 1, 2)", "block (3, 4, 5)"}


def test_views_show_materials_in_their_colours(tmp_path):
    shown = render_views(row(), corners_of_blocks(row()), ["left", "right"], (48, 48))
    colours = {}
    for name, png in shown.items():
        (tmp_path / f"{name}.png").write_bytes(png)
        picture = pixels(tmp_path / f"{name}.png")
        assert picture[1, 1, 3] == 0
        colours[name] = picture[24, 24, :3]
    assert np.ptp(colours["left"]) < 0.05
    assert colours["right"][0] > 2 * colours["right"][1]


def test_what_spans_many_blocks_spans_the_same_box():
    cells = np.random.default_rng(0).integers(-30, 30, (6000, 3))
    structure = VoxelStructure.from_blocks([(*c, "stone") for c in np.unique(cells, axis=0)])
    corners = corners_of_blocks(structure)
    every = to_blender(structure.positions)
    assert len(corners) < 8 * 40
    assert corners.min(axis=0).tolist() == (every.min(axis=0) - 0.5).tolist()
    assert corners.max(axis=0).tolist() == (every.max(axis=0) + 0.5).tolist()


def test_nothing_cannot_be_drawn(tmp_path):
    with pytest.raises(PictureError, match="no blocks to draw"):
        render(VoxelStructure.empty(), tmp_path / "a.png")


def test_a_file_with_blocks_is_drawn(tmp_path):
    """As a worker is asked to, in this process."""
    blend, out = str(tmp_path / "a.blend"), tmp_path / "a.png"
    add_blocks(row(), bpy.context.scene)
    save_blend(blend)
    actions.picture(str(out), blend, colours={"block (0, 0, 0)": AT_FAULT}, size=[40, 40])
    assert out.read_bytes().startswith(b"\x89PNG")
    actions.views(str(tmp_path / "views"), blend, names=["front"], size=[40, 40])
    assert [path.name for path in (tmp_path / "views").iterdir()] == ["front"]
    structure = structure_from_plain(actions.read(blend)["structure"])
    assert structure.materials == row().materials
