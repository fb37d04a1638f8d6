# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kinds of tasks agents know. A new kind is a line here and a folder of prompts."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ....tasks import Task
from ..agents import Target, Workshop
from .base import TaskKind

# Module and name of each kind: only the one asked for is imported.
_KINDS: dict[str, tuple[str, str]] = {
    "timber": (".timber", "TimberKind"),
    "voxel": (".voxel", "VoxelKind"),
    "reconstruction": (".reconstruction", "ReconstructionKind"),
}

KINDS: tuple[str, ...] = tuple(_KINDS)


class UnknownKind(ValueError):
    """A kind of task that agents don't know; the message lists those that they do."""


def kind_for(task: Task) -> TaskKind:
    """What agents know of the kind of a task. Raises :class:`UnknownKind`."""
    if task.kind not in _KINDS:
        raise UnknownKind(f"no agent builds tasks of kind {task.kind!r}; known: {', '.join(KINDS)}")
    return _kind(task.kind)


def _kind(known: str) -> TaskKind:
    module, name = _KINDS[known]
    kind: TaskKind = getattr(import_module(module, __package__), name)()
    return kind


def fitting(kind: str) -> tuple[str, ...]:
    """Names of the protocols that can lead a model through tasks of a kind; none if unknown."""
    return _kind(kind).protocols if kind in _KINDS else ()


def check_protocol(kind: TaskKind, protocol: str) -> None:
    """Raise ``ValueError`` (one sentence with the remedy) unless the protocol fits the kind."""
    if protocol not in kind.protocols:
        *some, last = kind.protocols
        raise ValueError(
            f"protocol {protocol} can't lead a model through tasks of kind {kind.name}; choose "
            f"{', '.join(some)} or {last}"
        )


def target_of(task: Task, workshop: Workshop) -> Callable[[], Target | None]:
    """What makes the look that should be built, which for some kinds there isn't."""
    return workshop.target if kind_for(task).has_target else lambda: None
