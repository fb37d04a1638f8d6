# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions as the text of a program of block calls, which places the same blocks in the same order.

Rows of blocks of one material become ``line``, boxes ``fill`` and their shells ``hollow_box`` where
they are filled in that order (``for x: for z: for y``, from the first corner towards the second),
every other block ``place_block``; ``next_turn`` stands between the turns.
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
    rest = list(actions)
    begin = 0
    while begin < len(rest):
        count, call = _next_call(rest, begin)
        yield call
        begin += count


def _next_call(actions: Sequence[Action], begin: int) -> tuple[int, str]:
    """The call for the next actions, and how many they are."""
    first = actions[begin]
    at = f"{first.x}, {first.y}, {first.z}"
    if first.kind == "remove":
        return 1, f"remove_block({at})"
    sizes = _box(actions, begin)
    counts = {
        "line": _straight(actions, begin),
        "fill": sizes[0] * sizes[1] * sizes[2],
        "hollow_box": _shell(actions, begin, *sizes),
    }
    name, count = max(counts.items(), key=lambda item: item[1])  # of equals the first
    if count < _SHORTEST:
        return 1, f'place_block({at}, "{first.material}")'
    last = actions[begin + count - 1]
    return count, f'{name}({at}, {last.x}, {last.y}, {last.z}, "{first.material}")'


def _straight(actions: Sequence[Action], begin: int) -> int:
    """How many blocks from here on form one row along an axis."""
    if begin + 1 == len(actions):
        return 1
    axis = next((i for i in range(3) if actions[begin][1 + i] != actions[begin + 1][1 + i]), 0)
    return _repeats(actions, begin, 1, axis)


def _box(actions: Sequence[Action], begin: int) -> tuple[int, int, int]:
    """Sizes along y, z and x of the box that is filled from here on: x, then z, then y fastest."""
    y = _repeats(actions, begin, 1, 1)
    z = _repeats(actions, begin, y, 2)
    return y, z, _repeats(actions, begin, y * z, 0)


def _shell(actions: Sequence[Action], begin: int, y: int, z: int, x: int) -> int:
    """How many blocks from here on form the shell of a box that begins with a face of y by z."""
    if min(y, z) < 3 or x > 1:
        return 0
    face = actions[begin : begin + y * z]
    inner = {(i, k) for i in range(1, y - 1) for k in range(1, z - 1)}
    ring = [one for at, one in enumerate(face) if (at % y, at // y) not in inner]
    end = begin + len(face)
    if end >= len(actions):
        return 0
    step = 1 if actions[end].x > face[0].x else -1
    layers = 1
    while _is_moved(ring, actions, end, 0, layers * step):
        end += len(ring)
        layers += 1
    whole = layers > 1 and _is_moved(face, actions, end, 0, layers * step)
    return end + len(face) - begin if whole else 0


def _repeats(actions: Sequence[Action], begin: int, size: int, axis: int) -> int:
    """How often the next ``size`` blocks come in turn, each time a step further along an axis."""
    nearby = begin + size
    if nearby >= len(actions):
        return 1
    step = actions[nearby][1:4][axis] - actions[begin][1:4][axis]
    if step not in (1, -1):
        return 1
    model = actions[begin:nearby]
    count = 1
    while _is_moved(model, actions, begin + count * size, axis, count * step):
        count += 1
    return count


def _is_moved(
    model: Sequence[Action], actions: Sequence[Action], begin: int, axis: int, by: int
) -> bool:
    """Whether the actions from ``begin`` on are those of the model, moved along an axis."""
    if begin + len(model) > len(actions):
        return False
    for one, two in zip(model, actions[begin : begin + len(model)], strict=True):
        if one.kind != two.kind or one.material != two.material:
            return False
        for k, (here, there) in enumerate(zip(one[1:4], two[1:4], strict=True)):
            if there - here != (by if k == axis else 0):
                return False
    return True
