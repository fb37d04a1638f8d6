# SPDX-License-Identifier: GPL-3.0-or-later
"""The one attempt that a person makes by hand in this window. Main thread only.

It lives beside Blender's data, so that undo can't take it back: undo may take its scene away, and
redo brings it again. What is built is kept on the disk, and nothing here ever removes work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...tasks import Task
from .. import bundled, review
from ..runs.runfolder import now as moment
from . import by_hand_drafts as drafts
from . import jobs, place, scenes
from .by_hand_clock import Clock
from .by_hand_drafts import Draft, Kept

#: Marks a scene that we made for such an attempt: the name of its draft.
ATTEMPT_KEY = "plumbline_by_hand"
BY_HAND = "by hand"
DRAFTS = "by-hand-drafts"


@dataclass
class Session:
    """An attempt that is under way.

    ``uid`` is its scene's ``session_uid``; ``tries`` how often the scene was checked, ``None`` if
    the person chose not to have that counted; ``live`` whether it was checked by itself meanwhile;
    ``kept`` when the work was last written (monotonic), ``trouble`` why it could not be;
    ``judging`` is the job of handing in.
    """

    task: Task
    profile: str
    person: str
    folder: Path
    uid: int
    clock: Clock
    tries: int | None = 0
    live: bool = False
    started: str = ""
    kept: float | None = None
    trouble: str | None = None
    judging: jobs.Work | None = None
    seen: int = 0

    @property
    def scene(self) -> bpy.types.Scene | None:
        """Its scene, ``None`` while undo has taken it away or somebody removed it."""
        return next((s for s in bpy.data.scenes if s.session_uid == self.uid), None)

    @property
    def handing_in(self) -> bool:
        """Whether what was handed in is being judged just now."""
        return self.judging is not None and self.judging in jobs.now()

    def notice(self, live: bool) -> None:
        """Count a check of the scene that was made since the last look."""
        found = review.of(self.scene)
        if found is None or found.serial == self.seen:
            return
        self.seen = found.serial
        if live:
            self.live = True
        elif self.tries is not None:
            self.tries += 1


_current: list[Session] = []
_drafts: list[tuple[Kept, ...]] = []


def now() -> Session | None:
    """The attempt that is under way, ``None`` if there is none."""
    return _current[0] if _current else None


def begin(
    task: Task,
    profile: str,
    person: str,
    counted: bool,
    scene: bpy.types.Scene,
) -> Session:
    """Start the clock for a scene that was made for it. Raises ``OSError``, then nothing began."""
    folder = drafts.new_folder(place.own_folder(DRAFTS), task.id)
    mark(scene, task, folder)
    session = Session(
        task,
        profile,
        person.strip(),
        folder,
        scene.session_uid,
        Clock(),
        0 if counted else None,
        started=moment(),
    )
    _current[:] = [session]
    _forget_drafts()
    keep(session)
    return session


def mark(scene: bpy.types.Scene, task: Task, folder: Path) -> None:
    """Write into a scene of ours what it was made for."""
    scene[bundled.TASK_KEY] = task.id
    scene[bundled.VARIANT_KEY] = BY_HAND
    scene[ATTEMPT_KEY] = folder.name


def keep(session: Session) -> bool:
    """Write the work to the disk, whole or not at all; whether that could be done.

    Without a scene what was kept before stays. What is in the way becomes ``trouble``.
    """
    scene = session.scene
    try:
        if scene is not None:
            write_scene(scene, session.folder / drafts.WORK)
        drafts.write(session.folder, _draft_of(session))
    except OSError as error:
        session.trouble = f"Your work can't be kept on the disk: {error}"
        return False
    session.kept, session.trouble = time.monotonic(), None
    return True


def write_scene(scene: bpy.types.Scene, blend: Path) -> None:
    """Write a scene to a file, edits that are under way included. Raises ``OSError``."""
    for obj in scene.objects:
        if obj.mode == "EDIT":
            obj.update_from_editmode()
    part = blend.with_name(f".part-{blend.name}")
    scenes.write(scene, part)
    os.replace(part, blend)


def _draft_of(session: Session) -> Draft:
    return Draft(
        session.task.id,
        str(session.task.path),
        session.task.title,
        session.profile,
        session.person,
        round(session.clock.seconds, 1),
        session.tries,
        session.live,
        session.started,
        moment(),
    )


def let_go() -> None:
    """Keep the work and end the attempt here; it can be taken up again from its draft."""
    session = now()
    if session is None:
        return
    session.clock.pause()
    keep(session)
    forget()


def forget() -> None:
    """Drop the attempt from memory; its draft stays."""
    _current.clear()
    _forget_drafts()


def unfinished() -> tuple[Kept, ...]:
    """Drafts that can be taken up again, without the one under way; looked up once."""
    if not _drafts:
        session = now()
        own = session.folder if session is not None else None
        found = drafts.unfinished(place.own_folder(DRAFTS))
        _drafts.append(tuple(kept for kept in found if kept.folder != own))
    return _drafts[0]


def _forget_drafts() -> None:
    _drafts.clear()


def take_up(kept: Kept, task: Task, show: Callable[[bpy.types.Scene], None]) -> Session:
    """Go on with a draft: its scene comes into the open file, the clock goes on where it stood.

    Raises ``OSError`` where the scene can't be read.
    """
    draft = kept.draft
    landed = scenes.land(kept.blend, f"{task.title} by hand")
    scene = landed.scene
    if scene is None:
        raise OSError(f"there is no scene in {kept.blend}")
    mark(scene, task, kept.folder)
    show(scene)
    session = Session(
        task,
        draft.profile,
        draft.person,
        kept.folder,
        scene.session_uid,
        Clock(draft.seconds),
        draft.tries,
        draft.live,
        draft.started,
    )
    _current[:] = [session]
    _forget_drafts()
    return session


def bring_back(session: Session, show: Callable[[bpy.types.Scene], None]) -> None:
    """The scene of the attempt is gone: land it again as it was kept last. Raises ``OSError``."""
    landed = scenes.land(session.folder / drafts.WORK, f"{session.task.title} by hand")
    scene = landed.scene
    if scene is None:
        raise OSError(f"there is no scene in {session.folder / drafts.WORK}")
    mark(scene, session.task, session.folder)
    session.uid = scene.session_uid
    show(scene)
