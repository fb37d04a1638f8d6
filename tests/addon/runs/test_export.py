# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports hold everything that a run's transcripts tell, in the words of other programs."""

import base64
import json

import jsonschema
import pytest
from logged_run import AGENT, MODEL, PNG, write_run
from plumbline.addon.agent.transcript import SCHEMA, read_events
from plumbline.addon.runs.cli import main
from plumbline.addon.runs.export_atif import write_atif
from plumbline.addon.runs.export_inspect import write_inspect
from plumbline.addon.runs.records import SCHEMA_FILE
from plumbline.addon.runs.runfolder import read_run

EVENTS = SCHEMA_FILE.with_name("transcript-1.schema.json")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return read_run(write_run(tmp_path_factory.mktemp("runs") / "run"))


@pytest.fixture(scope="module")
def checker():
    schema = json.loads(EVENTS.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def logs(run, tmp_path_factory):
    """Agent -> its log as Inspect would read it."""
    paths = write_inspect(run, tmp_path_factory.mktemp("inspect"))
    read = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return {log["eval"]["metadata"]["agent"]: log for log in read}


@pytest.fixture(scope="module")
def trajectories(run, tmp_path_factory):
    """Name of the attempt -> its trajectory and the folder it lies in."""
    paths = write_atif(run, tmp_path_factory.mktemp("atif"))
    found = {p: json.loads(p.read_text(encoding="utf-8")) for p in paths}
    return {one["trajectory_id"]: (one, path.parent) for path, one in found.items()}


# --- The schema of transcripts --------------------------------------------------------------------


def test_every_kind_of_event_is_of_the_schema(run, checker):
    kinds = set()
    for record in run.records:
        folder = run.folder_of(record)
        for event in read_events(folder) if (folder / "transcript.jsonl").exists() else ():
            checker.validate(event)
            kinds.add(event["type"])
    described = json.loads(EVENTS.read_text(encoding="utf-8"))["properties"]["type"]["enum"]
    assert kinds == set(described)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message", "index": 0, "role": "system", "parts": []},
        {"type": "message", "index": 0, "role": "user", "parts": [{"type": "text"}]},
        {"type": "reply", "message": 0, "stop": "tired", "usage": {}, "seconds": 1, "retries": 0},
        {"type": "execution", "label": "a", "code": "", "outcome": "fine", "isolation": "none"},
        {"type": "something"},
        {"type": "end"},
    ],
)
def test_what_is_no_event_is_refused(checker, event):
    assert not checker.is_valid({"schema": SCHEMA, "t": 0.1, **event})


# --- Inspect --------------------------------------------------------------------------------------


def test_one_log_an_agent(logs):
    assert set(logs) == {AGENT, "scripted-flawed"}
    log = logs[AGENT]
    assert list(log)[-1] == "samples"  # a reader of the header alone needs nothing behind it
    assert log["version"] == 2 and log["status"] == "success"
    assert log["eval"]["model"] == MODEL and log["eval"]["config"]["epochs"] == 2
    assert [(s["id"], s["epoch"]) for s in log["samples"]] == [
        ("timber/cabin", 1),
        ("timber/cabin", 2),
        ("timber/barn", 1),
    ]
    assert logs["scripted-flawed"]["samples"][0]["id"] == "timber/barn [no_beam]"


def test_faults_of_the_environment_leave_the_denominator(logs):
    results = logs[AGENT]["results"]
    assert (results["total_samples"], results["completed_samples"]) == (3, 2)
    verdict, similarity = results["scores"]
    assert verdict["metrics"]["pass_rate"]["value"] == pytest.approx(1 / 3)
    assert verdict["unscored_samples"] == 1
    assert similarity["metrics"]["mean_of_passed"]["value"] == 0.7
    broken = logs[AGENT]["samples"][2]
    assert "unreachable" in broken["error"]["message"] and "scores" not in broken


def test_scores_say_what_was_judged(logs):
    failed, passed, _ = logs[AGENT]["samples"]
    assert failed["scores"]["verdict"]["value"] == "I"
    assert "Stud_07 floats" in failed["scores"]["verdict"]["explanation"]
    assert failed["scores"]["checks"]["value"] == {"load_path": "failed"}
    assert passed["scores"]["verdict"]["value"] == "C"
    assert passed["scores"]["S"]["value"] == 0.7
    assert failed["limit"] == {
        "type": "custom",
        "limit": 2,
        "reason": "2 programs were run and no more are allowed",
    }


