# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulation work beside an open window: a piece at a time, on copies. Main thread only.

The work is a generator that makes its own copies and takes them away when it is closed; it is
closed here however it ends: done, called off, its scene gone, the file saved, the extension off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import bpy

from ..simulation import copying
from ..simulation.steps import SimulationError, Steps
from . import jobs, kind_here, scenes
from .gallery import redraw
from .job import Job

_SWEEP = 0.1  # between two looks whether work is over, s
#: How long pieces may keep the window waiting, s: share of its own time, at least, at most.
_SHARE, _LEAST, _MOST = 1.0, 0.03, 1.0
_SAVED = "the file was saved, and no copy is written into it; run it again"


class _Trial:
    """A piece of work for a scene."""

    def __init__(self, steps: Steps[Any]) -> None:
        self.steps = steps
        self.work: jobs.Work | None = None
        self.why = ""
        self.stepping = False
        self.left = time.monotonic()

    @property
    def over(self) -> bool:
        return self.work is not None and self.work.job.over

    def pieces(self) -> tuple[bool, Any]:
        """Some pieces: whether the last was among them, and what it told. Raises as the work does.

        As many as fit into a moment, or into as much as the window took for itself since: where
        it draws slowly, the work would otherwise stand still.
        """
        began = time.monotonic()
        longest = min(max(_SHARE * (began - self.left), _LEAST), _MOST)
        self.stepping = True
        try:
            while True:
                if self.why:
                    self.steps.close()
                    raise SimulationError(self.why)
                told = next(self.steps)
                if time.monotonic() - began > longest:
                    return False, told
        except StopIteration as end:
            return True, end.value
        finally:
            self.stepping = False
            self.left = time.monotonic()

    def end(self, why: str = "") -> None:
        """No further step; what the work made goes."""
        self.why = self.why or why
        if self.stepping:  # called from within a piece: it ends with that
            return
        self.steps.close()


_open: dict[int, _Trial] = {}
_troubles: dict[int, str] = {}


def at_work(scene: bpy.types.Scene | None) -> jobs.Work | None:
    """The simulation that runs for a scene, ``None`` if none does."""
    trial = _open.get(scene.session_uid) if scene is not None else None
    return trial.work if trial is not None and not trial.over else None


def trouble(scene: bpy.types.Scene) -> str:
    """Why the last simulation of a scene gave no answer; empty if it did."""
    return _troubles.get(scene.session_uid, "")


def start(
    scene: bpy.types.Scene,
    title: str,
    steps: Steps[Any],
    then: Callable[[Any], None],
    after: Callable[[Any, Job], Any] | None = None,
    *,
    otherwise: Callable[[str], None] = lambda _: None,
    wait: float = 0.0,
) -> jobs.Work:
    """Take the steps of a simulation of a scene as a job, then call ``then`` with what came of it.

    ``after`` makes of it what ``then`` gets, in the job's thread: no ``bpy`` there. One at a time
    for a scene; raises :class:`SimulationError` for a second one. What goes wrong is kept as a
    sentence for :func:`trouble`, and given to ``otherwise``. It is waited for at most ``wait`` s.
    """
    uid = scene.session_uid
    sweep()
    try:
        refuse_liquids(scene)
    except SimulationError:
        steps.close()
        raise
    if at_work(scene) is not None:
        steps.close()
        raise SimulationError("a simulation of this scene is at work: wait for it or stop it")
    _troubles.pop(uid, None)

    def done(made: Any) -> None:
        _close(uid)
        then(made)
        redraw()

    def failed(sentence: str) -> None:
        _troubles[uid] = f"{title}: {sentence}"
        _close(uid)
        otherwise(sentence)
        redraw()

    trial = _open[uid] = _Trial(steps)
    trial.work = work = jobs.start(title, _work_of(trial, after), done, failed, wait)
    sweep()
    if _open and not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=_SWEEP, persistent=True)
    return work


def refuse_liquids(scene: bpy.types.Scene) -> None:
    """Raise :class:`SimulationError` for a simulated scene with a domain of liquid or smoke.

    Its solver takes minutes at a stretch, and ends Blender itself where that was built without it.
    """
    if kind_here.kind_here(scene) != "reconstruction":
        return  # nothing of the scene is stepped
    for obj in scene.objects:
        for modifier in obj.modifiers:
            if modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN":
                raise SimulationError(
                    f"{obj.name} is a domain of liquid or smoke, which isn't simulated in an open "
                    f"window: save the file, then run plumbline check on it"
                )


def call_off(scene: bpy.types.Scene) -> None:
    """End the simulation that runs for a scene, and take away what it made; none if none does."""
    trial = _open.get(scene.session_uid)
    if trial is not None and trial.work is not None:
        trial.work.cancel()
        _close(scene.session_uid)


def _work_of(trial: _Trial, after: Callable[[Any, Job], Any] | None) -> Callable[[Job], Any]:
    """The work of the job's thread: it asks the main thread for one step after the other."""

    def work(job: Job) -> Any:
        while True:
            over, told = job.main.call(trial.pieces, scenes.busy)
            if over:
                return told if after is None else after(told, job)
            done, total = told
            job.tell("progress", done=done, total=total, words=f"{done} of {total}")

    return work


def _close(uid: int) -> None:
    trial = _open.pop(uid, None)
    if trial is not None:
        trial.end()


def sweep() -> None:
    """Close all work that is over, and that whose scene is gone."""
    there = {scene.session_uid for scene in bpy.data.scenes}
    for uid, trial in list(_open.items()):
        if uid not in there and trial.work is not None:
            trial.work.cancel()
        if trial.over or uid not in there:
            _close(uid)


def _on_timer() -> float | None:
    sweep()
    return _SWEEP if _open else None


def busy() -> bool:
    """Whether any simulation is at work."""
    return any(not trial.over for trial in _open.values())


def end_all(why: str = _SAVED) -> None:
    """End all work now, and its copies with it, and keep the sentence for who waits for it."""
    for trial in _open.values():
        trial.end(why)


def remove_copies() -> None:
    """Take every copy away, also that of work in whose midst this is called."""
    end_all()
    copying.remove_all()


def detach() -> None:
    """Call everything off and forget it."""
    for trial in _open.values():
        if trial.work is not None:
            trial.work.cancel()
    remove_copies()
    _open.clear()
    _troubles.clear()
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
