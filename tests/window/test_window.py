# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees and does in a real Blender window: build, check, click, look, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from window_hands import (
    LOOK,
    build_and_check,
    choose,
    click_row,
    mostly_red,
    photograph,
    press,
    reddened,
    row_of,
)
from windowed_blender import redness

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

# Findings, and what a redraw of our tab with them may cost, s.
MANY, DRAW_LIMIT = 5_000, 0.002


def test_from_the_button_to_the_member(blender):
    """By the mouse alone: build a twin, check it, click the finding, see the member in red."""
    mine = blender.run("result = window().scene.name")
    choose(blender, "timber/cabin", "rafter_without_bearing")
    press(blender, "PLUMBLINE_OT_build_task")
    blender.wait_until("window().scene.get('plumbline_task')")
    assert blender.run(f"result = len(bpy.data.scenes[{mine!r}].objects)") == 3
    blender.run("with inside(): bpy.ops.view3d.view_all()")
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until("review() is not None")
    blender.run("redraw(2)")
    photograph(blender, "checked")
    assert blender.run("result = review().judgement.verdict") == "failed"
    first = blender.run("result = review().table.view(state().query()).shown[0]")
    click_row(blender, first)
    look = blender.run(LOOK)
    assert blender.run("result = chosen()['subject']") == "Rafter_S_07"
    assert look["selected"] == ["Rafter_S_07"] == [look["active"]] and look["visible"]
    left, top, right, bottom = blender.run("result = rectangle('WINDOW')")
    for corner in look["corners"]:
        assert corner is not None and left <= corner[0] <= right and top <= corner[1] <= bottom
    photograph(blender, "finding")
    values = reddened(blender, look["along"])
    assert mostly_red(values), values


@pytest.mark.only_in("5.2")
@pytest.mark.parametrize("way", ["local view", "excluded"])
def test_a_hidden_member_comes_back_by_a_click(blender, way):
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    blender.run(
        "roof = bpy.data.collections.new('Roof')\n"
        "window().scene.collection.children.link(roof)\n"
        "obj = window().scene.objects['Rafter_S_07']\n"
        "roof.objects.link(obj)\n"
        "window().scene.collection.objects.unlink(obj)\n"
        f"hidden_by = {way!r}\n"
        "if hidden_by == 'local view':\n"
        "    window().scene.objects['Joist_03'].select_set(True, view_layer=window().view_layer)\n"
        "    with inside(): bpy.ops.view3d.localview()\n"
        "else: window().view_layer.layer_collection.children['Roof'].exclude = True\n"
        "redraw()"
    )
    click_row(blender, row_of(blender, "load_path"))
    look = blender.run(LOOK)
    assert look["visible"] and look["selected"] == ["Rafter_S_07"]
    if way == "local view":
        # Only evaluated objects know whether a local view shows them.
        assert blender.run(
            "space = view().spaces.active\n"
            "with inside(): graph = bpy.context.evaluated_depsgraph_get()\n"
            "shown = window().scene.objects['Rafter_S_07'].evaluated_get(graph)\n"
            "result = space.local_view is not None and shown.local_view_get(space)"
        )
    assert mostly_red(reddened(blender, look["along"]))


@pytest.mark.only_in("4.3")
def test_a_place_where_something_is_missing_is_marked(blender):
    build_and_check(blender, "timber/gable_house", "missing_stud")
    row = row_of(blender, "spacing")
    assert blender.run(f"result = review().table.findings[{row}].subject_kind") == "place"
    click_row(blender, row)
    assert blender.run("result = len(bpy.context.selected_objects)") == 0
    photograph(blender, "place")
    arms = blender.run(
        "from mathutils import Vector\n"
        "p = Vector(review().chosen.location)\n"
        "result = [on_screen(p + Vector(d)) for d in ((0, 0, .06), (0, 0, -.06), (.06, 0, 0))]"
    )
    assert mostly_red(reddened(blender, arms))


@pytest.mark.only_in("5.2")
def test_an_overlap_is_shown_as_a_solid(blender):
    build_and_check(blender, "timber/gable_house", "clashing_plates")
    click_row(blender, row_of(blender, "clash"))
    photograph(blender, "clash")
    middle = blender.run(
        "import numpy as np\n"
        "solid = np.array(review().chosen.detail['solid'])\n"
        "result = [on_screen(solid.mean(axis=0))]"
    )
    assert mostly_red(reddened(blender, middle))


