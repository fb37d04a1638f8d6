# SPDX-License-Identifier: GPL-3.0-or-later
"""Which agent a name on the command line means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .agents import Agent, AgentError
from .null import NULL, Null
from .online import online
from .options import APIS, PROTOCOLS, AgentOptions
from .scripted import FLAWED, SCRIPTED, Scripted

if TYPE_CHECKING:
    from .led import Starts
    from .providers.base import Provider

#: Starts the name of an agent that repeats a run.
REPLAY = "replay:"

#: Starts the name of an outside command, and is that of a person.
CLI = "cli:"
HUMAN = "human"

#: Names as help shows them.
NAMES = (SCRIPTED, FLAWED, NULL, f"{REPLAY}RUN_DIR", "anthropic/MODEL", "openai/MODEL",
         f"{CLI}COMMAND", HUMAN)  # fmt: skip

EDITING = "editing"
TOOLS = "tools"

_BASELINES = (SCRIPTED, FLAWED, NULL)
_DEFAULTS = AgentOptions()


def is_baseline(name: str) -> bool:
    """Whether it is one of the agents that need nothing and nobody."""
    return name in _BASELINES


def agent_for(name: str, options: AgentOptions = _DEFAULTS) -> Agent:
    """The agent of that name. Raises :class:`AgentError`: one sentence with the remedy."""
    if is_baseline(name):
        _refuse(name, options, "has no model and")
        return Null() if name == NULL else Scripted(flawed=name == FLAWED)
    if name.startswith(REPLAY):
        return _replay(name.removeprefix(REPLAY), options)
    if name.startswith(CLI) or name == HUMAN:
        return _outside(name, options)
    if name.partition("/")[0] in ("anthropic", "openai") and name.partition("/")[2]:
        return _model(name, options)
    raise AgentError(f"agent {name!r} is not there; known are {', '.join(NAMES)}")


def _refuse(name: str, options: AgentOptions, why: str, able: tuple[str, ...] = ()) -> None:
    """Refuse what an agent can't use. A seed harms nobody."""
    for field in fields(AgentOptions):
        if field.name in ("seed", *able):
            continue
        if getattr(options, field.name) != getattr(_DEFAULTS, field.name):
            flag = "--no-planner" if field.name == "planner" else f"--{field.name}"
            flag = flag.replace("_", "-")
            raise AgentError(f"agent {name} {why} can't use {flag}; leave it out")


def _outside(name: str, options: AgentOptions) -> Agent:
    """A command of the person's own, or the person."""
    if name == HUMAN:
        from .human import human_agent

        _refuse(name, options, "is no model and")
        return human_agent()
    from .outside import OutsideAgent

    able = ("effort", "reserve_last_launch")
    _refuse(name, options, "asks its model itself and", able=able)
    return OutsideAgent(name.removeprefix(CLI), options.effort, options.reserve_last_launch)


def _model(name: str, options: AgentOptions) -> Agent:
    from .led import Repeated, led
    from .providers.base import ProviderError
    from .providers.factory import provider_for

    _check_protocol(options)
    _check_address(options.base_url)
    starts = _starts(options)
    try:
        provider = provider_for(name, base_url=options.base_url, api=options.api, online=online())
    except ProviderError as error:
        raise AgentError(str(error)) from error
    return Repeated(provider, options, lambda p, o: led(p, o, starts))


def _check_address(address: str | None) -> None:
    """An address goes into ``run.json``, so it may hold no password; an empty one is a mistake."""
    if address is not None and not address.strip():
        raise AgentError("--base-url is empty; give the address of the server, or leave it out")
    try:
        parts = urlsplit(address or "")
    except ValueError:
        return  # the provider says what is wrong with it
    if parts.username or parts.password:
        raise AgentError(
            "--base-url holds a name or password, which would be written into the run; leave it "
            "out and give the key in the environment"
        )


def _check_protocol(options: AgentOptions) -> None:
    if options.protocol == EDITING and options.edit_from is None:
        raise AgentError("protocol editing needs --edit-from RUN_DIR, whose sound houses it edits")
    if options.protocol != TOOLS and options.text_tools:
        raise AgentError("--text-tools is for --protocol tools; leave it out")
    if options.protocol == TOOLS and options.brevity != _DEFAULTS.brevity:
        raise AgentError("--brevity is for --protocol atomic and reactive; leave it out")
    if options.protocol != EDITING and options.edit_from is not None:
        raise AgentError("only --protocol editing edits; leave --edit-from out")


def _starts(options: AgentOptions) -> Starts | None:
    """The sound structures of the run to edit from: of each task the least similar one."""
    if options.edit_from is None:
        return None
    from ..runs.runfolder import PROGRAM, SCENE, RunFolderError, read_run
    from .bench import Scene
    from .model_agent import Start

    try:
        run = read_run(options.edit_from)
    except RunFolderError as error:
        raise AgentError(str(error)) from error
    found: dict[str, tuple[float, Start]] = {}
    for record in run.records:
        folder = run.folder_of(record)
        if record["verdict"] != "passed" or folder is None or not (folder / SCENE).is_file():
            continue
        similar = record["metrics"].get("S")
        rank = float(similar) if isinstance(similar, (int, float)) else 0.0
        program = folder / PROGRAM
        text = program.read_text(encoding="utf-8") if program.is_file() else ""
        start = Start(Scene((folder / SCENE).resolve()), text)
        if record["task"] not in found or rank < found[record["task"]][0]:
            found[str(record["task"])] = (rank, start)
    if not found:
        raise AgentError(
            f"{options.edit_from}: nothing in it has passed, so there is nothing to edit; name a "
            "run with sound structures"
        )
    return {task: start for task, (_, start) in found.items()}


def _replay(path: str, options: AgentOptions) -> Agent:
    from ..runs.runfolder import Run, RunFolderError, read_run
    from .replay import Recorded, Replay, Source

    _refuse(f"{REPLAY}{path}", options, "asks no model and", able=tuple(_of_protocol()))
    try:
        run: Run = read_run(path)
    except RunFolderError as error:
        raise AgentError(str(error)) from error
    attempts: dict[str, list[Recorded]] = {}
    for record in run.records:
        one = Recorded(
            record.get("variant"),
            record.get("epoch", 1),
            run.folder_of(record),
            record.get("end"),
            bool(record.get("environment")),
        )
        attempts.setdefault(str(record.get("task")), []).append(one)
    first: Mapping[str, Any] = run.records[0] if run.records else {}
    source = Source(
        path,
        {task: tuple(found) for task, found in attempts.items()},
        str(run.header["sessions"][-1]["asked"].get("agent")),
        first.get("model"),
        first.get("effort"),
        first.get("harness") or "plumbline",
    )
    return Replay(source, _led_again(options, Path(path)) if source.model else None)


def _of_protocol() -> list[str]:
    """Options that a replay takes over from the run that it repeats."""
    return [f.name for f in fields(AgentOptions) if f.name not in ("base_url", "api")]


def _led_again(options: AgentOptions, path: Path) -> Callable[[Provider, int], Agent]:
    from dataclasses import replace

    from .led import led

    starts = _starts(options)

    def make(provider: Provider, epoch: int) -> Agent:
        seed = None if options.seed is None else options.seed + epoch - 1
        return led(provider, replace(options, seed=seed), starts)

    return make


__all__ = ["APIS", "NAMES", "PROTOCOLS", "REPLAY", "AgentOptions", "agent_for", "is_baseline"]
