# SPDX-License-Identifier: GPL-3.0-or-later
"""``atomic``: one program for everything, judged at the end, written anew until it passes."""

from __future__ import annotations

from . import gate
from .episode import Episode
from .parse import Found
from .planner import planned


def atomic(episode: Episode) -> None:
    """Ask for the whole program until all checks pass. Raises ``Ended`` where a limit runs out."""
    talk = episode.begin("atomic", plan=planned(episode))
    while True:
        number = episode.budget.attempt()
        label = f"try-{number:02d}"
        ruling = _try(episode, episode.code(talk, label), label)
        if ruling.passed:
            return
        left = episode.budget.attempts_left
        text = episode.render("retry_whole", feedback=ruling.text, left=left)
        talk.tell(text, ruling.pictures)


def _try(episode: Episode, found: Found, label: str) -> gate.Ruling:
    """Run, judge and compare one answer."""
    if found.state != "usable":
        return gate.Ruling(False, found.message)
    execution = episode.run(found.code, None, label)
    if not execution.ok:
        return gate.ran(execution)
    episode.keep(execution, found.code)
    ruling = gate.checks_pass(episode, execution, label, "all")
    return gate.whole_looks_alike(episode, execution, label) if ruling.passed else ruling
