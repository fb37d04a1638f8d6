# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found in answers, whole or broken, and what the model is told where nothing is."""

import pytest
from plumbline.addon.agent.messages import Message, Reply, Text, Usage
from plumbline.addon.agent.protocols.parse import find_code, find_json


def reply(text, stop="end"):
    parts = (Text(text),) if text else ()
    return Reply(Message("assistant", parts), stop, Usage(output_tokens=321))


@pytest.mark.parametrize(
    "text",
    [
        "```python\nimport bpy\nx = 1\n```",
        "Here it is.\n\n```py\nimport bpy\nx = 1\n```\nDone.",
        "```Python title=house\nimport bpy\nx = 1\n```",
        "```\nimport bpy\nx = 1\n```",
        "~~~python\nimport bpy\nx = 1\n~~~",
        "````python\nimport bpy\nx = 1\n````",
        "```python\nimport bpy\nx = 1",
        "import bpy\nx = 1",
        "```json\n{}\n```\n```python\nimport bpy\nx = 1\n```\n```bash\nls\n```",
        "```\nno code, an example\n```\n```python\nimport bpy\nx = 1\n```",
        "```python\r\nimport bpy\r\nx = 1\r\n```",
        "```python\n\n```\n```python\nimport bpy\nx = 1\n```",
    ],
)
def test_one_program_is_found(text):
    found = find_code(reply(text))
    assert (found.state, found.code) == ("usable", "import bpy\nx = 1\n")


def test_a_fence_inside_a_longer_fence_belongs_to_the_program():
    found = find_code(reply('````python\ndoc = """\n```\n"""\n````'))
    assert found.code == 'doc = """\n```\n"""\n'


@pytest.mark.parametrize(
    ("text", "stop", "state"),
    [
        ("", "empty", "empty"),
        ("   \n", "end", "empty"),
        ("I can't help with that.", "refusal", "refusal"),
        ("", "refusal", "refusal"),
        ("```python\nimport bpy\nfor i in ran", "length", "cut_off"),
        ("Let me think about the sills", "length", "cut_off"),
        ("```python\na = 1\n```\n```python\nb = ", "length", "cut_off"),
        ("I would build it like this.", "end", "none"),
        ("```bash\nls\n```", "end", "none"),
        ("```python\n```", "end", "none"),
        ("x = 1", "end", "none"),
        ("```python\na = 1\n```\n```python\nb = 1\n```", "end", "several"),
    ],
)
def test_what_is_no_program_is_told_to_the_model(text, stop, state):
    found = find_code(reply(text, stop))
    assert (found.state, found.code) == (state, "")
    assert found.message.endswith(".") and len(found.message) > 30


def test_a_program_that_was_complete_before_the_cut_is_used():
    found = find_code(reply("```python\na = 1\n```\nThis builds the sills, and", "length"))
    assert (found.state, found.code) == ("usable", "a = 1\n")


def test_a_cut_off_answer_is_told_its_limit():
    assert "321 tokens" in find_code(reply("```python\na =", "length")).message


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"a": [1, 2]}\n```',
        '{"a": [1, 2]}',
        'The plan: {"a": [1, 2]} as asked.',
        '```\n{"a": [1, 2]}\n```',
        '```python\nx = {}\n```\n```json\n{"a": [1, 2]}\n```',
    ],
)
def test_one_object_is_found(text):
    assert find_json(reply(text)).data == {"a": [1, 2]}


@pytest.mark.parametrize(
    ("text", "stop", "state"),
    [
        ("", "empty", "empty"),
        ("No.", "refusal", "refusal"),
        ('{"a": [1,', "length", "cut_off"),
        ("I have no plan.", "end", "none"),
        ('```json\n{"a": 1,}\n```', "end", "malformed"),
        ("```json\n[1, 2]\n```", "end", "malformed"),
        ("```json\n" + "[" * 100_000 + "\n```", "end", "malformed"),
        ('```json\n{"a": 1}\n```\n```json\n{"b": 1}\n```', "end", "several"),
    ],
)
def test_what_is_no_object_is_told_to_the_model(text, stop, state):
    found = find_json(reply(text, stop))
    assert (found.state, found.data) == (state, None)
    assert found.message.endswith(".")


def test_broken_json_is_told_its_place():
    assert "line 2 column" in find_json(reply('{"a":\n oops}')).message
