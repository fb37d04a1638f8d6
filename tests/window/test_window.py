# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees and does in a real Blender window: build, check, click, look, undo."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from windowed_blender import redness

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

TASK, TWIN = "timber/cabin", os.environ.get("PLUMBLINE_TEST_TWIN", "missing_king_stud")

# Makes a button grey and normal again, which shows where it is on the display.
_DISABLE = (
    "cls = bpy.types.{cls}; poll = cls.__dict__['poll']; "
    "cls.poll = classmethod(lambda cls, context: False)"
)
_ENABLE = "cls.poll = poll"


def press(blender, cls: str) -> None:
    """Click the button of an operator with the mouse."""
    blender.display.click(*blender.find_change(_DISABLE.format(cls=cls), _ENABLE))


def click_row(blender, row: int) -> None:
    """Click a row of the findings list with the mouse."""
    place = blender.find_change(
        f"state().show_highlight = False; was = review().active; review().active = {row}",
        "review().active = was; state().show_highlight = True",
    )
    blender.display.click(*place)


def build_and_check(blender, twin: str) -> None:
    """By the mouse alone, once task and version are chosen."""
    blender.run(f"state().task = {TASK!r}; state().variant = {twin!r}; redraw()")
    press(blender, "PLUMBLINE_OT_build_task")
    blender.wait_until("window().scene.get('plumbline_task')")
    if twin == "sound":
        blender.run("next(o for o in window().scene.objects if o.name.startswith('Rafter')).location.z += 0.3; redraw()")
    blender.run("with inside(): bpy.ops.view3d.view_all()")
    press(blender, "PLUMBLINE_OT_check_scene")
    blender.wait_until("review() is not None")
    blender.run("redraw()")


def member_row(blender) -> int:
    """The first row of the list, in its order, whose subject is a member."""
    return blender.run(
        "view_ = review().table.view(state().query())\n"
        "result = next(r for r in view_.shown if "
        "review().table.findings[r].subject_kind == 'member')"
    )


LOOK = """
s = review().structure
row = review().member_index[chosen()["subject"]]
c, h, a = s.center[row], s.half[row], s.axes[row]
result = {
    "along": [on_screen(c + a[0] * h[0] * t) for t in (-0.8, -0.6, -0.4, 0.4, 0.6, 0.8)],
    "corners": [on_screen(p) for p in s.corners[row]],
    "selected": [o.name for o in window().view_layer.objects if o.select_get()],
    "active": window().view_layer.objects.active.name,
    "visible": window().scene.objects[chosen()["subject"]].visible_get(
        view_layer=window().view_layer),
    "view": rectangle("WINDOW"),
    "sidebar": rectangle("UI"),
}
"""


def test_from_the_button_to_the_member(blender, tmp_path):
    build_and_check(blender, TWIN)
    assert blender.run("result = review().judgement.verdict") == "failed"
    assert blender.run("result = len(bpy.data.scenes)") == 2, "the person's scene is still there"
    click_row(blender, member_row(blender))
    blender.wait_until("chosen()")
    blender.run("time.sleep(0.5); redraw(2)")
    blender.run("redraw()")
    look = blender.run(LOOK)
    subject = blender.run("result = chosen()['subject']")
    assert look["selected"] == [subject] and look["active"] == subject and look["visible"]
    left, top, right, bottom = look["view"]
    for corner in look["corners"]:
        assert corner is not None and left <= corner[0] <= right and top <= corner[1] <= bottom
    with_highlight = blender.display.pixels()
    keep_photograph(blender, "finding")
    blender.run("state().show_highlight = False; redraw(2)")
    without = blender.display.pixels()
    seen = [p for p in look["along"] if p[0] < look["sidebar"][0] - 5]
    reddened = [redness(with_highlight, *p) - redness(without, *p) for p in seen]
    assert len(seen) >= 2 and sum(r > 30 for r in reddened) >= len(seen) / 2, reddened


def keep_photograph(blender, name: str) -> None:
    """Into the folder that ``PLUMBLINE_PHOTOGRAPHS`` names, for the documentation."""
    folder = os.environ.get("PLUMBLINE_PHOTOGRAPHS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        blender.display.photograph(Path(folder, f"{name}-{blender.version}.png"))
