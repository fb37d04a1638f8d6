# SPDX-License-Identifier: GPL-3.0-or-later
"""``atomic``: one program for everything, judged at the end, written anew until it passes."""

from __future__ import annotations

from ..bench import Execution
from . import gate
from .episode import Episode
from .planner import planned


def atomic(episode: Episode) -> None:
    """Ask for the whole program until all checks pass. Raises ``Ended`` where a limit runs out."""
    talk = episode.begin("atomic", plan=planned(episode))
    while True:
        number = episode.budget.attempt()
        label = f"try-{number:02d}"
        code = episode.code(talk, label)
        if code is None:
            continue
        execution = episode.run(code, None, label)
        if execution.ok:
            episode.keep(execution, code)
        ruling = _stands(episode, execution, label)
        if ruling.passed:
            return
        left = episode.budget.attempts_left
        text = episode.render("retry_whole", feedback=ruling.text, left=left)
        talk.tell(text, ruling.pictures)


def _stands(episode: Episode, execution: Execution, label: str) -> gate.Ruling:
    ruling = gate.ran(execution)
    if ruling.passed:
        ruling = gate.checks_pass(episode, execution, label, "all")
    if ruling.passed:
        ruling = gate.whole_looks_alike(episode, execution, label)
    return ruling
