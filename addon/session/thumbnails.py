# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of an attempt as icons for a panel. Main thread only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy
import bpy.utils.previews

_collections: list[bpy.utils.previews.ImagePreviewCollection] = []
_icons: list[tuple[Path, int]] = []


def load(paths: Sequence[Path]) -> None:
    """Have these pictures to show, and no others; one that is no picture shows as blank."""
    forget()
    if not paths:
        return
    collection = bpy.utils.previews.new()
    _collections.append(collection)
    for number, path in enumerate(paths):
        preview = collection.load(str(number), str(path), "IMAGE")
        _icons.append((path, preview.icon_id))


def shown() -> tuple[tuple[Path, int], ...]:
    """Each picture with its icon."""
    return tuple(_icons)


def forget() -> None:
    """Let go of all of them."""
    _icons.clear()
    for collection in _collections:
        bpy.utils.previews.remove(collection)
    _collections.clear()
