# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels Task and Build by Hand in every state: nothing, thousands, broken, under way."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def draw(registered):
    """``draw(class name)``: what its ``draw`` and header ask for."""
    from recording_layout import RecordingLayout

    def drawn(name, method="draw"):
        layout = RecordingLayout()
        getattr(getattr(bpy.types, name), method)(SimpleNamespace(layout=layout), bpy.context)
        return layout

    return drawn


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Our lasting folders, in a temporary place."""
    from plumbline.addon.session import by_hand_session, place, task_pictures

    def own(name):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        return tmp_path / name

    monkeypatch.setattr(place, "own_folder", own)
    by_hand_session.forget()
    task_pictures.free()
    yield tmp_path
    by_hand_session.forget()
    task_pictures.free()


def said(layout):
    return " ".join(layout.texts())


def buttons(layout):
    return [given["operator"] for name, given in layout.items if name == "operator"]


def test_the_three_ways_to_load(draw, home):
    state = bpy.context.window_manager.plumbline
    state.task = "timber/gable_house"
    assert state.load_as == "sound" and state.variant == "sound"
    state.load_as = "flawed"
    assert state.variant == "clashing_plates"
    state.variant = "missing_stud"
    state.load_as = "flawed"
    assert state.variant == "missing_stud", "what was chosen stays"
    assert "stud" in said(draw("PLUMBLINE_PT_task")).lower()
    state.load_as = "empty"
    assert state.variant == "empty" and "build it yourself" in said(draw("PLUMBLINE_PT_task"))
    scenes = len(bpy.data.scenes)
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    scene = bpy.context.window.scene
    assert len(bpy.data.scenes) == scenes + 1 and not scene.objects
    assert scene["plumbline_task"] == "timber/gable_house"
    assert bpy.data.texts["Brief"].as_string().startswith("Gable house")
    state.task = "timber/gable_house"
    assert state.variant == "sound"


def test_the_list_of_tasks(draw, home):
    from plumbline.addon import bundled, task_choice
    from plumbline.panels.task import PLUMBLINE_UL_tasks
    from recording_layout import RecordingLayout

    state = bpy.context.window_manager.plumbline
    state.task_text = ""
    task_choice.fit_rows(bpy.context.window_manager)
    count = len(bundled.index())
    assert len(state.task_rows) == count
    assert draw("PLUMBLINE_PT_task_browse", "draw_header_preset").texts() == [str(count)]
    state.task_text = "loft joist runs 900"
    assert f"1 of {count} tasks" in said(draw("PLUMBLINE_PT_task_browse"))
    widget = SimpleNamespace(bitflag_filter_item=1 << 30)
    flags, order = PLUMBLINE_UL_tasks.filter_items(widget, bpy.context, state, "task_rows")
    assert flags == [1 << 30] + [0] * (count - 1) and order == []
    state.task_row = 0
    assert state.task == "timber/barn" and state.task_row == 0
    layout = RecordingLayout()
    for place in (0, 99):
        PLUMBLINE_UL_tasks.draw_item(
            None, bpy.context, layout, state, None, 0, state, "task_row", place
        )
    assert layout.texts() == ["Barn", bundled.find("timber/barn").style]
    state.task_text = "no task has this"
    assert "No task has all these words" in said(draw("PLUMBLINE_PT_task_browse"))
    state.task_text = ""


def test_thousands_of_tasks_are_drawn_as_quickly_as_a_few(draw, home):
    from plumbline.addon import bundled, task_choice

    cabin = bundled.find("timber/cabin")
    block = replace(cabin, kind="voxel", brief={"checks": [[]]}, twins=())
    many = [replace(block, id=f"voxel/many{i:04d}", title=f"No {i}") for i in range(5000)]
    bundled.offer(many)
    task_choice.forget()
    task_choice.fit_rows(bpy.context.window_manager)
    state = bpy.context.window_manager.plumbline
    count = len(bundled.index())
    assert count > 5000 and len(state.task_rows) == count
    state.task_kind = "voxel"
    state.task_text = "many4321"
    assert f"1 of {count:,} tasks" in said(draw("PLUMBLINE_PT_task_browse"))
    state.task_row = 0
    assert state.task == "voxel/many4321"
    kept = task_choice.view_of(state)
    draw("PLUMBLINE_PT_task_browse")
    assert task_choice.view_of(state) is kept, "drawing searches nothing again"
    for panel in ("PLUMBLINE_PT_task", "PLUMBLINE_PT_task_brief", "PLUMBLINE_PT_human"):
        draw(panel)
    bundled.forget_opened()
    task_choice.forget()
    assert state.task in bundled.index().tasks, "a task that is gone gives way to the first"
    draw("PLUMBLINE_PT_task_browse")
    state.task_kind, state.task_text = "ALL", ""


def test_without_any_task_each_panel_says_so_or_is_not_there(draw, home, monkeypatch):
    from plumbline.addon import bundled
    from plumbline.addon.task_index import TaskIndex

    empty = TaskIndex([])
    monkeypatch.setattr(bundled, "index", lambda: empty)
    monkeypatch.setattr(bundled, "trouble", lambda: "task.json of cabin is cut off")
    assert "No task: task.json of cabin is cut off" in said(draw("PLUMBLINE_PT_task"))
    assert not bpy.types.PLUMBLINE_PT_task_browse.poll(bpy.context)
    assert not bpy.types.PLUMBLINE_PT_task_brief.poll(bpy.context)
    draw("PLUMBLINE_PT_task_brief")
    draw("PLUMBLINE_PT_human")
    for operator in ("find_task", "begin_by_hand", "make_task_pictures"):
        with pytest.raises(RuntimeError, match=r"cut off|poll"):
            getattr(bpy.ops.plumbline, operator)()


def test_brief_and_pictures(draw, home):
    from plumbline.addon.session import task_pictures

    state = bpy.context.window_manager.plumbline
    state.task = "timber/cabin"
    layout = draw("PLUMBLINE_PT_task_brief")
    assert "plumbline.make_task_pictures" in buttons(layout)
    assert "spruce pine fir" in said(layout) and "1.92 kPa live" in said(layout)
    with pytest.raises(RuntimeError, match="press Make Pictures"):
        bpy.ops.plumbline.show_task_picture(view="front")
    assert bpy.ops.plumbline.make_task_pictures() == {"FINISHED"}
    found = task_pictures.of("timber/cabin")
    assert set(found.icons) == set(task_pictures.TITLES)
    layout = draw("PLUMBLINE_PT_task_brief")
    thumbnails = [given for name, given in layout.items if name == "template_icon"]
    assert [t["icon_value"] for t in thumbnails] == list(found.icons.values())
    assert buttons(layout).count("plumbline.show_task_picture") == 5
    images = len(bpy.data.images)
    assert bpy.ops.plumbline.show_task_picture(view="front") == {"FINISHED"}
    assert len(bpy.data.images) == images + 1
    task_pictures.free()
    assert set(task_pictures.look_up("timber/cabin").paths) == set(found.paths), "kept on the disk"


def test_why_there_can_be_no_pictures(draw, home, monkeypatch):
    from plumbline.addon.sandbox import client
    from plumbline.addon.session import task_pictures

    state = bpy.context.window_manager.plumbline
    state.task = "timber/barn"
    monkeypatch.setenv(client.BLENDER_VARIABLE, "/nowhere/blender")
    assert bpy.ops.plumbline.make_task_pictures() == {"CANCELLED"}
    layout = draw("PLUMBLINE_PT_task_brief")
    assert "No pictures: /nowhere/blender is no program" in said(layout)
    monkeypatch.delenv(client.BLENDER_VARIABLE)
    assert task_pictures.make(task_pictures.bundled.find("timber/barn")).icons, "tried again"


def test_build_by_hand_before_during_and_after(draw, home):
    from plumbline.addon.session import by_hand_session

    state = bpy.context.window_manager.plumbline
    state.task = "timber/cabin"
    mine = bpy.context.window.scene
    layout = draw("PLUMBLINE_PT_human")
    assert "plumbline.begin_by_hand" in buttons(layout) and "1. Begin" in said(layout)
    assert draw("PLUMBLINE_PT_human", "draw_header_preset").texts() == []
    bpy.ops.plumbline.begin_by_hand()
    layout = draw("PLUMBLINE_PT_human")
    wanted = {"pause_by_hand", "try_by_hand", "hand_in", "give_up", "add_member", "repeat_member"}
    assert {f"plumbline.{name}" for name in wanted} <= set(buttons(layout))
    assert "spruce pine fir" in said(layout)
    assert draw("PLUMBLINE_PT_human", "draw_header_preset").texts() == ["0:00"]
    bpy.context.window_manager.plumbline_member.placing = "POINTS"
    assert "plumbline.note_point" in buttons(draw("PLUMBLINE_PT_human"))
    bpy.ops.plumbline.try_by_hand()
    assert "Failed: " in said(draw("PLUMBLINE_PT_human"))
    session = by_hand_session.now()
    scene = session.scene
    bpy.context.window.scene = mine
    assert "plumbline.show_by_hand" in buttons(draw("PLUMBLINE_PT_human"))
    bpy.ops.plumbline.show_by_hand()
    assert bpy.context.window.scene == scene
    bpy.ops.plumbline.hand_in()
    text = said(draw("PLUMBLINE_PT_human"))
    assert "One-room cabin: failed" in text and "listed under Findings" in text
    bpy.ops.plumbline.begin_by_hand()
    bpy.data.scenes.remove(by_hand_session.now().scene)
    assert "plumbline.bring_back_by_hand" in buttons(draw("PLUMBLINE_PT_human"))
    by_hand_session.let_go()
    layout = draw("PLUMBLINE_PT_human")
    assert "Broken off: One-room cabin" in said(layout)
    assert "plumbline.take_up_by_hand" in buttons(layout)


def test_a_kind_without_an_aid_is_built_with_blenders_own_tools(draw, home):
    from plumbline.addon.session import building_aids, by_hand_session

    bpy.ops.plumbline.begin_by_hand()
    session = by_hand_session.now()
    session.task = replace(session.task, kind="assembly")
    assert building_aids.aid_for("assembly") is None
    assert "Blender's own tools" in said(draw("PLUMBLINE_PT_human"))


def test_tasks_are_opened_from_disk(home, registered, tmp_path):
    import json
    import shutil

    from plumbline.addon import bundled
    from plumbline.tasks import load_task

    folder = tmp_path / "pack" / "my_cabin"
    shutil.copytree(load_task("timber/cabin").path, folder)
    data = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    (folder / "task.json").write_text(json.dumps({**data, "id": "timber/my_cabin"}))
    state = bpy.context.window_manager.plumbline
    count = len(bundled.index())
    assert bpy.ops.plumbline.open_tasks(filepath=str(folder)) == {"FINISHED"}
    assert state.task == "timber/my_cabin" and len(state.task_rows) == count + 1
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    assert len(bpy.context.window.scene.objects) == 199
    (folder / "task.json").write_text("{")
    with pytest.raises(RuntimeError, match="not JSON"):
        bpy.ops.plumbline.open_tasks(filepath=str(folder))
    bundled.forget_opened()


def test_a_scene_of_a_task_that_is_not_open_says_so(draw, home):
    scene = bpy.context.scene
    assert "isn't open here" not in said(draw("PLUMBLINE_PT_task"))
    for odd in ("timber/elsewhere", 7, [1.0, 2.0]):
        scene["plumbline_task"] = odd
        assert "isn't open here" in said(draw("PLUMBLINE_PT_task"))
