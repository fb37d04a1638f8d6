# SPDX-License-Identifier: GPL-3.0-or-later
"""The window says before an episode starts that a protocol can't build the chosen task."""

import bpy  # noqa: F401 - says to conftest that Blender is needed
import pytest
from plumbline.addon.session.starting import _unfit

pytestmark = pytest.mark.once


@pytest.mark.parametrize("protocol", ["managed", "editing"])
def test_blocks_have_no_phases_and_no_look_to_come_near_to(protocol):
    said = _unfit("voxel", protocol)
    assert said.endswith("choose 'In one go', 'In one go, phases checked' or 'With tools'")


def test_all_else_can_start():
    assert [_unfit("voxel", name) for name in ("atomic", "reactive", "tools")] == [None] * 3
    assert _unfit("timber", "managed") is None and _unfit("", "managed") is None
