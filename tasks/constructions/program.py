# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions as the text of a program of block calls, which places the same blocks in the same order.

A run of blocks of one material along an axis becomes ``line``, every other block ``place_block``;
``next_turn`` stands between the turns.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from ...checks.voxel.structure import Action

# Shorter runs are placed block by block.
_SHORTEST = 3


def program_text(turns: Sequence[Sequence[Action]], prompts: Sequence[str]) -> str:
    """A whole program: what is asked, as a comment, and the calls of every turn."""
    parts = ["# x and z are horizontal, y is up; one block is 1 m.", ""]
    for number, (actions, prompt) in enumerate(zip(turns, prompts, strict=True)):
        parts += ["", "next_turn()", ""] if number else []
        parts += _comment(f"Turn {number + 1}: {prompt}" if len(turns) > 1 else prompt)
        parts += calls(actions)
    return "\n".join(parts) + "\n"


def _comment(text: str) -> list[str]:
    """A text as comment lines."""
    return textwrap.wrap(text, 96, initial_indent="# ", subsequent_indent="# ")


def calls(actions: Iterable[Action]) -> Iterator[str]:
    """The calls that make these actions, one a line."""
    run: list[Action] = []
    for action in actions:
        if run and not _goes_on(run, action):
            yield from _told(run)
            run = []
        run.append(action)
    yield from _told(run)


def _goes_on(run: Sequence[Action], action: Action) -> bool:
    """Whether the action is the next block of a straight run."""
    last = run[-1]
    if action.kind != "place" or last.kind != "place" or action.material != last.material:
        return False
    step = _step(last, action)
    if sum(map(abs, step)) != 1:
        return False
    return len(run) == 1 or step == _step(run[-2], last)


def _step(one: Action, other: Action) -> tuple[int, int, int]:
    return other.x - one.x, other.y - one.y, other.z - one.z


def _told(run: Sequence[Action]) -> Iterator[str]:
    if len(run) >= _SHORTEST:
        a, b = run[0], run[-1]
        yield f'line({a.x}, {a.y}, {a.z}, {b.x}, {b.y}, {b.z}, "{a.material}")'
        return
    for one in run:
        if one.kind == "place":
            yield f'place_block({one.x}, {one.y}, {one.z}, "{one.material}")'
        else:
            yield f"remove_block({one.x}, {one.y}, {one.z})"
