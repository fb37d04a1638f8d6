# SPDX-License-Identifier: GPL-3.0-or-later
"""A target built and drawn by a real worker, and what twins of it look like beside it."""

import pytest
from plumbline.addon.agent.agents import Assignment
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.addon.runs.targets import Targets, measured
from plumbline.addon.scene.pixels import read_png
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = pytest.mark.once


def test_the_same_is_one_a_twin_is_near_and_nothing_is_nought(tmp_path):
    task = load_task("timber/shed_roof")
    seat = WorkerSeat()
    try:
        target = Targets(tmp_path)(Assignment(task, "some/model"), seat)
        assert all(read_png(png).shape == (512, 512, 4) for png in target.views.values())
        bench = seat.bench(tmp_path, None)
        found = {}
        for name, program in {
            "same": task.program(),
            "twin": task.twin("missing_rafter").program(),
            "empty": "import bpy",
        }.items():
            run = bench.execute(program, None, name)
            found[name], note = measured(target, bench, run, True)
            assert note is None
    finally:
        seat.close()
    assert found["same"]["S"] == 1.0
    assert 0.8 < found["twin"]["S"] < 1.0
    assert found["empty"]["rendered"] is False and found["empty"]["S"] is None
