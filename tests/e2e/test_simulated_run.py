# SPDX-License-Identifier: GPL-3.0-or-later
"""A run over a simulated scene: built in a worker, simulated there, judged by its rubric."""

import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.runs.records import schema
from plumbline.addon.runs.runfolder import read_run

pytestmark = [pytest.mark.blender, pytest.mark.once]

TASK = "reconstruction/gripper_and_block"


@pytest.mark.parametrize(
    ("agent", "failed", "validity"), [("scripted", [], 1.0), ("scripted-flawed", ["K1"], 0.5)]
)
def test_sound_and_flawed_scenes_are_told_apart(plumbline, agent, failed, validity):
    out = plumbline.folder / "run"
    done = plumbline("run", "--tasks", TASK, "--agent", agent, "--out", out, "--no-pictures")
    assert done.returncode == (1 if failed else 0), done.stderr
    (record,) = read_run(out).records
    Draft202012Validator(schema()).validate(record)
    assert (record["kind"], record["task"]) == ("reconstruction", TASK)
    assert record["verdict"] == ("failed" if failed else "passed")
    metrics = record["metrics"]
    assert [k for k, outcome in metrics["criteria"].items() if outcome != "passed"] == failed
    assert metrics["validity"] == [validity, validity]
    told = [finding for check in record["checks"] for finding in check["findings"]]
    assert [finding["subject"] for finding in told] == (["Block"] if failed else [])
    assert ("planted defects: 1 of 1 named first" in done.stdout) == bool(failed)
