# SPDX-License-Identifier: GPL-3.0-or-later
"""What each kind of task tells a model, and how its phases are judged."""

from .base import PlanProblem, Scope, TaskKind
from .registry import KINDS, UnknownKind, kind_for

__all__ = ["KINDS", "PlanProblem", "Scope", "TaskKind", "UnknownKind", "kind_for"]
