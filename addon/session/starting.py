# SPDX-License-Identifier: GPL-3.0-or-later
"""From the person's choices to an episode. Main thread: whatever Blender knows is asked here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy

from ...tasks import Task
from .. import bundled
from ..agent.agents import Agent, Limits
from ..agent.bench import Bench
from ..agent.registry import AgentOptions, agent_for
from ..preferences import key_for
from ..runs.seats import WorkerSeat
from ..sandbox.policy import vet
from . import choices, current, place
from .bridge import Hindrance
from .consent import consent
from .episode import Asked, Means
from .gallery import Gallery
from .job import Job
from .live import Live
from .session_bench import House, SessionBench

#: How long one program may take in a worker, s.
WORKER_SECONDS = 120.0

SCRIPTED = "scripted"


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
    return None


@dataclass(frozen=True)
class Wanted:
    """What the person chose, as plain values that a thread may read."""

    agent: str
    options: AgentOptions
    in_session: bool
    code_seconds: float
    follow: Callable[[], bool]
    keep_failed: Callable[[], bool]


def start(context: bpy.types.Context) -> current.Running:
    """Start an episode as chosen in the panel. Raises :class:`CantStart` and ``OSError``."""
    missing = problem(context)
    if missing is not None:
        raise CantStart(missing)
    state, chosen = context.window_manager.plumbline, choices.of(context)
    task = bundled.find(state.task)
    wanted = _wanted(context)
    folder = place.new_episode(f"{task.id}-{wanted.agent}")
    asked = Asked(task, folder, state.profile, limits_of(chosen))
    where = "this session" if wanted.in_session else "isolated worker"
    live = Live(wanted.agent, task.title, where)
    asking = current.Choices(wanted.follow, wanted.keep_failed)
    checkpoints = place.checkpoints()
    return current.start(
        asked, live, lambda gallery, busy: means(wanted, task, gallery, busy, checkpoints), asking
    )


def limits_of(chosen: Any) -> Limits:
    """Where an episode stops; 0 in a field means no limit."""
    return Limits(
        attempts=chosen.attempts,
        retries=chosen.retries,
        seconds=chosen.minutes * 60.0 or None,
        cost=chosen.cost or None,
    )


def _wanted(context: bpy.types.Context) -> Wanted:
    chosen, model = choices.of(context), choices.model_of(context)
    manager = context.window_manager.name

    def ask(name: str) -> Callable[[], bool]:
        return lambda: bool(getattr(bpy.data.window_managers[manager].plumbline_agent, name))

    in_session = chosen.where == "session"
    seconds = chosen.code_seconds
    if model.provider == SCRIPTED:
        agent, options = SCRIPTED, AgentOptions()
    else:
        agent = f"{model.provider}/{model.model.strip()}"
        api = model.api if model.provider == "openai" and model.api != "auto" else None
        url = model.base_url.strip() or None
        options = AgentOptions(protocol=chosen.protocol, base_url=url, api=api)
        options = with_access(options, key_for(context, model.provider))
    return Wanted(agent, options, in_session, seconds, ask("follow"), ask("keep_failed"))


def with_access(options: AgentOptions, key: str | None) -> AgentOptions:
    """The options with the key of the preferences, and whether Blender may use the network."""
    known = AgentOptions.__dataclass_fields__
    access = {"key": key, "online": bpy.app.online_access}
    return replace(options, **{name: value for name, value in access.items() if name in known})


def means(
    wanted: Wanted, task: Task, gallery: Gallery, busy: Hindrance, checkpoints: Path
) -> Means:
    """What an episode is made with, out of the person's choices."""
    seat = WorkerSeat(WORKER_SECONDS)
    held: list[Any] = []

    def agent() -> Agent:
        return agent_for(wanted.agent, wanted.options)

    def bench(folder: Path, own: Bench, job: Job) -> Bench:
        if not wanted.in_session:
            return own
        house = House(
            consent,
            vet,
            folder,
            checkpoints,
            title=lambda label: held[0].title(label),
            follow=wanted.follow,
            came=lambda _label, landed: gallery.add(held[0].key, landed),
            seconds=wanted.code_seconds,
        )
        return SessionBench(job.main, house, own)

    return Means(agent, seat.bench, bench, gallery, busy, close=seat.close, watch=held.append)
