# SPDX-License-Identifier: GPL-3.0-or-later
"""A bench in the open session: each run of code gets a scene of its own in the person's file.

Only with the person's leave, behind the policy, after a copy of the file was saved, under an alarm,
and as one undo step. None of this is a security boundary: ``isolation`` is ``none``.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..agent.bench import Bench, BenchError, Execution, Isolation, Problem, Scene
from ..scene.blocks import structure_of_scene
from ..scene.plain import structure_to_plain
from . import scenes
from .aside import Aside, present
from .bridge import MainThread
from .consent import REFUSED, Consent
from .following import Follower
from .running import SECONDS, Ran, run_here, to_object_mode
from .scenes import Landed

#: Looks through code: what it may not do, nothing if it may run.
Vet = Callable[[str], Sequence[Problem]]
#: What the scene is called while code runs, as in a new file.
PLAIN_NAME = "Scene"
#: Names of others' data that a message lists.
_NAMES_SHOWN = 5


@dataclass(frozen=True)
class House:
    """What a session bench needs to know of the session.

    ``folder`` takes the scenes, ``checkpoints`` copies of the person's file. ``title`` makes a name
    for people of a label. ``show`` lets the window show a scene, unless the person doesn't want
    that. ``came`` is told (on the main thread) of each scene that is there now.
    """

    consent: Consent
    vet: Vet
    folder: Path
    checkpoints: Path
    title: Callable[[str], str] = lambda label: label
    show: Callable[[Landed], bool] = field(default_factory=Follower)
    came: Callable[[str, Landed], None] = lambda _label, _landed: None
    seconds: float = SECONDS


class SessionBench:
    """Runs code in the open file. Asked by an episode's thread, it works on the main thread.

    ``looks`` is the bench that draws: pictures are of files, and come from a process of their own.
    Scenes are read as ``read_as`` says; ``None``: as what they hold.
    """

    isolation: Isolation = "none"

    def __init__(
        self,
        main: MainThread,
        house: House,
        looks: Bench | None = None,
        read_as: Mapping[str, Any] | None = None,
    ) -> None:
        self.checkpoint: Path | None = None
        self._main = main
        self._house = house
        self._looks = looks
        self._read_as = dict(read_as or {})
        self._number = 0

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """Run ``code`` on a copy of ``start``, in a scene of its own that stays in the file.

        Raises ``BenchError`` without the person's leave and for faults of the disk, ``Cancelled``.
        """
        problems = tuple(self._house.vet(code))
        if problems:
            why = f"line {problems[0].line}: {problems[0].message}"
            return Execution("refused", "none", why, problems=problems)
        try:
            execution: Execution = self._main.call(
                lambda: self._run(code, start, label), scenes.busy
            )
        except OSError as error:
            raise BenchError(str(error), "disk") from None
        return execution

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """Views of a scene's file, from the bench that draws."""
        return self._drawing().views(scene, target, names, size)

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """A picture of a scene's file with its findings, from the bench that draws."""
        return self._drawing().picture(scene, record, view)

    def _drawing(self) -> Bench:
        if self._looks is None:
            raise BenchError("pictures need a Blender in a process of its own", "no_blender")
        return self._looks

    def _run(self, code: str, start: Scene | None, label: str) -> Execution:
        """On the main thread: the whole of one run, and the file in order afterwards."""
        if not self._house.consent.given:
            raise BenchError(REFUSED, "consent")
        if self.checkpoint is None:
            self.checkpoint = scenes.checkpoint(self._house.checkpoints)
        self._number += 1
        window = bpy.context.window_manager.windows[0]
        shown = window.scene.session_uid
        aside = Aside()
        landed: Landed | None = None
        try:
            landed = self._own_scene(start)
            execution = self._in_scene(code, landed, label)
            touched = aside.touched()
            landed.blocks = present() - aside.before
        except BaseException:
            aside.restore()
            if landed is not None:
                scenes.remove(landed)
            _show_again(shown)
            raise
        aside.restore()
        landed.names = aside.renamed
        return self._settle(execution, landed, touched, label, shown)

    def _own_scene(self, start: Scene | None) -> Landed:
        if start is not None:
            return scenes.land(start.blend, PLAIN_NAME)
        scene = bpy.data.scenes.new(PLAIN_NAME)
        scene.unit_settings.system = "METRIC"
        scene.unit_settings.scale_length = 1.0
        return Landed(scene.session_uid)

    def _in_scene(self, code: str, landed: Landed, label: str) -> Execution:
        """Run the code, then read and write what it left, all under the names that it gave."""
        scene = landed.scene
        assert scene is not None
        ran = run_here(code, scene, self._house.seconds)
        if landed.scene is None:
            why = "it removed the scene that it ran in; build in bpy.context.scene and leave it"
            return _execution(replace(ran, outcome="raised", message=why))
        to_object_mode(scene)
        if ran.outcome == "timeout":
            return _execution(ran)
        blend = self._house.folder / f"{self._number:03d}-{_file_name(label)}.blend"
        scenes.write(scene, blend)
        scene.view_layers[0].update()
        try:
            structure = structure_to_plain(structure_of_scene(scene, **self._read_as))
        except ValueError as error:
            left = Scene(blend, scene.name)
            return replace(_execution(ran), scene=left, unreadable=str(error))
        return replace(_execution(ran), scene=Scene(blend, scene.name), structure=structure)

    def _settle(
        self, execution: Execution, landed: Landed, touched: list[str], label: str, shown: int
    ) -> Execution:
        """Names, the window, the undo step; what belongs to others is put back."""
        scene, title = landed.scene, self._house.title(label)
        step = f"Plumbline: {title}"
        if touched:
            return self._put_back(execution, landed, touched, step)
        if execution.scene is None or scene is None:
            scenes.remove(landed)
            _show_again(shown)
            scenes.push_undo(step)
            return execution
        scene.name = title
        if not self._house.show(landed):
            _show_again(shown)
        self._house.came(label, landed)
        scenes.push_undo(step)
        return replace(execution, scene=Scene(execution.scene.blend, scene.name))

    def _put_back(
        self, execution: Execution, landed: Landed, touched: list[str], step: str
    ) -> Execution:
        """It changed what is not its own: undo all of it, and tell it so."""
        names = ", ".join(touched[:_NAMES_SHOWN])
        more = f" and {len(touched) - _NAMES_SHOWN} more" if len(touched) > _NAMES_SHOWN else ""
        scenes.push_undo(step)
        if scenes.undo():
            after = "it was undone"
        else:
            scenes.remove(landed)
            after = f"there is no undo here; {self.checkpoint} is the file as it was"
        why = (
            f"it removed or changed {names}{more}, which are not of its scene ({after}): work only "
            "on the objects of bpy.context.scene"
        )
        return Execution(
            "raised",
            "none",
            why,
            output=execution.output,
            traceback=f"RuntimeError: {why}\n",
            seconds=execution.seconds,
            versions=execution.versions,
        )


def _show_again(uid: int) -> None:
    scene = next((s for s in bpy.data.scenes if s.session_uid == uid), None)
    if scene is not None:
        bpy.context.window_manager.windows[0].scene = scene


def _execution(ran: Ran) -> Execution:
    return Execution(
        ran.outcome,
        "none",
        ran.message,
        output=ran.output,
        traceback=ran.traceback,
        seconds=ran.seconds,
        versions=versions(),
    )


def versions() -> dict[str, Any]:
    """What runs here."""
    return {
        "blender": ".".join(map(str, bpy.app.version)),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "isolation": "none",
    }


def _file_name(label: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in label)[:60]
