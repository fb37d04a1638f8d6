# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes of a model for tests: a small house in phases, answers from a list, a bench of boxes.

The house is written with ``box(name, low, high)`` and ``remove(name)``. :class:`PlainBench` runs
such programs without Blender, for tests of what a protocol does; behind :data:`HELPERS` the same
programs build the same house in Blender.
"""

from __future__ import annotations

import json
import textwrap
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np
from plumbline.addon.agent.agents import Assignment, Limits, Workshop
from plumbline.addon.agent.bench import Execution, Scene
from plumbline.addon.agent.messages import Message, Reply, Request, Text, Usage
from plumbline.addon.agent.model_agent import ModelAgent
from plumbline.addon.agent.protocols import ProtocolOptions
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.transcript import Transcript, read_events
from plumbline.addon.sandbox.policy import vet
from plumbline.addon.scene.plain import structure_from_plain, structure_to_plain
from plumbline.checks.timber.structure import TimberStructure
from plumbline.tasks import Task

#: What a program needs in Blender before it can say ``box`` and ``remove``.
HELPERS = textwrap.dedent(
    """
    import bpy

    def box(name, low, high):
        corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1])
                   for z in (low[2], high[2])]
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], faces)
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))

    def remove(name):
        bpy.data.objects.remove(bpy.data.objects[name])
    """
)

#: A flat-roofed hut of 2.474 x 2 m: every phase passes load path and clash.
PHASES = {
    "foundation": """\
for tag, y in (("S", 0), ("N", 1.86)):
    box(f"Sill_{tag}", (0, y, 0), (2.474, y + 0.14, 0.038))
""",
    "floor": """\
for tag, y in (("S", 0), ("N", 1.962)):
    box(f"RimJoist_{tag}", (0, y, 0.038), (2.474, y + 0.038, 0.178))
for k in range(7):
    box(f"Joist_{k}", (k * 0.406, 0.038, 0.038), (k * 0.406 + 0.038, 1.962, 0.178))
""",
    "walls": """\
for tag, y in (("S", 0), ("N", 1.911)):
    box(f"BottomPlate_{tag}", (0, y, 0.178), (2.474, y + 0.089, 0.216))
    for k in range(7):
        box(f"Stud_{tag}_{k}", (k * 0.406, y, 0.216), (k * 0.406 + 0.038, y + 0.089, 2.2))
    box(f"TopPlate_{tag}", (0, y, 2.2), (2.474, y + 0.089, 2.238))
""",
    "roof": """\
for k in range(7):
    box(f"Rafter_{k}", (k * 0.406, 0, 2.238), (k * 0.406 + 0.038, 2, 2.378))
