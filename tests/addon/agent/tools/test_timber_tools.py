# SPDX-License-Identifier: GPL-3.0-or-later
"""A house built by tools: what each tool does on a real bench, and models that call them."""

from __future__ import annotations

import json

import pytest
from model_clients import client
from model_server import ModelServer, calls
from plumbline.addon.agent.agents import Assignment, Limits, Workshop
from plumbline.addon.agent.bench import Execution, Problem, Scene
from plumbline.addon.agent.providers.base import Cancel
from plumbline.addon.agent.replay import ReplayProvider
from plumbline.addon.agent.tools.agent import ToolAgent, ToolAgentSettings
from plumbline.addon.agent.tools.building import execution_from_plain, execution_to_plain
from plumbline.addon.agent.tools.loop import LoopSettings
from plumbline.addon.agent.tools.registry import box_for, toolset_for
from plumbline.addon.agent.transcript import Transcript, read_events
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = pytest.mark.once

PROFILE = "engineering"
MORE = (
    "import bpy\nprint(len(bpy.context.scene.objects))\nbpy.data.objects['Ridge'].name = 'Ridge_1'"
)
BROKEN = "import bpy\nbpy.data.objects.new('Joist_1', None)\nraise ValueError('no')"


@pytest.fixture(scope="module")
def seat():
    seat = WorkerSeat(60.0)
    yield seat
    seat.close()


@pytest.fixture
def cabin():
    return load_task("timber/cabin")


@pytest.fixture
def bench(seat, tmp_path):
    (tmp_path / "steps").mkdir()
    return seat.bench(tmp_path / "steps")


def test_what_stands_is_changed_only_by_what_ran_to_its_end(bench, cabin, tmp_path):
    tools = toolset_for(cabin, bench, PROFILE, tmp_path)
    judged = []
    tools.judged = lambda judgement, scope: judged.append((judgement.verdict, scope))
    box = box_for(cabin, tools, Limits(attempts=6))
    assert box.call("check", {}).kind == "nothing_built"
    assert box.call("submit", {}).kind == "nothing_built"
    broken = box.call("run_code", {"code": BROKEN, "fresh": True})
    assert broken.kind == "raised" and "line 3" in broken.plain["error"]
    assert broken.plain["scene"] == "nothing stands"
    whole = box.call("run_code", {"code": cabin.program(), "fresh": True})
    assert whole.plain["members"] == 199 and whole.plain["left"]["run"] == 4
    again = box.call("run_code", {"code": MORE, "fresh": False})
    assert "199" in again.plain["printed"] and again.plain["members"] == 199
    assert box.call("run_code", {"code": BROKEN, "fresh": False}).plain["scene"].endswith("stands")
    listed = box.call("get_scene", {"query": "ridge"}).plain
    assert listed["members"] == 199
    assert [line.partition(":")[0] for line in listed["listed"]] == ["Ridge_1"]
    checked = box.call("check", {}).plain
    assert checked["verdict"] == "passed" and len(checked["checks"]) == 14
    assert judged == [("passed", "all")]
    assert tools.building.program == f"{cabin.program().rstrip()}\n\n{MORE}\n"
    assert bench.execute(tools.building.program, None, "again").structure["names"].count("Ridge_1")


def test_a_toolset_goes_on_where_it_was_put_away(bench, cabin, tmp_path):
    tools = toolset_for(cabin, bench, PROFILE, tmp_path)
    box = box_for(cabin, tools, Limits())
    box.call("run_code", {"code": cabin.program(), "fresh": True})
    state = json.loads(json.dumps(tools.state()))
    assert state["standing"]["scene"]["blend"] == "steps/run-01.blend"
    later = toolset_for(cabin, bench, PROFILE, tmp_path)
    later.restore(state)
    again = box_for(cabin, later, Limits())
    assert again.call("check", {}).plain["verdict"] == "passed"
    assert again.call("run_code", {"code": MORE, "fresh": False}).plain["members"] == 199
    assert (tmp_path / "steps" / "run-02.blend").is_file()


