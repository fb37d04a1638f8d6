# SPDX-License-Identifier: GPL-3.0-or-later
"""Halves of letters in what a program says don't reach files and models."""

from __future__ import annotations

import pytest
from plumbline.addon.sandbox.frames import FrameError, pack, parse

MOST = 1 << 20


def _line(content: dict) -> bytes:
    return pack(content).splitlines()[0]


def test_halves_become_marks_and_whole_letters_stay():
    said = {"a\udc80": ["x\ud800y", {"b": "🏠 ü \\ud800"}], "n": [1, None, True]}
    content, _ = parse(_line(said), MOST, mend=True)
    assert content["a\ufffd"] == ["x\ufffdy", {"b": "🏠 ü \\ud800"}]
    assert content["n"] == [1, None, True]


def test_bytes_that_are_halves_are_mended_too():
    content, _ = parse(b'{"plumbline": 1, "a": "\xed\xa0\x80"}', MOST, mend=True)
    content["a"].encode("utf-8")


def test_a_program_is_handed_in_as_it_is():
    content, _ = parse(_line({"program": "\ud800"}), MOST)
    assert content["program"] == "\ud800"


def test_what_is_nested_too_deeply_is_no_message():
    deep = b'{"plumbline": 1, "a": ' + b"[" * 900 + b'"\\ud800"' + b"]" * 900 + b"}"
    try:
        parse(deep, MOST, mend=True)
    except FrameError:
        return
    with pytest.raises(FrameError):
        parse(deep.replace(b"[", b"[" * 20).replace(b"]", b"]" * 20), MOST, mend=True)
