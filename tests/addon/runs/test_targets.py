# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets are made once a run for all threads, kept for the next session, and never invented."""

import json
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from plumbline.addon.agent.agents import Assignment
from plumbline.addon.agent.bench import BenchError, Execution, Scene
from plumbline.addon.runs.targets import Targets, measured
from plumbline.addon.scene.cameras import VIEWS
from plumbline.addon.scene.pixels import png_bytes
from plumbline.tasks import load_task

CABIN = load_task("timber/cabin")
STRUCTURE = {"names": ["Stud_01"]}


def picture(grey, columns=4):
    pixels = np.zeros((8, 8, 4), np.float32)
    pixels[:, :columns] = (grey, grey, grey, 1.0)
    return png_bytes(pixels)


class Drawer:
    """A bench and its seat in one, which builds a file and draws a picture; counts what it did."""

    isolation = "none"

    def __init__(self, **left):
        self.left = {"outcome": "finished", "structure": STRUCTURE, **left}
        self.built = self.drawn = 0
        self.blender = "5.0.1"
        self.framed = []
        self.error = None

    def versions(self):
        return {"blender": self.blender}

    def bench(self, folder, policy=None, kind=None):
        self.folder = folder
        return self

    def execute(self, code, start, label):
        self.built += 1
        scene = self.folder / "steps" / f"{label}.blend"
        scene.parent.mkdir(exist_ok=True)
        scene.write_bytes(b"a scene")
        return Execution(isolation="none", scene=Scene(scene), **self.left)

    def views(self, scene, target, names, size=(512, 512)):
        if self.error:
            raise self.error
        self.drawn += 1
        self.framed.append(target)
        return {name: picture(0.5) for name in names}


@pytest.fixture
def cabin():
    return Assignment(CABIN, "some/model")


def test_it_is_made_once_and_kept(tmp_path, cabin):
    drawer = Drawer()
    targets = Targets(tmp_path)
    target = targets(cabin, drawer)
    assert targets(cabin, drawer) is target
    assert (drawer.built, drawer.drawn) == (1, 1)
    assert target.structure == STRUCTURE and list(target.views) == list(VIEWS)
    folder = tmp_path / "targets/timber/cabin"
    assert target.scene.blend == folder / "scene.blend"
    assert target.scene.blend.read_bytes() == b"a scene"
    kept = {*(f"{name}.png" for name in VIEWS), "scene.blend", "structure.json", "target.json"}
    assert {path.name for path in folder.iterdir()} == kept
    assert [path.name for path in folder.parent.iterdir()] == ["cabin"]  # no draft stays


def test_a_later_session_reads_what_is_there(tmp_path, cabin):
    made = Targets(tmp_path)(cabin, Drawer())
    later = Drawer()
    read = Targets(tmp_path)(cabin, later)
    assert later.built == 0
    assert read.views == made.views and read.structure == made.structure


@pytest.mark.parametrize("change", ["blender", "program", "half"])
def test_what_no_longer_fits_is_made_anew(tmp_path, cabin, change):
    Targets(tmp_path)(cabin, Drawer())
    later = Drawer()
    if change == "blender":
        later.blender = "5.2.3"
    elif change == "program":
        task = SimpleNamespace(
            kind="timber", id=CABIN.id, has_program=True, program=lambda: "another"
        )
        cabin = replace(cabin, task=task)
    else:
        (tmp_path / "targets/timber/cabin/back.png").unlink()
    assert Targets(tmp_path)(cabin, later) is not None
    assert later.built == 1


def test_threads_wait_for_the_one_that_makes_it(tmp_path, cabin):
    drawers = [Drawer() for _ in range(8)]
    targets, gate = Targets(tmp_path), threading.Barrier(8)
    found = []

    def ask(drawer):
        gate.wait()
        found.append(targets(cabin, drawer))

    threads = [threading.Thread(target=ask, args=(drawer,)) for drawer in drawers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sum(drawer.built for drawer in drawers) == 1
    assert len(found) == 8 and all(one is found[0] for one in found)


def test_a_task_without_a_program_has_none(tmp_path, cabin):
    empty = tmp_path / "empty"
    empty.mkdir()
    drawer, notes = Drawer(), []
    task = replace(CABIN, path=empty)
    assert Targets(tmp_path, notes.append)(replace(cabin, task=task), drawer) is None
    assert drawer.built == 0 and not notes


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (
            {"outcome": "raised", "message": "ValueError: no"},
            "known-good program failed: ValueError",
        ),
        ({"structure": None, "unreadable": "it is cut off"}, "it is cut off"),
        ({"structure": {"names": []}}, "leaves no members"),
    ],
)
def test_what_fails_is_told_once_and_left_alone(tmp_path, cabin, left, why):
    drawer, notes = Drawer(**left), []
    targets = Targets(tmp_path, notes.append)
    assert [targets(cabin, drawer) for _ in range(4)] == [None] * 4
    assert drawer.built == 2
    (note,) = notes
    assert note.startswith("timber/cabin: there is no target") and why in note
    assert not list((tmp_path / "targets/timber").iterdir())


def test_views_that_cannot_be_drawn_leave_no_target(tmp_path, cabin):
    drawer, notes = Drawer(), []
    drawer.error = BenchError("no drawing surface")
    targets = Targets(tmp_path, notes.append)
    assert targets(cabin, drawer) is None and "no drawing surface" in notes[0]
    drawer.error = None  # it was but a hiccup
    assert targets(cabin, drawer) is not None


# --- How much something looks like it -------------------------------------------------------------


@pytest.fixture
def target(tmp_path, cabin):
    return Targets(tmp_path)(cabin, Drawer())


def built(tmp_path, structure=STRUCTURE):
    return Execution("finished", "none", scene=Scene(tmp_path / "x.blend"), structure=structure)


def test_s_is_measured_in_the_targets_frame(tmp_path, target):
    drawer = Drawer()
    figures, note = measured(target, drawer, built(tmp_path), True)
    assert figures["S"] == 1.0 and figures["joint"]["0.6"] is True and note is None
    assert drawer.framed == [target.scene]
    assert json.loads(json.dumps(figures)) == figures


def test_without_a_target_nothing_is_measured(tmp_path):
    assert measured(None, Drawer(), built(tmp_path), True) == ({}, None)


@pytest.mark.parametrize("structure", [None, {"names": []}])
def test_nothing_built_does_not_render(tmp_path, target, structure):
    figures, _ = measured(target, Drawer(), built(tmp_path, structure), False)
    assert figures["rendered"] is False and figures["S"] is None


def test_what_cannot_be_drawn_is_unknown_and_said(tmp_path, target):
    drawer = Drawer()
    drawer.error = BenchError("Blender ended itself")
    figures, note = measured(target, drawer, built(tmp_path), True)
    assert figures["rendered"] is None and figures["joint"]["0.3"] is None
    assert note == "S is unknown: Blender ended itself"
