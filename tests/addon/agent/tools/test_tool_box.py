# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls, budgets, classes of errors, and a box that is put away between two calls."""

from __future__ import annotations

import json

import pytest
from plumbline.addon.agent.messages import Picture
from plumbline.addon.agent.tools.arguments import problem
from plumbline.addon.agent.tools.box import Budgets, ToolBox
from plumbline.addon.agent.tools.tool import Outcome, Tool, ToolError, parameters

NUMBER = parameters({"x": {"type": "number", "minimum": 0}}, ("x",))


def _tools(log: list):
    def root(arguments):
        log.append(arguments["x"])
        if arguments["x"] > 100:
            raise ToolError("too_big", "x is beyond 100; give less", given=arguments["x"])
        return Outcome({"root": arguments["x"] ** 0.5}, (Picture(b"png", "graph"),))

    return (
        Tool("launch", "launches", NUMBER, root, budget="launch"),
        Tool("ask", "asks", NUMBER, root, budget="ask", failures_cost=False),
        Tool("free", "free", parameters(), lambda _: Outcome()),
        Tool("submit", "ends", parameters(), lambda _: Outcome(), always=True, ends=True),
    )


def _box(log=None, **budgets):
    return ToolBox(_tools([] if log is None else log), Budgets(**budgets))


def test_a_call_is_answered_with_what_is_left_and_its_pictures():
    box = _box(calls=5, groups={"launch": 2, "ask": None})
    answer = box.call("launch", {"x": 9.0})
    assert answer.ok and not answer.ended
    assert answer.plain == {"ok": True, "root": 3.0, "left": {"calls": 4, "launch": 1}}
    assert [picture.name for picture in answer.pictures] == ["graph"]


@pytest.mark.parametrize(
    ("name", "arguments", "told", "kind", "words"),
    [
        ("launhc", {"x": 1}, None, "unknown_tool", "launch, ask, free, submit"),
        (None, {}, None, "unknown_tool", "None"),
        ("launch", [1], None, "arguments", "one JSON object, not a list"),
        ("launch", None, None, "arguments", "one JSON object, not null"),
        ("launch", None, "it is no JSON", "arguments", "launch: it is no JSON"),
        ("launch", {"y": 1, "x": 1}, None, "arguments", "no parameter 'y'; it has x"),
        ("launch", {}, None, "arguments", "'x' must be given"),
        ("launch", {"x": "1"}, None, "arguments", "x must be a number, not '1'"),
        ("launch", {"x": True}, None, "arguments", "x must be a number, not true"),
        ("launch", {"x": float("nan")}, None, "arguments", "finite"),
        ("launch", {"x": -1}, None, "arguments", "at least 0, not -1"),
        ("free", {"x": 1}, None, "arguments", "it has none"),
        ("launch", {"x": 101}, None, "too_big", "beyond 100"),
    ],
)
def test_wrong_calls_are_counted_by_class_and_never_repaired(name, arguments, told, kind, words):
    log: list = []
    box = _box(log)
    answer = box.call(name, arguments, told)
    assert not answer.ok and answer.kind == kind
    assert answer.plain["ok"] is False and words in answer.plain["error"]
    assert box.metrics()["tool_errors_by_class"] == {kind: 1}
    assert box.metrics()["tool_errors_per_100_calls"] == {kind: 100.0}
    assert log == ([101] if kind == "too_big" else [])


def test_a_launch_that_failed_is_used_up_and_a_question_is_not():
    box = _box(groups={"launch": 2, "ask": 2})
    box.call("launch", {"x": 101})
    box.call("ask", {"x": 101})
    assert box.left() == {"launch": 1, "ask": 2}
    assert box.call("launch", {"x": "no"}).kind == "arguments"  # nothing was started
    assert box.left()["launch"] == 1
    box.call("launch", {"x": 1})
    refused = box.call("launch", {"x": 1})
    assert refused.kind == "budget" and "all 2 of the budget 'launch'" in refused.plain["error"]
    assert box.metrics()["tool_budget_used"] == {"launch": 2, "ask": 0}


