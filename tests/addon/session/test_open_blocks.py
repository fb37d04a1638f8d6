# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel tasks in the open file: a variant built in a scene of its own, a run's attempts opened."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")

from plumbline.addon import bundled  # noqa: E402
from plumbline.addon.runs.judging import judge_structure  # noqa: E402
from plumbline.addon.runs.records import Result  # noqa: E402
from plumbline.addon.runs.runfolder import Key, RunWriter, attempt_folder  # noqa: E402

TASK = "voxel/2-bt-2-multi_rooms-01-01"
TWIN = "floating_block"


@pytest.fixture
def stored(registered, tmp_path, monkeypatch):
    """A run: the sound building and the one with a block that floats."""
    from plumbline.addon.scene.blocks import BlockSession, structure_from_blocks

    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))
    task = bundled.find(TASK)
    twin = next(twin for twin in task.twins if twin.id == TWIN)
    with RunWriter(
        tmp_path / "run", {"tasks": [TASK], "agent": "somebody"}, {"plumbline": "0"}
    ) as writer:
        for epoch, source in ((1, task), (2, twin)):
            key = Key(TASK, "somebody", None, epoch)
            folder = writer.attempt(key)
            bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
            blocks = BlockSession(bpy.context.scene)
            exec(source.program(), dict(blocks.names))
            blocks.flush()
            bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"), copy=True)
            structure = structure_from_blocks(bpy.context.scene)
            judged = judge_structure(structure, bundled.brief_of(TASK), "paper")
            said = {"task": TASK, "agent": "somebody", "attempt": attempt_folder(key)}
            writer.append(Result(judged, epoch=epoch, end="finished", **said).to_record())
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return tmp_path / "run"


def test_attempts_come_into_scenes_of_their_own_and_are_judged_again(stored):
    from plumbline.addon import review
    from plumbline.addon.scene.blocks import kind_of_scene
    from plumbline.addon.session import open_run

    assert bpy.ops.plumbline.open_run(directory=str(stored)) == {"FINISHED"}
    opened = open_run.now()
    for row, verdict in enumerate(("passed", "failed")):
        bpy.context.window_manager.plumbline_run.active_row = row
        assert bpy.ops.plumbline.open_attempt() == {"FINISHED"}
        scene = bpy.context.window.scene
        assert kind_of_scene(scene) == "voxel"
        today = opened.today[row]
        assert today.record["verdict"] == opened.run.records[row]["verdict"] == verdict
        assert today.against.same_verdict
        assert today.against.same_findings
    (finding,) = review.of(scene).judgement.findings
    assert finding.subject == opened.run.records[1]["checks"][0]["findings"][0]["subject"]


def test_a_variant_is_built_in_a_scene_of_its_own(registered):
    from plumbline.addon.scene.blocks import structure_from_blocks

    state = bpy.context.window_manager.plumbline
    before = bpy.context.window.scene
    state.task = TASK
    state.variant = TWIN
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}
    scene = bpy.context.window.scene
    assert scene != before
    structure = structure_from_blocks(scene)
    judged = judge_structure(structure, bundled.brief_of(TASK), "paper")
    assert judged.verdict == "failed"
    assert {f.check for f in judged.findings} == {"physical_plausibility.is_ground_connected"}
