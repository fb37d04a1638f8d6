# SPDX-License-Identifier: GPL-3.0-or-later
"""A transcript in words."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.agent.messages import Message, Picture, Reply, Text, ToolCall, Usage
from plumbline.addon.agent.transcript import FILE, Transcript, read_events
from plumbline.addon.session.telling import LONGEST_TEXT, line_of, text_of


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "episode", "task": "timber/cabin", "agent": "m"}, "began timber/cabin, m"),
        ({"type": "request", "label": "step-03-walls-try-2"}, "asked for walls, try 2"),
        (
            {"type": "reply", "usage": {"output_tokens": 1240}, "seconds": 3.5},
            "answered 1,240 tokens in 3.50 s",
        ),
        ({"type": "reply", "usage": {}, "stop": "refusal"}, "answered, declined"),
        (
            {
                "type": "execution",
                "label": "try-01",
                "outcome": "raised",
                "message": "NameError: x",
            },
            "ran try 1: stopped with an error, NameError: x",
        ),
        (
            {
                "type": "execution",
                "label": "try-01",
                "outcome": "refused",
                "problems": [{"line": 1, "message": "No os."}],
            },
            "ran try 1: refused, No os.",
        ),
        (
            {"type": "judgement", "label": "floor", "verdict": "failed", "faults": 2},
            "checked floor: 2 faults",
        ),
        ({"type": "judgement", "label": "floor", "verdict": "passed"}, "checked floor: passed"),
        (
            {"type": "tool", "name": "check", "ok": True, "answer": {"verdict": "failed"}},
            "tool check → failed",
        ),
        ({"type": "tool", "name": "run", "ok": False, "error": "refused"}, "tool run → refused"),
        ({"type": "note", "message": "cut\nin two"}, "note: cut in two"),
        ({"type": "end", "end": "cost", "message": "all spent"}, "ended: cost, all spent"),
        ({"type": "message", "role": "user"}, None),
        ({"type": "something new"}, None),
    ],
)
def test_one_line(event, line):
    assert line_of(event) == line


def test_a_line_stays_a_line():
    line = line_of({"type": "note", "message": "wood " * 500})
    assert len(line) < 300 and line.endswith("…")


def test_a_whole_talk_is_to_be_read(tmp_path):
    """What the real writer wrote, pictures and tools included."""
    call = ToolCall("1", "check", {"what": "all"}, '{"what": "all"}', None)
    with Transcript(tmp_path) as transcript:
        transcript.event("episode", task="timber/cabin", agent="anthropic/m")
        told = transcript.message(
            Message("user", (Text("Build a cabin."), Picture(b"png", "front")))
        )
        transcript.event("request", label="try-01", system="s", messages=[told], tools=["check"])
        reply = Reply(Message("assistant", (Text("import bpy"), call)), "end", Usage(1), 0.5)
        transcript.reply(reply)
        transcript.event(
            "execution", label="try-01", outcome="raised", output="hello\n", traceback="NameError"
        )
        transcript.event("judgement", verdict="failed", faults=1, checks={"load_path": "failed"})
        transcript.event("end", end="finished")
    text = text_of(read_events(tmp_path), "Cabin")
    assert text.startswith("Cabin\n")
    places = [
        text.index(words)
        for words in (
            "began timber/cabin",
            "user says",
            "Build a cabin.",
            "[picture front: pictures/",
            "asked for try 1",
            "tools: check",
            "assistant says",
            "import bpy",
            '[calls check] {"what": "all"}',
            "hello",
            "NameError",
            "load_path: failed",
            "ended: finished",
        )
    ]
    assert places == sorted(places)


def test_damaged_lines_are_left_out_and_the_end_of_a_huge_talk_too(tmp_path):
    with Transcript(tmp_path) as transcript:
        for _ in range(3):
            transcript.message(Message("user", (Text("x" * (LONGEST_TEXT // 2)),)))
    with open(tmp_path / FILE, "a", encoding="utf-8") as stream:
        stream.write('{"half": \n' + json.dumps({"type": "end"}) + "\n")
    text = text_of(read_events(tmp_path))
    assert len(text) < 1.1 * LONGEST_TEXT and "the rest is left out" in text
