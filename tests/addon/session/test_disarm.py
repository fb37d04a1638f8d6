# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model's scene would run by itself is gone before it is in the person's file."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

pytest.importorskip("plumbline.addon.session.scenes")
from plumbline.addon.session import scenes

MARK = "driver-ran"


@pytest.fixture
def armed(tmp_path: Path, empty_scene) -> Path:
    """A .blend with drivers on an object, a mesh's shape keys and a material's nodes, and texts."""
    expression = f"float(bool(open({str(tmp_path / MARK)!r}, 'w')))"
    mesh = bpy.data.meshes.new("m")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    stud = bpy.data.objects.new("Stud_01", mesh)
    bpy.context.scene.collection.objects.link(stud)
    stud.shape_key_add(name="Basis")
    key = stud.shape_key_add(name="Key")
    material = bpy.data.materials.new("Wood")
    material.use_nodes = True
    mesh.materials.append(material)
    value = material.node_tree.nodes.new("ShaderNodeValue")
    for curve in (
        stud.driver_add("location", 0),
        key.driver_add("value"),
        value.outputs[0].driver_add("default_value"),
    ):
        curve.driver.expression = expression
    text = bpy.data.texts.new("start.py")
    text.write(f"open({str(tmp_path / MARK)!r}, 'w')")
    text.use_module = True
    stud["notes"] = text
    blend = tmp_path / "armed.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), copy=True)
    (tmp_path / MARK).unlink(missing_ok=True)
    return blend


@pytest.fixture
def trusting():
    """Blender as somebody has it who lets scripts run by themselves."""
    paths = bpy.context.preferences.filepaths
    before = paths.use_scripts_auto_execute
    paths.use_scripts_auto_execute = True
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    yield
    paths.use_scripts_auto_execute = before


def test_landing_runs_nothing(armed: Path, trusting) -> None:
    landed = scenes.land(armed, "Attempt 1")
    scene = landed.scene
    bpy.context.window.scene = scene
    for frame in (1, 5):
        scene.frame_set(frame)
    assert not (armed.parent / MARK).exists()
    stud = next(iter(scene.objects))
    assert not bpy.data.texts
    assert not list(stud.animation_data.drivers)
    assert not list(stud.data.shape_keys.animation_data.drivers)
    tree = stud.data.materials[0].node_tree
    assert not list(tree.animation_data.drivers)
    assert [stud.data.materials[0].name, stud.type] == ["Wood", "MESH"]
