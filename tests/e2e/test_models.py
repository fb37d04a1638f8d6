# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole episodes by the real command line: real SDKs, a local server in the model's place."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from episodes import (
    FLOATING_WALLS,
    HELPERS,
    MARKED,
    NAMES,
    PHASES,
    WHOLE,
    hut_task,
    plan,
)
from jsonschema import Draft202012Validator
from model_server import ModelServer, Step, calls, code_reply
from plumbline.addon.agent.transcript import read_events
from plumbline.addon.runs.records import schema
from plumbline.addon.runs.runfolder import read_run

# Whole processes with Blenders of their own; another bpy would tell nothing new.
pytestmark = pytest.mark.real_blender

MODEL = "hut-builder-1"


def full(code):
    """A program that stands by itself."""
    return HELPERS + code


#: What a model says under each protocol: not everything is right at once.
SAYS = {
    "atomic": [Step(plan()), code_reply(full("1 / 0")), code_reply(full(WHOLE))],
    "reactive": [
        Step(plan()),
        code_reply(full(MARKED.replace(PHASES["walls"], FLOATING_WALLS))),
        code_reply(full(MARKED)),
    ],
    "managed": [
        Step(plan()),
        *(code_reply(full(PHASES[name])) for name in NAMES[:2]),
        code_reply(full(FLOATING_WALLS)),
        *(code_reply(full(PHASES[name])) for name in NAMES[2:]),
    ],
    "tools": [
        calls(("run_code", {"code": full(WHOLE), "fresh": True})),
        calls(("check", {})),
        calls(("submit", {})),
    ],
}
#: Programs that each of these episodes asks for.
PROGRAMS = {"atomic": 2, "reactive": 2, "managed": 5}

SERVERS = {"anthropic": ("url", None), "openai": ("openai_url", None)}


@pytest.fixture
def hut(tmp_path):
    """A pack with the hut as its only task."""
    task = hut_task()
    folder = tmp_path / "pack/timber/hut"
    folder.mkdir(parents=True)
    plain = {name: getattr(task, name) for name in ("id", "kind", "title", "style", "description")}
    plain |= {"constraints": dict(task.constraints), "brief": dict(task.brief)}
    (folder / "task.json").write_text(json.dumps(plain))
    (folder / "build.py").write_text(full(WHOLE))
    return tmp_path / "pack"


@pytest.fixture
def ask(plumbline, hut):
    """``ask(server, vendor, *options)``: run the hut by a model on that server."""
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        plumbline.environment[name] = "sk-test-0123456789abcdef0123456789"

    def run(server, vendor, *options, out="run", **more):
        address = getattr(server, SERVERS[vendor][0])
        return plumbline("run", "--agent", f"{vendor}/{MODEL}", "--base-url", address,
                         "--tasks", hut, "--out", out, "--no-pictures", *options,
                         **more)  # fmt: skip

    return run


def records(plumbline, out="run"):
    found = read_run(plumbline.folder / out).records
    for record in found:
        Draft202012Validator(schema()).validate(record)
    return found


