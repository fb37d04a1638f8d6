# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of agents, and what each of them may be told."""

import sys
import types

import pytest
from plumbline.addon.agent.agents import AgentError
from plumbline.addon.agent.null import Null
from plumbline.addon.agent.online import online
from plumbline.addon.agent.options import AgentOptions
from plumbline.addon.agent.registry import agent_for, is_baseline
from plumbline.addon.agent.scripted import Scripted
from plumbline.addon.runs.runfolder import Key, RunWriter
from plumbline.tasks import load_task


def test_baselines_are_there_without_anything():
    agents = [agent_for(name) for name in ("scripted", "scripted-flawed", "null")]
    assert [type(agent) for agent in agents] == [Scripted, Scripted, Null]
    assert [agent.name for agent in agents] == ["scripted", "scripted-flawed", "null"]
    assert all(is_baseline(agent.name) and agent.model is None for agent in agents)
    task = load_task("timber/cabin")
    assert [len(list(agent.assignments([task]))) for agent in agents] == [1, len(task.twins), 1]


@pytest.mark.parametrize("name", ["", "Scripted", "mistral/x", "anthropic", "openai/", "claude"])
def test_other_names_are_refused_with_those_there_are(name):
    with pytest.raises(AgentError, match=r"known are scripted, .*anthropic/MODEL"):
        agent_for(name)


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"protocol": "managed"}, "--protocol"),
        ({"planner": False}, "--no-planner"),
        ({"require_visual_similarity": True}, "--require-visual-similarity"),
        ({"max_tokens": 5}, "--max-tokens"),
        ({"temperature": 0.0}, "--temperature"),
        ({"base_url": "http://x"}, "--base-url"),
        ({"edit_from": "run"}, "--edit-from"),
    ],
)
def test_an_agent_without_a_model_refuses_what_it_cannot_use(options, flag):
    with pytest.raises(AgentError, match=f"can't use {flag}; leave it out"):
        agent_for("null", AgentOptions(**options))


def test_a_seed_harms_nobody():
    assert agent_for("scripted", AgentOptions(seed=3)).name == "scripted"


def run_of(folder, record):
    asked = {"agent": "scripted", "profile": "engineering"}
    with RunWriter(folder, asked, {}) as run:
        made = run.attempt(Key(record["task"], "scripted", None, 1))
        (made / "program.py").write_text("pass\n")
        run.append({**record, "attempt": "attempts/timber/cabin/1"})
    return folder


def test_a_replay_has_the_attempts_of_its_run(tmp_path, record):
    folder = run_of(tmp_path / "run", record)
    agent = agent_for(f"replay:{folder}")
    tasks = [load_task("timber/cabin"), load_task("timber/barn")]
    (assignment,) = agent.assignments(tasks)
    assert (assignment.task.id, assignment.epoch) == ("timber/cabin", 1)
    assert agent.harness == "plumbline" and agent.describe() == {"repeats": "scripted"}
    with pytest.raises(AgentError, match="asks no model and can't use --base-url"):
        agent_for(f"replay:{folder}", AgentOptions(base_url="http://x"))


def test_there_must_be_something_sound_to_edit(tmp_path, record):
    assert record["verdict"] == "failed"
    folder = run_of(tmp_path / "run", record)
    with pytest.raises(AgentError, match="nothing in it has passed"):
        agent_for("openai/x", AgentOptions(protocol="editing", edit_from=str(folder)))


@pytest.mark.parametrize(
    ("binary", "access", "wanted"),
    [("/usr/bin/blender", False, False), ("/usr/bin/blender", True, True), ("", False, True)],
)
def test_a_blender_that_is_to_stay_offline_is_obeyed(monkeypatch, binary, access, wanted):
    app = types.SimpleNamespace(binary_path=binary, online_access=access)
    monkeypatch.setitem(sys.modules, "bpy", types.SimpleNamespace(app=app))
    assert online() is wanted


def test_without_a_blender_nobody_has_said_no(monkeypatch):
    monkeypatch.delitem(sys.modules, "bpy", raising=False)
    assert online()


def test_an_empty_address_asks_nobody():
    with pytest.raises(AgentError, match="--base-url is empty"):
        agent_for("openai/some-model", AgentOptions(base_url=""))
