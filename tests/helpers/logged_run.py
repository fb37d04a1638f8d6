# SPDX-License-Identifier: GPL-3.0-or-later
"""A run folder with everything that a transcript can hold, written by the real writers.

Three attempts of one model: one by tools with pictures, a call that can't be read and a limit; one
by a protocol with two conversations; one that the environment broke. And one without a model.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from plumbline.addon.agent.bench import Execution
from plumbline.addon.agent.messages import (
    Message,
    Picture,
    Reply,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from plumbline.addon.agent.scripted import plain_execution
from plumbline.addon.agent.transcript import Transcript
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.runfolder import Key, RunWriter, attempt_folder
from plumbline.addon.scene.pixels import png_bytes
from plumbline.checks.result import CheckResult, Finding, Judgement

AGENT, MODEL = "openai/some-model", "some-model"
ASKED = {"agent": AGENT, "profile": "engineering", "protocol": "tools", "tasks": ["timber/*"]}
USAGE = Usage(100, 20, 10, 30, 5, 0.25, 1)
PNG = png_bytes(np.full((4, 4, 4), 0.5, np.float32))


def write_run(path: Path) -> Path:
    """Write the run and return its folder."""
    with RunWriter(path, ASKED, {"plumbline": "0.1.0", "blender": "5.0.1"}) as writer:
        for key, result, fill in (
            (Key("timber/cabin", AGENT, None, 1), _failed(), _by_tools),
            (Key("timber/cabin", AGENT, None, 2), _passed(), _by_protocol),
            (Key("timber/barn", AGENT, None, 1), _broken(), None),
            (Key("timber/barn", "scripted-flawed", "no_beam", 1), _failed(), _scripted),
        ):
            folder = writer.attempt(key)
            if fill:
                with Transcript(folder) as transcript:
                    fill(transcript)
            model = MODEL if key.agent == AGENT else None
            result = replace(
                result,
                task=key.task,
                title="A house",
                agent=key.agent,
                variant=key.variant,
                epoch=key.epoch,
                harness="plumbline",
                model=model,
                protocol="tools" if model else None,
                attempt=attempt_folder(key),
                usage=_usage() if model and fill else None,
                timing={"started": "2026-01-02T03:04:05Z", "total": 12.5},
                versions={"plumbline": "0.1.0"},
            )
            writer.append(result.to_record())
        writer.finish({})
    return path


def _usage():
    return {**USAGE.__dict__, "tokens": USAGE.tokens}


def _failed() -> Result:
    finding = Finding("load_path", "Stud_07", "Stud_07 floats 40 mm above the sill.")
    check = CheckResult("load_path", "failed", (finding,))
    judgement = Judgement("timber", "engineering", (check,), metrics={"members": 12, "S": 0.35})
    return Result(judgement, isolation="bubblewrap", end="attempts")


def _passed() -> Result:
    check = CheckResult("load_path", "passed")
    metrics = {"members": 14, "S": 0.7, "S_views": {"front": 0.7}}
    judgement = Judgement("timber", "engineering", (check,), metrics=metrics)
    return Result(judgement, isolation="bubblewrap", end="finished")


def _broken() -> Result:
    check = CheckResult("load_path", "not_run", reason="the server could not be reached")
    fault = {"kind": "unreachable", "message": "the server could not be reached"}
    judgement = Judgement("timber", "engineering", (check,))
    return Result(judgement, environment=fault, end="environment")


def _execution(label: str, outcome="finished", **more) -> dict:
    execution = Execution(outcome, "bubblewrap", seconds=0.5, output="built\n", **more)
    return plain_execution(execution, "import bpy", label)


def _announce(transcript: Transcript, **more) -> None:
    transcript.event("episode", task="timber/cabin", agent=AGENT, limits={"attempts": 2}, **more)


def _judgement(transcript: Transcript, verdict: str) -> None:
    transcript.event(
        "judgement", label="try-01", scope="all", verdict=verdict, checks={"load_path": verdict}
    )


def _by_tools(transcript: Transcript) -> None:
    _announce(transcript)
    head = Message("user", (Text("Build the cabin."), Picture(PNG, "front")))
    _ask(transcript, [head], system="You build houses.", tools=["build", "look"])
    calls = (
        ToolCall("call-1", "build", {"code": "import bpy"}),
        ToolCall("call-2", "look", None, "{view: front", "it is no JSON"),
    )
    said = Message("assistant", (Text("I build it."), *calls), opaque={"id": "x"})
    _reply(transcript, said, "tools", thoughts="Sills come first.")
    transcript.event("execution", **_execution("try-01"))
    transcript.event("tool", reply=1, call="call-1", name="build", ok=True, seconds=0.1)
    answers = (
        ToolResult("call-1", "build", (Text("It stands."), Picture(PNG, "front"))),
        ToolResult("call-2", "look", (Text("That is no JSON."),), failed=True),
    )
    _ask(transcript, [head, said, Message("tool", answers)], system=None, tools=["build", "look"])
    _reply(transcript, Message("assistant", (Text("Done."),)), "end")
    _judgement(transcript, "failed")
    transcript.event("end", end="attempts", message="2 programs were run and no more are allowed")


def _by_protocol(transcript: Transcript) -> None:
    _announce(transcript)
    for number, system in enumerate(("You plan houses.", "You build houses."), start=1):
        head = Message("user", (Text(f"Part {number}"),))
        _ask(transcript, [head], system=system, tools=[])
        _reply(transcript, Message("assistant", (Text(f"Answer {number}"),)), "length")
    problem = {"outcome": "raised", "message": "ValueError: no", "traceback": "line 1"}
    transcript.event("execution", **_execution("try-01", **problem))
    transcript.event("note", label="try-01", what="cut", message="The answer was cut off.")
    _judgement(transcript, "passed")
    transcript.event("end", end="finished", message=None)


def _scripted(transcript: Transcript) -> None:
    transcript.event("episode", task="timber/barn", agent="scripted-flawed")
    transcript.event("execution", **_execution("program"))
    transcript.event("end", end="finished")


def _ask(transcript: Transcript, messages, **said) -> None:
    indices = [transcript.message(message) for message in messages]
    transcript.event("request", messages=indices, max_tokens=1000, **said)


def _reply(transcript: Transcript, message: Message, stop, **more) -> None:
    transcript.reply(Reply(message, stop, USAGE, 1.5, 1, model="some-model-0102", **more))
