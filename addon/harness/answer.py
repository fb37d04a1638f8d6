# SPDX-License-Identifier: GPL-3.0-or-later
"""From a call of the released harness to its answer: what was submitted, read, judged, worded.

The harness rebuilds a submission as boxes under their matrices, which collapses some members and
squares the scale of others; so the submission file is read instead, and its corners win.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...checks.timber.profiles import PROFILES
from ...checks.timber.structure import TimberStructure
from ..runs.judging import InputError, judge_structure
from ..scene.submission import SubmissionError, structure_from_submission
from .wording import refused, worded

#: Environment variable that chooses another profile than :data:`DEFAULT`.
PROFILE_VARIABLE = "PLUMBLINE_PROFILE"
DEFAULT = "release"


def answer(collection: Any, arguments: Sequence[str]) -> dict[str, Any]:
    """The harness's result for one call of its validator.

    ``arguments`` is the command line of its Blender, which names the submission and the task;
    without a submission ``collection`` is read, so that the validator also judges an open scene.
    Raises ``ValueError`` for an unknown profile.
    """
    profile = chosen_profile(os.environ)
    task = option(arguments, "--task-id") or str(getattr(collection, "name", ""))
    try:
        structure = _structure(collection, option(arguments, "--submission"))
        judgement = judge_structure(structure, None, profile)
        basis = judgement
        if profile == "paper":  # it has no rule for two of the ten keys
            basis = judge_structure(structure, None, "release")
    except (SubmissionError, InputError) as error:
        return refused(str(error), profile, task)
    return worded(structure, judgement, basis, task)


def chosen_profile(environment: Mapping[str, str]) -> str:
    """The profile that the environment asks for. Raises ``ValueError`` if there is none such."""
    profile = environment.get(PROFILE_VARIABLE) or DEFAULT
    if profile not in PROFILES:
        known = ", ".join(PROFILES)
        raise ValueError(f"{PROFILE_VARIABLE} is {profile!r}; set it to one of {known}")
    return profile


def option(arguments: Sequence[str], name: str) -> str | None:
    """The value of an option behind ``--``, where Blender leaves what is not its own."""
    own = list(arguments[arguments.index("--") + 1 :]) if "--" in arguments else []
    return own[own.index(name) + 1] if name in own[:-1] else None


def _structure(collection: Any, submission: str | None) -> TimberStructure:
    if submission is not None:
        return structure_from_submission(submission)
    from ..scene.members import structure_from_scene

    return structure_from_scene(only=list(collection.all_objects))
