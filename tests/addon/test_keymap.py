# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys in the 3D view: there while the extension is, each one's own, gone with it."""

from __future__ import annotations

import pytest
from small_frame import registered

bpy = pytest.importorskip("bpy")


__all__ = ["registered"]


def ours():
    keymap = bpy.context.window_manager.keyconfigs.addon.keymaps.get("3D View")
    items = keymap.keymap_items if keymap is not None else []
    return [item.idname for item in items if "plumbline" in item.idname.lower()]


def test_they_come_and_go_with_the_extension(empty_scene):
    from plumbline.addon import keymap, registration

    assert ours() == []
    for _ in range(3):
        registration.register()
        listed = [key.operator for key in keymap.KEYS if key.operator.startswith("plumbline.")]
        assert sorted(ours()) == sorted(listed) and "plumbline.step_finding" in listed
        registration.unregister()
        assert ours() == []


def test_no_two_are_the_same_key():
    from plumbline.addon.keymap import KEYS

    keys = [(key.type, frozenset(key.held)) for key in KEYS]
    assert len(set(keys)) == len(keys)


def test_each_does_something_that_there_is(registered):
    from plumbline.addon.keymap import KEYS

    for key in KEYS:
        module, _, name = key.operator.partition(".")
        known = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
        assert set(key.options) <= set(known.keys()), key
