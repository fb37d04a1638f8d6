# SPDX-License-Identifier: GPL-3.0-or-later
"""From the person's choices to an episode. Main thread: whatever Blender knows is asked here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy

from ...tasks import Task
from .. import bundled
from ..agent.agents import Agent, Limits
from ..agent.bench import Bench, Scene
from ..agent.kinds import fitting
from ..agent.options import AgentOptions
from ..agent.providers import keys
from ..agent.registry import agent_for
from ..kinds import read_as
from ..preferences import key_for
from ..runs.runfolder import RunFolderError
from ..runs.seats import WorkerSeat
from ..runs.targets import Targets
from ..sandbox.policy import DEFAULT, vet
from . import choices, current, place, scenes
from .bridge import Hindrance
from .consent import consent
from .episode import Asked, Means
from .following import Follower
from .gallery import Gallery
from .job import Job
from .live import Live
from .recording import Recording, Wish
from .scenes import Landed
from .session_bench import House, SessionBench
from .watching import WatchedBench

#: How long one program may take in a worker, s.
WORKER_SECONDS = 120.0

SCRIPTED = "scripted"
EDITING = "editing"
#: The scene that is edited, in the episode's folder.
START = "start.blend"


class CantStart(RuntimeError):
    """What is missing before an episode can start; one sentence with the remedy."""


def problem(context: bpy.types.Context) -> str | None:
    """Why no episode can start now, as a sentence with the remedy; ``None`` if one can."""
    if current.running():
        return "An episode is running: stop it first"
    if bundled.trouble() is not None:
        return f"No bundled task: {bundled.trouble()}"
    chosen, model = choices.of(context), choices.model_of(context)
    if chosen.where == "session" and not consent.given:
        return "Running in this session needs your permission: press Allow, or choose the worker"
    if model.provider != SCRIPTED and not model.model.strip():
        return "Write the model's name into the field Model"
    if model.provider != SCRIPTED:
        return _unfit(context.window_manager.plumbline.task.partition("/")[0], chosen.protocol)
    return None


def _unfit(kind: str, protocol: str) -> str | None:
    """Why a protocol can't lead a model through tasks of a kind, ``None`` if it can."""
    able = fitting(kind)
    if not able or protocol in able:
        return None
    names = {name: title for name, title, _ in choices.PROTOCOLS}
    *some, last = (f"'{names[name]}'" for name in able if name in names)
    return f"'{names[protocol]}' can't build this task: choose {', '.join(some)} or {last}"


@dataclass(frozen=True)
class Wanted:
    """What the person chose, as plain values that a thread may read. The key is in no ``repr``.

    ``start`` is the scene that is edited where the protocol edits one.
    """

    agent: str
    options: AgentOptions
    in_session: bool
    code_seconds: float
    show: Callable[[Landed], bool]
    keep_failed: Callable[[], bool]
    online: bool = True
    key: str | None = field(default=None, repr=False)
    start: Path | None = None


def start(context: bpy.types.Context) -> current.Running:
    """Start an episode as chosen in the panel. Raises :class:`CantStart` and ``OSError``."""
    missing = problem(context)
    if missing is not None:
        raise CantStart(missing)
    state, chosen = context.window_manager.plumbline, choices.of(context)
    task = bundled.find(state.task)
    wanted = _wanted(context)
    limits = limits_of(chosen)
    profile = state.rules(task.kind)
    recording = _recording(wanted, task, profile, limits)
    if wanted.options.protocol == EDITING:
        wanted = replace(wanted, start=recording.folder / START)
        try:
            scenes.write(context.scene, recording.folder / START)
        except OSError:
            recording.close()
            raise
    asked = Asked(task, recording, profile, limits)
    where = "this session" if wanted.in_session else "isolated worker"
    live = Live(wanted.agent, task.title, where, limits=limits)
    asking = current.Choices(wanted.show, wanted.keep_failed)
    kept = Kept(place.checkpoints(), place.own_folder("known"))
    return current.start(
        asked, live, lambda gallery, busy: means(wanted, task, gallery, busy, kept), asking
    )


