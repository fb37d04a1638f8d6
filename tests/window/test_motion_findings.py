# SPDX-License-Identifier: GPL-3.0-or-later
"""A flawed simulation in a real window: checked as a job, its row, and the fault in its colour.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import pytest
from window_hands import build_and_check, click_row, mostly_red, photograph, reddened

pytestmark = [pytest.mark.window, pytest.mark.real_blender, pytest.mark.only_in("5.2")]

TASK, TWIN = "reconstruction/eggs_on_table", "sunken_eggs"

# Pixels on what the egg and the table share, and on another egg.
PLACES = """
finding = review().chosen
run = review().structure.trajectory
other = run.position[0, run.index("Egg_5")]
x, y, z = finding.location
shared = [(x + dx, y + dy, z + 0.004) for dx in (-0.004, 0, 0.004) for dy in (-0.004, 0, 0.004)]
beside = [(other[0] + dx, other[1], other[2] + 0.01) for dx in (-0.005, 0, 0.005)]
result = {"shared": [on_screen(p) for p in shared], "beside": [on_screen(p) for p in beside]}
"""


def test_a_sunken_egg_is_red_where_it_is_in_the_table(blender):
    build_and_check(blender, TASK, TWIN)
    assert blender.run("result = [review().kind, review().judgement.verdict]") == [
        "reconstruction",
        "failed",
    ]
    assert blender.run("result = len(bpy.data.scenes)") == blender.run(
        "result = len([s for s in bpy.data.scenes if not s.get('plumbline_copy')])"
    )
    click_row(blender, 0)
    assert blender.run("result = chosen()")["check"] == "interpenetration"
    seen = blender.run(PLACES)
    assert all(seen["shared"]), "the view has flown there"
    left, top, right, bottom = blender.run("result = rectangle('WINDOW')")
    inside = [at for at in seen["beside"] if at and left < at[0] < right and top < at[1] < bottom]
    red = reddened(blender, [*seen["shared"], *inside])
    assert mostly_red(red[: len(seen["shared"])])
    if inside:
        assert not mostly_red(red[len(seen["shared"]) :])
    photograph(blender, "motion-finding")
    frame = blender.run("window().scene.frame_set(40); redraw(2)\nresult = review().stale")
    assert frame is False, "another frame is no edit"
