# SPDX-License-Identifier: GPL-3.0-or-later
"""What was read from packs: tasks, and sentences about what had to be left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model import Task

#: How packs that are one file are called.
SUFFIX = ".dhpack"
#: What a task may be called: it becomes the name of folders, and a part of selectors.
NAME = re.compile(r"\w[\w.\-]{0,99}")
#: So many sentences are told one by one; a pack may have a hundred thousand broken rows.
_MOST = 20


@dataclass(frozen=True)
class Pack:
    """``tasks`` that can be used, and ``left_out``: a sentence for everything that can't."""

    tasks: tuple[Task, ...]
    left_out: tuple[str, ...] = ()

    def told(self) -> Iterator[str]:
        """The sentences, the first of them and how many more there are."""
        yield from self.left_out[:_MOST]
        more = len(self.left_out) - _MOST
        if more > 0:
            yield f"and {more:,} more things were left out; `plumbline tasks validate` names all"
