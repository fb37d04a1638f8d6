# SPDX-License-Identifier: GPL-3.0-or-later
"""A person who builds a task by hand in this window: fields, clock, and keeping the work.

The attempt itself is in :mod:`.by_hand_session`, what becomes of it in :mod:`.by_hand_record`.
"""

import time
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..review import Review
from ..runs.report_overview import root_faults
from ..runs.runfolder import RunFolderError, free_folder
from ..runs.storage import StorageError
from . import by_hand_drafts as drafts
from . import by_hand_record as storing
from . import by_hand_session as attempts
from . import checking, jobs, live_check, member_choice, opened, place
from .by_hand_record import Stored, Work
from .by_hand_session import Session
from .gallery import redraw

#: Between two looks at the clock, s.
TICK = 1.0
#: Folder of ours for runs of people; unlike episodes they are never thrown away.
RUNS = "by-hand"


@dataclass(frozen=True)
class Outcome:
    """How the last attempt of this session ended."""

    stored: Stored
    title: str
    uid: int | None

    @property
    def verdict(self) -> str:
        """``passed``, ``failed`` or ``not_judged``."""
        return str(self.stored.record["verdict"])

    @property
    def end(self) -> str:
        """``finished`` or ``gave_up``."""
        return str(self.stored.record["end"])

    @property
    def faults(self) -> int:
        """Faults that follow from no other."""
        return len(root_faults(self.stored.record))


_last: list[Outcome] = []


def last() -> Outcome | None:
    """The attempt that ended last in this session, ``None`` if none did."""
    return _last[0] if _last else None


class PlumblineByHand(bpy.types.PropertyGroup):
    """Choices of a person who builds by hand."""

    person: bpy.props.StringProperty(
        name="Your Name",
        description="Stands in the record of your attempt; leave it empty to stay unnamed",
        maxlen=80,
    )
    count_tries: bpy.props.BoolProperty(
        name="Count My Tries",
        description="Note in the record how often you had it checked before you handed it in",
        default=True,
    )
    minutes: bpy.props.IntProperty(
        name="Keep Every",
        description="Minutes after which your work is written to the disk by itself",
        default=2,
        min=1,
        max=60,
    )


def choices(context: bpy.types.Context) -> Any:
    """The choices of this window manager."""
    return context.window_manager.plumbline_by_hand


def try_it(session: Session, told: Any) -> None:
    """Check what stands without handing it in; ``told(review or sentence)`` gets the answer."""
    scene = session.scene
    if scene is None:
        told("The scene of your attempt is gone: bring it back first")
        return

    def done(found: Review) -> None:
        session.notice(live=False)
        told(found)

    try:
        checking.check(scene, session.profile, done, told)
    except ValueError as error:
        told(str(error))


def hand_in(session: Session, told: Any) -> None:
    """Judge what stands and store it; ``told(outcome or sentence)`` is called when it is done.

    Whatever fails leaves the attempt as it was, so that it can be handed in again.
    """
    scene = session.scene
    if scene is None:
        told("The scene of your attempt is gone: bring it back first")
        return
    session.notice(live_check.is_on())
    running = session.clock.running
    session.clock.pause()
    if not attempts.keep(session):
        told(session.trouble)
        return
    work = _work(session)

    def failed(sentence: str) -> None:
        if running:
            session.clock.resume()
        told(sentence)

    def done(found: Review) -> None:
        try:
            run = _new_run(session)
            stored = storing.hand_in(
                run, work, found.judgement, len(found.structure), found.seconds
            )
        except (OSError, StorageError, RunFolderError) as error:
            failed(f"It was judged, but can't be stored: {error}")
            return
        told(_ended(session, stored))
        jobs.start("Picture of what you built", storing.draw_later(stored), _drawn, _drawn, 0.0)

    try:
        session.judging = checking.check(scene, session.profile, done, failed)
    except ValueError as error:
        failed(str(error))


def give_up(session: Session) -> Outcome:
    """End it without a result; what stands is kept in the run folder.

    Raises ``OSError`` and what storing raises; then nothing has ended.
    """
    session.notice(live_check.is_on())
    attempts.keep(session)
    return _ended(session, storing.give_up(_new_run(session), _work(session)))


def _work(session: Session) -> Work:
    blend = session.folder / drafts.WORK
    return Work(
        session.task,
        session.profile,
        session.person,
        blend if blend.is_file() else None,
        session.clock.seconds,
        session.tries,
        session.live,
        session.started,
        ".".join(map(str, bpy.app.version)),
    )


def _new_run(session: Session) -> Any:
    return free_folder(place.own_folder(RUNS) / session.folder.name)


def _ended(session: Session, stored: Stored) -> Outcome:
    """It is stored: the draft goes, the scene knows its attempt."""
    scene = session.scene
    if scene is not None:
        origin = opened.OpenedAttempt(stored.run, stored.attempt, stored.record, session.task.id)
        opened.remember(scene, origin)
        if attempts.ATTEMPT_KEY in scene:
            del scene[attempts.ATTEMPT_KEY]
    outcome = Outcome(stored, session.task.title, session.uid if scene is not None else None)
    _last[:] = [outcome]
    drafts.drop(session.folder)
    attempts.forget()
    redraw()
    return outcome


def _drawn(_result: Any) -> None:
    """The picture is there, or :mod:`.jobs` says why not; the record stands either way."""


def watch() -> None:
    """Have the clock shown and the work kept, for as long as an attempt is under way."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=TICK, persistent=True)


def _on_timer() -> float | None:
    session = attempts.now()
    if session is None:
        return None
    tick(session)
    redraw()
    return TICK


def tick(session: Session) -> None:
    """Notice checks that were made, and keep the work when it is time to."""
    session.notice(live_check.is_on())
    if session.handing_in or not session.clock.running:
        return
    minutes = bpy.context.window_manager.plumbline_by_hand.minutes
    due = session.kept is None or time.monotonic() - session.kept >= 60.0 * minutes
    if due and not _in_the_midst():
        attempts.keep(session)


def _in_the_midst() -> bool:
    """Whether something is being dragged: then a second later is soon enough."""
    windows = bpy.context.window_manager.windows
    return any(live_check.hindrance(w) == "waits until you let go" for w in windows)


@persistent
def _before_load(*_: Any) -> None:
    """Another file comes: the attempt ends here, its work is kept and can be taken up again."""
    attempts.let_go()


@persistent
def _before_save(*_: Any) -> None:
    """The person saves their file: a good moment to keep the attempt too."""
    session = attempts.now()
    if session is not None and not session.handing_in:
        attempts.keep(session)


CLASSES = (*member_choice.CLASSES, PlumblineByHand)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_by_hand = bpy.props.PointerProperty(type=PlumblineByHand)
    member_choice.attach()
    bpy.app.handlers.load_pre.append(_before_load)
    bpy.app.handlers.save_pre.append(_before_save)


def detach() -> None:
    """Keep an attempt that is under way, and take everything away again."""
    attempts.let_go()
    _last.clear()
    bpy.app.handlers.save_pre.remove(_before_save)
    bpy.app.handlers.load_pre.remove(_before_load)
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
    member_choice.detach()
    del bpy.types.WindowManager.plumbline_by_hand