def test_pictures_come_with_the_call(bench, cabin, tmp_path):
    tools = toolset_for(cabin, bench, PROFILE, tmp_path)
    box = box_for(cabin, tools, Limits())
    box.call("run_code", {"code": cabin.program(), "fresh": True})
    answer = box.call("render", {"view": "findings"})
    assert answer.ok and answer.pictures[0].data.startswith(b"\x89PNG")
    assert box.call("render", {"view": "front"}).pictures[0].name == "front"
    assert box.call("render", {"view": "inside"}).kind == "arguments"
    blind = toolset_for(cabin, bench, PROFILE, tmp_path, pictures=False)
    assert "render" not in [tool.name for tool in blind.tools()]


def test_an_execution_is_the_same_after_being_put_away(tmp_path):
    one = Execution(
        "refused",
        "bubblewrap",
        "no",
        "out",
        "trace",
        (Problem(1, 2, "import", "leave it"),),
        Scene(tmp_path / "a" / "b.blend", "House"),
        {"names": []},
        memory=5,
        versions={"blender": "5.0.1"},
    )
    plain = json.loads(json.dumps(execution_to_plain(one, tmp_path)))
    assert plain["scene"] == {"blend": "a/b.blend", "name": "House"}
    assert execution_from_plain(plain, tmp_path) == one
    elsewhere = execution_from_plain(plain, tmp_path / "moved")
    assert elsewhere.scene.blend == tmp_path / "moved" / "a" / "b.blend"


def _workshop(folder, bench, transcript, **limits) -> Workshop:
    limits = Limits(**limits)
    return Workshop(bench, folder, transcript, PROFILE, Cancel(), limits, lambda: None)


def _episode(folder, bench, provider, task, **settings):
    keep = settings.pop("keep_last", False)
    agent = ToolAgent(provider, ToolAgentSettings(LoopSettings(**settings), keep))
    try:
        with Transcript(folder) as transcript:
            shop = _workshop(folder, bench, transcript, attempts=4)
            return agent.build(Assignment(task, agent.name), shop)
    finally:
        agent.close()


@pytest.mark.parametrize("native", [True, False])
def test_a_model_builds_a_house_and_its_episode_can_be_repeated(bench, cabin, tmp_path, native):
    pytest.importorskip("openai")
    steps = [
        ("run_code", {"code": BROKEN, "fresh": True}),
        ("run_code", {"code": cabin.program(), "fresh": True}),
        ("check", {}),
        ("submit", {}),
    ]
    script = [
        calls(step)
        if native
        else f"<tool_call>{json.dumps({'name': step[0], 'arguments': step[1]})}</tool_call>"
        for step in steps
    ]
    with ModelServer(script) as server:
        provider = client(server, "chat")
        built = _episode(tmp_path, bench, provider, cabin, native=native, keep_last=True)
    assert (built.end, built.fault) == ("finished", None)
    assert len(built.execution.structure["names"]) == 199
    assert built.program.strip() == cabin.program().strip()
    assert built.metrics["tool_calls"] == 4 and built.usage.calls == 4
    assert server.requests[0].last.startswith("Before you begin: keep your last run")
    assert "30 of check" in server.requests[0].last
    kinds = [event["type"] for event in read_events(tmp_path)]
    assert kinds.count("execution") == 2 and kinds.count("tool") == 4 and kinds[-1] == "end"

    second = tmp_path / "second"
    second.mkdir()
    replay = ReplayProvider(tmp_path, "openai/m")
    again = _episode(second, bench, replay, cabin, native=native, keep_last=True)
    assert again.execution.structure == built.execution.structure
    assert replay.asked == 4 and replay.different == []


def test_a_provider_that_fails_leaves_what_stood(bench, cabin, tmp_path):
    pytest.importorskip("anthropic")
    from model_server import Step

    script = [
        calls(("run_code", {"code": cabin.program(), "fresh": True})),
        Step(status=400, message="too long"),
    ]
    with ModelServer(script) as server:
        built = _episode(tmp_path, bench, client(server, "anthropic"), cabin)
    assert built.end == "environment" and built.fault.kind == "request"
    assert len(built.execution.structure["names"]) == 199
