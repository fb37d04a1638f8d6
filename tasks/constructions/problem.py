# SPDX-License-Identifier: GPL-3.0-or-later
"""What a voxel problem is: prompts and check calls, turn by turn, and how it is worded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...checks.voxel.brief import CheckCall, VoxelBrief

Turn = tuple[CheckCall, ...]

#: Category and sub-category by the start of a file's name, after the benchmark's own list. It has
#: 16 sub-categories; the paper counts 17 task types and doesn't say which.
CATEGORIES: dict[str, tuple[str, str]] = {
    "1-se-1": ("Structural elements", "Foundations"),
    "1-se-2": ("Structural elements", "Walls"),
    "1-se-3": ("Structural elements", "Roofs and columns"),
    "1-se-4": ("Structural elements", "Frames"),
    "2-bt-1": ("Building types", "Basic"),
    "2-bt-2": ("Building types", "Multiple rooms"),
    "2-bt-3": ("Building types", "Multiple bedrooms"),
    "2-bt-4": ("Building types", "Multi-storey"),
    "3-ae-5": ("Architectural elements", "Accessibility"),
    "3-ae-6": ("Architectural elements", "Creative"),
    "4-cm-7": ("Construction management", "Resource optimisation"),
    "4-cm-8": ("Construction management", "Single-turn planning"),
    "4-cm-9": ("Construction management", "Multi-turn revision"),
    "5-ce-1": ("Civil engineering", "Basic bridges"),
    "5-ce-2": ("Civil engineering", "Arch bridges"),
    "5-ce-3": ("Civil engineering", "Domes"),
}


@dataclass(frozen=True)
class Problem:
    """One problem: what is asked in each turn, and the checks by which each turn is judged.

    Attributes
    ----------
    file
        Name of its file without ``.json``, e.g. ``"1-se-2-walls"``.
    item, wording
        Place in the file, counted from 0: problems of one item share their checks.
    prompts
        What is asked, one text a turn.
    checks
        Check calls, one tuple a turn.
    words
        The named dimensions of the wording: ``verb``, ``term``, ``building``, ``order``, ``cue``.
        Empty for problems of other people's files.
    parameters
        The place in the grid, e.g. ``{"width": 7, "thickness": 1, "height": 5}``; sizes in blocks.
    seed
        Seed of the sentence; ``None`` for problems of other people's files.
    """

    file: str
    item: int
    wording: int
    prompts: tuple[str, ...]
    checks: tuple[Turn, ...]
    words: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None

    @property
    def id(self) -> str:
        """Unique in a set of files: ``FILE/ITEM-WORDING``, counted from 1."""
        return f"{self.file}/{self.item + 1:02d}-{self.wording + 1:02d}"

    @property
    def turns(self) -> int:
        """Number of turns."""
        return len(self.prompts)

    @property
    def category(self) -> str:
        """Category by the file's name; ``"Other"`` where that says nothing."""
        return _category(self.file)[0]

    @property
    def subcategory(self) -> str:
        """Sub-category by the file's name; the file's name where that says nothing."""
        return _category(self.file)[1]

    @property
    def brief(self) -> VoxelBrief:
        """What the checks are given."""
        return VoxelBrief(self.checks)


def _category(file: str) -> tuple[str, str]:
    return CATEGORIES.get(file[:6], ("Other", file))
