# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels of an agent say, before, meanwhile and afterwards."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def draw(registered):
    """``draw(panel class)``: what its ``draw`` asks for."""
    from recording_layout import RecordingLayout

    def drawn(panel, method="draw"):
        layout = RecordingLayout()
        getattr(panel, method)(SimpleNamespace(layout=layout), bpy.context)
        return layout

    return drawn


@pytest.fixture
def leave():
    """The session's leave, gone afterwards."""
    from plumbline.addon.session.consent import consent

    consent.revoke()
    yield consent
    consent.revoke()


@pytest.fixture
def show():
    """``show(state, **live)``: an episode as the panel finds it."""
    from plumbline.addon.session import current
    from plumbline.addon.session.live import Live

    def shown(state="running", **values):
        live = Live("anthropic/m", "Cabin", "isolated worker")
        paused = values.pop("paused", False)
        for name, value in values.items():
            setattr(live, name, value)
        job = SimpleNamespace(
            state=state,
            over=state != "running",
            paused=paused,
            seconds=187.4,
            join=lambda *_: True,
        )
        current._current[:] = [SimpleNamespace(job=job, live=live, gallery=None)]
        return live

    yield shown
    current.forget()


def operators(layout):
    return [given["operator"] for name, given in layout.items if name == "operator"]


def properties(layout):
    return [given["property"] for name, given in layout.items if name == "prop"]


def choose(**values):
    for name, value in values.items():
        setattr(bpy.context.window_manager.plumbline_agent, name, value)


def test_before_anything_ran(draw, leave):
    from plumbline.panels import agent

    layout = draw(agent.PLUMBLINE_PT_agent)
    assert properties(layout) == ["provider", "model", "protocol", "where"]
    assert operators(layout) == ["plumbline.start_agent"]
    assert layout.texts()[0].startswith("Builds: ")
    assert not agent.agent_live.PLUMBLINE_PT_tries.poll(bpy.context)
    choose(provider="scripted")
    assert properties(draw(agent.PLUMBLINE_PT_agent)) == ["provider", "where"]


def test_permission_is_asked_for_where_it_is_needed_and_can_be_taken_back(draw, leave):
    from plumbline.panels import agent

    choose(where="session")
    assert operators(draw(agent.PLUMBLINE_PT_agent))[0] == "plumbline.allow_session"
    leave.give(65)
    layout = draw(agent.PLUMBLINE_PT_agent)
    assert operators(layout)[0] == "plumbline.revoke_session"
    assert any(text.startswith("Allowed, 1:0") for text in layout.texts())
    choose(where="isolated")
    assert "plumbline.revoke_session" in operators(draw(agent.PLUMBLINE_PT_agent)), "never hidden"


def test_at_work(draw, show):
    from plumbline.addon.agent.messages import Usage
    from plumbline.panels import agent

    show(
        doing="walls: try 2, waiting for the model",
        text="and now the studs",
        hindered="waits until you leave Edit Mode (Tab)",
        isolation="process",
        usage=Usage(1000, output_tokens=234, cost=0.126, calls=3),
    )
    layout = draw(agent.PLUMBLINE_PT_agent)
    said = " ".join(layout.texts())
    assert operators(layout) == ["plumbline.pause_agent", "plumbline.stop_agent"]
    for words in ("walls: try 2", "and now the studs", "Waits until you leave", "3:07", "no box"):
        assert words in said
    assert "1,234 tokens, $0.13" in said
    assert draw(agent.PLUMBLINE_PT_agent, "draw_header_preset").texts() == ["3:07"]


def test_limits_are_bars_and_what_has_none_is_a_plain_line(draw, show):
    from plumbline.addon.agent.agents import Limits
    from plumbline.addon.agent.messages import Usage
    from plumbline.addon.session.live import Try
    from plumbline.panels import agent

    show(
        usage=Usage(900, output_tokens=100, cost=0.5, calls=3),
        limits=Limits(attempts=4, seconds=None, tokens=2000, cost=0.4),
        tries={1: Try("cabin · try 1")},
    )
    layout = draw(agent.PLUMBLINE_PT_agent)
    bars = {given["text"]: given["factor"] for name, given in layout.items if name == "progress"}
    assert bars == {"1 of 4 programs": 0.25, "1,000 of 2,000 tokens": 0.5, "$0.50 of $0.40": 1.0}
    assert "3:07" in layout.texts()


def test_a_pause_is_asked_for_then_kept(draw, show):
    from plumbline.panels import agent

    show(paused=True, doing="walls: waiting for the model")
    said = " ".join(draw(agent.PLUMBLINE_PT_agent).texts())
    assert "Go On" in said and "Pauses as soon as this is done" in said
    show(paused=True, waiting=True)
    said = " ".join(draw(agent.PLUMBLINE_PT_agent).texts())
    assert "Paused: nothing is asked or run" in said


def test_the_talk_is_there_to_be_read(draw, show):
    from collections import deque

    from plumbline.panels import agent_live

    assert not agent_live.PLUMBLINE_PT_talk.poll(bpy.context)
    lines = [f"asked for part {number}" for number in range(30)]
    show(lines=deque([*lines, "answered " + "many tokens " * 40], maxlen=200))
    layout = draw(agent_live.PLUMBLINE_PT_talk)
    texts = layout.texts()
    assert len(texts) == 6 and texts[0] == "asked for part 25"
    assert texts[-1].endswith(" …") and len(texts[-1]) < 100
    assert operators(layout) == ["plumbline.show_talk"]


