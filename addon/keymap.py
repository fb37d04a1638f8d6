# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys in the 3D view. People can change them in Preferences > Keymap > 3D View.

They work with the pointer over the view. Blender itself has nothing on the keys chosen here
(tests/window/test_checks.py looks).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy


@dataclass(frozen=True)
class Key:
    """A key, with what is held down meanwhile, and what it does."""

    operator: str
    type: str
    options: Mapping[str, Any] = field(default_factory=dict)
    held: tuple[str, ...] = ()  # of "ctrl", "alt", "shift"
    repeat: bool = False  # whether holding it down does it again


KEYS: tuple[Key, ...] = (
    Key("plumbline.step_finding", "PAGE_DOWN", {"step": 1}, repeat=True),
    Key("plumbline.step_finding", "PAGE_UP", {"step": -1}, repeat=True),
    Key("plumbline.judge_finding", "Y", {"judgment": "agree"}),
    Key("plumbline.judge_finding", "Y", {"judgment": "disagree"}, held=("shift",)),
    Key("plumbline.judge_finding", "U", {"judgment": "unsure"}),
    Key("wm.call_menu", "U", {"name": "PLUMBLINE_MT_structure"}, held=("shift",)),
    Key("plumbline.next_unjudged", "J"),
    Key("plumbline.say_more", "J", held=("shift",)),
    Key("plumbline.pick_fault", "Y", held=("alt",)),
    Key("plumbline.withdraw_judgment", "U", held=("alt",)),
)

CLASSES: tuple[type, ...] = ()

_made: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def attach() -> None:
    """Put the keys into the add-ons' part of the keymap; without a window there is none."""
    keyconfig = bpy.context.window_manager.keyconfigs.addon
    if keyconfig is None:
        return
    keymap = keyconfig.keymaps.new(name="3D View", space_type="VIEW_3D")
    for key in KEYS:
        held = dict.fromkeys(key.held, True)
        item = keymap.keymap_items.new(key.operator, key.type, "PRESS", repeat=key.repeat, **held)
        for name, value in key.options.items():
            setattr(item.properties, name, value)
        _made.append((keymap, item))


def detach() -> None:
    """Take them away again."""
    for keymap, item in reversed(_made):
        keymap.keymap_items.remove(item)
    _made.clear()
