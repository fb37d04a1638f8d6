# SPDX-License-Identifier: GPL-3.0-or-later
"""What to build and how it is judged: task models, loader, and the bundled tasks."""

from .loader import SMOKE, gather, load_task, select
from .model import Task, TaskError, Twin
from .packs.pack import Pack

__all__ = ["SMOKE", "Pack", "Task", "TaskError", "Twin", "gather", "load_task", "select"]
