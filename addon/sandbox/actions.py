# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker can be asked for. Runs in its process only; every answer is plain data."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...checks.timber.structure import StructureError
from ..scene.blendfile import BlendFileError
from ..scene.files import fresh_scene, handlers, open_blend, restore_handlers, save_blend
from ..scene.members import structure_from_scene
from ..scene.plain import structure_from_plain, structure_to_plain
from .program import run_program

#: What contains a program here: a process of its own, nothing stronger.
ISOLATION = "process"


class RefusedError(ValueError):
    """A request that can't be carried out; the message says why and what to do."""


#: Exceptions whose message is meant for the person who asked.
REFUSALS = (RefusedError, BlendFileError, StructureError, OSError)

_HANDLERS_AT_START = handlers()


def versions() -> dict[str, Any]:
    """What answers here."""
    return {
        "blender": ".".join(map(str, bpy.app.version)),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "isolation": ISOLATION,
    }


def read(path: str) -> dict[str, Any]:
    """The members of a .blend file's scene."""
    notes = open_blend(path)
    return {"structure": _structure(notes)}


def build(program: str, start: str | None = None, save: str | None = None) -> dict[str, Any]:
    """Run a program on an empty scene (or on ``start``), save the result, read its members.

    A program that fails leaves what it had built; that is read and saved all the same.
    """
    if save is not None:
        _refuse_unwritable(Path(save))
    restore_handlers(_HANDLERS_AT_START)
    bpy.app.driver_namespace.clear()
    fresh_scene()
    notes = open_blend(start) if start is not None else []
    outcome = run_program(program)
    restore_handlers(_HANDLERS_AT_START)
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    if save is not None:
        save_blend(save)
    return {
        "structure": _structure(notes),
        "ok": outcome.ok,
        "stdout": outcome.stdout,
        "traceback": outcome.traceback,
        "seconds": outcome.seconds,
    }


def picture(
    out: str,
    blend: str | None = None,
    structure: dict[str, Any] | None = None,
    **look: Any,
) -> dict[str, Any]:
    """A PNG of a .blend's members or of a structure; ``look`` as :func:`..scene.picture.render`."""
    from ..scene.picture import PictureError, render

    if (blend is None) == (structure is None):
        raise RefusedError("a picture needs either a .blend file or a structure")
    _refuse_unwritable(Path(out))
    if blend is not None:
        open_blend(blend)
        shown = structure_from_scene()
    else:
        shown = structure_from_plain(structure or {})
    fresh_scene()
    try:
        return {"out": str(render(shown, out, **look))}
    except PictureError as error:
        raise RefusedError(str(error)) from None


def _structure(notes: list[str]) -> dict[str, Any]:
    plain = structure_to_plain(structure_from_scene())
    plain["notes"] = notes + plain["notes"]
    return plain


def _refuse_unwritable(path: Path) -> None:
    if path.is_dir():
        raise RefusedError(f"{path} is a folder: name a file in it")
    if not path.parent.is_dir():
        raise RefusedError(f"the folder {path.parent} doesn't exist: make it first")


ACTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "versions": versions,
    "read": read,
    "build": build,
    "picture": picture,
}
