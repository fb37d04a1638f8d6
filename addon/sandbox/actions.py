# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker can be asked for. Runs in its process only; every answer is plain data."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...checks.reconstruction.bodies import TrajectoryError
from ...checks.reconstruction.reading import BriefError
from ...checks.reconstruction.simulation import Simulation
from ...checks.timber.structure import StructureError
from ...checks.voxel.structure import VoxelError
from ..physics_poses import has_physics
from ..scene.blendfile import BlendFileError
from ..scene.blocks import (
    BlockSession,
    BlocksLost,
    blocks_object,
    standing_structure,
    structure_of_scene,
)
from ..scene.files import fresh_scene, handlers, open_blend, restore_handlers, save_blend
from ..scene.plain import members_from_plain, structure_from_plain, structure_to_plain
from ..simulation.steps import SimulationError
from .errand import SIMULATED
from .forks import kill_others
from .program import run_program

#: How long what a program started may take to end, s.
END_OTHERS = 2.0


class RefusedError(ValueError):
    """A request that can't be carried out; the message says why and what to do."""


#: Exceptions whose message is meant for the person who asked.
REFUSALS = (
    *(RefusedError, BlendFileError, StructureError, VoxelError, TrajectoryError, BriefError),
    *(SimulationError, OSError),
)

_HANDLERS_AT_START = handlers()
_pristine = False


def prepare() -> None:
    """Have an empty scene ready, once: forks of this process then begin with it."""
    global _pristine
    fresh_scene()
    _pristine = True


def _touch() -> None:
    global _pristine
    _pristine = False


