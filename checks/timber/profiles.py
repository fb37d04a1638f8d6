# SPDX-License-Identifier: GPL-3.0-or-later
"""The three profiles of timber checks by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ..result import Judgement, Progress
from .brief import TimberBrief
from .structure import TimberStructure

Judge = Callable[..., Judgement]

DEFAULT = "engineering"

# Module and function of each profile: only the one asked for is imported.
_JUDGES: dict[str, tuple[str, str]] = {
    "engineering": (".engineering.profile", "judge_engineering"),
    "paper": (".paper", "judge_paper"),
    "release": (".release", "judge_release"),
}

PROFILES: tuple[str, ...] = tuple(_JUDGES)


class UnknownProfile(ValueError):
    """A profile that timber does not have; the message lists those it has."""


def judge(
    structure: TimberStructure,
    brief: TimberBrief | None = None,
    profile: str = DEFAULT,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a timber structure.

    Parameters
    ----------
    structure
        Members as oriented boxes.
    brief
        What the task sets; defaults of :class:`TimberBrief` where there is no task.
    profile
        ``"engineering"``, ``"paper"`` or ``"release"``.
    progress
        Told before each step; see :data:`..result.Progress`.

    Raises
    ------
    UnknownProfile
        For any other profile.
    """
    if profile not in _JUDGES:
        raise UnknownProfile(f"timber has no profile {profile!r}; it has {', '.join(PROFILES)}")
    module, function = _JUDGES[profile]
    run: Judge = getattr(import_module(module, __package__), function)
    return run(structure, brief, progress=progress)
