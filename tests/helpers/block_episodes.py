# SPDX-License-Identifier: GPL-3.0-or-later
"""Episodes of a model that builds of blocks: a small task of two turns, a bench without Blender.

The bench runs programs with the real block functions on the real record of placements; only the
scene that Blender would keep is a file of plain data here.
"""

from __future__ import annotations

import json
import traceback
from pathlib import Path

from plumbline.addon.agent.bench import Execution, Scene
from plumbline.addon.sandbox.policy import vet
from plumbline.addon.scene.block_api import block_names
from plumbline.addon.scene.block_log import BlockLog, log_of_structure
from plumbline.addon.scene.plain import structure_from_plain, structure_to_plain
from plumbline.tasks import Task

#: First a row of four stones, then a second one of planks on it.
ROW = 'line(0, 0, 0, 3, 0, 0, "stone")\n'
SECOND = 'line(0, 1, 0, 3, 1, 0, "oak_planks")\n'
PROMPTS = ("Lay four stones in a row.", "Now put a row of planks on it.")


def _call(fn: str, **args: object) -> dict[str, object]:
    return {"fn": fn, "args": args}


CHECKS = (
    [
        _call("material.is_block_cnt_equal_to", expected_count=4),
        _call("physical_plausibility.is_ground_connected"),
    ],
    [
        _call("material.is_block_cnt_equal_to", expected_count=4, expected_material="oak_planks"),
        _call("physical_plausibility.is_ground_connected"),
    ],
)


def rows_task(turns: int = 2, **changes: object) -> Task:
    """The task of two rows, or of the first alone."""
    values = {
        "id": "voxel/rows",
        "kind": "voxel",
        "title": "Rows",
        "style": "Walls",
        "description": "\n".join(PROMPTS[:turns]),
        "constraints": {},
        "brief": {"checks": list(CHECKS[:turns])},
        "path": Path("rows"),
        "prompts": PROMPTS[:turns],
    }
    return Task(**{**values, **changes})


class BlockBench:
    """Runs programs of block calls here. The policy is the real one. It draws nothing."""

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
        log = BlockLog()
        if start is not None:
            stood = structure_from_plain(json.loads(start.blend.read_text(encoding="utf-8")))
            log = log_of_structure(stood)
        printed: list[str] = []
        known = {"print": lambda *words: printed.append(" ".join(map(str, words)))}
        trouble = None
        try:
            exec(compile(code, "<program>", "exec"), {**block_names(log), **known})
        except Exception:
            trouble = traceback.format_exc()
        plain = structure_to_plain(log.rows().structure())
        path = self._folder / f"{label}.json"
        path.write_text(json.dumps(plain), encoding="utf-8")
        return Execution(
            "raised" if trouble else "finished",
            "none",
            output="\n".join(printed),
            traceback=trouble,
            scene=Scene(path),
            structure=plain,
        )

    def views(self, scene, target, names, size=(512, 512)):
        raise AssertionError("this bench draws nothing")

    def picture(self, scene, record, view):
        raise AssertionError("this bench draws nothing")


def blocks_of(execution: Execution) -> dict[tuple[int, int, int], str]:
    """Material of each block that a run left, by cell."""
    stands = structure_from_plain(execution.structure)
    return dict(zip(stands.index, stands.materials, strict=True))


def counts_of(execution: Execution) -> list[int]:
    """Number of blocks after each turn of what a run left, the present one last."""
    stands = structure_from_plain(execution.structure)
    return [*(len(earlier) for earlier in stands.earlier), len(stands)]
