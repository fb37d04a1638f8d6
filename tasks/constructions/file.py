# SPDX-License-Identifier: GPL-3.0-or-later
"""One file of the grid: its items, the dimensions of its wordings, and its sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .problem import Turn

#: What the wordings of the whole set differ in; ``cue`` is a sentence added at the end, see
#: :mod:`.cues`, and is ``"none"`` unless asked for.
DIMENSIONS = ("verb", "term", "building", "order", "cue")

#: The three verbs of most files; the paper compares them in its Table 7.
VERBS = ("build", "construct", "create")
#: Plain words, or the trade's own and its abbreviations.
TERMS = ("plain", "trade")


@dataclass(frozen=True)
class Item:
    """One place in the grid: its parameters (in blocks) and the checks, a tuple a turn."""

    parameters: Mapping[str, Any]
    checks: tuple[Turn, ...]

    @classmethod
    def of(cls, *calls: Any, **parameters: Any) -> Item:
        """An item of one turn."""
        return cls(parameters, (calls,))


@dataclass(frozen=True)
class TaskFile:
    """A file of the grid.

    Attributes
    ----------
    name
        The published name, without ``.json``.
    items
        Places in the grid.
    axes
        The dimensions that its wordings run through, in order, the last fastest.
    sentences
        Sentences of the same meaning; a seed chooses one for each item. Each is a text a turn (the
        last goes for all further turns), with fields of the item's parameters and of the words.
    terms
        What plain and trade words put into the fields of the sentences, where a file has both.
    term
        Which of them the file itself uses, where ``term`` is none of its axes.
    lines
        Lines that the dimension ``order`` puts in order.
    more
        Wordings of single items beyond those of the axes.
    """

    name: str
    items: tuple[Item, ...]
    axes: Mapping[str, tuple[str, ...]]
    sentences: tuple[tuple[str, ...], ...]
    terms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    term: str = "plain"
    lines: tuple[str, ...] = ()
    more: Mapping[int, tuple[Mapping[str, str], ...]] = field(default_factory=dict)

    def wordings(self, item: int) -> Iterator[dict[str, str]]:
        """The words of each problem of an item, in order."""
        for values in itertools.product(*self.axes.values()):
            yield self.words(dict(zip(self.axes, values, strict=True)))
        for words in self.more.get(item, ()):
            yield self.words(words)

    def words(self, given: Mapping[str, str]) -> dict[str, str]:
        """All words of a wording, also those that the file doesn't vary."""
        words = {"verb": "build", "cue": "none"}
        if self.terms:
            words["term"] = self.term
        return words | dict(given)
