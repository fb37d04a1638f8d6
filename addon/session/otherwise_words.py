# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of a question, in sentences. No ``bpy`` here."""

from __future__ import annotations

from typing import Any

from ..i18n import say, say_count
from . import motion
from .motion import Motion, Take


def moves_words(take: Take) -> str:
    """How many bodies there are, and over which frames."""
    bodies = say_count(len(take.motion.names), "{n} body", "{n} bodies")
    return say(
        "{bodies}, frames {first} to {last}",
        bodies=bodies, first=take.motion.first, last=take.motion.last,
    )  # fmt: skip


def otherwise_words(take: Take, base: Motion) -> str:
    """How many bodies go otherwise than in the baseline, who first, who farthest.

    Those that were altered go otherwise anyway: they are told of only if no other does.
    """
    moved = take.moved >= 0
    if not moved.any():
        return say("no body goes otherwise than as it is")
    others, first = moved & take.counted, motion.first_mover(take)
    if others.any():
        words = _counted(take, int(others.sum()))
    else:
        words = say("only what was altered goes otherwise")
    if first is not None:
        words += say("; {name} first, in frame {frame}", name=first[0], frame=first[1])
    name, away = motion.farthest(take.motion, base, others if others.any() else moved)
    if away > motion.LEAST:
        words += say("; {name} ends {metres} m away", name=name, metres=f"{away:.2f}")
    return words


def _counted(take: Take, number: int) -> str:
    every = int(take.counted.sum())
    if every < len(take.motion.names):
        return say("{n} of {all} other bodies go otherwise", n=number, all=every)
    return say("{n} of {all} bodies go otherwise", n=number, all=every)


def falls_already(found: Any) -> str:
    """How a structure falls as it is, and that a difference is no improvement where it does.

    ``found`` is a comparison of :mod:`..simulation.falling.answers`.
    """
    told = str(found.baseline.damage.says)
    if not found.baseline.damage.moved:
        return told
    if not found.altered.damage.moved:
        return f"{told} " + say("It comes down as it is already.")
    more = say("It comes down as it is already: that it falls otherwise doesn't make it stand.")
    return f"{told} {more}"