def _recording(wanted: Wanted, task: Task, profile: str, limits: Limits) -> Recording:
    """The run folder of the episode. Raises :class:`CantStart` and ``OSError``."""
    wish = Wish(
        wanted.agent,
        profile,
        None if wanted.agent == SCRIPTED else wanted.options.protocol,
        limits,
        wanted.code_seconds if wanted.in_session else WORKER_SECONDS,
        wanted.options.base_url,
    )
    folder = place.new_episode(f"{task.id}-{wanted.agent}")
    try:
        return Recording(folder, task, wish, {"blender": bpy.app.version_string})
    except RunFolderError as error:
        raise CantStart(str(error)) from error


def limits_of(chosen: Any) -> Limits:
    """Where an episode stops; 0 in a field means no limit."""
    return Limits(
        attempts=chosen.attempts,
        retries=chosen.retries,
        seconds=chosen.minutes * 60.0 or None,
        tokens=chosen.tokens or None,
        cost=chosen.cost or None,
    )


def _wanted(context: bpy.types.Context) -> Wanted:
    chosen, model = choices.of(context), choices.model_of(context)
    manager = context.window_manager.name

    def ask(name: str) -> Callable[[], bool]:
        return lambda: bool(getattr(bpy.data.window_managers[manager].plumbline_agent, name))

    wanted = Wanted(
        SCRIPTED,
        AgentOptions(),
        chosen.where == "session",
        chosen.code_seconds,
        Follower(ask("follow")),
        ask("keep_failed"),
        online=bpy.app.online_access,
    )
    if model.provider == SCRIPTED:
        return wanted
    api = model.api if model.provider == "openai" and model.api != "auto" else None
    url = model.base_url.strip() or None
    options = AgentOptions(protocol=chosen.protocol, base_url=url, api=api)
    # The environment comes first: what stands in the preferences is for who can't use it.
    in_environment = os.environ.get(keys.VARIABLES[model.provider], "").strip()
    key = None if in_environment else key_for(context, model.provider)
    name = f"{model.provider}/{model.model.strip()}"
    return replace(wanted, agent=name, options=options, key=key)


def agent_of(wanted: Wanted, task: Task) -> Agent:
    """The agent that was chosen. Raises ``AgentError`` and ``ProviderError``."""
    if wanted.agent == SCRIPTED:
        return agent_for(wanted.agent)
    from ..agent.led import led
    from ..agent.model_agent import Start
    from ..agent.providers.factory import provider_for

    options = wanted.options
    provider = provider_for(
        wanted.agent,
        base_url=options.base_url,
        api=options.api,
        key=wanted.key,
        online=wanted.online,
    )
    starts = {task.id: Start(Scene(wanted.start))} if wanted.start is not None else None
    return led(provider, options, starts)


@dataclass(frozen=True)
class Kept:
    """Folders that last: copies of the person's files, and what is known of tasks."""

    checkpoints: Path
    known: Path


def means(wanted: Wanted, task: Task, gallery: Gallery, busy: Hindrance, kept: Kept) -> Means:
    """What an episode is made with, out of the person's choices."""
    seat = WorkerSeat(WORKER_SECONDS)
    policy = DEFAULT.widened(task.policy)
    watched: list[WatchedBench] = []

    def bench(folder: Path, own: Bench, job: Job) -> Bench:
        if not wanted.in_session:
            return own
        house = House(
            consent,
            lambda code: vet(code, policy),
            folder,
            kept.checkpoints,
            title=lambda label: watched[0].title(label),
            show=wanted.show,
            came=lambda _label, landed: gallery.add(watched[0].key, landed),
            seconds=wanted.code_seconds,
        )
        return SessionBench(job.main, house, own, read_as(task))

    return Means(
        lambda: agent_of(wanted, task),
        lambda folder: seat.bench(folder, policy, read_as(task)),
        bench,
        gallery,
        busy,
        target=lambda assignment, note: Targets(kept.known, note)(assignment, seat),
        close=seat.close,
        kill=seat.kill,
        watch=watched.append,
    )
