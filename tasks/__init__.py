# SPDX-License-Identifier: GPL-3.0-or-later
"""What to build and how it is judged: task models, loader, and the bundled tasks."""

from .loader import SMOKE, load_task, select
from .model import Task, TaskError, Twin

__all__ = ["SMOKE", "Task", "TaskError", "Twin", "load_task", "select"]