""",
}
NAMES = tuple(PHASES)
WHOLE = "\n".join(PHASES.values())
#: The whole with its phases marked.
MARKED = "\n".join(f"# phase: {name}\n{code}" for name, code in PHASES.items())
#: The walls without one sill plate under them: everything above floats.
FLOATING_WALLS = PHASES["walls"].replace('box(f"BottomPlate', 'if tag == "N": box(f"BottomPlate')
#: A roof of which one rafter lies in another.
CLASHING_ROOF = PHASES["roof"] + 'box("Rafter_again", (0.02, 0, 2.238), (0.058, 2, 2.378))\n'

#: Checks that this hut is not made for.
_NOT_ASKED = ("bearing", "clear_span", "spacing", "section", "orientation", "notching")
_NOT_ASKED += ("dual_end_connection", "roof_coverage", "opening_header", "point_load")
_NOT_ASKED += ("cantilever",)


def hut_task(**constraints) -> Task:
    """The task of building the hut, judged by completeness, load path and clash."""
    known = {
        "footprint_x": 2.474,
        "footprint_y": 2.0,
        "stories": 1,
        "roof_type": "flat",
        "lot_width": 6.0,
        "lot_depth": 5.0,
        "complexity": "simple",
    }
    return Task(
        id="timber/hut",
        kind="timber",
        title="Hut",
        style="Plain",
        description="A hut with a flat roof.",
        constraints=MappingProxyType({**known, **constraints}),
        brief={"not_applicable": dict.fromkeys(_NOT_ASKED, "the test leaves it out")},
        path=Path("hut"),
    )


def plan(**changes) -> str:
    """A sound plan of the hut, as a model would write it."""
    types = (["Sill"], ["RimJoist", "Joist"], ["BottomPlate", "Stud", "TopPlate"], ["Rafter"])
    steps = [
        {"phase": phase, "member_types": names, "depends_on": [i - 1] if i else []}
        for i, (phase, names) in enumerate(zip(NAMES, types, strict=True))
    ]
    whole = {
        "lot_size": {"width": 6.0, "depth": 5.0},
        "stories": 1,
        "roof_type": "flat",
        "complexity": "simple",
        "sections": [{"name": "hut", "bounds": {"x": [0, 2.474], "y": [0, 2], "z": [0, 2.4]}}],
        "steps": steps,
        "expected_member_counts": {name: 4 for names in types for name in names},
    }
    return f"```json\n{json.dumps({**whole, **changes})}\n```"


def program(code: str) -> str:
    """An answer that holds a program."""
    return f"Here it is.\n\n```python\n{code.rstrip()}\n```\n"


@dataclass
class ListProvider:
    """A model whose answers are written down beforehand.

    An answer is a text, a (text, stop) pair, or a function of the request that gives one of these.
    """

    answers: Sequence[object]
    name: str = "list/of-answers"
    tokens: int = 100
    cost: float | None = 0.01
    requests: list[Request] = field(default_factory=list)
    closed: bool = False

    def complete(self, request: Request, cancel: Cancel, on_text=None) -> Reply:
        cancel.check()
        assert len(self.requests) < len(self.answers), "the model was asked once too often"
        answer = self.answers[len(self.requests)]
        self.requests.append(request)
        if callable(answer):
            answer = answer(request)
        text, stop = answer if isinstance(answer, tuple) else (answer, "end")
        message = Message("assistant", (Text(text),) if text else ())
        return Reply(message, stop, Usage(self.tokens, output_tokens=50, cost=self.cost, calls=1))

    def close(self) -> None:
        self.closed = True


class PlainBench:
    """Runs programs of ``box`` and ``remove`` here, and keeps scenes as files of plain structures.

    The policy is the real one. It draws nothing.
    """

    isolation = "none"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: Label, code and name of the scene it started from, of every run.
        self.runs: list[tuple[str, str, str | None]] = []

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        self.runs.append((label, code, start.blend.stem if start else None))
        problems = vet(code)
        if problems:
            return Execution("refused", "none", problems=problems)
        boxes: dict[str, tuple] = {}
        if start is not None:
            boxes = {k: tuple(v) for k, v in json.loads(start.blend.read_text()).items()}
        printed: list[str] = []
        known = {
            "box": lambda name, low, high: boxes.__setitem__(name, (list(low), list(high))),
            "remove": boxes.pop,
            "print": lambda *words: printed.append(" ".join(map(str, words))),
        }
        output, trouble = "", None
        try:
            exec(compile(code, "<program>", "exec"), known)
        except Exception:
            trouble = traceback.format_exc()
        output = "\n".join(printed)
        path = self._folder / f"{label}.json"
        path.write_text(json.dumps(boxes))
        return Execution(
            "raised" if trouble else "finished",
            "none",
            output=output,
            traceback=trouble,
            scene=Scene(path),
            structure=structure_to_plain(_structure(boxes)),
        )

    def views(self, scene, target, names, size=(512, 512)):
        raise AssertionError("this bench draws nothing")

    def picture(self, scene, record, view):
        raise AssertionError("this bench draws nothing")


def _structure(boxes: dict[str, tuple]) -> TimberStructure:
    low = np.array([pair[0] for pair in boxes.values()], float).reshape(-1, 3)
    high = np.array([pair[1] for pair in boxes.values()], float).reshape(-1, 3)
    axes = np.tile(np.eye(3), (len(boxes), 1, 1))
    return TimberStructure.from_boxes(list(boxes), (low + high) / 2, axes, high - low)


def names_of(execution: Execution) -> set[str]:
    """Names of the members that a run left."""
    return set(structure_from_plain(execution.structure).names)


@dataclass
class Episode:
    """What came of an episode, and everything that was said and run in it."""

    built: object
    events: list[dict]
    progress: list[str]
    folder: Path

    def of(self, kind: str) -> list[dict]:
        """Events of one type."""
        return [event for event in self.events if event["type"] == kind]

    def labels(self, kind: str) -> list[str]:
        """Labels of the events of one type."""
        return [event["label"] for event in self.of(kind)]


QUIET = ProtocolOptions(planner=False, pictures=False)


def run_episode(
    folder: Path,
    provider,
    protocol: str = "atomic",
    options: ProtocolOptions = QUIET,
    *,
    bench=None,
    task: Task | None = None,
    limits: Limits | None = None,
    target: Callable = lambda: None,
    cancel: Cancel | None = None,
    starts=None,
    profile: str = "engineering",
) -> Episode:
    """One whole episode; what it wrote is read back from its transcript."""
    agent = ModelAgent(provider, protocol, options, starts)
    task = task or hut_task()
    told: list[str] = []
    [assignment] = agent.assignments([task])
    assert isinstance(assignment, Assignment)
    with Transcript(folder) as transcript:
        workshop = Workshop(
            bench or PlainBench(folder),
            folder,
            transcript,
            profile,
            cancel or Cancel(),
            limits or Limits(),
            target,
            told.append,
        )
        built = agent.build(assignment, workshop)
    return Episode(built, list(read_events(folder)), told, folder)
