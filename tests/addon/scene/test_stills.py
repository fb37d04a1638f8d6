# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of bodies in one frame: what is at fault is red, and nothing of them stays behind."""

from __future__ import annotations

import falling_bodies as fb
import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.once


def test_a_sunken_crate_is_red_on_a_pale_floor(empty_scene):
    from plumbline.addon.runs.records import Result
    from plumbline.addon.scene.pixels import read_png
    from plumbline.addon.scene.stills import PictureError, render_stills
    from plumbline.addon.simulation.evidence import evidence_of
    from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation

    run = fb.recorded(fb.floor(), (fb.box("crate"), (0, 0, 0.3)))
    simulation = Simulation(run)
    record = Result(judge_simulation(simulation)).to_record()
    (one,) = [e for e in evidence_of(simulation, record) if e.check == "interpenetration"]
    plain = one.stills[0].to_plain()
    before = len(bpy.data.meshes), len(bpy.data.scenes)
    (png,) = render_stills([plain], (150, 100)).values()
    assert (len(bpy.data.meshes), len(bpy.data.scenes)) == before
    pixels = read_png(png).astype(int)
    assert pixels.shape[:2] == (100, 150)
    red = (pixels[..., 0] > 120) & (pixels[..., 1] < 70)
    assert 0.03 < red.mean() < 0.6
    assert np.abs(np.argwhere(red).mean(0) - [50, 75]).max() < 25  # in the middle
    pale = (pixels[..., :3].min(-1) > 100) & (pixels[..., :3].max(-1) < 250)
    assert pale.mean() > 0.2
    for odd in ({"solids": [], "framed": [[0, 0, 0]]}, {**plain, "framed": [[0, 0]]}):
        with pytest.raises(PictureError):
            render_stills([{"name": "x", **odd}], (150, 100))


def test_a_worker_draws_the_evidence_of_a_record(empty_scene, tmp_path):
    from plumbline.addon.runs.records import Result
    from plumbline.addon.sandbox.actions import RefusedError, evidence
    from plumbline.addon.scene.plain import structure_to_plain
    from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation

    path = np.zeros((30, 3)) + [0, 0, 3]
    path[15:, 2] = 0.3
    run = fb.recorded(fb.floor(), (fb.box("crate"), path), frames=30)
    simulation = Simulation(run)
    record = Result(judge_simulation(simulation)).to_record()
    record["checks"] = [c for c in record["checks"] if c["id"] == "interpenetration"]
    plain = structure_to_plain(simulation)
    told = evidence(str(tmp_path / "out"), record, structure=plain, size=(60, 40))
    (one,) = told["evidence"]
    names = [picture["file"] for picture in one["pictures"]]
    assert names == [f"evidence-interpenetration-1-{when}.png" for when in ("before", "after")]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted([*names, "picture.png"])
    with pytest.raises(RefusedError, match="needs either"):
        evidence(str(tmp_path / "other"), record)