@pytest.mark.only_in("4.3")
def test_undo_and_redo_by_the_keyboard(blender):
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    selected = "[o.name for o in window().view_layer.objects if o.select_get()]"
    click_row(blender, row_of(blender, "load_path"))
    assert blender.run(f"result = {selected}") == ["Rafter_S_07"]
    left, _, _, bottom = blender.run("result = rectangle('WINDOW')")
    blender.display.move(left + 300, bottom - 60)
    blender.display.key("ctrl+z")
    blender.wait_until(f"{selected} == []")
    assert blender.run("result = review() is not None"), "the result outlives an undo"
    blender.display.key("ctrl+shift+z")
    blender.wait_until(f"{selected} == ['Rafter_S_07']")
    assert not blender.run("result = review().stale"), "looking is no edit"
    assert mostly_red(reddened(blender, blender.run(LOOK)["along"]))
    blender.display.move(left + 300, bottom - 60)
    blender.display.key("ctrl+z", "ctrl+z")
    blender.wait_until("len(bpy.data.scenes) == 1")
    names = sorted(blender.run("result = [o.name for o in window().scene.objects]"))
    assert names == ["Camera", "Cube", "Light"], "undoing the build brings back what was open"


@pytest.mark.only_in("5.2")
def test_the_highlight_follows_a_moved_member(blender):
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    click_row(blender, row_of(blender, "load_path"))
    blender.run("window().scene.objects['Rafter_S_07'].location.z += 0.5; redraw(2)")
    assert blender.run("result = review().stale")
    photograph(blender, "stale")
    where = blender.run(LOOK.replace("s.center[row]", "s.center[row] + np.array([0, 0, 0.5])"))
    assert mostly_red(reddened(blender, where["along"]))


@pytest.mark.only_in("4.3")
def test_another_file_starts_clean(blender, tmp_path):
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    click_row(blender, row_of(blender, "load_path"))
    along = blender.run(LOOK)["along"]
    file = str(tmp_path / "house.blend")
    blender.run(f"bpy.ops.wm.save_as_mainfile(filepath={file!r}, compress=False)")
    content = Path(file).read_bytes()
    assert b"touches nothing" not in content and b"PlumblineRow" not in content
    blender.run(f"bpy.ops.wm.open_mainfile(filepath={file!r})")
    blender.run("open_tab()")
    assert blender.run("result = review() is None and len(state().rows) == 0")
    assert not mostly_red(reddened(blender, along))
    assert blender.run("result = window().scene['plumbline_task']") == "timber/cabin"


@pytest.mark.only_in("5.2")
def test_a_redraw_with_thousands_of_findings(blender, record_property):
    """Time in our code while the window really draws, layout calls into Blender included."""
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    times = blender.run(
        Path(__file__).with_name("draw_times.py").read_text(encoding="utf-8")
        + f"\nresult = measure({MANY})"
    )
    print(f"Blender {blender.version}, {MANY:,} findings, one redraw, least and median:")
    for name, (least, median) in times.items():
        record_property(name, median)
        print(f"  {name:24} {1000 * least:7.3f} {1000 * median:7.3f} ms")
    photograph(blender, "many")
    assert "filter and sort" in times and "rows" in times, "the list was not drawn"
    assert any(name.startswith("PLUMBLINE_PT") for name in times), "the panels were not drawn"


@pytest.fixture
def ended(session):
    """The Blender of the other tests is gone, and with it what they left in it."""
    session.kill()


def test_disabling_leaves_nothing_and_blender_ends_well(ended, blender):
    """The last one: it takes the extension out and closes the window, in a Blender of its own."""
    build_and_check(blender, "timber/cabin", "rafter_without_bearing")
    click_row(blender, row_of(blender, "load_path"))
    along = blender.run(LOOK)["along"]
    before = blender.display.pixels()
    blender.run(
        "overlay = part('panels.overlay')\n"
        "bpy.ops.preferences.addon_disable(module=PACKAGE)\nredraw(2)"
    )
    after = blender.display.pixels()
    right = blender.run("result = rectangle('UI')")[0] - 5
    faded = [redness(before, *p) - redness(after, *p) for p in along if p[0] < right]
    assert faded and mostly_red(faded), (faded, along, right)
    left = blender.run(
        "lists = [getattr(bpy.app.handlers, n) for n in dir(bpy.app.handlers)]\n"
        "ours = [f'{f.__module__}.{f.__name__}' for each in lists if isinstance(each, list)\n"
        "        for f in each if 'plumbline' in getattr(f, '__module__', '')]\n"
        "result = [hasattr(bpy.types.WindowManager, 'plumbline'), "
        "hasattr(bpy.types, 'PLUMBLINE_PT_task'), ours, overlay.attached()]"
    )
    assert left == [False, False, [], 0]
    blender.run("bpy.ops.preferences.addon_enable(module=PACKAGE)\nopen_tab()")
    again = blender.run("result = [review() is None, part('panels.overlay').attached()]")
    assert again == [True, 2]
    code = blender.quit()
    said = blender.said()
    assert code == 0, f"Blender ended with code {code}:\n{blender.stacks()}\n{said}"
    # Blender counts a few hundred bytes of its own as not freed, depending on what was looked at.
    lines = [line for line in said.splitlines() if "Not freed memory blocks" not in line]
    wrong = [line for line in lines if "Traceback" in line or "rror" in line]
    assert not wrong, f"{wrong} in:\n{said}"
