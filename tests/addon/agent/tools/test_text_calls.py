# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls as models write them: tagged, recovered, or not at all; whatever comes, no exception."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.addon.agent.tools.loose_json import loads
from plumbline.addon.agent.tools.text_calls import MOST_CALLS, find_calls

NAMES = ("run_code", "check", "submit")


def _found(text, reasoning=""):
    found = find_calls(text, NAMES, reasoning)
    return found.how, [(call.name, call.arguments) for call in found.calls]


def test_tagged_calls_run_in_their_order():
    text = (
        'First <tool_call>{"name": "run_code", "arguments": {"code": "a = 1\\nb = \'<x>\'"}}'
        '</tool_call> then\n<tool_call>\n```json\n{"name": "check"}\n```\n</tool_call> done'
    )
    assert _found(text) == (
        "tagged",
        [("run_code", {"code": "a = 1\nb = '<x>'"}), ("check", {})],
    )


def test_a_tagged_call_may_name_what_is_no_tool():
    assert _found('<tool_call>{"name": "fly", "arguments": {}}</tool_call>') == (
        "tagged",
        [("fly", {})],
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"x": [0.5 + 0.25, 1.2/2, -3*2, 1 - 2 - 3]}', [0.75, 0.6, -6, -4]),
        ('{"x": ["1 + 1", 2 + 2]}', ["1 + 1", 4]),
        ('{"x": [1e2 * 2]}', [200.0]),
    ],
)
def test_arithmetic_between_numbers_is_worked_out(text, value):
    assert loads(text, complete=True) == {"x": value}


@pytest.mark.parametrize("text", ['{"x": 1/0}', '{"x": a + 1}', '{"x": 1 + "a"}', '{"x": NaN}'])
def test_what_is_no_arithmetic_is_no_json(text):
    with pytest.raises(ValueError):
        loads(text, complete=True)


def test_missing_closing_brackets_are_added():
    text = '<tool_call>{"name": "check", "arguments": {"x": [1, {"y": 12</tool_call>'
    assert _found(text) == ("tagged", [("check", {"x": [1, {"y": 12}]})])
    text = '<tool_call>{"name": "check", "arguments": {"x": ["a", "b"'
    assert _found(text) == ("tagged", [("check", {"x": ["a", "b"]})])


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "run_code", "arguments": {"code": "import bp',  # inside a text
        '<tool_call>{"name": "check", "arguments": {"x": 1',  # perhaps 12
        '<tool_call>{"name": "check", "arguments": {"x": [1, 2,',
        '<tool_call>{"name": "check", "arguments": {"x":</tool_call>',
        '<tool_call>{"name": "check", "arguments": {"x": "half</tool_call>',
    ],
)
def test_half_written_values_are_never_completed(text):
    found = find_calls(text, NAMES)
    assert not found.calls and "no JSON object" in found.problem


@pytest.mark.parametrize(
    ("text", "how", "call"),
    [
        (
            '<name>run_code</name>\n<arguments>{"code": "x"}</arguments>',
            "tag_pairs",
            ("run_code", {"code": "x"}),
        ),
        (
            "<tool_call><function=run_code>\n<parameter=code>\nimport bpy\nx = 1\n</parameter>\n"
            "<parameter=fresh>true</parameter></function></tool_call>",
            "tag_pairs",
            ("run_code", {"code": "import bpy\nx = 1", "fresh": True}),
        ),
        (
            "<tool_call>run_code\n<arg_key>code</arg_key>\n<arg_value>x = 1</arg_value>",
            "tag_pairs",
            ("run_code", {"code": "x = 1"}),
        ),
        ('So: {"name": "check", "arguments": {}} and', "bare_json", ("check", {})),
        (
            '{"arguments": {"code": "1"}, "name": "run_code"}',
            "bare_json",
            ("run_code", {"code": "1"}),
        ),
        (
            '```\nrun_code(code="""import bpy\nprint(")")\n""", fresh=True)\n```',
            "python",
            ("run_code", {"code": 'import bpy\nprint(")")\n', "fresh": True}),
        ),
        ("- `check()`", "python", ("check", {})),
    ],
)
def test_what_models_write_instead_of_tags(text, how, call):
    assert _found(text) == (how, [call])


