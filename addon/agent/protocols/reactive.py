# SPDX-License-Identifier: GPL-3.0-or-later
"""``reactive``: one program for all phases in its own order, checked after each of them.

The program marks where a phase begins. A phase that fails ends the try: what comes after it is not
looked at, and the whole program is written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import gate
from .episode import Episode
from .marks import MarksError, Part, parts
from .planner import planned


def reactive(episode: Episode) -> None:
    """Ask for the whole program until all phases and the whole pass. Raises ``Ended``."""
    talk = episode.begin("reactive", plan=planned(episode))
    while True:
        number = episode.budget.attempt()
        label = f"try-{number:02d}"
        found = episode.code(talk, label)
        if found.state == "usable":
            ruling = _stands(episode, found.code, label)
        else:
            ruling = gate.Ruling(False, found.message)
        if ruling.passed:
            return
        left = episode.budget.attempts_left
        text = episode.render("retry_reactive", feedback=ruling.text, left=left)
        talk.tell(text, ruling.pictures)


def _stands(episode: Episode, code: str, label: str) -> gate.Ruling:
    """Run and judge phase by phase, then everything."""
    try:
        pieces = parts(code, episode.kind.phases)
    except MarksError as error:
        episode.note(label, "marks", str(error))
        episode.count("answers_without_phases")
        return gate.Ruling(False, f"The phases of the program can't be told:\n{error}")
    before: Mapping[str, Any] | None = None
    for place, piece in enumerate(pieces):
        here = f"{label}-{piece.phase}"
        execution = episode.run(piece.code, None, here)
        if execution.ok:
            episode.keep(execution, piece.code)
        ruling = gate.phase_stands(episode, piece.phase, before, execution, here)
        if not ruling.passed:
            episode.count(f"failures_{piece.phase}")
            return gate.Ruling(False, _after(pieces, place, ruling.text), ruling.pictures)
        before = execution.structure
    whole = gate.checks_pass(episode, execution, label, "all")
    return gate.whole_looks_alike(episode, execution, label) if whole.passed else whole


def _after(pieces: list[Part], place: int, text: str) -> str:
    """Which phase failed, which stood, and which were not looked at."""
    stood = ", ".join(piece.phase for piece in pieces[:place]) or "none"
    unseen = ", ".join(piece.phase for piece in pieces[place + 1 :]) or "none"
    return (
        f'The phase "{pieces[place].phase}" failed (phases that stood: {stood}; not looked at: '
        f"{unseen}).\n{text}"
    )
