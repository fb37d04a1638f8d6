# SPDX-License-Identifier: GPL-3.0-or-later
"""Timber frames: structure, roles, span tables, and the three profiles of checks.

``judge(structure, brief, profile)`` is the entry; see :mod:`.profiles`.
"""

from typing import Any

from .brief import TimberBrief
from .structure import TimberStructure

__all__ = ["TimberBrief", "TimberStructure", "judge"]


def __getattr__(name: str) -> Any:
    if name == "judge":
        from .profiles import judge

        return judge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
