# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored run in a real window: opened, stepped through, judged again, two beside each other."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from window_hands import hands, photograph, press

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

ROOT = Path(__file__).parents[2]
RUN = "part('addon.session.open_run').now()"


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Path:
    """Twins of the cabin, built and judged by the command line as anybody's run is."""
    out = tmp_path_factory.mktemp("stored") / "cabins"
    command = [sys.executable, str(ROOT / "run_suite.py"), "run", "--tasks", "timber/cabin"]
    done = subprocess.run(
        [*command, "--agent", "scripted-flawed", "--out", str(out)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stderr
    return out


@pytest.fixture
def runs(blender, tmp_path):
    """The window with the panel Run Folder alone, and a folder of its own for what it keeps."""
    blender.run(f"import os; os.environ['PLUMBLINE_CACHE'] = {str(tmp_path)!r}")
    open_panel(blender)
    yield blender
    blender.run(
        "for w in list(bpy.context.window_manager.windows)[1:]:\n"
        "    with bpy.context.temp_override(window=w): bpy.ops.wm.window_close()\n"
        "redraw()"
    )


def open_panel(blender) -> None:
    """Open the panel by a click with Ctrl on its header, which closes the others."""
    mark = (
        "cls = bpy.types.PLUMBLINE_PT_runs; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    place = blender.find_change(mark, "cls.draw_header_preset = preset")
    hands(blender, "keydown", "ctrl")
    blender.display.click(*place)
    hands(blender, "keyup", "ctrl")
    drawn = (
        "cls = bpy.types.PLUMBLINE_PT_runs; plain = cls.draw; seen = []\n"
        "cls.draw = lambda self, context: seen.append(1) or plain(self, context)\n"
        "redraw(2)\ncls.draw = plain\nresult = len(seen)"
    )
    assert blender.run(drawn), "the panel didn't open"


def scroll_down(blender) -> None:
    """Turn the wheel at the edge of the sidebar, beside the list, which would turn itself."""
    left, top, _right, bottom = blender.run("result = rectangle('UI')")
    blender.display.move(left + 6, (top + bottom) / 2)
    hands(blender, "click", "--repeat", "15", "--delay", "80", "5")
    blender.run("redraw(2)")
    photograph(blender, "runs-scrolled")


def click_row(blender, place: int) -> None:
    """Click the row at a place of the list: where its text is when only it has one."""
    mark = (
        "cls = bpy.types.PLUMBLINE_UL_attempts; plain = cls.draw_item\n"
        "def only(self, c, layout, d, i, ic, ad, ap, index=0, flag=0):\n"
        f"    layout.label(text='MMMMMMMM' if index == {place} else '')\n"
        "def none(self, c, layout, d, i, ic, ad, ap, index=0, flag=0): layout.label(text='')\n"
        "cls.draw_item = only"
    )
    blender.run(mark)
    place_of = blender.find_change("cls.draw_item = only", "cls.draw_item = none")
    blender.run("cls.draw_item = plain\nredraw(2)")
    blender.display.click(*place_of)


def open_stored(blender, stored: Path) -> None:
    blender.run(f"with inside(): bpy.ops.plumbline.open_run(directory={str(stored)!r})")
    blender.wait_until(f"{RUN} is not None")
    blender.run("redraw(2)")


# The stored run's files are of Blender 5.0, which 4.3 can't read.
@pytest.mark.only_in("5.2")
def test_from_the_list_to_a_scene_with_its_findings(runs, stored):
    """By mouse: a row, its scene, its finding; its code in an editor of its own."""
    open_stored(runs, stored)
    assert runs.run(f"result = len({RUN}.table)") == 9
    photograph(runs, "runs-opened")
    click_row(runs, 2)
    runs.wait_until(f"{RUN}.chosen == 2")
    mine = runs.run("result = window().scene.name")
    press(runs, "PLUMBLINE_OT_open_attempt")
    runs.wait_until(f"2 in {RUN}.today", 60)
    assert runs.run("result = window().scene.name") != mine
    assert runs.run(f"result = len(bpy.data.scenes[{mine!r}].objects)") == 3
    same = runs.run(f"t = {RUN}.today[2]; result = [t.record['verdict'], t.against.same_findings]")
    assert same == ["failed", True]
    runs.run("with inside(): bpy.ops.plumbline.show_finding(row=0)\nredraw(2)")
    assert runs.run("result = chosen()['subject']") == "Header_S_02"
    assert runs.run("result = [o.name for o in bpy.context.selected_objects]")[0] == "Header_S_02"
    photograph(runs, "runs-attempt")
    before = runs.run("result = len(bpy.context.window_manager.windows)")
    kinds = "result = sorted(a.type for a in window().screen.areas)"
    areas = runs.run(kinds)
    scroll_down(runs)
    press(runs, "PLUMBLINE_OT_attempt_code")
    runs.wait_until(f"len(bpy.context.window_manager.windows) == {before + 1}")
    assert runs.run(kinds) == areas, "the window is as it was"
    text = runs.run(
        "w = bpy.context.window_manager.windows[-1]; area = w.screen.areas[0]\n"
        "result = [area.type, area.spaces.active.text.name, area.spaces.active.text.as_string()]"
    )
    assert text[0] == "TEXT_EDITOR" and text[1].startswith("cabin") and "import bpy" in text[2]
    photograph(runs, "runs-code")


@pytest.mark.only_in("4.3")
def test_a_file_of_a_newer_blender_is_a_sentence(runs, stored):
    open_stored(runs, stored)
    click_row(runs, 2)
    press(runs, "PLUMBLINE_OT_open_attempt")
    runs.wait_until(f"2 in {RUN}.trouble", 60)
    told = runs.run(f"result = {RUN}.trouble[2]")
    assert "can't be read by Blender 4.3" in told and "newer version of Blender" in told
    assert len(runs.run("result = bpy.data.scenes.keys()")) == 1


@pytest.mark.only_in("5.2")
def test_two_attempts_beside_each_other(runs, stored):
    """A here, B in a window of its own from the same side; flipped; nothing of mine is changed."""
    open_stored(runs, stored)
    for place, side in ((0, "A"), (7, "B")):
        runs.run(
            f"bpy.context.window_manager.plumbline_run.active_row = {place}\n"
            f"with inside(): bpy.ops.plumbline.use_side(side={side!r})\nredraw(2)"
        )
    scroll_down(runs)
    press(runs, "PLUMBLINE_OT_compare_attempts")
    runs.wait_until(f"{RUN}.compared is not None", 90)
    shown = runs.run("result = [w.scene.name for w in bpy.context.window_manager.windows]")
    assert len(shown) == 2 and shown[0] != shown[1]
    verdicts = runs.run(
        f"c = {RUN}.compared\n"
        "result = [c.verdicts, [f['subject'] for f in c.only_a], [f['subject'] for f in c.only_b],"
        " c.members.only_b, [m[0] for m in c.members.moved]]"
    )
    assert verdicts[0] == ["failed", "failed"]
    assert verdicts[1] == ["CollarTie_3"] and verdicts[2] == ["Stud_Spare"]
    assert verdicts[3] == ["Stud_Spare"] and verdicts[4] == ["CollarTie_3"]
    runs.run("view().spaces.active.region_3d.view_distance *= 0.8")
    time.sleep(1)
    turned = runs.run(
        "views = [next(a for a in w.screen.areas if a.type == 'VIEW_3D').spaces.active.region_3d"
        " for w in bpy.context.window_manager.windows]\n"
        "result = [list(v.view_location) + [v.view_distance] for v in views]"
    )
    assert turned[0] == pytest.approx(turned[1])
    photograph(runs, "runs-compare-b")
    runs.run(
        "w = bpy.context.window_manager.windows[-1]\n"
        "with bpy.context.temp_override(window=w): bpy.ops.wm.window_close()\nredraw(2)"
    )
    photograph(runs, "runs-compare")
    runs.run("with inside(): bpy.ops.plumbline.flip_sides()")
    assert runs.run("result = window().scene.name") == shown[1]
    runs.run("with inside(): bpy.ops.plumbline.remove_run_scenes()")
    assert runs.run("result = bpy.data.scenes.keys()") == ["Scene"]
