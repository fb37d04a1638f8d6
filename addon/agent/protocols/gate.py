# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether what a program left may stand, and what to tell the model if not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import feedback
from ..bench import Execution, Scene
from ..kinds import Scope
from ..messages import Picture
from .episode import Episode
from .looks import Compared, Unseen


@dataclass(frozen=True)
class Ruling:
    """``passed``, or the text and the pictures that say why not."""

    passed: bool
    text: str = ""
    pictures: list[Picture] = field(default_factory=list)


PASSED = Ruling(True)


def ran(execution: Execution) -> Ruling:
    """Whether a program ran to its end and left something that can be read."""
    return PASSED if execution.ok else Ruling(False, feedback.program_text(execution))


def phase_stands(
    episode: Episode,
    phase: str,
    before: Mapping[str, Any] | None,
    execution: Execution,
    label: str,
    scope: Scope = "mid",
) -> Ruling:
    """The gate behind a phase: it added its own, took nothing away, and the checks pass."""
    ruling = ran(execution)
    if not ruling.passed:
        return ruling
    assert execution.structure is not None
    after = execution.structure
    undone = episode.kind.phase_faults(episode.task, phase, before, after)
    judged = checks_pass(episode, execution, label, scope)
    if not undone:
        return judged
    text = "\n".join([*(f"- {fault}" for fault in undone), *([judged.text] if judged.text else [])])
    return Ruling(False, text, judged.pictures)


def checks_pass(
    episode: Episode, execution: Execution, label: str, scope: Scope, pictures: bool = True
) -> Ruling:
    """Whether the checks find nothing that the model could mend.

    Without ``pictures`` nothing is drawn.
    """
    assert execution.structure is not None
    try:
        judgement = episode.judge(execution.structure, scope, label)
    except ValueError as error:
        return Ruling(False, f"What stands in the scene can't be judged: {error}.")
    if feedback.acceptable(judgement):
        return PASSED
    scene = execution.scene if pictures else None
    return Ruling(False, *episode.findings(judgement, scene, label))


def whole_looks_alike(episode: Episode, execution: Execution, label: str) -> Ruling:
    """Where the switch asks for it: whether what is sound also looks enough like the target.

    Passes where nobody asks or there is no target.
    """
    return _looks_alike(episode, execution.scene, label, episode.looks.compare)


def phase_looks_alike(episode: Episode, phase: str, execution: Execution, label: str) -> Ruling:
    """:func:`whole_looks_alike` of what stands after a phase, beside as much of the target."""

    def compare(scene: Scene) -> Compared | None:
        target = episode.looks.target
        kept = episode.kind.until(target.structure, phase) if target else ()
        return episode.looks.compare_part(scene, phase, kept)

    return _looks_alike(episode, execution.scene, label, compare)


def _looks_alike(
    episode: Episode, scene: Scene | None, label: str, compare: Callable[[Scene], Compared | None]
) -> Ruling:
    if not episode.options.require_visual_similarity or scene is None:
        return PASSED
    episode.workshop.progress(f"{label}: comparing with the target")
    try:
        compared = compare(scene)
    except Unseen as error:
        return Ruling(False, f"The checks found nothing, but it can't be seen: {error}.")
    if compared is None:
        return PASSED
    episode.similar(compared.value, label)
    threshold = episode.options.visual_retry_threshold
    if compared.value >= threshold:
        return PASSED
    text = episode.render(
        "retry_visual",
        similarity=f"{compared.value:.3f}",
        threshold=f"{threshold:g}",
        views=compared.by_view,
    )
    return Ruling(False, text, compared.pictures() if episode.options.pictures else [])