def everything_in(folder):
    """All bytes of all files of a run."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("vendor", SERVERS)
@pytest.mark.parametrize("protocol", ["atomic", "reactive", "managed", "tools"])
def test_a_whole_episode_and_its_replay_without_the_server(plumbline, ask, protocol, vendor):
    with ModelServer(SAYS[protocol]) as server:
        done = ask(server, vendor, "--protocol", protocol, "--temperature", "0.5")
        assert len(server.requests) == len(SAYS[protocol])
        assert {ask.body["temperature"] for ask in server.requests} == {0.5}
    assert done.returncode == 0, done.stdout + done.stderr
    (record,) = records(plumbline)
    assert record["verdict"] == "passed" and record["end"] == "finished"
    assert (record["model"], record["protocol"]) == (MODEL, protocol)
    assert record["harness"] == "plumbline" and record["usage"]["calls"] == len(SAYS[protocol])
    assert record["usage"]["cost"] is None and "cost unknown" in done.stdout
    if protocol in PROGRAMS:
        assert record["metrics"]["attempts"] == PROGRAMS[protocol]
    assert record["metrics"]["S"] == pytest.approx(1.0)  # it is the known-good hut
    assert all(record["metrics"]["joint"].values())
    run = plumbline.folder / "run"
    assert b"sk-test" not in everything_in(run)
    events = [event["type"] for event in read_events(run / record["attempt"])]
    assert events[0] == "episode" and events[-1] == "end" and "execution" in events
    header = read_run(run).header["sessions"][0]
    assert header["asked"]["protocol"] == protocol and header["agent"]["prompts"]

    if vendor != "anthropic":  # replays know nothing of vendors
        return
    again = plumbline("run", "--agent", "replay:run", "--out", "again", "--no-pictures")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "verdicts as in run: 1 of 1" in again.stdout
    (replayed,) = records(plumbline, "again")
    assert replayed["checks"] == record["checks"] and replayed["usage"] == record["usage"]
    assert not any("differ" in note for note in replayed["notes"])


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_both_apis_of_openai_are_spoken(plumbline, ask, api):
    with ModelServer(SAYS["managed"]) as server:
        done = ask(server, "openai", "--protocol", "managed", "--api", api, "--effort", "low")
        assert {ask.path for ask in server.requests} == {
            {"responses": "/v1/responses", "chat": "/v1/chat/completions"}[api]
        }
    assert done.returncode == 0, done.stdout + done.stderr
    (record,) = records(plumbline)
    assert record["verdict"] == "passed" and record["effort"] == "low"


#: Moves what stands beside where it should, and back.
ASIDE = "\nfor member in bpy.data.objects:\n    member.location = ({0}, {0}, 0)\n"


def test_editing_takes_back_what_breaks_and_keeps_what_brings_nearer(plumbline, ask):
    with ModelServer([code_reply(full(WHOLE + ASIDE.format(1.5)))]) as server:
        ask(server, "anthropic", "--no-planner", out="base")
    (base,) = records(plumbline, "base")
    assert base["verdict"] == "passed" and base["metrics"]["S"] < 0.6
    floats = 'box("Stud_air", (0.5, 0.5, 4), (0.538, 0.538, 5))'
    edits = [code_reply(full(floats)), code_reply("import bpy" + ASIDE.format(0))]
    with ModelServer(edits) as server:
        done = ask(server, "openai", "--protocol", "editing", "--edit-from", "base")
        assert len(server.requests) == 2
        assert all(ask.pictures for ask in server.requests)  # side by side with the target
    assert done.returncode == 0, done.stdout + done.stderr
    (record,) = records(plumbline)
    assert record["metrics"]["S"] == pytest.approx(1.0) and record["protocol"] == "editing"
    assert (
        "Stud_air" not in (plumbline.folder / "run" / record["attempt"] / "program.py").read_text()
    )
    again = plumbline("run", "--agent", "replay:run", "--out", "again", "--no-pictures")
    assert "verdicts as in run: 1 of 1" in again.stdout, again.stderr


def test_an_episode_that_never_builds_is_a_verdict(plumbline, ask):
    with ModelServer([Step("I would rather not.", stop="refusal")], then="repeat") as server:
        done = ask(server, "anthropic", "--no-planner")
    (record,) = records(plumbline)
    assert done.returncode == 1 and record["verdict"] == "failed"
    assert record["end"] == "refusal" and record["environment"] is None
    program, *others = record["checks"]
    assert program["id"] == "program" and "declined" in program["findings"][0]["message"]
    assert {check["status"] for check in others} == {"not_run"}


def test_a_server_that_is_not_there_is_no_verdict_and_tried_again(plumbline, ask, hut):
    with ModelServer([]) as server:
        pass  # its port is free again
    done = ask(server, "anthropic", "--no-planner", "--epochs", "2", timeout=500)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "faults of the environment: 2 unreachable" in done.stdout
    found = records(plumbline)
    assert [record["verdict"] for record in found] == ["not_judged"] * 2
    with ModelServer([code_reply(full(WHOLE))], then="repeat") as server:
        again = plumbline("run", "--resume", "--out", "run", "--base-url", server.url,
                          "--no-pictures")  # fmt: skip
    assert again.returncode == 0, again.stdout + again.stderr
    assert [record["verdict"] for record in records(plumbline)] == ["passed"] * 2
    asked = read_run(plumbline.folder / "run").header["sessions"][1]["asked"]
    assert asked["epochs"] == 2 and asked["planner"] is False  # resumed runs keep what was asked


def test_a_wrong_key_ends_the_run_and_is_shown_nowhere(plumbline, ask):
    with ModelServer([], key="sk-right") as server:
        done = ask(server, "openai", "--epochs", "3")
        assert len(server.requests) == 1
    assert done.returncode == 3
    assert "2 attempts not made, since every one would meet the same fault" in done.stderr
    (record,) = records(plumbline)
    assert record["environment"]["kind"] == "key"
    assert "sk-test" not in done.stdout + done.stderr
    assert b"sk-test" not in everything_in(plumbline.folder / "run")


def test_the_budget_of_a_run_ends_it_and_can_be_raised(plumbline, ask, tmp_path):
    with ModelServer([code_reply(full(WHOLE))], then="repeat") as server:
        prices = tmp_path / "prices.json"
        entry = {"models": [MODEL], "input": 0, "cached": 0, "cache_write": 0, "output": 1000}
        prices.write_text(
            json.dumps(
                {
                    "schema": "plumbline.prices/1",
                    "date": "2026-01-01",
                    "source": "a test",
                    "unit": "US dollars per million tokens",
                    "hosts": {f"127.0.0.1:{server.port}": [entry]},
                }
            )
        )
        plumbline.environment["PLUMBLINE_PRICES"] = str(prices)
        one = ask(server, "anthropic", "--no-planner", out="one")
        (record,) = records(plumbline, "one")
        cost = record["usage"]["cost"]
        assert cost > 0 and f"${cost:.4f}" in one.stdout
        done = ask(server, "anthropic", "--no-planner", "--epochs", "4",
                   "--budget-cost", str(1.5 * cost))  # fmt: skip
        assert done.returncode == 3, done.stdout + done.stderr
        assert "2 attempts not made: the budget of" in done.stderr
        assert len(records(plumbline)) == 2
        more = plumbline("run", "--resume", "--out", "run", "--budget-cost", "inf",
                         "--no-pictures")  # fmt: skip
        assert more.returncode == 0, more.stdout + more.stderr
    found = records(plumbline)
    assert [record["epoch"] for record in found] == [1, 2, 3, 4]
    assert "pass@4: 1.000" in more.stdout
    summary = read_run(plumbline.folder / "run").header["sessions"][1]["summary"]
    assert summary["usage"]["cost"] == pytest.approx(4 * cost)


def test_a_budget_without_a_price_is_not_kept_but_said(plumbline, ask):
    with ModelServer([code_reply(full(WHOLE))], then="repeat") as server:
        done = ask(server, "openai", "--no-planner", "--epochs", "3", "--budget-cost", "5")
        assert len(server.requests) == 1
    assert done.returncode == 3 and "the cost of this model is unknown" in done.stderr


def test_repetitions_are_asked_with_seeds_of_their_own(plumbline, ask):
    with ModelServer([code_reply(full(WHOLE))], then="repeat") as server:
        done = ask(server, "openai", "--no-planner", "--epochs", "3", "--seed", "40")
        assert [ask.body["seed"] for ask in server.requests] == [40, 41, 42]
    assert done.returncode == 0, done.stdout + done.stderr
    again = plumbline("run", "--agent", "replay:run", "--out", "again", "--no-pictures")
    assert "verdicts as in run: 3 of 3" in again.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
def test_kills_at_any_moment_lose_only_what_was_under_way(plumbline, ask, hut):
    epochs, chance = 8, random.Random(7)
    out = plumbline.folder / "run"
    with ModelServer([code_reply(full(WHOLE))], then="repeat") as server:
        start = ("--agent", f"anthropic/{MODEL}", "--base-url", server.url, "--tasks", hut,
                 "--no-planner", "--epochs", str(epochs), "--workers", "2")  # fmt: skip
        kept = 0
        for turn in range(4):
            options = ("--resume",) if turn else start
            process = plumbline.start("run", *options, "--out", out, "--no-pictures",
                                      start_new_session=True)  # fmt: skip
            wait_for_more(out, kept, process)
            time.sleep(chance.uniform(0.0, 1.0))
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=30)
            now = len(read_run(out).records)
            assert now >= kept  # nothing that was there is gone
            kept = now
        done = plumbline("run", "--resume", "--out", out, "--no-pictures")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert sorted(line["epoch"] for line in lines) == list(range(1, epochs + 1))
    assert {line["verdict"] for line in lines} == {"passed"}
    assert f"pass@{epochs}: 1.000" in done.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
def test_an_interrupt_breaks_off_an_answer_under_way(plumbline, hut):
    out = plumbline.folder / "run"
    slow = Step("never heard", delay=300)
    with ModelServer([code_reply(full(WHOLE)), slow], then="repeat") as server:
        process = plumbline.start("run", "--agent", f"openai/{MODEL}", "--base-url",
                                  server.openai_url, "--tasks", hut, "--no-planner", "--epochs",
                                  "3", "--out", out, "--no-pictures")  # fmt: skip
        try:
            wait_for_more(out, 0, process)
            while len(server.requests) < 2 and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130 and "1 of 3 attempts are kept" in stderr
    assert [record["epoch"] for record in records(plumbline)] == [1]


def grown(out, kept):
    """Whether the run has more records than it had."""
    try:
        return len((out / "results.jsonl").read_bytes().splitlines()) > kept
    except OSError:
        return False


def wait_for_more(out, kept, process, seconds=120):
    """Wait until the run has another record, or has ended."""
    deadline = time.monotonic() + seconds
    while not grown(out, kept) and process.poll() is None:
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("agent", "options", "sentence"),
    [
        ("anthropic/", (), "known are scripted"),
        ("anthropic/x", ("--api", "chat"), "anthropic has no API called 'chat'"),
        ("anthropic/x", ("--protocol", "editing"), "needs --edit-from"),
        ("openai/x", ("--edit-from", "run"), "only --protocol editing edits"),
        ("openai/x", ("--base-url", "http://me:word@host/v1"), "holds a name or password"),
        ("openai/x", ("--base-url", "nonsense"), "is no address of a server"),
        ("anthropic/x", ("--base-url", "https://api.anthropic.com"), "ANTHROPIC_API_KEY"),
        ("replay:nowhere", (), "no such folder"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(plumbline, agent, options, sentence):
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        plumbline.environment.pop(name, None)
    done = plumbline("run", "--agent", agent, *options)
    assert done.returncode == 2 and done.stdout == ""
    assert sentence in done.stderr.splitlines()[-1]
    assert not (plumbline.folder / "runs").exists()


PROVISIONED = Path.home() / ".cache/plumbline/bin"
BLENDERS = sorted(PROVISIONED.glob("blender-*")) if PROVISIONED.is_dir() else []


@pytest.mark.skipif(not BLENDERS, reason="no Blender was provisioned")
@pytest.mark.parametrize("binary", BLENDERS, ids=lambda path: path.name)
def test_a_blender_that_is_to_stay_offline_asks_nobody(root, tmp_path, binary):
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    command = [binary, "-b", "--factory-startup", "--offline-mode", "--python",
               root / "run_suite.py", "--", "run", "--agent", "openai/x",
               "--base-url", "http://192.0.2.1/v1"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment,
                          timeout=120)  # fmt: skip
    assert done.returncode == 2
    assert "Blender is not to go online, so 192.0.2.1 can't be asked" in done.stderr