def versions() -> dict[str, Any]:
    """What answers here."""
    return {
        "blender": ".".join(map(str, bpy.app.version)),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def read(
    path: str, kind: str | None = None, rubric: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the scene of a .blend file holds: members or blocks, as ``kind`` says or the scene.

    A scene of kind ``reconstruction`` is run, with the altered runs that its ``rubric`` asks for.
    """
    _touch()
    notes = open_blend(path)
    scene = bpy.context.scene
    if kind is None and blocks_object(scene) is None and has_physics(scene):
        kind = SIMULATED
        notes.append(
            "It was run as a simulation, since it holds rigid bodies, cloth or the like; "
            "--kind timber judges it as it stands."
        )
    plain = structure_to_plain(structure_of_scene(scene, kind, rubric))
    plain["notes"] = [*notes, *plain["notes"]]
    return {"structure": plain}


def run(
    program: str, save: str, begin: Callable[[], object], start: str | None = None
) -> dict[str, Any]:
    """Run a program on an empty scene (or on ``start``) and save what it left, whole or not.

    ``begin`` is called when nothing but the program is left to do: what this process says from
    then on is the program's word. Nobody reads the scene here. What it built of blocks is written
    to the scene when it ends, also by an exception.
    """
    restore_handlers(_HANDLERS_AT_START)
    bpy.app.driver_namespace.clear()
    if not _pristine:
        fresh_scene()
    _touch()
    if start is not None:
        open_blend(start)
    blocks = BlockSession(bpy.context.scene)
    begin()
    outcome = run_program(program, blocks.names)
    if sys.platform == "linux":
        kill_others(END_OTHERS)  # what it started may hold all that is needed to save
    restore_handlers(_HANDLERS_AT_START)
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    trouble = outcome.traceback
    try:
        blocks.flush(otherwise=bpy.context.scene)
    except BlocksLost as error:
        trouble = trouble or f"{type(error).__name__}: {error}"
    save_blend(save)
    return {
        "ok": trouble is None,
        "stdout": outcome.stdout,
        "traceback": trouble,
        "seconds": outcome.seconds,
    }


def inspect(
    blend: str, kind: str | None = None, rubric: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """As :func:`read` of what a program left, for a process that the program never ran in."""
    return read(blend, kind, rubric)


def picture(
    out: str,
    blend: str | None = None,
    structure: dict[str, Any] | None = None,
    **look: Any,
) -> dict[str, Any]:
    """A PNG of what a .blend holds or of a structure; ``look`` as for ``scene.picture.render``."""
    from ..scene.picture import PictureError, render

    _touch()
    if (blend is None) == (structure is None):
        raise RefusedError("a picture needs either a .blend file or a structure")
    if blend is not None:
        open_blend(blend)
        shown = standing_structure(bpy.context.scene)
    else:
        recorded = structure_from_plain(structure or {})
        if isinstance(recorded, Simulation):
            raise RefusedError("a simulation is drawn from its .blend file, not from its record")
        shown = recorded
    fresh_scene()
    try:
        render(shown, out, **look)
    except PictureError as error:
        raise RefusedError(str(error)) from None
    return {}


def views(
    out: str,
    blend: str,
    target: str | None = None,
    names: Sequence[str] | None = None,
    size: Sequence[int] = (512, 512),
    engine: str = "workbench",
) -> dict[str, Any]:
    """A folder with a PNG of each canonical view of what a .blend holds, framed on ``target``'s."""
    from ..scene.picture import corners_of
    from ..scene.views import VIEWS, PictureError, render_views

    _touch()
    open_blend(target if target is not None else blend)
    framed = standing_structure(bpy.context.scene)
    if target is not None:
        open_blend(blend)
    shown = standing_structure(bpy.context.scene) if target is not None else framed
    fresh_scene()
    points = corners_of(framed)
    try:
        made = render_views(shown, points, tuple(names or VIEWS), size, engine)
    except PictureError as error:
        raise RefusedError(str(error)) from None
    Path(out).mkdir()
    for name, png in made.items():
        Path(out, name).write_bytes(png)
    return {}


def house(
    out: str, structure: dict[str, Any], skin: bool = False, engine: str = "workbench"
) -> dict[str, Any]:
    """A folder with a PNG of each canonical view of a house that was generated, bare or closed."""
    from ..scene.house_views import PictureError, render_views

    _touch()
    fresh_scene()
    try:
        made = render_views(members_from_plain(structure), engine, skin)
    except PictureError as error:
        raise RefusedError(str(error)) from None
    Path(out).mkdir()
    for name, png in made.items():
        Path(out, name).write_bytes(png)
    return {}


def evidence(
    out: str,
    record: dict[str, Any],
    structure: dict[str, Any] | None = None,
    blend: str | None = None,
    rubric: Mapping[str, Any] | None = None,
    **look: Any,
) -> dict[str, Any]:
    """A folder with PNGs of the faults of a simulation, and what each of them shows.

    What is drawn is a ``structure`` as :func:`read` gives it, or what a .blend holds, run again
    with the altered runs of its ``rubric``; ``look`` as for ``scene.stills.render_stills``.
    """
    from ..scene.stills import PictureError, render_stills
    from ..simulation.evidence import evidence_of, listed, overview

    _touch()
    if structure is not None:
        shown = structure_from_plain(structure)
    elif blend is not None:
        open_blend(blend)
        shown = structure_of_scene(bpy.context.scene, "reconstruction", rubric)
    else:
        raise RefusedError("evidence needs either a .blend file or a structure")
    if not isinstance(shown, Simulation):
        raise RefusedError("evidence is drawn of simulations only")
    found, whole = evidence_of(shown, record), overview(shown, record)
    stills = [still.to_plain() for one in found for still in one.stills]
    stills += [whole.to_plain()] if whole is not None else []
    fresh_scene()
    try:
        made = render_stills(stills, **look)
    except PictureError as error:
        raise RefusedError(str(error)) from None
    Path(out).mkdir()
    for name, png in made.items():
        Path(out, f"{name}.png").write_bytes(png)
    return {"evidence": listed(found)}


def fall(blend: str, **how: Any) -> dict[str, Any]:
    """What comes down of the structure in a .blend, and what if something were otherwise.

    ``how`` as for ``simulation.falling.on_file.fall_of_file``: kind, seconds, brief, asked.
    """
    from ..simulation.falling.on_file import fall_of_file

    _touch()
    return fall_of_file(blend, **how)


ACTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "versions": versions,
    "read": read,
    "run": run,
    "inspect": inspect,
    "picture": picture,
    "views": views,
    "house": house,
    "evidence": evidence,
    "fall": fall,
}
#: Those that run a model's code: what comes after them in the same process is not to be believed.
RUNS_CODE = frozenset({"run"})
#: Those that open what a model's code left, and draw nothing.
LOCKED = frozenset({"inspect"})
