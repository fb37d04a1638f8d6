# SPDX-License-Identifier: GPL-3.0-or-later
"""``editing``: changes to a sound structure that looks too little like its target.

An edit is kept only if every check still passes and the similarity rises; otherwise it is as if it
had never been made.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import feedback
from ..bench import Execution, Scene
from ..budget import Ended
from . import gate
from .episode import Episode, joined
from .looks import Compared, Unseen
from .talk import Talk

#: A program that changes nothing: its run reads what an editing episode starts from.
_NOTHING = "pass\n"


@dataclass(frozen=True)
class _Standing:
    """What stands: the run that left it, all programs that make it, and how it looks."""

    execution: Execution
    programs: tuple[tuple[str, str], ...]
    compared: Compared


def editing(episode: Episode, start: Scene, program: str) -> None:
    """Ask for edits until the threshold is reached. Raises ``Ended`` where a limit runs out.

    ``start`` is the sound structure and ``program`` what made it, empty if nobody knows.
    """
    standing = _begin(episode, start, program)
    threshold = episode.options.editing_threshold
    if standing.compared.value >= threshold:
        episode.outcome.notes.append(
            f"Nothing was edited: the similarity is {standing.compared.value:.3f} already."
        )
        return
    talk = _open(episode, standing)
    while standing.compared.value < threshold:
        number = episode.budget.attempt()
        label = f"edit-{number:02d}"
        found = episode.code(talk, label)
        if found.state == "usable":
            standing = _edit(episode, talk, found.code, standing, label)
            episode.keep(standing.execution, joined(standing.programs))
        else:
            talk.tell(found.message)


def _begin(episode: Episode, start: Scene, program: str) -> _Standing:
    """Read, judge and compare what is to be edited. Raises ``Ended`` if it is no start."""
    execution = episode.run(_NOTHING, start, "start")
    ruling = gate.ran(execution)
    if ruling.passed:
        # Before it is judged: whatever comes, this is what there is.
        episode.keep(execution, program)
        ruling = gate.checks_pass(episode, execution, "start", "all")
    if not ruling.passed:
        raise Ended("unsound_start", f"the structure to edit is not sound: {ruling.text}")
    try:
        compared = _compare(episode, execution, "start")
    except Unseen as error:
        raise Ended("unsound_start", f"the structure to edit can't be seen: {error}") from None
    if compared is None:
        raise Ended("no_target", "the task has no target to compare with")
    return _Standing(execution, (("start", program),) if program else (), compared)


def _compare(episode: Episode, execution: Execution, label: str) -> Compared | None:
    episode.workshop.progress(f"{label}: comparing with the target")
    compared = episode.looks.compare(execution.scene) if execution.scene is not None else None
    if compared is not None:
        episode.similar(compared.value, label)
    return compared


def _open(episode: Episode, standing: _Standing) -> Talk:
    head = episode.head("editing", **_facts(episode, standing))
    talk = Talk(episode.line, episode.render("system"), head)
    if episode.options.pictures:
        talk.tell("Target and structure as they are now:", standing.compared.pictures())
    return talk


def _facts(episode: Episode, standing: _Standing) -> dict[str, object]:
    return {
        "similarity": f"{standing.compared.value:.3f}",
        "threshold": f"{episode.options.editing_threshold:g}",
        "views": standing.compared.by_view,
        "inventory": episode.inventory(standing.execution.structure),
        "left": episode.budget.attempts_left,
    }


def _edit(episode: Episode, talk: Talk, code: str, standing: _Standing, label: str) -> _Standing:
    """Make one edit; returns what stands after it, which is what stood if it is taken back."""
    execution = episode.run(code, standing.execution.scene, label)
    ruling = gate.ran(execution)
    if ruling.passed:
        ruling = gate.checks_pass(episode, execution, label, "all")
    compared = None
    if ruling.passed:
        try:
            compared = _compare(episode, execution, label)
        except Unseen as error:
            ruling = gate.Ruling(False, f"Every check passes, but it can't be seen: {error}.")
    if compared is not None and compared.value > standing.compared.value:
        episode.count("edits_kept")
        after = _Standing(execution, (*standing.programs, (label, code)), compared)
        _tell_kept(episode, talk, standing, after)
        return after
    episode.count("edits_taken_back")
    if compared is not None:
        text = (
            f"Every check passes, but the similarity fell or stayed: {compared.value:.3f} after "
            f"the edit, {standing.compared.value:.3f} before. By view: {compared.by_view}."
        )
        pictures = compared.pictures() if episode.options.pictures else []
        ruling = gate.Ruling(False, text, pictures)
    facts = _facts(episode, standing)
    talk.tell(episode.render("edit_taken_back", feedback=ruling.text, **facts), ruling.pictures)
    return standing


def _tell_kept(episode: Episode, talk: Talk, before: _Standing, after: _Standing) -> None:
    printed = feedback.printed_text(after.execution)
    text = episode.render(
        "edit_kept",
        **_facts(episode, after),
        before=f"{before.compared.value:.3f}",
        after=f"{after.compared.value:.3f}",
        printed=f"\n{printed}" if printed else "",
    )
    talk.tell(text, after.compared.pictures() if episode.options.pictures else [])
