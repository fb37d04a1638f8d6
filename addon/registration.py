# SPDX-License-Identifier: GPL-3.0-or-later
"""Putting the extension into Blender and taking it out again without a trace.

Errors are not swallowed: if something can't be registered, what was registered before it is taken
back and the error goes on to Blender, which shows it to the person.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .. import operators, panels
from . import broken_pipes, i18n, keymap, properties, review
from .session import (
    annotating,
    block_choices,
    blocks_now,
    by_hand,
    choices,
    current,
    direct,
    edits,
    ghosts,
    jobs,
    learning,
    live_check,
    opened,
    otherwise,
    playback,
    pointing,
    stress,
    viewing,
)
from .simulation.falling import offering

#: What the window remembers, each part in a module with CLASSES, attach() and detach().
PARTS: tuple[ModuleType, ...] = (
    properties,
    choices,
    viewing,
    by_hand,
    annotating,
    offering,  # before who makes room for what its probes ask
    learning,
    opened,
    live_check,
    ghosts,
    pointing,
    block_choices,
    blocks_now,
    stress,
    otherwise,
    playback,
    keymap,
    panels.menu,
    panels.physics_captions,
    i18n,
)


def classes() -> tuple[type, ...]:
    """Every class of the extension, in the order in which Blender must learn of them."""
    return (
        *(cls for part in PARTS for cls in part.CLASSES),
        *operators.CLASSES,
        *panels.CLASSES,
    )


@persistent
def _file_loaded(*_: Any) -> None:
    """Another file is open: nothing that we kept belongs to it, nor does any permission."""
    current.close(wait=0.0)
    jobs.close()
    direct.forget()
    opened.forget_all()
    edits.forget_all()
    pointing.forget_all()
    review.forget_all()
    for window_manager in bpy.data.window_managers:
        properties.fit_rows(window_manager)


def handlers() -> tuple[tuple[list[Callable[..., Any]], Callable[..., Any]], ...]:
    """Blender's handler lists and what of ours is in each."""
    lists = bpy.app.handlers
    return (
        (lists.load_post, _file_loaded),
        (lists.depsgraph_update_post, edits.edited),
        (lists.undo_post, edits.undone),
        (lists.redo_post, edits.undone),
    )


def register() -> None:
    """Register classes, properties, handlers and the overlay; all of them or, on error, none."""
    broken_pipes.survive()
    done: list[Callable[[], None]] = []
    try:
        for cls in classes():
            bpy.utils.register_class(cls)
            done.append(lambda cls=cls: bpy.utils.unregister_class(cls))
        for part in PARTS:
            part.attach()
            done.append(part.detach)
        for handler_list, handler in handlers():
            handler_list.append(handler)
            done.append(lambda h=handler, into=handler_list: into.remove(h))
        panels.overlay.attach()
        panels.overlay_blocks.attach()  # after it: a heat map is not faded with the rest
    except Exception:
        for undo in reversed(done):
            undo()
        raise


def unregister() -> None:
    """Take everything out again, in the reverse order, and forget all results.

    Blender calls this when it quits, too: an episode is stopped and its thread waited for.
    """
    current.close()
    jobs.close(jobs.JOIN)
    direct.forget()
    panels.overlay_blocks.detach()
    panels.overlay.detach()
    for handler_list, handler in reversed(handlers()):
        handler_list.remove(handler)
    edits.forget_all()
    pointing.forget_all()
    review.forget_all()
    for part in reversed(PARTS):
        part.detach()
    for cls in reversed(classes()):
        bpy.utils.unregister_class(cls)
