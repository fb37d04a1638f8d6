# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the program, the truth and the pictures of a pack's task come from."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...checks.timber.structure import TimberStructure
from ..fields import check_program
from ..model import TaskError
from .recipe import Recipe, RecipeError, fingerprint


def _nothing() -> Mapping[str, bytes]:
    return {}


@dataclass(frozen=True)
class PackOrigin:
    """See :class:`..model.Origin`.

    ``place`` says in messages which task it is. ``recipe`` is there for generated tasks; their
    ``members`` may be stored too, and are then the truth if they have the recipe's fingerprint.
    ``build`` is the file of the program where the pack has one.
    """

    place: str
    recipe: Recipe | None = None
    build: Path | None = None
    members: Callable[[], TimberStructure | None] | None = None
    pictures: Callable[[], Mapping[str, bytes]] = _nothing

    @property
    def has_program(self) -> bool:
        """Whether there is a known-good program."""
        return self.build is not None or self.recipe is not None

    def program(self) -> str:
        """Its source: the pack's own file, or written from the parameters."""
        if self.build is not None:
            return check_program(self.build)
        if self.recipe is None:
            raise TaskError(
                self.place,
                "",
                "brings no known-good program",
                "build it with --agent null, human or a model",
            )
        from ..houses.program import program

        try:
            return program(self.recipe.house())
        except RecipeError as error:
            raise TaskError(
                self.place, "", str(error), "generate the pack with this version"
            ) from None

    def truth(self) -> TimberStructure | None:
        """The stored members or the rebuilt house, ``None`` if neither is what it should be."""
        try:
            return self._truth()
        except RecipeError:
            return None

    def why_no_truth(self) -> str | None:
        """One sentence if the truth can't be trusted."""
        try:
            self._truth()
        except RecipeError as error:
            return f"{self.place}: {error}, so that it has no ground truth"
        return None

    def why_no_program(self) -> str | None:
        """One sentence if its parameters make another house than the stored members are.

        The members have the fingerprint and are the truth all the same; it takes as long as to
        build the house.
        """
        if self.recipe is None or self.build is not None:
            return None
        try:
            self.recipe.house()
        except RecipeError as error:
            return f"{self.place}: {error}, so that it has no known-good program"
        return None

    def references(self) -> Mapping[str, bytes]:
        """PNG by canonical view."""
        return self.pictures()

    def _truth(self) -> TimberStructure | None:
        if self.recipe is None:
            return None
        stored = None
        with contextlib.suppress(RecipeError):  # the parameters may still make it
            stored = self.members() if self.members is not None else None
        if stored is not None and fingerprint(stored) == self.recipe.sha256:
            return stored
        return self.recipe.house().structure