def test_messages_keep_order_calls_thoughts_and_pictures(logs):
    sample = logs[AGENT]["samples"][0]
    roles = [message["role"] for message in sample["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assistant, built, looked = sample["messages"][2:5]
    assert assistant["content"][0] == {"type": "reasoning", "reasoning": "Sills come first."}
    first, second = assistant["tool_calls"]
    assert first["arguments"] == {"code": "import bpy"} and "parse_error" not in first
    assert second["arguments"] == {} and "{view: front" in second["parse_error"]
    assert built["tool_call_id"] == "call-1" and "error" not in built
    assert looked["error"]["message"] == "That is no JSON."
    image = built["content"][-1]["image"].removeprefix("attachment://")
    data = sample["attachments"][image].removeprefix("data:image/png;base64,")
    assert base64.b64decode(data) == PNG
    assert len(sample["attachments"]) == 1  # the same picture is kept once


def test_events_tell_each_call_with_what_it_was_shown(logs):
    first, second = [e for e in logs[AGENT]["samples"][0]["events"] if e["event"] == "model"]
    assert first["input_refs"] == [[0, 2]] and second["input_refs"] == [[0, 5]]
    assert first["output"]["choices"][0]["stop_reason"] == "tool_calls"
    usage = first["output"]["usage"]
    assert usage["input_tokens"] == 100 and usage["total_tokens"] == 160
    assert usage["input_tokens_cache_read"] == 20 and usage["total_cost"] == 0.25
    planner, builder = [e for e in logs[AGENT]["samples"][1]["events"] if e["event"] == "model"]
    assert planner["input_refs"] == [[0, 2]] and builder["input_refs"] == [[3, 5]]
    told = [
        e["data"] for e in logs[AGENT]["samples"][1]["events"] if e.get("source") == "plumbline"
    ]
    assert any("ValueError: no" in text for text in told) and any("passed" in t for t in told)


def test_an_agent_without_a_model_shows_its_program(logs):
    messages = logs["scripted-flawed"]["samples"][0]["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert "import bpy" in messages[1]["content"] and "built" in messages[2]["content"]


# --- ATIF -----------------------------------------------------------------------------------------


def test_steps_are_numbered_and_observed_where_they_were_made(trajectories):
    trajectory, _ = trajectories["attempts/timber/cabin/1"]
    assert [step["step_id"] for step in trajectory["steps"]] == [1, 2, 3, 4]
    assert [step["source"] for step in trajectory["steps"]] == ["system", "user", "agent", "agent"]
    step = trajectory["steps"][2]
    assert step["reasoning_content"] == "Sills come first." and step["llm_call_count"] == 1
    assert step["metrics"]["prompt_tokens"] == 130 and step["metrics"]["cached_tokens"] == 20
    calls = {call["tool_call_id"]: call for call in step["tool_calls"]}
    assert calls["call-2"]["extra"]["raw"] == "{view: front"
    sources = [result.get("source_call_id") for result in step["observation"]["results"]]
    assert sources == [None, "call-1", "call-2"]  # the run of the code, then the tools' answers
    assert step["timestamp"].startswith("2026-01-02T03:04:05")


def test_pictures_lie_beside_the_trajectory(trajectories):
    trajectory, folder = trajectories["attempts/timber/cabin/1"]
    parts = trajectory["steps"][1]["message"]
    path = next(part["source"]["path"] for part in parts if part["type"] == "image")
    assert (folder / path).read_bytes() == PNG


def test_figures_and_verdict_stand_at_the_end(trajectories):
    final = trajectories["attempts/timber/cabin/2"][0]["final_metrics"]
    assert final["extra"]["verdict"] == "passed" and final["extra"]["metrics"]["S"] == 0.7
    assert final["total_prompt_tokens"] == 130 and final["total_cost_usd"] == 0.25


def test_what_has_no_transcript_still_says_why(trajectories):
    (step,) = trajectories["attempts/timber/barn/1"][0]["steps"]
    assert step["source"] == "system" and "could not be reached" in step["message"]


def test_a_program_without_a_model_is_a_step_without_a_call(trajectories):
    (step,) = trajectories["attempts/timber/barn/no_beam-1"][0]["steps"]
    assert step["llm_call_count"] == 0 and "metrics" not in step
    assert step["tool_calls"][0]["arguments"] == {"code": "import bpy"}


# --- The command ----------------------------------------------------------------------------------


def test_one_file_of_lines_holds_records_and_events(run, checker, tmp_path, capsys):
    assert main(["export", str(run.path), "--format", "jsonl", "--out", str(tmp_path)]) == 0
    path = tmp_path / "run.jsonl"
    assert str(path) in capsys.readouterr().out
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    records = [line for line in lines if line["schema"] == "plumbline.result/1"]
    events = [line for line in lines if line["schema"] == SCHEMA]
    assert records == list(run.records)
    for event in events:
        checker.validate(event)
    shown = [p for e in events for p in e.get("parts", ()) if p["type"] == "picture"]
    assert shown and all((run.path / part["file"]).read_bytes() == PNG for part in shown)


@pytest.mark.parametrize("kind", ["inspect", "atif", "jsonl"])
def test_the_same_run_gives_the_same_bytes(run, tmp_path, kind):
    for folder in ("a", "b"):
        assert (
            main(["export", str(run.path), "--format", kind, "--out", str(tmp_path / folder)]) == 0
        )
    made = [sorted(p for p in (tmp_path / f).rglob("*") if p.is_file()) for f in ("a", "b")]
    assert made[0] and len(made[0]) == len(made[1])
    for one, other in zip(*made, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_no_run_is_said_and_the_rest_is_exported(run, tmp_path, capsys):
    asked = ["export", str(tmp_path / "nothing"), str(run.path), "--format", "atif"]
    assert main([*asked, "--out", str(tmp_path / "out")]) == 2
    assert "no such folder" in capsys.readouterr().err
    assert len(list((tmp_path / "out").rglob("trajectory.json"))) == 4


def test_a_picture_outside_the_attempt_is_not_taken_along(tmp_path):
    path = write_run(tmp_path / "run")
    (tmp_path / "secret.png").write_bytes(b"secret")
    transcript = path / "attempts/timber/cabin/1/transcript.jsonl"
    text = transcript.read_text(encoding="utf-8")
    name = text.partition('"file": "')[2].partition('"')[0]
    transcript.write_text(text.replace(name, "../../../../../secret.png"), encoding="utf-8")
    (log, _) = write_inspect(read_run(path), tmp_path / "out")
    plain = log.read_text(encoding="utf-8")
    assert base64.b64encode(b"secret").decode() not in plain and "its file is gone" in plain
