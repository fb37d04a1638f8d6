# SPDX-License-Identifier: GPL-3.0-or-later
"""What a voxel task asks for: the check calls of each turn. Plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .rules import ARCH_REFERENCES, BOTTOMS, Bottom, Reference

#: Stands for a check that can't be read, so that nothing passes without it.
UNREADABLE = "unreadable"


class BriefError(ValueError):
    """A brief that can't be read; the message names the place."""


@dataclass(frozen=True)
class CheckCall:
    """One check that a task asks for: ``fn`` is ``"module.function"``, ``args`` by name.

    Whether there is such a function, and whether it takes these arguments, is found when judging:
    then the others are judged all the same.
    """

    fn: str
    args: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_mapping(cls, data: Any, place: str = "check") -> CheckCall:
        """A call from task JSON. Raises :class:`BriefError`; keys like ``_comment`` are skipped."""
        if not isinstance(data, Mapping) or not isinstance(data.get("fn"), str):
            raise BriefError(f'{place}: must be an object with "fn", the name of a check')
        for key in data:
            if key not in ("fn", "args") and not str(key).startswith("_"):
                raise BriefError(f"{place}: unknown field {key!r}; known: fn, args")
        args = data.get("args") or {}
        if not isinstance(args, Mapping) or not all(isinstance(k, str) for k in args):
            raise BriefError(f"{place}: args must be an object")
        return cls(data["fn"], dict(args))


#: What is looked at where no task says: whether all hangs together, and how far one moved.
WITHOUT_TASK = (
    CheckCall("physical_plausibility.is_ground_connected"),
    CheckCall("efficiency.l1_dist"),
)


@dataclass(frozen=True)
class VoxelBrief:
    """The checks of each turn of a task.

    Attributes
    ----------
    turns
        Check calls, a tuple a turn. Blocks are judged by the last.
    bottom
        ``"belly"`` or ``"soffit"``: judges bottom surfaces so, whatever the profile.
    arch_reference
        ``"task"`` or ``"flat_bridge"``: what the published stress of an arch is set against.
    optional
        Names of check functions that may be vacuous or not run without standing in the way.
    not_applicable
        Reasons by the name of a check function that the task leaves out.
    """

    turns: tuple[tuple[CheckCall, ...], ...] = (WITHOUT_TASK,)
    bottom: Bottom | None = None
    optional: tuple[str, ...] = ()
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    arch_reference: Reference | None = None

    @property
    def calls(self) -> tuple[CheckCall, ...]:
        """The calls that count: those of the last turn."""
        return self.turns[-1] if self.turns else ()

    def at_turn(self, turn: int) -> VoxelBrief:
        """The brief by which the blocks after ``turn``, counted from 0, are judged."""
        return replace(self, turns=self.turns[turn : turn + 1])

    @classmethod
    def of(cls, *calls: CheckCall, **extra: Any) -> VoxelBrief:
        """A brief of one turn."""
        return cls((calls,), **extra)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> VoxelBrief:
        """A brief from task JSON: ``checks`` as in the published lists, a list a turn.

        Raises :class:`BriefError` naming the place.
        """
        known = ("checks", "bottom", "optional", "not_applicable", "arch_reference")
        for key in data:
            if key not in known and not str(key).startswith("_"):
                raise BriefError(f"brief: unknown field {key!r}; known: {', '.join(known)}")
        turns = data.get("checks")
        if not _is_list(turns) or not turns or not all(_is_list(turn) for turn in turns):
            raise BriefError("brief: checks must be a list with a list of checks for every turn")
        bottom = data.get("bottom")
        if bottom is not None and bottom not in BOTTOMS:
            raise BriefError(f"brief: bottom must be {' or '.join(BOTTOMS)}")
        against = data.get("arch_reference")
        if against is not None and against not in ARCH_REFERENCES:
            raise BriefError(f"brief: arch_reference must be {' or '.join(ARCH_REFERENCES)}")
        optional, spared = data.get("optional") or (), data.get("not_applicable") or {}
        if not _is_list(optional) or not all(isinstance(name, str) for name in optional):
            raise BriefError("brief: optional must be a list of names")
        if not isinstance(spared, Mapping):
            raise BriefError("brief: not_applicable must map checks to reasons")
        calls = tuple(
            tuple(
                CheckCall.from_mapping(call, f"brief: turn {t + 1}, check {c + 1}")
                for c, call in enumerate(turn)
            )
            for t, turn in enumerate(turns)
        )
        return cls(calls, bottom, tuple(optional), dict(spared), against)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
