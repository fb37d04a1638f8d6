# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages on a pipe: whole ones come through, and nothing larger or other than allowed."""

import io
import json

import pytest
from plumbline.addon.sandbox.frames import (
    PROGRAM_LINE_LIMIT,
    FrameError,
    Incoming,
    is_ours,
    pack,
    parse,
    receive,
    sound,
)

FILES = {"save": b"BLENDER\n\0" * 50, "out": b""}


def test_a_message_comes_through_whole():
    stream = io.BytesIO(pack({"id": 1}, FILES) + pack({"id": 2}))
    assert receive(stream, 1 << 20) == ({"plumbline": 1, "id": 1}, FILES)
    assert receive(stream, 1 << 20) == ({"plumbline": 1, "id": 2}, {})
    assert receive(stream, 1 << 20) is None


def test_a_message_that_is_cut_off_is_none():
    whole = pack({"id": 1}, FILES)
    for length in (0, 5, len(whole) - 1):
        assert receive(io.BytesIO(whole[:length]), 1 << 20) is None


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_chunks_make_a_message(piece):
    data = b"\n" + pack({"id": 1}, FILES)
    incoming = Incoming(1 << 20)
    for start in range(0, len(data), piece):
        assert not incoming.whole
        incoming.feed(data[start : start + piece])
    assert incoming.whole and incoming.begun
    assert incoming.take() == ({"plumbline": 1, "id": 1}, FILES)


def test_what_is_too_large_is_refused_before_it_is_stored():
    line = pack({"id": 1}, {"save": b""}).replace(b'"save", 0', b'"save", 2000000')
    with pytest.raises(FrameError, match="larger than 1 MiB"):
        Incoming(1 << 20).feed(line)
    with pytest.raises(FrameError, match="larger"):
        receive(io.BytesIO(line), 1 << 20)
    endless = Incoming(1 << 20)
    endless.feed(b"\n{" + b"x" * (PROGRAM_LINE_LIMIT - 10))
    with pytest.raises(FrameError, match="too long"):
        endless.feed(b"x" * 20)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"frames": 1}',
        b'{"frames": [["a"]]}',
        b'{"frames": [["a", -1]]}',
        b'{"frames": [["a", "b"]]}',
        b'{"frames": [["a", 1' + b"0" * 5000 + b"]]}",
        b"\xff\xfe",
    ],
)
def test_what_is_no_message(line):
    with pytest.raises(FrameError):
        parse(line, 1 << 20)


def test_other_words_on_the_pipe_are_told_apart():
    assert is_ours(pack({"id": 1}))
    assert not is_ours(b"Read blend: plumbline\n")


@pytest.mark.parametrize(
    "forged",
    [
        {},
        {"result": 7},
        {"error": "no_blender", "message": ["x"], "exit": "1", "words": 3, "laid": []},
        {"error": {}, "usage": {"cpu": float("nan"), "memory": -1}, "spent": "no"},
    ],
)
def test_whatever_it_says_it_is_an_answer(forged):
    answer = sound(forged)
    assert answer["error"] == "crash"
    assert isinstance(answer["message"], str)
    assert answer["spent"] is False
    assert answer["usage"] == {}
    json.dumps(answer)


def test_a_sound_answer_stays_what_it_is():
    answer = {"result": {"ok": True}, "usage": {"cpu": 0.1}, "spent": True, "begun": False}
    assert sound(answer) == answer
