# SPDX-License-Identifier: GPL-3.0-or-later
"""A flawed voxel task in a real window: the row, the fault's colour, and a block that is asked.

``PLUMBLINE_PHOTOGRAPHS`` names a folder in which photographs of the window are kept.
"""

from __future__ import annotations

import pytest
from window_hands import build_and_check, click_row, hands, mostly_red, photograph, reddened

pytestmark = [pytest.mark.window, pytest.mark.real_blender, pytest.mark.only_in("5.2")]

TASK, TWIN = "voxel/2-bt-2-multi_rooms-01-01", "floating_block"

# Pixels all over the upper face of the block at fault, and of one that stands.
PLACES = """
def spots(cell, side=0.3):
    x, y, z = cell
    return [on_screen((x + dx, -z + dy, y + 0.5)) for dx in (-side, 0, side)
            for dy in (-side, 0, side)]
fault = review().chosen.detail["blocks"][0]
roof = [2, fault[1] - 2, 4]
result = {"fault": fault, "at": spots(fault), "roof": roof, "beside": spots(roof, 0.2)}
"""


def test_a_row_leads_to_the_block_and_a_block_to_its_row(blender):
    build_and_check(blender, TASK, TWIN)
    assert blender.run("result = review().judgement.verdict") == "failed"
    click_row(blender, 0)
    assert blender.run("result = chosen()")["check"].endswith("is_ground_connected")
    seen = blender.run(PLACES)
    assert all(seen["at"]), "the view has flown there"
    red = reddened(blender, [*seen["at"], *seen["beside"]])
    fault, beside = red[: len(seen["at"])], red[len(seen["at"]) :]
    assert len(beside) == len(seen["beside"]), "the sidebar hides neither"
    assert mostly_red(fault) and not mostly_red(beside)
    photograph(blender, "blocks-finding")
    # Choose nothing, then ask the block itself.
    blender.run(
        "review().active = -1; redraw()\n"
        "with inside(): bpy.ops.plumbline.point_at_block('INVOKE_DEFAULT')\nredraw()"
    )
    blender.display.click(*seen["at"][4])
    blender.wait_until("review().active == 0")
    cell = tuple(seen["fault"])
    told = "result = part('addon.session.pointing').of(window().scene).caption"
    assert blender.run(told).startswith(f"block {cell} · oak_planks · ")
    photograph(blender, "blocks-asked")
    hands(blender, "key", "Escape")
    assert not blender.run("result = len(window().modal_operators)")
