# SPDX-License-Identifier: GPL-3.0-or-later
"""What reading a file of blocks gives: the blocks that stand after each turn of each problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...checks.voxel.brief import VoxelBrief
from ...checks.voxel.cells import REACH
from ...checks.voxel.structure import Action, VoxelStructure, merge

#: No more blocks than this are read from one file.
MOST_BLOCKS = 1_000_000
_TOLD = 20  # faults that are told one by one


class BlocksError(ValueError):
    """A file of which nothing can be read; one sentence that ends with a remedy."""


@dataclass(frozen=True)
class Run:
    """One problem.

    Attributes
    ----------
    turns
        The blocks that stand after each turn; at least one.
    number
        Its number in the file, from 0.
    prompts
        What was asked in each turn, as far as the file tells.
    brief
        The checks of each turn, where the file tells them.
    model
        Who built it, where the file tells.
    faults
        One sentence for each thing left out of it, and for what may be of any problem of the file.
    """

    turns: tuple[VoxelStructure, ...]
    number: int = 0
    prompts: tuple[str, ...] = ()
    brief: VoxelBrief | None = None
    model: str | None = None
    faults: tuple[str, ...] = ()

    @property
    def blocks(self) -> VoxelStructure:
        """The blocks that stand after the last turn."""
        return self.turns[-1]


@dataclass(frozen=True)
class BlocksFile:
    """All problems of a file, at least one, and one sentence for each thing left out of it."""

    runs: tuple[Run, ...]
    faults: tuple[str, ...] = ()

    @property
    def blocks(self) -> VoxelStructure:
        """The blocks after the last turn of the last problem."""
        return self.runs[-1].blocks


def replay(
    previous: VoxelStructure | None, actions: Iterable[Action], source: str
) -> VoxelStructure:
    """The blocks after a turn's actions, with notes on what was built or removed in vain."""
    actions = list(actions)
    placed = [action[1:4] for action in actions if action.kind == "place"]
    removed = [action[1:4] for action in actions if action.kind == "remove"]
    stood = {} if previous is None else previous.index
    notes = []
    twice = len(placed) - len(set(placed))
    if twice:
        notes.append(
            f"{_blocks(twice)} placed where the same turn had placed one; the last material counts"
        )
    vain = sum(cell not in stood for cell in removed)
    if vain:
        notes.append(
            f"{vain} removal{'' if vain == 1 else 's'} changed nothing, since no block of an "
            "earlier turn stood there"
        )
    return merge(previous, actions, source={"file": source}, notes=tuple(notes))


def within_reach(actions: Iterable[tuple[str, Action]], faults: list[str]) -> Iterator[Action]:
    """Actions that lie where anything can be built; of the others ``faults`` tells their place."""
    count = 0
    for place, action in actions:
        if max(abs(action.x), abs(action.y), abs(action.z)) > REACH:
            faults.append(
                f"{place}: a coordinate is more than {REACH} blocks from the origin; the call is "
                "left out"
            )
            continue
        count += 1
        if count > MOST_BLOCKS:
            raise BlocksError(f"{place}: more than {MOST_BLOCKS} blocks; give a smaller file")
        yield action


def not_whole(coordinates: Iterable[Any]) -> bool:
    """Whether reading these cuts something off."""
    return any(isinstance(value, float) and not value.is_integer() for value in coordinates)


def tell_cut(count: int, faults: list[str]) -> None:
    """Say how many blocks had coordinates that :func:`not_whole` finds."""
    if count:
        faults.append(
            f"{_blocks(count)} given coordinates that aren't whole; they were cut, as published"
        )


def few(faults: list[str]) -> tuple[str, ...]:
    """The first sentences, and how many more there are."""
    if len(faults) <= _TOLD:
        return tuple(faults)
    return (*faults[:_TOLD], f"and {len(faults) - _TOLD} more faults of this file")


def _blocks(count: int) -> str:
    return "1 block was" if count == 1 else f"{count} blocks were"
