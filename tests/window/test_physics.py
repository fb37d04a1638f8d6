# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics in a real window: probes by the mouse, two runs beside each other, and all put back.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from window_hands import hands, photograph, press

pytestmark = [pytest.mark.window, pytest.mark.real_blender, pytest.mark.only_in("5.2")]

_TUMBLING = Path(__file__).parents[1] / "helpers" / "tumbling.py"

#: What every request may use beside the words of ``inside.py``.
_WORDS = """
def shown():
    return part("addon.session.playback").now()
def trouble():
    return part("addon.session.stepping").trouble(window().scene)
def probed():
    return part("addon.session.probes_here").of(window().scene)
def views():
    return [a for a in window().screen.areas if a.type == "VIEW_3D"]
def standing():
    space = view().spaces.active
    return [
        [(a.as_pointer(), a.type, a.x, a.width) for a in window().screen.areas],
        [round(x, 4) for row in space.region_3d.view_matrix for x in row],
        [space.shading.color_type, space.show_region_toolbar, space.local_view is None],
        sorted(o.name for o in bpy.data.objects), sorted(m.name for m in bpy.data.meshes),
        sorted(s.name for s in bpy.data.scenes), window().scene.name,
    ]
"""

_SCENE = """
for obj in list(bpy.data.objects):
    bpy.data.objects.remove(obj)
bpy.ops.outliner.orphans_purge()
with inside():
    tower()
    bpy.ops.view3d.view_all()
    bpy.ops.ed.undo_push(message="Tower")
"""

_ASK = """
state_ = part("addon.session.interventions_here").state(bpy.context)
for obj in window().view_layer.objects:
    obj.select_set(obj.name == "Low")
with inside():
    bpy.ops.plumbline.use_selected(slot=0)
    bpy.ops.plumbline.compare_runs()
"""


@pytest.fixture
def tower(blender):
    """The tower, seen whole, and the panel Physics open by a click that closes the others."""
    blender.run(_WORDS)
    blender.run(_TUMBLING.read_text(encoding="utf-8").replace("from __future__", "# "))
    blender.run(_SCENE)
    mark = (
        "cls = bpy.types.PLUMBLINE_PT_physics; preset = cls.draw_header_preset\n"
        "cls.draw_header_preset = lambda self, context: self.layout.label(text='MMMM')"
    )
    place = blender.find_change(mark, "cls.draw_header_preset = preset")
    hands(blender, "keydown", "ctrl")
    blender.display.click(*place)
    hands(blender, "keyup", "ctrl")
    blender.run("redraw(2)")
    return blender


def wait(blender, question: str) -> None:
    """Until that is so, or the simulation is in trouble, which is none of what is wanted."""
    blender.wait_until(f"({question}) or trouble()", 120)
    assert blender.run("result = trouble()") == ""


def ambers(blender, area: int) -> int:
    """Pixels in the colour of what has moved, in a view from left to right."""
    left, top, right, bottom = blender.run(
        f"a = sorted(views(), key=lambda a: a.x)[{area}]\n"
        "high = window().height\n"
        "result = [a.x, high - a.y - a.height, a.x + a.width, high - a.y]"
    )
    pixels = blender.display.pixels()[top:bottom, left:right].astype(int)
    red, green, blue = (pixels[..., k] for k in range(3))
    return int(((red > green + 40) & (green > blue + 40)).sum())


def test_two_runs_beside_each_other_and_the_way_back(tower):
    press(tower, "PLUMBLINE_OT_run_probes")
    wait(tower, "probed() is not None")
    assert tower.run("result = [c.status for c in probed().judgement.checks].count('failed')") == 0
    photograph(tower, "physics-probes")

    before = tower.run("result = standing()")
    tower.run(_ASK)
    wait(tower, "shown() is not None")
    tower.wait_until("len(views()) == 2 and all(a.width > 2 for a in views())")
    assert tower.run("result = window().screen.is_animation_playing")
    tower.run("part('addon.session.playback').go_to(window().scene, 12)\nredraw(2)")
    photograph(tower, "physics-compared")
    one, other = tower.run(
        "result = [[round(x, 3) for row in a.spaces.active.region_3d.view_matrix for x in row]"
        " for a in views()]"
    )
    assert one == other, "both look along one line"
    plain, changed = ambers(tower, 0), ambers(tower, 1)
    assert changed > 800 + plain, (plain, changed)

    tower.run(
        "turned = sorted(views(), key=lambda a: a.x)\n"
        "turned[0].spaces.active.region_3d.view_distance *= 2\n"
        "was = turned[1].spaces.active.region_3d.view_distance"
    )
    tower.wait_until("turned[1].spaces.active.region_3d.view_distance > 1.9 * was")

    press(tower, "PLUMBLINE_OT_stop_motion")
    tower.wait_until("shown() is None and len(views()) == 1")
    tower.run("redraw(2)")
    assert tower.run("result = standing()") == before

    tower.run("with inside(): bpy.ops.plumbline.play_comparison('EXEC_DEFAULT', True, "
              "serial=part('addon.session.otherwise').of(window().scene)[0].serial)")  # fmt: skip
    tower.wait_until("shown() is not None and len(views()) == 2")
    tower.run("with inside(): bpy.ops.ed.undo()")
    tower.wait_until("shown() is None and len(views()) == 1")
    tower.run("redraw(2)")
    assert tower.run("result = standing()[3:]") == before[3:]
    assert tower.run("result = standing()[:2]") == before[:2]
