# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model sees again: its task always, of the rest the last steps, always cut alike."""

import struct

from plumbline.addon.agent.history import History, tokens_of
from plumbline.addon.agent.messages import Message, Picture, Text

TASK = Message("user", (Text("build a house"),))


def said(n):
    return Message("assistant", (Text(f"code {n}"),))


def told(n):
    return Message("user", (Text(f"fault {n}"),))


def conversation(length, **options):
    history = History((TASK,), **options)
    for n in range(length):
        history.said(said(n))
        history.told(told(n))
    return history


def texts(history):
    return [message.text for message in history.shown().messages]


def test_the_task_is_shown_first_and_marked_as_stable():
    shown = History((TASK,)).shown()
    assert (shown.messages, shown.stable, shown.left_out) == ((TASK,), 1, 0)


def test_only_the_last_five_steps_are_shown():
    shown = conversation(8).shown()
    assert [m.text for m in shown.messages[1:3]] == ["code 3", "fault 3"]
    assert shown.messages[0] is TASK and len(shown.messages) == 11 and shown.left_out == 3


def test_roles_take_turns_wherever_it_is_cut():
    for steps in range(9):
        roles = [m.role for m in conversation(steps, steps=3).shown().messages]
        assert roles == ["user", *["assistant", "user"] * min(steps, 3)]


def test_an_answer_that_is_nothing_leaves_only_what_was_told():
    history = History((TASK,))
    history.said(None)
    history.told(told(0))
    assert texts(history) == ["build a house", "fault 0"]


def test_a_ceiling_leaves_out_older_steps_but_never_the_last():
    assert texts(conversation(4, tokens=12))[1:] == ["code 2", "fault 2", "code 3", "fault 3"]
    assert texts(conversation(4, tokens=0))[1:] == ["code 3", "fault 3"]


def test_the_same_conversation_is_cut_the_same_way():
    assert texts(conversation(20, tokens=9)) == texts(conversation(20, tokens=9))


def test_what_was_shown_before_is_shown_again_as_the_same_object():
    """A transcript tells messages apart by identity, a provider caches by content."""
    history = conversation(3)
    first = history.shown().messages
    history.said(said(3))
    assert all(a is b for a, b in zip(first, history.shown().messages, strict=False))


def test_pictures_count_by_their_size():
    size = struct.pack(">II", 600, 500)
    png = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + size + b"\x08\x06\0\0\0"
    assert tokens_of([Message("user", (Picture(png), Text("abcde")))]) == 400 + 2
    assert tokens_of([Message("user", (Picture(b"no picture"),))]) == 350
