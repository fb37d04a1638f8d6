# SPDX-License-Identifier: GPL-3.0-or-later
"""What was built turn by turn: the blocks that stand, all code that made them, and what went wrong.

A program that does not run to its end leaves the blocks as they were. So a turn in which none did
leaves those of the turn before, and the episode goes on (the published rule for a turn without
actions); what went wrong in it is kept for the check ``program``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...checks.result import Finding
from .bench import BenchError, Execution
from .feedback import failure
from .joining import joined_pieces
from .scripted import NOTHING
from .tools.building import Building, Runs, execution_from_plain, execution_to_plain

#: Says to the scene that a turn is over; run between the programs of two turns.
NEXT_TURN = "next_turn()\n"
PROGRAM_CHECK = "program"
_CALLED = "The program called next_turn(), which is not its to call; leave it out."
# Else a turn could be mended when it is over, by whoever edits the points and their attributes.
_FORGED = (
    "The program changed the record of what stood after earlier turns; build by place_block and "
    "remove_block only."
)


class TurnBuilding(Building):
    """A world of blocks over the turns of a task; ``turns`` is how many there are.

    ``turn`` is the present one, from 1; ``mishaps`` are findings of the check ``program``, one for
    each turn that is over and came to nothing.
    """

    def __init__(self, bench: Runs, turns: int) -> None:
        super().__init__(bench)
        self.turns = turns
        self.turn = 1
        self._trouble: str | None = None
        #: How many pieces there were when this turn began, and what stood then.
        self._before = 0
        self._base: Execution | None = None

    @property
    def program(self) -> str:
        return joined_pieces([_titled(piece) for piece in self.pieces])

    @property
    def last_turn(self) -> bool:
        """Whether the present turn is the last."""
        return self.turn >= self.turns

    def run(self, code: str, fresh: bool = False, label: str | None = None) -> Execution:
        """Run code on what stands, with ``fresh`` on what stood when the turn began.

        Raises ``BenchError``.
        """
        self.runs += 1
        begin = self._base if fresh else self.standing
        label = label or f"run-{self.runs:02d}"
        execution = self._ran(code, begin, label)
        if execution.ok:
            pieces = self.pieces[: self._before] if fresh else self.pieces
            self.pieces = [*pieces, code]
            self.standing, self._trouble = execution, None
        elif len(self.pieces) == self._before:
            self._trouble = failure(execution)
        return execution

    def missed(self, why: str) -> None:
        """There was no program for the present turn; ``why`` is one sentence."""
        if len(self.pieces) == self._before:
            self._trouble = why

    def next_turn(self) -> None:
        """The present turn is over, and there is another. Raises ``BenchError``."""
        self.close_turn()
        execution = self._ran(NEXT_TURN, self.standing, f"turn-{self.turn + 1}-begins")
        if not execution.ok:
            raise BenchError(f"the next turn can't begin: {failure(execution)}")
        self.turn += 1
        self.pieces = [*self.pieces, NEXT_TURN]
        self.standing, self._base, self._before = execution, execution, len(self.pieces)

    def close_turn(self) -> None:
        """Write down what went wrong in the present turn, if nothing came of it."""
        if self._trouble is not None:
            stays = (
                f"the blocks of turn {self.turn - 1} stand" if self.turn > 1 else "nothing stands"
            )
            message = f"{self._trouble.rstrip('.')}; {stays}."
            place = f"turn {self.turn}" if self.turns > 1 else "program"
            self.mishaps.append(Finding(PROGRAM_CHECK, place, message, subject_kind="place"))
        self._trouble = None

    def settle(self) -> None:
        """After the last turn: where nothing ever stood, an empty world stands.

        Raises ``BenchError``.
        """
        self.close_turn()
        if self.standing is None:
            self.standing = self._ran(NOTHING, None, "nothing")

    def _ran(self, code: str, begin: Execution | None, label: str) -> Execution:
        execution = self._bench.execute(code, begin.scene if begin else None, label)
        if code is not NEXT_TURN and execution.ok:
            past, found = _earlier(self._base), _earlier(execution)
            trouble = _FORGED if found[: len(past)] != past else _CALLED if found != past else None
            if trouble:
                execution = replace(execution, outcome="raised", message=trouble)
        self.heard(execution, code, label)
        return execution

    def state(self, folder: Path) -> dict[str, Any]:
        base = execution_to_plain(self._base, folder) if self._base else None
        mishaps = [[one.subject, one.message] for one in self.mishaps]
        own = {"turn": self.turn, "before": self._before, "base": base, "mishaps": mishaps}
        return {**super().state(folder), **own, "trouble": self._trouble}

    def restore(self, state: Mapping[str, Any], folder: Path) -> None:
        super().restore(state, folder)
        self.turn, self._before = int(state["turn"]), int(state["before"])
        self._base = execution_from_plain(state["base"], folder) if state["base"] else None
        self.mishaps = [
            Finding(PROGRAM_CHECK, str(subject), str(message), subject_kind="place")
            for subject, message in state["mishaps"]
        ]
        self._trouble = state["trouble"]


def _titled(piece: str) -> tuple[str, str]:
    return ("the next turn" if piece == NEXT_TURN else "a program", piece)


def _earlier(execution: Execution | None) -> list[tuple[Any, ...]]:
    """What stood after each turn that is over, in the blocks that a run left."""
    plain = (execution.structure if execution else None) or {}
    stood = plain.get("earlier", ())
    return [(one["positions"], one["palette"], one["codes"]) for one in stood]
