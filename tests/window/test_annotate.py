# SPDX-License-Identifier: GPL-3.0-or-later
"""An annotator at work in a real window: by keys alone, blind, and with a click at what was missed.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from judged_run import make_run, of
from window_hands import build_and_check, photograph, photograph_popup

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

PANEL = "bpy.types.PLUMBLINE_PT_annotate"
SITTING = "part('addon.session.sitting').sitting(bpy.context)"
STATE = "window_manager.plumbline_annotating"

# A member that is seen from where the view stands, nothing in front of its middle.
_IN_SIGHT = """
from bpy_extras.view3d_utils import location_3d_to_region_2d as there
from bpy_extras.view3d_utils import region_2d_to_origin_3d as origin
from bpy_extras.view3d_utils import region_2d_to_vector_3d as along
s, r3d, whole = review().structure, view().spaces.active.region_3d, region("WINDOW")
left = rectangle("UI")[0] - whole.x - 40
graph = bpy.context.evaluated_depsgraph_get()
result = None
for row, name in enumerate(s.names):
    at = there(whole, r3d, s.center[row])
    if at is None or not (120 < at[0] < left and 120 < at[1] < whole.height - 120):
        continue
    hit = window().scene.ray_cast(graph, origin(whole, r3d, at), along(whole, r3d, at))
    if hit[0] and hit[4].name == name:
        result = [name, on_screen(s.center[row])]
        break
"""


def open_panel(blender) -> None:
    """Open the panel by its header, unless it is open."""
    seen = (
        f"cls = {PANEL}; plain = cls.draw; seen = []\n"
        "cls.draw = lambda self, context: seen.append(1) or plain(self, context)\n"
        "redraw(2)\ncls.draw = plain\nresult = len(seen)"
    )
    if not blender.run(seen):
        mark = (
            f"cls = {PANEL}; preset = cls.draw_header_preset\n"
            "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
        )
        blender.display.click(*blender.find_change(mark, "cls.draw_header_preset = preset"))
    assert blender.run(seen)


def over_the_view(blender) -> None:
    """Where keys of the 3D view work."""
    left, top, _right, bottom = blender.run("result = rectangle('WINDOW')")
    for x in (300, 320):
        blender.display.move(left + x, (top + bottom) / 2)


@pytest.fixture
def run(blender, tmp_path):
    """A flawed house that is an attempt of a run, checked, and an annotator with a name."""
    build_and_check(blender, "timber/cabin", "rafters_on_one_side")
    blender.wait_until("review() is not None")
    folder = make_run(tmp_path / "run")
    about = of(folder)
    blender.run(
        "from pathlib import Path\nopened = part('addon.session.opened')\n"
        "opened.remember(window().scene, opened.OpenedAttempt("
        f"Path({str(folder)!r}), {about['attempt']!r}, {{}}, {about['task']!r}))\n"
        "part('addon.session.sitting').holder_of(bpy.context).annotator = 'Anna Lena'\n"
        f"bpy.context.{STATE}.blind = False; redraw(2)"
    )
    yield folder
    blender.run(f"bpy.context.{STATE}.blind = False")


def rows_of(run: Path) -> list[dict]:
    """What is on the disk."""
    return [
        json.loads(line)
        for file in sorted((run / "annotations").glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def said(blender, number: int) -> None:
    """Wait until so much stands."""
    blender.wait_until(f"len({SITTING}.standing) == {number}")


@pytest.mark.only_in("4.3")
def test_findings_are_judged_by_keys_alone_and_outlive_a_kill(blender, run):
    keys = blender.display.key
    over_the_view(blender)
    keys("j")
    blender.wait_until("chosen() is not None")
    first = blender.run("result = chosen()")
    keys("y")
    said(blender, 1)
    assert blender.run("result = chosen()") != first, "the next one is shown"
    keys("shift+y")
    said(blender, 2)
    keys("shift+j")
    time.sleep(1)
    blender.display.type("so nailed in practice")
    photograph_popup(blender, "annotate-words")
    keys("Return")
    blender.wait_until(f"bpy.context.{STATE}.comment == 'so nailed in practice'")
    over_the_view(blender)
    keys("u")
    said(blender, 3)
    keys("shift+u")
    time.sleep(1)
    photograph_popup(blender, "annotate-menu")
    keys("f")
    said(blender, 4)
    blender.kill()
    try:
        rows = rows_of(run)
        assert [row["judgment"] for row in rows] == ["agree", "disagree", "unsure", "agree"]
        assert {row["annotator"] for row in rows} == {"Anna Lena"}
        assert rows[0]["subject"]["member"] == first["subject"]
        assert rows[2]["comment"] == "so nailed in practice"
        assert rows[3]["opinion"] == "faulty"
        assert all(row["seconds"] > 0 for row in rows)
    finally:
        blender.start()


@pytest.mark.only_in("5.2")
def test_blind_the_screen_tells_nothing_and_a_missed_fault_is_clicked(blender, run):
    blender.run(f"bpy.context.{STATE}.blind = True; redraw(2)")
    open_panel(blender)
    blender.run(f"bpy.context.{STATE}.blind = True; review().active = 0; redraw(2)")
    photograph(blender, "annotate-blind")
    assert not differences(blender), "the screen shows what the checks found"
    name, place = blender.run(_IN_SIGHT)
    over_the_view(blender)
    blender.display.key("alt+y")
    time.sleep(1)
    blender.display.click(*place, hold=1.0)
    time.sleep(1)
    assert not rows_of(run), "letting go of the button is no answer"
    photograph_popup(blender, "annotate-fault")
    blender.display.key("Down", "Return")
    said(blender, 1)
    blender.run(
        "with inside():\n    bpy.ops.plumbline.judge_structure(opinion='faulty')\nredraw(2)"
    )
    assert differences(blender), "now it does"
    marked, whole = rows_of(run)
    assert (marked["subject"]["type"], marked["subject"]["member"]) == ("missed", name)
    assert marked["subject"]["check"] in blender.run(
        "result = list(part('addon.session.annotating').faults(bpy.context))"
    )
    assert (marked["blind"], whole["blind"]) == (True, True)


def differences(blender) -> int:
    """Pixels of the window that are other with these findings than with none at all."""
    pictures = []
    for swap in (
        "kept = review(); module = part('addon.review')\n"
        "empty = part('checks.result').Judgement('timber', 'engineering', ("
        "part('checks.result').CheckResult('clash', 'passed'),))\n"
        "module.keep(window().scene, "
        "module.Review(empty, kept.structure, kept.task, kept.seconds, when=kept.when))",
        "module.keep(window().scene, kept)",
    ):
        blender.display.move(blender.display.width / 2, blender.display.height - 4)
        blender.run(swap)
        pictures.append(settled(blender))
    return int((np.abs(pictures[0] - pictures[1]).max(axis=2) > 8).sum())


def settled(blender):
    """The pixels of the window once two redraws show the same: a busy machine draws late."""
    before = None
    for _ in range(10):
        blender.run("for area in window().screen.areas: area.tag_redraw()\nredraw(3)")
        pixels = blender.display.pixels().astype(int)
        if before is not None and (before == pixels).all():
            break
        before = pixels
        time.sleep(0.3)
    return pixels
