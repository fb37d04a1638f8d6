# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan before the building: asked for, checked, told back, and put at the head of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..kinds.base import PlanProblem
from .episode import Episode
from .parse import find_json

_PROBLEMS_TOLD = 40
#: What is told of one problem, characters.
_LONGEST = 400


def planned(episode: Episode) -> str:
    """The accepted plan as the model sees it again, empty without a planner.

    Where no plan was accepted after all retries the episode goes on without one and says so: what
    is measured is the structure. Raises ``Ended`` where a limit runs out.
    """
    if not episode.options.planner:
        return ""
    plan = make_plan(episode)
    episode.outcome.metrics["plan_accepted"] = plan is not None
    if plan is None:
        episode.outcome.notes.append("No plan was accepted; it was built without one.")
        return ""
    return episode.render("plan", json=json.dumps(plan, indent=1))


def make_plan(episode: Episode) -> dict[str, Any] | None:
    """Ask for a plan until the checker has nothing to say, ``None`` if it always has."""
    talk = episode.begin("planner", system="planner_system")
    for turn in range(1, episode.options.plan_retries + 2):
        label = f"plan-try-{turn}"
        reply = talk.ask(label)
        found = find_json(reply)
        if found.state == "refusal":
            episode.budget.refused()
        if found.state != "usable":
            episode.note(label, found.state, found.message)
            episode.count(f"answers_{found.state}")
            talk.tell(found.message)
            continue
        problems = episode.kind.check_plan(episode.task, found.data)
        if not problems:
            episode.note(label, "plan", "accepted")
            return dict(found.data)
        listed = "\n".join(_listed(problems))
        episode.note(label, "plan", listed)
        episode.count("plan_retries")
        talk.tell(episode.render("retry_plan", problems=listed))
    return None


def _listed(problems: Sequence[PlanProblem]) -> Iterator[str]:
    """A line a problem, as far as a model can use them: a plan may be wrong ten thousand times."""
    for problem in problems[:_PROBLEMS_TOLD]:
        yield f"- {_short(problem.path)}: {_short(problem.message)}"
    if len(problems) > _PROBLEMS_TOLD:
        yield f"- and {len(problems) - _PROBLEMS_TOLD:,} more problems like these"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
