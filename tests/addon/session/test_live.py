# SPDX-License-Identifier: GPL-3.0-or-later
"""An episode as the panel shows it."""

from __future__ import annotations

from plumbline.addon.agent.messages import Usage
from plumbline.addon.session.job import Event
from plumbline.addon.session.live import TEXT_KEPT, Live


def heard(*events):
    live = Live("anthropic/m", "Cabin", "isolated worker")
    for kind, content in events:
        live.hear(Event(kind, content))
    return live


def test_a_try_from_its_start_to_its_verdict():
    live = heard(
        ("running", {"key": 1, "title": "cabin · floor", "code": "import bpy"}),
        (
            "ran",
            {
                "key": 1,
                "outcome": "finished",
                "message": None,
                "seconds": 0.5,
                "isolation": "bubblewrap",
            },
        ),
        ("landed", {"key": 1, "scene": 44, "title": "cabin · floor.001"}),
        ("judged", {"key": 1, "verdict": "failed", "faults": 3, "whole": False}),
    )
    row = live.tries[1]
    assert (row.outcome, row.verdict, row.faults, row.scene) == ("finished", "failed", 3, 44)
    assert row.title == "cabin · floor.001" and live.code == "import bpy"
    assert live.isolation == "bubblewrap"


def test_costs_add_up_and_an_unknown_price_stays_unknown():
    live = heard(
        ("used", {"usage": Usage(10, output_tokens=5, cost=0.25, calls=1)}),
        ("used", {"usage": Usage(10, output_tokens=5, cost=0.5, calls=1)}),
    )
    assert live.used() == {"tokens": 30, "cost": 0.75, "calls": 2}
    live.hear(Event("used", {"usage": Usage(1, cost=None, calls=1)}))
    assert live.used()["cost"] is None


def test_text_is_kept_by_its_end_and_begins_anew_with_each_question():
    live = heard(("text", {"piece": "a" * TEXT_KEPT}), ("text", {"piece": "the\n end"}))
    assert len(live.text) == TEXT_KEPT and live.tail(8) == "the end"
    live.hear(Event("asked", {}))
    assert live.text == ""


def test_ends_and_what_it_does_not_know():
    live = heard(
        ("something new", {}),
        ("hindered", {"reason": "waits"}),
        ("built", {"end": "retries", "message": "no more", "verdict": "failed"}),
    )
    assert (live.end, live.message, live.verdict) == ("retries", "no more", "failed")
    assert live.hindered == "waits"
