# SPDX-License-Identifier: GPL-3.0-or-later
"""The hostile corpus in the box, with nobody who looks at the programs first.

Every program of tests/hostile runs through the same worker, and after each of them everything is
asked for: no secret came out, nothing outside was touched, nobody was called, memory and deadline
were kept, nothing is left running, and the next program builds what it always builds.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

import hostile
import pytest
from plumbline.addon.sandbox import box
from plumbline.addon.sandbox.client import BlenderWorker, WorkerError
from plumbline.addon.sandbox.limits import GIB, MIB, Limits
from yard import Scales, Yard, settled

pytestmark = [pytest.mark.real_blender, pytest.mark.once]

CORPUS = hostile.corpus()
ORDINARY = sorted((Path(__file__).parents[1] / "ordinary").glob("*.py"))
#: Time for a program, s: little for those that use up whatever they get.
DEADLINE, SHORT = 20.0, 2.0
#: Time for what surrounds a program: the scene saved, processes killed, a box made anew, s.
AROUND = 40.0
LIMITS = Limits(memory=4 * GIB, scratch=256 * MIB)
#: What the box, the worker and a reader of scenes hold beside the program, bytes.
BESIDE = 2 * GIB

SMALL_HOUSE = """
import bpy

for name, location, size in (
    ("Sill_01", (1.0, 0.0, 0.019), (2.0, 0.089, 0.038)),
    ("Stud_01", (0.019, 0.0, 1.2), (0.038, 0.089, 2.324)),
    ("Stud_02", (1.981, 0.0, 1.2), (0.038, 0.089, 2.324)),
):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location)
    member = bpy.context.object
    member.name = name
    member.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
print("built")
"""


class Run(NamedTuple):
    """What came of a program: its outcome, and everything that a person or a model would see."""

    outcome: str
    shown: str
    structure: Any
    seconds: float


class Ground:
    """A worker in a box, a yard around it, and what the small house looks like."""

    def __init__(self, folder: Path) -> None:
        self._yard_folder = folder / "yard"
        self.yard = Yard(self._yard_folder)
        self.log = folder / "worker.log"
        self.saved = folder / "result.blend"
        self._make_kept_blend()
        self.worker = BlenderWorker(isolation="bubblewrap", log=self.log, limits=LIMITS)
        self.house = self.run(SMALL_HOUSE).structure
        self.processes = len(settled(0, patience=0))

    def _make_kept_blend(self) -> None:
        """A .blend of somebody else, with the secret in a text."""
        program = f"import bpy\nbpy.data.texts.new('canary').write({self.yard.secret!r})"
        program += "\nbpy.data.texts['canary'].use_fake_user = True"
        with BlenderWorker(isolation="process") as other:
            kept = str(self.yard.outside / "kept.blend")
            other.request("build", program=program, save=kept)
        assert self.yard.secret.encode() in Path(kept).read_bytes(), "the secret can be found there"

    def run(self, code: str, deadline: float = DEADLINE) -> Run:
        """Run a program as a bench does, without the policy."""
        self.saved.unlink(missing_ok=True)
        begun = time.monotonic()
        try:
            result = self.worker.request(
                "build", timeout=deadline, program=code, save=str(self.saved), unreadable=True
            )
        except WorkerError as error:
            outcome = "crashed" if error.kind == "crash" else error.kind
            shown, structure = f"{error.message} {error.usage}", None
        else:
            assert result["isolation"] == "bubblewrap"
            outcome = "finished" if result["ok"] else "raised"
            shown, structure = json.dumps(result), result["structure"]
        seconds = time.monotonic() - begun
        scene = self.saved.read_bytes() if self.saved.exists() else b""
        log = self.log.read_bytes()
        return Run(outcome, shown + (scene + log).decode("latin-1"), structure, seconds)

    def close(self) -> None:
        """End the worker."""
        self.worker.close()
        self.yard.close()


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    if (reason := box.why_not()) is not None:
        pytest.skip(reason)
    ground = Ground(tmp_path_factory.mktemp("boundary"))
    yield ground
    ground.close()


def _deadline(program: hostile.Hostile) -> float:
    return SHORT if "timeout" in program.ends else DEADLINE


@pytest.mark.parametrize("program", CORPUS, ids=lambda program: program.name)
def test_contained(ground: Ground, program: hostile.Hostile) -> None:
    ground.yard.remember()
    with Scales() as scales:
        run = ground.run(program.code(ground.yard.places), _deadline(program))
    assert ground.yard.secret not in run.shown, "a secret came out"
    assert "SOUND PROGRAM" not in run.shown, "the answers to the tasks came out"
    assert ground.yard.changed() == [], "something outside was touched"
    assert ground.yard.visitors() == [], "somebody was called"
    assert run.outcome in program.ends, run.shown[:2000]
    assert run.seconds < _deadline(program) + AROUND
    assert scales.most < LIMITS.memory + BESIDE
    if "answer" in program.contained and run.structure is not None:
        assert "Forged" not in json.dumps(run.structure)
    assert len(settled(ground.processes)) <= ground.processes, "something is left running"
    after = ground.run(SMALL_HOUSE)
    assert after.outcome == "finished"
    assert after.structure == ground.house, "the next program doesn't build what it always builds"


@pytest.mark.parametrize("path", ORDINARY, ids=lambda path: path.stem)
def test_ordinary_programs_run(ground: Ground, path: Path) -> None:
    run = ground.run(path.read_text(encoding="utf-8"))
    assert run.outcome == "finished", run.shown[:2000]


def test_the_corpus_bites(ground: Ground) -> None:
    """Where there is no box, the same programs do get what they want."""
    biting = ("secrets_file", "secrets_proc_environ", "names_json_codecs", "data_text_load")
    stolen = []
    with BlenderWorker(isolation="process", limits=LIMITS) as worker:
        for program in CORPUS:
            if program.name not in biting:
                continue
            code = program.code(ground.yard.places)
            result = worker.request("build", timeout=DEADLINE, program=code)
            assert result["isolation"] == "process"
            if ground.yard.secret in result["stdout"]:
                stolen.append(program.name)
    (ground.yard.outside / "stolen.txt").unlink()
    assert sorted(stolen) == sorted(biting)


def test_the_parent_is_alive_and_well(ground: Ground) -> None:
    assert ground.worker.isolation == "bubblewrap"
    assert os.environ["PLUMBLINE_CANARY"] == ground.yard.secret
