# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that Blender runs in every frame: held back while a copy is stepped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

_LISTS = (
    *("frame_change_pre", "frame_change_post"),
    *("depsgraph_update_pre", "depsgraph_update_post"),
)


@contextmanager
def held_back() -> Iterator[None]:
    """No script runs on a change of frame within."""
    lists = [one for name in _LISTS if (one := getattr(bpy.app.handlers, name))]
    kept = [list(one) for one in lists]
    for one in lists:
        one.clear()
    try:
        yield
    finally:
        for one, handlers in zip(lists, kept, strict=True):
            one[:] = handlers
