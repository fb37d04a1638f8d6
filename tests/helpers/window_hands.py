# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person's hands and eyes do in the windowed Blender: press, choose, click, look.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from windowed_blender import redness

# Makes a button grey and normal again, which shows where it is on the display.
_DISABLE = (
    "cls = bpy.types.{cls}; poll = cls.__dict__.get('poll'); "
    "cls.poll = classmethod(lambda cls, context: False)"
)
_ENABLE = "if poll is None: del cls.poll\nelse: cls.poll = poll"

# Red above what the same pixels show without the highlight, of 255.
REDDENED = 30

LOOK = """
subject = chosen()["subject"]
s = review().structure
row = review().member_index[subject]
c, h, a = s.center[row], s.half[row], s.axes[row]
obj = window().scene.objects[subject]
layer = window().view_layer
result = {
    "along": [on_screen(c + a[0] * h[0] * t) for t in (-0.85, -0.6, -0.35, 0.35, 0.6, 0.85)],
    "corners": [on_screen(p) for p in s.corners[row]],
    "selected": [o.name for o in layer.objects if o.select_get(view_layer=layer)],
    "active": layer.objects.active.name,
    "visible": obj.visible_get(view_layer=layer),
}
"""


def hands(blender, *does: str) -> None:
    """What a mouse and a keyboard do beyond clicks, in xdotool's words."""
    subprocess.run(["xdotool", *does], env=blender.display.environment, check=True, timeout=60)
    time.sleep(0.6)


def press(blender, cls: str) -> None:
    """Click the button of an operator with the mouse."""
    blender.display.click(*blender.find_change(_DISABLE.format(cls=cls), _ENABLE))


def click_row(blender, row: int) -> None:
    """Click a row of the findings list with the mouse and wait until the view stands still."""
    place = blender.find_change(
        f"state().show_highlight = False; was = review().active; review().active = {row}",
        "review().active = was; state().show_highlight = True",
    )
    blender.display.click(*place)
    blender.wait_until(f"review().active == {row}")
    blender.run("redraw(2)")


def choose(blender, task: str, twin: str) -> None:
    """Choose what the task panel offers."""
    blender.run(f"state().task = {task!r}; state().variant = {twin!r}; redraw()")


def build_and_check(blender, task: str, twin: str) -> None:
    """Without the mouse, for tests of what comes after."""
    choose(blender, task, twin)
    blender.run(
        "with inside():\n    bpy.ops.plumbline.build_task('EXEC_DEFAULT', True)\n"
        "    bpy.ops.view3d.view_all()\n"
        "with inside():\n    bpy.ops.plumbline.check_scene()"
    )
    # On a busy machine the check goes on beside the window.
    blender.wait_until("review() is not None", 60)
    blender.run("redraw(2)")


def row_of(blender, check: str) -> int:
    """The first root finding of a check."""
    return blender.run(
        "result = next(i for i, f in enumerate(review().table.findings) "
        f"if f.is_root and f.check == {check!r})"
    )


def reddened(blender, places) -> list[float]:
    """How much redder the highlight makes each place that the sidebar leaves free."""
    right = blender.run("result = rectangle('UI')")[0] - 5
    blender.run("state().show_highlight = True; redraw(2)")
    highlighted = blender.display.pixels()
    blender.run("state().show_highlight = False; redraw(2)")
    plain = blender.display.pixels()
    blender.run("state().show_highlight = True; redraw()")
    free = [(x, y) for x, y in places if x < right]
    assert free, f"everything is behind the sidebar: {places}"
    return [redness(highlighted, *p) - redness(plain, *p) for p in free]


def mostly_red(values: list[float]) -> bool:
    """At least half of the places; others may lie under the label."""
    return sum(value > REDDENED for value in values) >= len(values) / 2


def photograph(blender, name: str) -> None:
    """Into the folder that ``PLUMBLINE_PHOTOGRAPHS`` names, if it does."""
    folder = os.environ.get("PLUMBLINE_PHOTOGRAPHS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for x in (400, 500, 600):  # over the view: a tooltip goes when the pointer does
            blender.display.move(x, 600)
        blender.display.move(blender.display.width / 2, blender.display.height - 4)
        # Blender draws by itself then: panels have found their places.
        blender.run("for area in window().screen.areas: area.tag_redraw()")
        time.sleep(3)
        blender.display.photograph(Path(folder, f"{name}-{blender.version}.png"))


def photograph_popup(blender, name: str) -> None:
    """A photograph that leaves the pointer where it is: a popup goes when it moves away."""
    folder = os.environ.get("PLUMBLINE_PHOTOGRAPHS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        time.sleep(2)
        blender.display.photograph(Path(folder, f"{name}-{blender.version}.png"))
