# SPDX-License-Identifier: GPL-3.0-or-later
"""A bench and a transcript that tell what passes through them, for those who watch. No ``bpy``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ...checks.result import Judgement
from ..agent.bench import Bench, Execution, Isolation, Scene
from ..agent.messages import Reply, Usage
from ..agent.transcript import Transcript
from ..kinds import Structure
from ..ranking import worst_first
from ..scene.plain import structure_from_plain
from .bridge import Hindrance
from .job import Job
from .labels import spoken
from .telling import line_of

#: How labels of programs begin that are ours and not the agent's.
OWN_LABEL = "target"
#: Faults of a try that are told in words; all of them are in its scene.
_TOLD = 3


class Wall(Protocol):
    """Where scenes and findings are shown, on the main thread: see :mod:`.gallery`.

    ``explain`` alone is called in any thread: it works out what pictures of the findings need.
    """

    def land(self, key: int, blend: Path, title: str) -> None: ...
    def failed(self, key: int) -> None: ...
    def explain(self, judgement: Judgement, structure: Structure) -> Any: ...
    def judged(
        self,
        key: int,
        judgement: Judgement,
        structure: Structure,
        seconds: float,
        explained: Any,
    ) -> None: ...


class WatchedBench:
    """Passes everything on to ``bench`` and tells the job of it.

    Scenes of a worker are landed by the gallery as soon as they are there; the session's own are
    there already. ``hindrance`` says when the open file can't be changed. Programs of our own, such
    as those that make parts of the target, are nobody's try: ``own`` runs them, and nobody is told.
    """

    def __init__(
        self, bench: Bench, job: Job, gallery: Wall, hindrance: Hindrance, task: str, own: Bench
    ) -> None:
        self.key = 0
        self.runs: dict[int, Execution] = {}
        self.isolation: Isolation = bench.isolation
        self._bench = bench
        self._own = own
        self._job = job
        self._gallery = gallery
        self._hindrance = hindrance
        self._task = task
        self._keys = itertools.count(1)

    def title(self, label: str) -> str:
        """What a scene is called for people: ``cabin · walls · try 2``."""
        return " · ".join([self._task, *spoken(label)])

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        """See :class:`..agent.bench.Bench`."""
        self._job.gate()
        if label.startswith(OWN_LABEL):
            return self._own.execute(code, start, label)
        self.key = next(self._keys)
        key, title = self.key, self.title(label)
        self._job.tell("running", key=key, title=title, code=code)
        execution = self._bench.execute(code, start, label)
        self.runs[key] = execution
        ran = {"outcome": execution.outcome, "message": execution.message}
        ran["isolation"] = execution.isolation
        self._job.tell("ran", key=key, seconds=execution.seconds, **ran)
        scene = execution.scene
        if scene is not None and execution.isolation != "none":
            blend = scene.blend
            self._post(lambda: self._gallery.land(key, blend, title))
        if not execution.ok:
            self._post(lambda: self._gallery.failed(key))
        return execution

    def judged(self, judgement: Judgement, scope: str) -> None:
        """Have shown what the checks say of the last run."""
        if self.key in self.runs:
            self._show(self.key, judgement, scope == "all")

    def show(self, execution: Execution, judgement: Judgement) -> None:
        """Have the judgement of a whole house shown in the scene of the run that left it."""
        key = next((k for k, run in self.runs.items() if run is execution), self.key)
        if key in self.runs:
            self._job.tell("final", key=key)
            self._show(key, judgement, True)

    def _show(self, key: int, judgement: Judgement, whole: bool) -> None:
        faults = sum(finding.is_root for finding in judgement.findings)
        verdict = judgement.verdict
        roots = [finding for finding in worst_first(judgement.findings) if finding.is_root]
        told = tuple(finding.message for finding in roots[:_TOLD])
        self._job.tell("judged", key=key, verdict=verdict, faults=faults, whole=whole, told=told)
        plain = self.runs[key].structure
        if plain is not None:
            structure = structure_from_plain(plain)
            seconds = self.runs[key].seconds
            known = self._gallery.explain(judgement, structure)
            self._post(lambda: self._gallery.judged(key, judgement, structure, seconds, known))

    def _post(self, work: Callable[[], None]) -> None:
        self._job.main.post(work, self._hindrance)

    def views(
        self,
        scene: Scene,
        target: Scene | None,
        names: Sequence[str],
        size: tuple[int, int] = (512, 512),
    ) -> dict[str, bytes]:
        """See :class:`..agent.bench.Bench`."""
        return self._bench.views(scene, target, names, size)

    def picture(self, scene: Scene, record: Mapping[str, Any], view: str) -> bytes:
        """See :class:`..agent.bench.Bench`."""
        return self._bench.picture(scene, record, view)


class HeardTranscript(Transcript):
    """A transcript whose questions and replies are told as they are written."""

    def __init__(self, folder: Path, job: Job) -> None:
        super().__init__(folder)
        self.usage = Usage()
        self._job = job

    def __enter__(self) -> HeardTranscript:
        return self

    def event(self, kind: str, **content: Any) -> None:
        """Write and tell. A question waits here in a pause. Raises ``OSError``, ``Cancelled``."""
        if kind == "request":
            self._job.gate()
        super().event(kind, **content)
        line = line_of({"type": kind, **content})
        if line is not None:
            self._job.tell("line", words=line)
        if kind == "request":
            self._job.tell("asked")

    def reply(self, reply: Reply) -> None:
        """Write and tell what it cost. Raises ``OSError``."""
        super().reply(reply)
        self.usage = self.usage + reply.usage
        self._job.tell("used", usage=reply.usage)
