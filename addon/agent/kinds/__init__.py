# SPDX-License-Identifier: GPL-3.0-or-later
"""What each kind of task tells a model, and how its phases are judged."""

from .base import PlanProblem, Scope, TaskKind
from .registry import KINDS, UnknownKind, check_protocol, fitting, kind_for, target_of

__all__ = [
    "KINDS",
    "PlanProblem",
    "Scope",
    "TaskKind",
    "UnknownKind",
    "check_protocol",
    "fitting",
    "kind_for",
    "target_of",
]
