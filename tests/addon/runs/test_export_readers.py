# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports read by the programs that they are made for: inspect_ai, and Harbor's own models.

Runs in an environment of its own (``tests/tools/environments.py``), where both are installed.
"""

import base64
import json

import pytest
from logged_run import AGENT, MODEL, PNG, write_run
from plumbline.addon.runs.export_atif import write_atif
from plumbline.addon.runs.export_inspect import write_inspect
from plumbline.addon.runs.runfolder import read_run

pytestmark = pytest.mark.logs


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return read_run(write_run(tmp_path_factory.mktemp("runs") / "run"))


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    """A folder of logs as ``inspect view --log-dir`` takes it."""
    out = tmp_path_factory.mktemp("inspect")
    write_inspect(run, out)
    return str(out)


@pytest.fixture(scope="module")
def log(folder):
    from inspect_ai.log import list_eval_logs, read_eval_log

    logs = [read_eval_log(info, resolve_attachments=True) for info in list_eval_logs(folder)]
    assert len(logs) == 2
    return next(log for log in logs if log.eval.model == MODEL)


def test_inspect_lists_the_logs_and_reads_their_headers(folder):
    from inspect_ai.log import list_eval_logs, read_eval_log

    headers = [read_eval_log(info, header_only=True) for info in list_eval_logs(folder)]
    assert {header.eval.task for header in headers} == {"plumbline"}
    assert all(header.status == "success" and header.samples is None for header in headers)
    header = next(header for header in headers if header.eval.model == MODEL)
    assert header.results.scores[0].metrics["pass_rate"].value == pytest.approx(1 / 3)
    assert header.stats.model_usage[MODEL].total_cost == 0.5


def test_inspect_reads_messages_calls_and_pictures(log):
    sample = log.samples[0]
    if sample.epoch != 1 or sample.id != "timber/cabin":  # readers may sort
        sample = next(s for s in log.samples if (s.id, s.epoch) == ("timber/cabin", 1))
    system, user, said, built, looked, done = sample.messages
    assert (system.role, user.role, done.text) == ("system", "user", "Done.")
    image = next(part for part in user.content if part.type == "image")
    assert base64.b64decode(image.image.partition("base64,")[2]) == PNG
    assert [call.function for call in said.tool_calls] == ["build", "look"]
    assert said.tool_calls[1].parse_error and looked.error.message == "That is no JSON."
    assert built.tool_call_id == "call-1"
    assert sample.scores["verdict"].value == "I" and sample.limit.type == "custom"


def test_inspect_resolves_what_each_call_was_shown(log):
    sample = next(s for s in log.samples if (s.id, s.epoch) == ("timber/cabin", 2))
    calls = [event for event in sample.events if event.event == "model"]
    assert [[m.text for m in call.input] for call in calls] == [
        ["You plan houses.", "Part 1"],
        ["You build houses.", "Part 2"],
    ]
    assert calls[0].output.completion == "Answer 1" and calls[0].output.stop_reason == "max_tokens"
    assert calls[0].output.usage.input_tokens_cache_read == 20


def test_inspect_shows_faults_of_the_environment_as_errors(folder, log):
    from inspect_ai.log import list_eval_logs, read_eval_log_sample_summaries

    broken = next(sample for sample in log.samples if sample.id == "timber/barn")
    assert "unreachable" in broken.error.message and not broken.scores
    summaries = [s for i in list_eval_logs(folder) for s in read_eval_log_sample_summaries(i)]
    assert sorted((s.id, s.epoch) for s in summaries) == [
        ("timber/barn", 1),
        ("timber/barn [no_beam]", 1),
        ("timber/cabin", 1),
        ("timber/cabin", 2),
    ]


def test_inspect_writes_what_it_read_and_loses_nothing(log, tmp_path):
    from inspect_ai.log import read_eval_log, write_eval_log

    write_eval_log(log, str(tmp_path / "again.eval"))
    again = read_eval_log(str(tmp_path / "again.eval"))
    counts = [sorted(len(s.messages) for s in one.samples) for one in (again, log)]
    assert counts[0] == counts[1]


def test_harbor_reads_every_trajectory(run, tmp_path):
    from harbor.models.trajectories import Trajectory
    from harbor.utils.trajectory_validator import TrajectoryValidator

    paths = write_atif(run, tmp_path)
    assert len(paths) == 4
    for path in paths:
        validator = TrajectoryValidator()
        assert validator.validate(path), validator.get_errors()
        plain = json.loads(path.read_text(encoding="utf-8"))
        # Nothing is left out or turned into something else on its way through Harbor's models.
        assert Trajectory.model_validate(plain).to_json_dict() == plain
    first = Trajectory.model_validate_json(paths[0].read_text(encoding="utf-8"))
    assert first.has_multimodal_content() and first.agent.extra["agent"] == AGENT


def test_harbor_refuses_what_is_wrong(run, tmp_path):
    """The validator that the test above trusts does refuse."""
    from harbor.utils.trajectory_validator import TrajectoryValidator

    path = write_atif(run, tmp_path)[0]
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain["steps"][1]["step_id"] = 7
    path.write_text(json.dumps(plain), encoding="utf-8")
    assert not TrajectoryValidator().validate(path)
