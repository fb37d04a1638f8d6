# SPDX-License-Identifier: GPL-3.0-or-later
"""The one episode that this Blender is in: started, driven by a timer, stopped. Main thread only.

A timer and not a modal operator: Blender saves nothing by itself while one of those runs, and an
episode lasts minutes. In background timers don't run; there :func:`tick` is called in a loop.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy

from .. import properties
from . import opened, scenes
from .bridge import Hindrance
from .consent import consent
from .episode import Asked, Means, play
from .gallery import Gallery, redraw
from .job import JOIN, Job
from .live import Live
from .opened import OpenedAttempt
from .scenes import Landed

#: Between two ticks, s.
INTERVAL = 0.05
#: The panel's clock is drawn anew so often while nothing else happens, ticks.
CLOCK = 10

#: Makes what an episode is made with, given the gallery, its job's live state and the hindrance.
MakeMeans = Callable[[Gallery, Hindrance], Means]


class Running:
    """An episode with all that is shown of it; it stays after its end until the next one."""

    def __init__(self, job: Job, live: Live, gallery: Gallery, asked: Asked) -> None:
        self.asked = asked
        self.job = job
        self.live = live
        self.gallery = gallery
        self.ticks = 0
        self._told = False

    def tick(self) -> None:
        """Serve the thread and take in what happened."""
        self.ticks += 1
        events = self.job.tick()
        for event in events:
            self.live.hear(event)
        if self.job.over and self.live.end is None:
            self.live.end = self.job.state
            if self.job.error is not None and self.job.state == "failed":
                error = self.job.error
                self.live.message = f"{type(error).__name__}: {error} (a bug of Plumbline)"
        if self.job.over:
            self.live.hindered = None
            if not self._told:
                self._told = True
                self._tell_scenes()
        if events or self.ticks % CLOCK == 0:
            redraw()

    def remember(self, uid: int, title: str) -> None:
        """Note that a scene is a try of this episode, whose record comes at its end."""
        recording = self.asked.recording
        opened.remember_uid(
            uid,
            OpenedAttempt(recording.path, recording.name, {}, self.asked.task.id, title),
        )

    def _tell_scenes(self) -> None:
        """Let every scene of the episode know the record; one of them is the result."""
        recording, live = self.asked.recording, self.live
        for key, landed in self.gallery.landed.items():
            step = None if key == live.final else live.tries[key].title
            origin = OpenedAttempt(
                recording.path, recording.name, live.record, self.asked.task.id, step
            )
            opened.remember_uid(landed.uid, origin)


_current: list[Running] = []


def now() -> Running | None:
    """The episode that runs or ran last in this session, ``None`` if there was none."""
    return _current[0] if _current else None


def running() -> bool:
    """Whether one is running."""
    found = now()
    return found is not None and not found.job.over


def start(asked: Asked, live: Live, make: MakeMeans, choices: Choices) -> Running:
    """Start an episode. Raises ``RuntimeError`` if one is running."""
    if running():
        raise RuntimeError("an episode is running: stop it first")
    forget()

    def came(key: int, uid: int, name: str) -> None:
        found.remember(uid, name)
        job.tell("landed", key=key, scene=uid, title=name)

    gallery = Gallery(asked.task.id, choices.show, choices.keep_failed, came, refresh=_refresh)
    job = Job(play(asked, make(gallery, scenes.busy)))
    found = Running(job, live, gallery, asked)
    _current[:] = [found]
    job.start()
    if not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=INTERVAL, persistent=True)
    return found


class Choices:
    """What may change while an episode runs, asked anew each time."""

    def __init__(self, show: Callable[[Landed], bool], keep_failed: Callable[[], bool]) -> None:
        self.show = show
        self.keep_failed = keep_failed


def _refresh() -> None:
    for window_manager in bpy.data.window_managers:
        properties.fit_rows(window_manager)
    redraw()


def _on_timer() -> float | None:
    found = now()
    if found is None:
        return None
    found.tick()
    return None if found.job.over else INTERVAL


def pause() -> None:
    """Have the episode wait before its next question or program; what it does now ends first."""
    found = now()
    if found is not None:
        found.job.pause()


def resume() -> None:
    """Let it go on."""
    found = now()
    if found is not None:
        found.job.resume()


def stop() -> None:
    """Ask the episode to stop; it does within moments."""
    found = now()
    if found is not None:
        found.job.stop()


def close(wait: float = JOIN) -> None:
    """Stop, wait at most ``wait`` s for the thread, and forget everything, leave included.

    Another file was loaded, where nobody waits, or the extension goes.
    """
    consent.revoke()
    found = now()
    if found is not None:
        found.job.join(wait)
    forget()
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)


def forget() -> None:
    """Drop what was kept of the last episode."""
    _current.clear()
