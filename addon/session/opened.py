# SPDX-License-Identifier: GPL-3.0-or-later
"""The run folder that is open in the window, and which of its attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from . import open_run, run_choices, texts, thumbnails


@dataclass(frozen=True)
class OpenedAttempt:
    """Where a scene of the open file came from.

    ``run`` is the run folder, ``attempt`` the attempt's name as its record has it
    (``attempts/timber/cabin/1``), ``record`` that record, empty while an episode is still at work.
    ``step`` names one of an episode's tries; ``None``: the scene is what the attempt left.
    """

    run: Path
    attempt: str
    record: Mapping[str, Any] = field(default_factory=dict)
    task: str | None = None
    step: str | None = None

    @property
    def folder(self) -> Path:
        """The attempt's own folder, which need not be there."""
        return self.run / self.attempt


_origins: dict[int, OpenedAttempt] = {}


def attempt_of(scene: bpy.types.Scene | None) -> OpenedAttempt | None:
    """The attempt that a scene came from, ``None`` if it came from no run folder or episode."""
    return _origins.get(scene.session_uid) if scene is not None else None


def remember(scene: bpy.types.Scene, attempt: OpenedAttempt) -> None:
    """Note where a scene came from, for as long as this file is open."""
    _origins[scene.session_uid] = attempt


def remember_uid(uid: int, attempt: OpenedAttempt) -> None:
    """The same for a scene's ``session_uid``: the scene itself may be gone already."""
    _origins[uid] = attempt


def forget_all() -> None:
    """Another file was loaded, or the extension goes."""
    _origins.clear()
    texts.forget_all()
    thumbnails.forget()
    open_run.close()


CLASSES = run_choices.CLASSES


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    run_choices.attach()


def detach() -> None:
    """Take it away again."""
    forget_all()
    run_choices.detach()
