# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built in this window as a proper run folder: one attempt, later perhaps more.

So it can be opened, reported, exported and judged again like any run of the command line. No
``bpy`` here: an episode writes in its own thread, a person's attempt is written at once.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...checks.result import Judgement
from ...tasks import Task
from .. import bundled
from ..agent.agents import Limits
from ..runs import versions
from ..runs.records import Result
from ..runs.report import write_report
from ..runs.runfolder import (
    PROGRAM,
    RUN_FILE,
    SCENE,
    Key,
    RunWriter,
    attempt_folder,
    now,
    read_run,
)
from ..runs.scores import summary_of
from ..runs.storage import explained, write_whole
from ..runs.verdicts import not_judged

#: Kind of the fault of an attempt that the person stopped: nobody has judged it.
STOPPED = "stopped"


@dataclass(frozen=True)
class Wish:
    """What is asked of whoever builds, as ``run.json`` has it; ``None``: no limit, no wish."""

    agent: str
    profile: str = "engineering"
    protocol: str | None = None
    limits: Limits = field(default_factory=Limits)
    timeout: float | None = None
    base_url: str | None = None

    def plain(self, task: Task) -> dict[str, Any]:
        """As ``run.json`` has it; what isn't known is left out."""
        limits = self.limits
        asked = {
            # A task of the person's own is found again by its place.
            "tasks": [str(task.path) if bundled.is_own(task.id) else task.id],
            "agent": self.agent,
            "profile": self.profile,
            "protocol": self.protocol,
            "timeout": self.timeout,
            "attempts": limits.attempts,
            "retries": limits.retries,
            "max_seconds": limits.seconds,
            "max_tokens_total": limits.tokens,
            "max_cost": limits.cost,
            "base_url": self.base_url,
        }
        return {name: value for name, value in asked.items() if value is not None}


class Recording:
    """One attempt in the run folder ``path``, from its beginning to its record.

    ``folder`` is the attempt's own, empty at first, ``name`` what its record calls it. A folder
    that holds a run already gets the next repetition of the task. Raises
    :class:`..runs.storage.StorageError` if the disk refuses, and
    :class:`..runs.runfolder.RunFolderError` if the folder holds anything else or another run.
    """

    def __init__(
        self,
        path: Path,
        task: Task,
        wish: Wish,
        used: Mapping[str, str | None] | None = None,
    ) -> None:
        self.path = path
        self.task = task
        self.wish = wish
        self.started = now()
        before = read_run(path).records if (path / RUN_FILE).exists() else ()
        same = [r["epoch"] for r in before if (r["task"], r["agent"]) == (task.id, wish.agent)]
        self.key = Key(task.id, wish.agent, None, 1 + max(same, default=0))
        self.name = attempt_folder(self.key)
        own = {**versions.own(), **(used or {})}
        self._writer = RunWriter(path, wish.plain(task), own, resume=bool(before))
        self._open = True
        try:
            self.folder = self._writer.attempt(self.key)
        except BaseException:
            self.close()
            raise

    def describe(self, agent: Mapping[str, Any]) -> None:
        """Note in ``run.json`` what the agent says of itself (prompts with their hash ...)."""
        self._writer.describe(agent)

    def identified(self, result: Result) -> Result:
        """The result as this attempt's: task, agent, repetition, protocol, place, beginning."""
        return replace(
            result,
            task=self.task.id,
            title=self.task.title,
            epoch=self.key.epoch,
            agent=self.wish.agent,
            protocol=self.wish.protocol,
            attempt=self.name,
            timing={"started": self.started, "total": 0.0, **result.timing},
        )

    def keep(self, result: Result) -> dict[str, Any]:
        """Store the record of the attempt and the report, and close; returns the record."""
        record = self.identified(result).to_record()
        try:
            self._writer.append(record)
            self._writer.finish(summary_of(read_run(self.path).records))
        finally:
            self.close()
        write_report(self.path)
        return record

    def close(self) -> None:
        """Let others write into the run; without :meth:`keep` before, it has no record of this."""
        if self._open:
            self._open = False
            self._writer.close()


def broken_off(profile: str, kind: str, message: str, end: str = "environment") -> Result:
    """The result of an attempt that a fault ended, or the person (:data:`STOPPED`)."""
    return replace(not_judged(profile, kind, message), end=end)


def record(
    folder: Path,
    task: Task,
    judgement: Judgement,
    *,
    agent: str,
    harness: str,
    model: str | None,
    protocol: str | None,
    end: str,
    blend: Path | None,
    program: str | None,
    timing: Mapping[str, Any],
    used: Mapping[str, str | None] | None = None,
) -> Path:
    """Store one attempt that is over as a run in ``folder``; returns the run's folder.

    ``judgement`` is what today's checks say, ``blend`` the file that is kept as the attempt's scene
    (copied), ``program`` the code that made it where there is any, ``timing`` seconds a stage with
    ``total``, ``used`` versions of what took part besides ours (``{"blender": "5.2.0"}``). A folder
    that holds such a run already gets one repetition more. Raises what :class:`Recording` raises.
    """
    wish = Wish(agent, judgement.profile, protocol)
    recording = Recording(folder, task, wish, used)
    try:
        if blend is not None:
            with explained(recording.folder / SCENE):
                shutil.copyfile(blend, recording.folder / SCENE)
        if program is not None:
            write_whole(recording.folder / PROGRAM, program)
        recording.keep(
            Result(
                judgement,
                harness=harness,
                model=model,
                end=end,
                timing=timing,
                versions={**versions.own(), **(used or {})},
            )
        )
    finally:
        recording.close()
    return recording.path


def record_of(run: Path, attempt: str) -> dict[str, Any] | None:
    """The record of an attempt in a run folder, ``None`` if it has none.

    Raises :class:`..runs.runfolder.RunFolderError` if there is no run.
    """
    return next((r for r in read_run(run).records if r["attempt"] == attempt), None)


__all__ = ["STOPPED", "Recording", "Wish", "broken_off", "record", "record_of"]
