# SPDX-License-Identifier: GPL-3.0-or-later
"""``atomic`` and ``reactive`` where a task is asked for turn by turn, as tasks of blocks are.

``atomic`` is the published way (MineCEraft, section 4 and appendix E.2): one program a turn, run on
the blocks that stand, and nothing is told back. ``reactive`` tells the findings of each turn and
takes further programs until they are mended. Either way a task begins with an empty world and a
new conversation, which lasts over all of its turns.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from ....checks.voxel.brief import VoxelBrief
from ....tasks.constructions.system_prompt import system_prompt
from ..bench import Execution, Scene
from ..budget import Ended
from ..history import History
from ..kinds.voxel import checks_text, prompts_of
from ..turn_building import TurnBuilding
from . import gate
from .episode import Episode
from .parse import find_code
from .talk import Talk, user


def turns(episode: Episode) -> None:
    """One program a turn, without a word on what became of it.

    An answer without a program, a refusal too, and a program that fails leave the blocks of the
    turn before. Raises ``Ended`` where a limit runs out.
    """
    prompts = prompts_of(episode.task)
    talk = _begin(episode, "atomic", prompts)
    talk.history = History(talk.history.head, len(prompts))  # nothing of it is left out
    with _world(episode, prompts) as building:
        for number, prompt in enumerate(prompts, 1):
            if number > 1:
                building.next_turn()
                talk.tell(prompt)
            episode.budget.attempt()
            label = f"turn-{number}"
            found = find_code(talk.ask(label))
            if found.state != "usable":
                _missed(episode, building, label, found.state)
            elif (execution := building.run(found.code, label=label)).ok:
                gate.checks_pass(episode, execution, label, "all", pictures=False)


def turns_with_findings(episode: Episode) -> None:
    """Programs until a turn passes or its tries are used up, then the next turn.

    Raises ``Ended`` where a limit runs out.
    """
    prompts = prompts_of(episode.task)
    brief = VoxelBrief.from_mapping(episode.task.brief)
    talk = _begin(episode, "reactive", prompts)
    with _world(episode, prompts) as building:
        for number, prompt in enumerate(prompts, 1):
            ruling = _until_passed(episode, talk, building, prompt)
            if number == len(prompts):
                return
            building.next_turn()
            text = episode.render(
                "next_turn",
                done=_done(number, ruling),
                request=prompts[number],
                checks=checks_text(brief, number + 1),
                inventory=_stands(episode, building),
            )
            talk.tell(text, ruling.pictures)


def _until_passed(episode: Episode, talk: Talk, building: TurnBuilding, prompt: str) -> gate.Ruling:
    """The tries of one turn; what was said of the last."""
    tries = episode.budget.limits.retries + 1
    for turn in range(1, tries + 1):
        episode.budget.attempt()
        label = f"turn-{building.turn}-try-{turn}"
        found = episode.code(talk, label)
        if found.state == "usable":
            ruling = _try(episode, building, found.code, label)
        else:
            building.missed(_no_program(found.state))
            ruling = gate.Ruling(False, found.message)
        left = min(tries - turn, episode.budget.attempts_left)
        if ruling.passed or not left:
            break
        facts = {"request": prompt, "left": left, "inventory": _stands(episode, building)}
        text = episode.render("retry_turn", feedback=ruling.text, **facts)
        talk.tell(text, ruling.pictures)
    return ruling


def _try(episode: Episode, building: TurnBuilding, code: str, label: str) -> gate.Ruling:
    execution = building.run(code, label=label)
    ruling = gate.ran(execution)
    return gate.checks_pass(episode, execution, label, "all") if ruling.passed else ruling


def _done(number: int, ruling: gate.Ruling) -> str:
    if ruling.passed:
        return f"Request {number} is done: no check found a fault."
    return f"The programs for request {number} are used up; what stands stays.\n{ruling.text}"


def _begin(episode: Episode, name: str, prompts: Sequence[str]) -> Talk:
    """The conversation about a task, which no other task is ever told of in."""
    options = episode.options
    episode.outcome.metrics.update(turns=len(prompts), brevity=options.brevity)
    system = episode.render("system", engineer=system_prompt(options.brevity == "with"))
    reminder = episode.render("reminder") if options.reserve_last_launch else ""
    return Talk(episode.line, system, user(episode.render(name, reminder=reminder)))


@contextlib.contextmanager
def _world(episode: Episode, prompts: Sequence[str]) -> Iterator[TurnBuilding]:
    """The blocks of an episode; at its end what stands is what it has to show."""
    building = TurnBuilding(_Recorded(episode), len(prompts))
    try:
        yield building
        building.settle()
    except Ended:
        building.settle()
        raise
    finally:
        outcome = episode.outcome
        outcome.mishaps = tuple(building.mishaps)
        outcome.metrics["turns_lost"] = len(building.mishaps)
        if building.standing is not None:
            episode.keep(building.standing, building.program)


class _Recorded:
    """Runs code as the episode does, which writes it down."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    def execute(self, code: str, start: Scene | None, label: str) -> Execution:
        return self._episode.run(code, start, label)


def _missed(episode: Episode, building: TurnBuilding, label: str, state: str) -> None:
    """Write down an answer without a program."""
    episode.note(label, state, _no_program(state))
    episode.count(f"answers_{state}")
    building.missed(_no_program(state))


def _no_program(state: str) -> str:
    words = {
        "refusal": "The model declined to answer.",
        "empty": "The model's answer was empty.",
        "cut_off": "The model's answer was cut off before its program was complete.",
        "several": "The model's answer held several programs, so that it isn't clear which counts.",
    }
    return words.get(state, "The model's answer held no program.")


def _stands(episode: Episode, building: TurnBuilding) -> str:
    return episode.inventory(building.standing.structure if building.standing else None)