def test_an_unknown_price_is_no_zero(draw, show):
    from plumbline.addon.agent.messages import Usage
    from plumbline.panels import agent

    show(usage=Usage(10, cost=None, calls=1))
    assert "3:07, 10 tokens, price unknown" in draw(agent.PLUMBLINE_PT_agent).texts()


@pytest.mark.parametrize(
    ("end", "verdict", "fault", "words"),
    [
        ("finished", "passed", None, "Passed. Finished"),
        ("retries", "failed", None, "Failed. No retry left for a step"),
        ("stopped", None, None, "Stopped"),
        ("environment", None, "missing", "docs/window.md"),
        ("environment", None, "consent", "Press Allow in this panel"),
    ],
)
def test_afterwards(draw, show, end, verdict, fault, words):
    from plumbline.panels import agent

    show("finished", end=end, verdict=verdict, fault=fault, message="Because.", folder="/tmp")
    layout = draw(agent.PLUMBLINE_PT_agent)
    said = " ".join(layout.texts())
    assert words in said and "Because." in said
    assert "plumbline.start_agent" in operators(layout) and "wm.path_open" in operators(layout)


def test_tries(draw, show):
    from plumbline.addon.session.live import Try
    from plumbline.panels import agent_live as agent

    tries = {
        1: Try("cabin · floor · try 1", "", "finished", None, 0.1, "passed", 0, False, 71),
        2: Try(
            "cabin · walls · try 1",
            "",
            "finished",
            None,
            0.1,
            "failed",
            5,
            False,
            72,
            ("It floats.",),
        ),
        3: Try("cabin · walls · try 2", "", "raised", "NameError: wall", 0.1),
        4: Try("cabin · roof · try 1", "", "finished", None, 0.1, "passed", 0, True, 73),
        5: Try("cabin · roof · try 2"),
    }
    show(tries=tries)
    assert agent.PLUMBLINE_PT_tries.poll(bpy.context)
    layout = draw(agent.PLUMBLINE_PT_tries)
    texts = layout.texts()
    for words in ("stands", "5 faults", "error", "passed", "running", "NameError: wall"):
        assert words in texts
    shown = [
        given["options"].key
        for name, given in layout.items
        if name == "operator" and given["operator"] == "plumbline.show_try"
    ]
    assert shown == [4, 2, 1], "the newest first, and only those with a scene"
    assert "It floats." not in texts, "told of the try that is looked at only"
    choose(shown_try=2)
    texts = draw(agent.PLUMBLINE_PT_tries).texts()
    assert "2 of 5: walls · try 1" in texts
    assert "It floats." in texts and "and 4 faults more" in texts


def test_many_tries_are_counted(draw, show):
    from plumbline.addon.session.live import Try
    from plumbline.panels import agent_live as agent

    show(tries={n: Try(f"cabin · try {n}") for n in range(1, 31)})
    assert "and 18 earlier ones" in draw(agent.PLUMBLINE_PT_tries).texts()


def test_limits_and_the_alarm(draw):
    from plumbline.panels import agent

    choose(where="session", provider="openai")
    layout = draw(agent.PLUMBLINE_PT_agent_limits)
    assert {"attempts", "retries", "cost", "minutes", "base_url", "api", "code_seconds"} <= set(
        properties(layout)
    )
    assert "endless loop" in " ".join(layout.texts())


def test_how_a_run_in_the_session_went(draw, leave):
    from plumbline.addon.agent.bench import Problem
    from plumbline.addon.session import direct
    from plumbline.addon.session.running import Ran
    from plumbline.panels import session_run

    panel = session_run.PLUMBLINE_PT_session_run
    assert operators(draw(panel)) == ["plumbline.allow_session", "plumbline.run_in_session"]
    ran = Ran("raised", "NameError: wall", "hello\n", "Traceback", 0.1, ("a timer",))
    direct.remember(direct.Direct("tidy.py", ran, checkpoint="/tmp/copy.blend"))
    layout = draw(panel)
    said = " ".join(layout.texts())
    for words in ("tidy.py: error", "NameError: wall", "hello", "a timer", "Ctrl Z"):
        assert words in said
    assert operators(layout)[-1] == "plumbline.open_checkpoint"
    refused = Ran("refused", "line 3: no", "", None, 0.0)
    direct.remember(direct.Direct("bad.py", refused, (Problem(3, 1, "import", "No os here."),)))
    layout = draw(panel)
    assert "Line 3: No os here." in layout.texts()
    assert "plumbline.open_checkpoint" not in operators(layout)
    direct.forget()


def test_blind_mode_keeps_what_the_checks_said_back(draw, show):
    from plumbline.addon.session.live import Try
    from plumbline.panels import agent, agent_live

    choices = bpy.context.window_manager.plumbline_annotating
    choices.blind = True
    shown = bpy.context.scene.session_uid
    show(
        "finished",
        end="finished",
        verdict="failed",
        tries={
            1: Try("cabin · try 1", "", "finished", None, 0.1, "failed", 2, True, shown, ("Bad.",))
        },
        lines=["asked for try 1", "checked try 1: 2 faults", "tool check → failed, 2 faults"],
    )
    for panel in (
        agent.PLUMBLINE_PT_agent,
        agent_live.PLUMBLINE_PT_tries,
        agent_live.PLUMBLINE_PT_talk,
    ):
        said = " ".join(draw(panel).texts())
        assert not {"failed", "Failed.", "faults", "Bad."} & set(said.split()), said
    assert "checked try 1" in said and "tool check" in said
    choices.blind = False
    assert "Bad." in draw(agent_live.PLUMBLINE_PT_tries).texts()