@pytest.mark.parametrize(
    "text",
    [
        "I will call check() now, then submit().",
        'The schema is {"name": "fly", "arguments": {}}.',
        '{"name": "check", "size": 3}',
        "check(x, 1)",
        "check(x=open('a'))",
        "checked(x=1)",
        "",
    ],
)
def test_prose_and_other_peoples_json_are_no_calls(text):
    assert _found(text) == ("none", [])


def test_the_end_of_the_reasoning_is_the_last_resort():
    call = '<tool_call>{"name": "check", "arguments": {}}</tool_call>'
    assert _found("I am done.", "so " + call) == ("reasoning_tagged", [("check", {})])
    assert _found("I am done.", call + "x" * 4000) == ("none", [])
    tagged = '<tool_call>{"name": "submit"}</tool_call>'
    assert _found(tagged, call) == ("tagged", [("submit", {})])


def test_arguments_that_are_no_object_are_told_not_mended():
    found = find_calls('<tool_call>{"name": "check", "arguments": [1]}</tool_call>', NAMES)
    assert found.calls[0].arguments is None and "one JSON object" in found.calls[0].problem
    inside = json.dumps({"name": "check", "arguments": '{"x": 1}'})
    assert _found(f"<tool_call>{inside}</tool_call>")[1] == [("check", {"x": 1})]


PIECES = st.sampled_from(
    [
        *("<tool_call>", "</tool_call>", "<name>", "</name>", "<arguments>", "</arguments>"),
        *('{"name": "check"', '"arguments": {', "run_code(", "check()", "code=", ")", "```"),
        *("<function=check>", "<parameter=x>", "</parameter>", "<arg_key>", "</arg_key>"),
        *("<arg_value>", "</arg_value>", '"', "'", '"""', "\\", "{", "}", "[", "]", ",", ":"),
        *("1 + 2", "1e999 * 9", "1/0", "-", "\n", "\0", "\ud800", "NaN", "check", "x"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=60), st.text(max_size=40))
def test_no_text_makes_the_parser_raise(pieces, reasoning):
    found = find_calls("".join(pieces), NAMES, reasoning)
    for call in found.calls:
        assert isinstance(call.name, str)
        assert call.arguments is None or isinstance(call.arguments, dict)
    assert bool(found.calls) == (found.how != "none")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_what_is_written_properly_comes_through_unchanged(arguments):
    finite = json.dumps(arguments)
    if "Infinity" in finite:
        return
    text = f'<tool_call>{{"name": "check", "arguments": {finite}}}</tool_call>'
    if "</tool_call>" in finite or "<tool_call>" in finite:
        return
    assert _found(text) == ("tagged", [("check", json.loads(finite))])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=5), st.data())
def test_sums_are_those_of_python(numbers, data):
    signs = data.draw(st.lists(st.sampled_from("+-*"), min_size=len(numbers), max_size=9))
    parts = [repr(numbers[0])]
    for sign, number in zip(signs, numbers[1:], strict=False):
        parts += [sign, repr(number)]
    value = loads('{"x": ' + " ".join(parts) + "}", complete=True)["x"]
    assert math.isclose(value, eval(" ".join(parts)), rel_tol=1e-12, abs_tol=1e-300)


@pytest.mark.parametrize(
    "text",
    [
        '{"name":' * 50_000,
        "<tool_call>" * 36_000,
        "check(\n" * 50_000,
        "<tool_call>" + "[" * 300_000,
        "check(" + "-" * 90_000 + ")",
        ("check(" + "(" * 90 + "\n") * 4_000,
        "<tool_call>" + "1+" * 150_000,
        "<parameter=a>" * 15_000 + "<function=check>" + "<parameter=a>" * 15_000,
        '<tool_call>"' + '\\"' * 190_000,
        'check("""' * 40_000,
        "check('\n" * 40_000,
        "<arg_key>a</arg_key>" * 20_000,
        '<tool_call>{"name": "check"}</tool_call>' * 9_000,
    ],
)
def test_no_text_makes_the_parser_hang(text):
    assert len(find_calls(text, NAMES, text).calls) <= MOST_CALLS
