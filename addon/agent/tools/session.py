# SPDX-License-Identifier: GPL-3.0-or-later
"""One attempt that somebody outside drives by single requests: prompt, call, status, finish.

The harness of an outside command keeps one in its memory while the command runs; the command
``plumbline session`` loads one from a folder for each request. Requests and answers are plain JSON.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....tasks import Task, TaskError
from ...scene.plain import count_of
from ..agents import Limits
from .agent import task_text
from .box import Answer, ToolBox
from .registry import BuildingTools, box_for, budgets_for

#: What a session can be asked for.
REQUESTS = ("prompt", "call", "status", "finish")

#: From this share of a known-good program's lines on, it counts as copied.
COPIED = 0.5
#: Shorter lines of a program are anybody's, characters.
_TELLING = 24


@dataclass
class Session:
    """Tools at work on a task. ``pictures`` is the folder that pictures of results go into."""

    task: Task
    profile: str
    tools: BuildingTools
    box: ToolBox
    pictures: Path
    keep_last: bool = False
    finished: bool = False
    skipped: bool = False

    @classmethod
    def fresh(
        cls,
        task: Task,
        profile: str,
        tools: BuildingTools,
        pictures: Path,
        limits: Limits,
        keep_last: bool = False,
    ) -> Session:
        """A session in which nothing has happened yet."""
        box = box_for(task, tools, limits, keep_last)
        return cls(task, profile, tools, box, pictures, keep_last)

    @property
    def over(self) -> bool:
        """Whether nothing more can be done."""
        return self.finished or self.box.ended

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request, ``{"ok": ...}`` like that of a tool.

        Raises what tools raise beside their own errors, and ``OSError`` for pictures.
        """
        wanted = request.get("do")
        if wanted == "call":
            return self.call(request)
        if wanted == "prompt":
            return {"ok": True, "prompt": self.prompt(), "tools": self.listed()}
        if wanted == "status":
            return {"ok": True, **self.status()}
        if wanted == "finish":
            self.finished = True
            self.skipped = bool(request.get("skip"))
            return {"ok": True, **self.status()}
        known = ", ".join(REQUESTS)
        return {"ok": False, "error": f"a session can't be asked for {wanted!r}; known: {known}"}

    def call(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; pictures of the answer become files, named in ``pictures``."""
        if self.finished:
            return {"ok": False, "kind": "ended", "error": "this session was finished before"}
        problem = request.get("problem")
        answer = self.box.call(
            request.get("tool"), request.get("arguments"), str(problem) if problem else None
        )
        return self._with_files(answer)

    def _with_files(self, answer: Answer) -> dict[str, Any]:
        if not answer.pictures:
            return answer.plain
        self.pictures.mkdir(parents=True, exist_ok=True)
        paths = []
        for picture in answer.pictures:
            digest = hashlib.sha256(picture.data).hexdigest()[:8]
            path = self.pictures / f"{_safe(picture.name)}-{digest}.png"
            path.write_bytes(picture.data)
            paths.append(str(path.absolute()))
        return {**answer.plain, "pictures": paths}

    def prompt(self) -> str:
        """What has to be built, and within which budgets."""
        text = task_text(self.task, self.profile, self.box.budgets, self.keep_last)
        now = self.tools.now()
        return f"{text}\n\n{now}" if now else text

    def listed(self) -> list[dict[str, Any]]:
        """The tools with their descriptions and schemas."""
        return [
            {"name": t.name, "description": t.description, "parameters": t.parameters}
            for t in self.box.tools.values()
        ]

    def status(self) -> dict[str, Any]:
        """Where the session stands."""
        standing = self.tools.building.standing
        count = count_of(standing.structure) if standing else 0
        return {
            "task": self.task.id,
            "profile": self.profile,
            "over": self.over,
            "submitted": self.box.ended,
            self.tools.counted: count,
            "calls": self.box.state()["calls"],
            "left": self.box.left(),
        }

    def notes(self) -> tuple[str, ...]:
        """What people should know beside the verdict."""
        share = copied_share(self.task, self.tools.building.program)
        if share < COPIED:
            return ()
        return (
            f"{share:.0%} of the lines of the task's known-good program stand in what was handed "
            "in; it was most likely read from the disk",
        )

    def state(self) -> dict[str, Any]:
        """All that a later process needs to go on, as plain JSON."""
        return {
            "profile": self.profile,
            "keep_last": self.keep_last,
            "finished": self.finished,
            "skipped": self.skipped,
            "box": self.box.state(),
            "tools": self.tools.state(),
        }

    @classmethod
    def restored(
        cls,
        state: Mapping[str, Any],
        task: Task,
        tools: BuildingTools,
        pictures: Path,
        limits: Limits,
    ) -> Session:
        """Go on from :meth:`state`. Raises ``KeyError``, ``TypeError`` or ``ValueError``."""
        tools.restore(state["tools"])
        keep_last = bool(state["keep_last"])
        budgets = budgets_for(task, limits, keep_last)
        box = ToolBox(tools.tools(), budgets, state["box"])
        finished, skipped = bool(state["finished"]), bool(state["skipped"])
        return cls(task, state["profile"], tools, box, pictures, keep_last, finished, skipped)


def copied_share(task: Task, program: str) -> float:
    """Share of the lines of the task's known-good program that stand in ``program``, 0 to 1.

    Somebody outside can read the bundled programs; lines too short to tell are left out.
    """
    try:
        known = {line.strip() for line in task.program().splitlines()}
    except TaskError:
        return 0.0
    known = {line for line in known if len(line) >= _TELLING and not line.startswith("import")}
    written = {line.strip() for line in program.splitlines()}
    return len(known & written) / len(known) if known else 0.0


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in name)[:60] or "picture"
