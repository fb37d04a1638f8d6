# SPDX-License-Identifier: GPL-3.0-or-later
"""A person chooses a task, looks at how it should become, builds by hand, and hands in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from window_hands import photograph, photograph_popup, press
from windowed_blender import redness

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

ROOT = Path(__file__).parents[2]
PICTURES = "part('addon.session.task_pictures')"
ATTEMPTS = "part('addon.session.by_hand_session')"
BY_HAND = "part('addon.session.by_hand')"


def drawn(blender, cls: str) -> bool:
    """Whether a panel is open."""
    return bool(
        blender.run(
            f"cls = bpy.types.{cls}; plain = cls.draw; seen = []\n"
            "cls.draw = lambda self, context: seen.append(1) or plain(self, context)\n"
            "redraw(2)\ncls.draw = plain\nresult = len(seen)"
        )
    )


def turn(blender, cls: str) -> None:
    """Open or close a panel by its header."""
    before = drawn(blender, cls)
    mark = (
        f"cls = bpy.types.{cls}; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    blender.display.click(*blender.find_change(mark, "cls.draw_header_preset = preset"))
    assert drawn(blender, cls) is not before


@pytest.fixture
def fresh(blender):
    """Nobody has chosen, looked or built yet."""
    blender.run(
        "state().task = 'timber/cabin'; state().task_text = ''\n"
        f"{ATTEMPTS}.forget(); {BY_HAND}._last.clear(); redraw(2)"
    )
    yield blender
    blender.run(f"{ATTEMPTS}.forget(); {BY_HAND}._last.clear()")


@pytest.mark.only_in("4.3")
def test_a_task_is_found_by_letters_and_in_the_list(fresh):
    press(fresh, "PLUMBLINE_OT_find_task")
    fresh.display.type("shed")
    photograph_popup(fresh, "find-task")
    fresh.display.key("Return")
    fresh.wait_until("state().task == 'timber/shed_roof'")
    turn(fresh, "PLUMBLINE_PT_task_browse")
    fresh.wait_until("len(state().task_rows) == len(part('addon.bundled').index())")
    place = fresh.find_change("state().task_text = 'MMMMMM'", "state().task_text = ''")
    fresh.display.click(*place)
    fresh.display.type("notch ")
    fresh.display.key("Return")
    assert fresh.run("result = state().task_text").strip() == "notch"
    shown = fresh.run("result = part('addon.task_choice').view_of(state()).shown")
    assert shown == ["timber/two_storey"], "a word of what is wrong with a twin"
    photograph(fresh, "task-search")
    row = fresh.find_change(
        "cls = bpy.types.PLUMBLINE_UL_tasks; plain = cls.draw_item\n"
        "cls.draw_item = lambda self, c, layout, *a, **k: layout.label(text='MMMMMM')",
        "cls.draw_item = plain",
    )
    fresh.display.click(*row)
    fresh.wait_until("state().task == 'timber/two_storey'")
    fresh.run("state().task_text = ''; redraw(2)")
    photograph(fresh, "task-list")
    turn(fresh, "PLUMBLINE_PT_task_browse")


@pytest.mark.only_in("5.2")
def test_pictures_of_how_it_should_become(fresh):
    turn(fresh, "PLUMBLINE_PT_task_brief")
    photograph(fresh, "task-brief")
    press(fresh, "PLUMBLINE_OT_make_task_pictures")
    photograph(fresh, "task-making")
    fresh.wait_until(f"bool({PICTURES}.of(state().task).icons)", 120)
    fresh.run("redraw(3)")
    hide = f"kept = {PICTURES}.of(state().task); icons = dict(kept.icons); kept.icons = {{}}"
    place = fresh.find_change(hide, "kept.icons = icons")
    photograph(fresh, "task-pictures")
    pixels = fresh.display.pixels()
    left, _, right, _ = fresh.run("result = rectangle('UI')")
    middle = round((left + right) / 2)
    column = [redness(pixels, x, y) for x in range(middle - 40, middle + 40, 8)
              for y in range(round(place[1]), round(place[1]) + 160, 8)]  # fmt: skip
    assert max(column) > 20, "wood is seen in the thumbnail"
    windows = fresh.run("result = len(bpy.context.window_manager.windows)")
    press(fresh, "PLUMBLINE_OT_show_task_picture")
    fresh.wait_until(f"len(bpy.context.window_manager.windows) == {windows + 1}")
    photograph_popup(fresh, "task-picture-large")
    shown = fresh.run(
        "new = bpy.context.window_manager.windows[-1]\n"
        "space = new.screen.areas[0].spaces.active\n"
        "result = [space.type, space.image.name, list(space.image.size)]\n"
        "with bpy.context.temp_override(window=new): bpy.ops.wm.window_close()"
    )
    assert shown == ["IMAGE_EDITOR", "front_right.png", [512, 512]]
    turn(fresh, "PLUMBLINE_PT_task_brief")


@pytest.mark.only_in("5.2")
def test_three_members_by_hand_are_judged_and_stored(fresh, tmp_path):
    fresh.run(f"{BY_HAND}.choices(bpy.context).person = 'Ada'")
    turn(fresh, "PLUMBLINE_PT_human")
    photograph(fresh, "by-hand-before")
    press(fresh, "PLUMBLINE_OT_begin_by_hand")
    fresh.wait_until(f"{ATTEMPTS}.now() is not None")
    fresh.wait_until(f"{ATTEMPTS}.now().scene == window().scene")
    # A clock that runs changes the display beside whatever a test looks for.
    fresh.run(f"{ATTEMPTS}.now().clock.pause(); redraw()")
    chosen = "bpy.context.window_manager.plumbline_member"
    fresh.run(f"m = {chosen}; m.role, m.size, m.axis, m.length = 'Sill', '2x6', 'X', 3.0; redraw()")
    photograph(fresh, "by-hand-building")
    for count, (y, role) in enumerate(((0.0, "Sill"), (3.0, "Sill"), (1.5, "Beam")), 1):
        fresh.run(
            f"window().scene.cursor.location = (0, {y}, 0); {chosen}.role = {role!r}; redraw(2)"
        )
        press(fresh, "PLUMBLINE_OT_add_member")
        fresh.wait_until(f"len(window().scene.objects) == {count}")
    names = fresh.run("result = sorted(o.name for o in window().scene.objects)")
    assert names == ["Beam_01", "Sill_01", "Sill_02"]
    press(fresh, "PLUMBLINE_OT_try_by_hand")
    fresh.wait_until("review() is not None")
    photograph(fresh, "by-hand-tried")
    press(fresh, "PLUMBLINE_OT_hand_in")
    photograph_popup(fresh, "by-hand-confirm")
    fresh.display.key("Return")
    fresh.wait_until(f"{BY_HAND}.last() is not None", 60)
    stored = fresh.run(f"l = {BY_HAND}.last(); result = [str(l.stored.run), l.verdict, l.faults]")
    fresh.run("redraw(2)")
    photograph(fresh, "by-hand-verdict")
    assert stored[1] == "failed" and stored[2] > 0
    fresh.wait_until("not part('addon.session.jobs').now()", 120)
    run = Path(stored[0])
    assert (run / "attempts/timber/cabin/1/picture.png").is_file()
    for command in (["report", run], ["rejudge", run, "--out", tmp_path / "again"]):
        done = subprocess.run(
            [sys.executable, str(ROOT / "run_suite.py"), *map(str, command)],
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
    assert (tmp_path / "again" / "results.jsonl").read_text().count('"end": "finished"') == 1
    turn(fresh, "PLUMBLINE_PT_human")