def test_beyond_the_calls_of_an_episode_only_handing_in_works():
    log: list = []
    box = _box(log, calls=3)
    for _ in range(3):
        box.call("nonsense", {})
    assert box.call("launch", {"x": 1}).kind == "budget"
    assert "only submit works" in box.call("free", {}).plain["error"]
    answer = box.call("submit", {})
    assert answer.ok and answer.ended and box.ended
    assert box.call("submit", {}).kind == "ended" and box.call("launch", {"x": 1}).kind == "ended"
    assert log == []


def test_the_last_launch_is_asked_to_be_kept_where_that_is_wanted():
    box = _box(groups={"launch": 3}, keep_last="launch")
    assert "note" not in box.call("launch", {"x": 1}).plain
    assert "final validation" in box.call("launch", {"x": 1}).plain["note"]
    assert "final validation" in box.call("free", {}).plain["note"]
    assert box.call("launch", {"x": 1}).ok  # a reminder, not a lock
    assert "note" not in box.call("free", {}).plain
    silent = _box(groups={"launch": 2})
    assert "note" not in silent.call("launch", {"x": 1}).plain


def test_a_box_goes_on_where_it_was_put_away():
    budgets = Budgets(calls=10, groups={"launch": 3})
    box = ToolBox(_tools([]), budgets)
    box.call("launch", {"x": 4})
    box.call("launch", {"x": "4"})
    again = ToolBox(_tools([]), budgets, json.loads(json.dumps(box.state())))
    assert again.state() == box.state() and again.left() == box.left() == {"calls": 8, "launch": 2}
    again.call("submit", {})
    assert ToolBox(_tools([]), budgets, again.state()).ended and not box.ended


def test_what_a_tool_breaks_with_gets_out_and_was_counted():
    def broken(_):
        raise RuntimeError("no disk")

    box = ToolBox([Tool("b", "", parameters(), broken, budget="b")], Budgets(groups={"b": 2}))
    with pytest.raises(RuntimeError, match="no disk"):
        box.call("b", {})
    assert box.left() == {"b": 1}


@pytest.mark.parametrize(
    ("value", "rule", "words"),
    [
        ([1, 2], {"type": "array", "minItems": 3, "maxItems": 3}, "p must have 3 items, not 2"),
        ([1], {"type": "array", "minItems": 2}, "at least 2"),
        ([1, "a"], {"type": "array", "items": {"type": "number"}}, r"p\[1\] must be a number"),
        ("up", {"type": "string", "enum": ["top", "front"]}, "one of top, front, not 'up'"),
        ("", {"type": "string", "minLength": 1}, "must not be empty"),
        ("a b", {"type": "string", "pattern": r"^[\w-]+$"}, "must look like"),
        (2.5, {"type": "integer"}, "a whole number, not 2.5"),
        (7, {"type": "integer", "maximum": 5}, "at most 5, not 7"),
        (3, {"type": ["string", "null"]}, "a text or null, not 3"),
        ({"a": 1}, {"type": "object", "properties": {"b": {}}}, "no parameter 'a' in p"),
        (
            [{"b": 1}],
            {"type": "array", "items": parameters({"b": {"type": "string"}})},
            r"p\[0\].b",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(value, rule, words):
    import re

    found = problem({"p": value}, parameters({"p": rule}))
    assert found is not None and re.search(words, found)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ([1, 2.5, 3], {"type": "array", "items": {"type": "number"}, "minItems": 3}),
        (3.0, {"type": "integer"}),
        (None, {"type": ["string", "null"]}),
        ({"any": ["thing"]}, {"type": "object"}),
        ({"b": None}, {"type": "object", "properties": {"b": {}}}),
    ],
)
def test_what_fits_is_taken(value, rule):
    assert problem({"p": value}, parameters({"p": rule})) is None
