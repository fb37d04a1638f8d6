# SPDX-License-Identifier: GPL-3.0-or-later
"""The 25 files, in the order of their names."""

from __future__ import annotations

from .buildings import BUILDING_TYPES
from .civil import CIVIL
from .file import TaskFile
from .management import MANAGEMENT
from .structural import STRUCTURAL

FILES: tuple[TaskFile, ...] = (*STRUCTURAL, *BUILDING_TYPES, *MANAGEMENT, *CIVIL)
