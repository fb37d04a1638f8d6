# SPDX-License-Identifier: GPL-3.0-or-later
"""A pack of the released harness in the window: its pictures are shown, nothing is made up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")


@pytest.fixture
def pack(tmp_path):
    """Two tasks, one with two pictures and one with a broken one."""
    from plumbline.addon.scene.pixels import png_bytes

    png = png_bytes(np.full((32, 32, 4), 0.5, np.float32))
    path = tmp_path / "theirs.dhpack"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE metadata (key, value)")
        base.execute("INSERT INTO metadata VALUES ('format', 'dreamhouse-dhpack-v1')")
        base.execute("CREATE TABLE tasks (task_id, style, description, constraints_json)")
        base.execute("CREATE TABLE images (task_id, view, content)")
        rows = [(f"AF_01_{i:04d}", "Farmhouse", "A house of two storeys.", "{}") for i in (1, 2)]
        base.executemany("INSERT INTO tasks VALUES (?, ?, ?, ?)", rows)
        images = [("AF_01_0001", view, png) for view in ("top", "front")]
        images.append(("AF_01_0002", "front", png[:-9]))
        base.executemany("INSERT INTO images VALUES (?, ?, ?)", images)
        base.commit()
    return path


@pytest.fixture
def state(registered, tmp_path, monkeypatch):
    """The window's state; our lasting folders lie in a temporary place."""
    from plumbline.addon import bundled, task_choice
    from plumbline.addon.session import place, task_pictures

    def own(name):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        return tmp_path / name

    monkeypatch.setattr(place, "own_folder", own)
    task_pictures.free()
    yield bpy.context.window_manager.plumbline
    bundled.forget_opened()
    task_choice.forget()
    task_pictures.free()


def drawn(name):
    from recording_layout import RecordingLayout

    layout = RecordingLayout()
    getattr(bpy.types, name).draw(SimpleNamespace(layout=layout), bpy.context)
    return " ".join(layout.texts())


def test_a_pack_of_somebody_else_is_offered(state, pack):
    from plumbline.addon import bundled
    from plumbline.addon.session import task_pictures

    assert bpy.ops.plumbline.open_tasks(filepath=str(pack)) == {"FINISHED"}
    assert state.task == "timber/AF_01_0001" and state.variant == "empty"
    assert "is a PNG that breaks off" in bundled.left_out()
    assert "is a PNG that breaks off" in drawn("PLUMBLINE_PT_task_browse")
    assert "no known-good building: build it yourself" in drawn("PLUMBLINE_PT_task")
    assert "A house of two storeys." in drawn("PLUMBLINE_PT_task_brief")
    found = task_pictures.of(state.task)
    assert list(found.icons) == ["front_right", "front"] and found.why is not None
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in found.paths.values())
    state.load_as = "sound"
    assert state.variant == "empty", "there is nothing else to load"
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    assert len(bpy.context.scene.objects) == 0
    state.task = "timber/AF_01_0002"
    drawn("PLUMBLINE_PT_task_brief")
    assert task_pictures.of(state.task).paths == {}
    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}


def test_a_generated_house_is_built_from_its_parameters(state):
    from plumbline.addon import bundled
    from plumbline.addon.session import task_pictures
    from plumbline.tasks.packs.bundled import bundled_tasks

    task = next(iter(bundled_tasks().values()))
    state.task = task.id
    assert state.variant == "sound" and not bundled.is_own(task.id)
    assert task_pictures.of(task.id).paths == {} and task_pictures.of(task.id).why is None
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    assert len(bpy.context.scene.objects) == len(task.truth())
    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}
