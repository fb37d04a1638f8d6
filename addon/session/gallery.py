# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of an episode in the open file, with what the checks say of each. Main thread only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from ...checks.result import Judgement
from .. import bundled, review
from ..kinds import Structure, with_source
from ..pictures.kind import pictures_of
from . import scenes
from .scenes import Landed

#: Told of a scene that has come: key of its try, ``session_uid``, name.
Came = Callable[[int, int, str], None]


class Gallery:
    """Keeps each try's scene. ``keep_failed`` is asked every time anew, as is ``show``."""

    def __init__(
        self,
        task: str,
        show: Callable[[Landed], bool],
        keep_failed: Callable[[], bool],
        came: Came,
        refresh: Callable[[], None] = lambda: None,
    ) -> None:
        self.landed: dict[int, Landed] = {}
        self._failed: set[int] = set()
        self._task = task
        self._show = show
        self._keep_failed = keep_failed
        self._came = came
        self._refresh = refresh

    def land(self, key: int, blend: Path, title: str) -> None:
        """Bring a worker's scene into the file as one undo step. Raises ``OSError``."""
        landed = scenes.land(blend, title)
        self._show(landed)
        self.add(key, landed)
        scenes.push_undo(f"Plumbline: {title}")

    def add(self, key: int, landed: Landed) -> None:
        """Take a scene in that is there already; failed ones before it go if they are to go."""
        scene = landed.scene
        if scene is None:
            return
        scene[bundled.TASK_KEY] = self._task
        if not self._keep_failed():
            for old in self._failed:
                scenes.remove(self.landed[old])
        self.landed[key] = landed
        self._came(key, landed.uid, scene.name)

    def failed(self, key: int) -> None:
        """This try came to nothing; its scene stays until the next one is there."""
        if key in self.landed:
            self._failed.add(key)

    def explain(self, judgement: Judgement, structure: Structure) -> Any:
        """What pictures of the findings need, beyond the findings; in any thread."""
        pictures = pictures_of(judgement.kind)
        if pictures is None:
            return None
        return pictures.explain(structure, bundled.brief_of(self._task), judgement)

    def judged(
        self,
        key: int,
        judgement: Judgement,
        structure: Structure,
        seconds: float,
        explained: Any = None,
    ) -> None:
        """Show what the checks found in a try's scene, as if it had been checked by the button."""
        if judgement.verdict == "failed":
            self.failed(key)
        landed = self.landed.get(key)
        scene = landed.scene if landed is not None else None
        if landed is None or scene is None:
            return
        layer = scene.view_layers[0]
        layer.update()
        instancers = {**structure.source.get("instancers", {}), **landed.names}
        source = {**structure.source, "instancers": instancers}
        if "object" in source:  # blocks: one object shows all of them
            source["object"] = landed.names.get(source["object"], source["object"])
        here = with_source(structure, source)
        poses = review.poses_of(scene, layer.depsgraph)
        brief = bundled.brief_of(self._task)
        found = review.Review(
            judgement, here, self._task, seconds, poses, brief=brief, explained=explained
        )
        review.keep(scene, found)
        self._refresh()


def redraw() -> None:
    """Have the sidebar, the view and the scene's properties drawn anew."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in ("VIEW_3D", "PROPERTIES"):
                area.tag_redraw()
