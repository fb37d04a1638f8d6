# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a text that the person chose on the open scene itself, and going back to before it.

Behind the policy, with the person's leave, after a copy of the file was saved, under the alarm, and
as one undo step. No security boundary. Main thread only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy

from ..agent.bench import Problem
from . import scenes
from .consent import REFUSED, Consent
from .running import SECONDS, Ran, run_here, to_object_mode
from .session_bench import Vet


class NotAllowed(RuntimeError):
    """There is no leave to run code in this session; the message says how to give it."""


@dataclass(frozen=True)
class Direct:
    """How such a run went: ``problems`` if it was refused, else how it ran and the copy."""

    name: str
    ran: Ran
    problems: tuple[Problem, ...] = ()
    checkpoint: Path | None = None


def run_on_open_scene(
    code: str,
    name: str,
    consent: Consent,
    vet: Vet,
    checkpoints: Path,
    seconds: float = SECONDS,
) -> Direct:
    """Run ``code`` on the scene that the first window shows; ``name`` is what it is called.

    Raises :class:`NotAllowed` and ``OSError`` (no copy of the file could be saved: nothing ran).
    """
    if not consent.given:
        raise NotAllowed(REFUSED)
    problems = tuple(vet(code))
    if problems:
        first = f"line {problems[0].line}: {problems[0].message}"
        return Direct(name, Ran("refused", first, "", None, 0.0), problems)
    copy = scenes.checkpoint(checkpoints)
    window = scenes.main_window()
    assert window is not None
    scene = window.scene
    uid = scene.session_uid
    ran = run_here(code, scene, seconds)
    left = next((s for s in bpy.data.scenes if s.session_uid == uid), None)
    if left is not None:
        to_object_mode(left)
    scenes.push_undo(f"Plumbline: run {name}")
    return Direct(name, ran, checkpoint=copy)


#: The last run of this session, for the panel.
last: list[Direct] = []


def remember(direct: Direct) -> None:
    """Keep it for the panel."""
    last[:] = [direct]


def forget() -> None:
    """Another file is open: the last run is not of it."""
    last.clear()
