# SPDX-License-Identifier: GPL-3.0-or-later
"""How an episode is to be led. Defaults are those of the paper where it names one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..feedback import TOKENS


@dataclass(frozen=True)
class ProtocolOptions:
    """What a protocol may be told.

    ``planner`` has the model write a plan first, which is checked and told back up to
    ``plan_retries`` times. ``history`` is how many steps a model sees again, ``context_tokens`` an
    estimated ceiling for what it sees. ``pictures`` shows it the target where there is one and the
    places of faults; models that read no pictures need it off. ``feedback_tokens`` is what findings
    may take, ``inventory_tokens`` the list of what stands. ``require_visual_similarity`` sends back
    what is sound but less similar than ``visual_retry_threshold``; ``editing_threshold`` is what
    edits are to reach. ``reserve_last_launch`` reminds the model to keep its last try for
    validation (PhysCodeGym, D.4). ``judge_last_phase_wholly`` gates the last phase of ``managed``
    by all checks rather than by those of a phase, which is not what the paper does. ``brevity``
    (``with`` or ``without``) is for blocks: the sentence of the system prompt that asks for short
    answers (MineCEraft, table 8). The rest is passed on to the provider; ``None`` leaves it to its
    default.
    """

    planner: bool = True
    plan_retries: int = 3
    history: int = 5
    context_tokens: int | None = 100_000
    pictures: bool = True
    feedback_tokens: int = TOKENS
    inventory_tokens: int = 4000
    require_visual_similarity: bool = False
    visual_retry_threshold: float = 0.4
    editing_threshold: float = 0.6
    reserve_last_launch: bool = False
    judge_last_phase_wholly: bool = False
    brevity: str = "with"
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    effort: str | None = None

    def plain(self) -> dict[str, Any]:
        """For ``run.json``."""
        return asdict(self)
