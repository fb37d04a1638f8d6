# SPDX-License-Identifier: GPL-3.0-or-later
"""One generated task, ready to be written into a pack of either form."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..houses.parameters import STYLES, HouseParameters
from .briefs import stored_brief
from .recipe import Recipe, pack_members, recipe_of

if TYPE_CHECKING:
    from ..houses.house import House


@dataclass(frozen=True)
class Entry:
    """A task of a pack.

    ``members`` is the structure as :func:`.recipe.pack_members` has it, ``program`` the known-good
    program (only the folder form stores it). ``frame`` and ``skin`` are PNG by canonical view, of
    the bare frame and of the closed house.
    """

    name: str
    title: str
    style: str
    description: str
    constraints: Mapping[str, Any]
    brief: Mapping[str, Any]
    recipe: Recipe
    count: int
    members: bytes = field(default=b"", repr=False)
    program: str = field(default="", repr=False)
    frame: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    skin: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def to_mapping(self) -> dict[str, Any]:
        """Plain values without the pictures, which JSON can carry between processes."""
        return {
            **self.stored(),
            "members": base64.b64encode(self.members).decode("ascii"),
            "program": self.program,
        }

    def stored(self) -> dict[str, Any]:
        """What is needed to list the task, and to make it anew when it is asked for."""
        return {
            "name": self.name,
            "title": self.title,
            "style": self.style,
            "description": self.description,
            "constraints": dict(self.constraints),
            "brief": dict(self.brief),
            "recipe": self.recipe.to_mapping(),
            "count": self.count,
        }

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Entry:
        """What :meth:`to_mapping` or :meth:`stored` gave. Raises ``ValueError``."""
        values = {**data, "recipe": Recipe.from_mapping(data["recipe"])}
        values["members"] = base64.b64decode(data.get("members", ""))
        return cls(**values)


def name_of(parameters: HouseParameters) -> str:
    """What the task of a house is called: ``RN-0007`` for the ranch with the seed 7."""
    return f"{STYLES[parameters.style]}-{parameters.seed:04d}"


def entry_of(house: House, with_program: bool = False) -> Entry:
    """The task of a house, without pictures."""
    text = ""
    if with_program:
        from ..houses.program import program

        text = program(house)
    return Entry(
        name=name_of(house.parameters),
        title=house.title,
        style=house.parameters.style,
        description=house.description,
        constraints=dict(house.constraints),
        brief=stored_brief(house.brief),
        recipe=recipe_of(house),
        count=len(house),
        members=pack_members(house.structure),
        program=text,
    )
