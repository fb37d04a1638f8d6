# SPDX-License-Identifier: GPL-3.0-or-later
"""Registering leaves everything in place, unregistering nothing behind."""

from __future__ import annotations

import pytest
from small_frame import registered

bpy = pytest.importorskip("bpy")
__all__ = ["registered"]


def test_twenty_times_in_and_out_leave_what_was_there(empty_scene):
    from plumbline.addon import registration
    from registration_trace import trace

    before = trace("plumbline")
    inside = None
    for _ in range(20):
        registration.register()
        inside = inside or trace("plumbline")
        assert trace("plumbline") == inside
        registration.unregister()
        assert trace("plumbline") == before
    assert inside != before
    # That of the extension, and that of motions which are played.
    assert inside["handlers load_post"] == before["handlers load_post"] + 2
    assert inside["menu entries"] == before["menu entries"] + 1
    assert inside["fields Scene"] == before["fields Scene"], "nothing of ours is in the file"


def test_handlers_survive_the_loading_of_a_file(empty_scene):
    from plumbline.addon import registration
    from registration_trace import trace

    registration.register()
    try:
        inside = trace("plumbline")
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        assert trace("plumbline") == inside
    finally:
        registration.unregister()


def test_what_fails_half_way_is_taken_back_and_said(empty_scene, monkeypatch):
    from plumbline.addon import properties, registration
    from registration_trace import trace

    before = trace("plumbline")

    def fail():
        raise RuntimeError("no room for properties")

    monkeypatch.setattr(properties, "attach", fail)
    with pytest.raises(RuntimeError, match="no room for properties"):
        registration.register()
    assert trace("plumbline") == before


def test_many_files_later_nothing_has_piled_up(registered):
    from registration_trace import trace

    inside = trace("plumbline")
    for _ in range(5):
        bpy.ops.wm.read_homefile(use_factory_startup=True)
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.ed.undo_push(message="selected")
        bpy.ops.ed.undo()
        bpy.ops.ed.redo()
    assert trace("plumbline") == inside
