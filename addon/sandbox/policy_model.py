# SPDX-License-Identifier: GPL-3.0-or-later
"""A policy as plain data, and how a task widens it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...tasks.model import POLICY_FIELDS
from . import policy_tables as tables


class PolicyError(ValueError):
    """A task widens the policy by something that isn't there; one sentence."""


@dataclass(frozen=True)
class Policy:
    """What is allowed, as plain data.

    ``imports`` maps a module to the names of it that may be used (``*`` for all, ``-name`` takes
    one out). ``operators`` are ``subtree.name`` or ``subtree.*`` below bpy.ops (``-`` takes out),
    ``data`` parts of bpy.data, ``blender`` other paths within bpy, ``attributes`` those of the
    refused attributes that are allowed all the same.
    """

    imports: Mapping[str, frozenset[str]]
    operators: frozenset[str]
    data: frozenset[str]
    blender: frozenset[str]
    attributes: frozenset[str] = frozenset()

    def widened(self, more: Mapping[str, Iterable[str]]) -> Policy:
        """This policy and what a task's field ``policy`` adds to it.

        Fields are those of :data:`..tasks.model.POLICY_FIELDS`. Built-in functions, names with
        underscores and texts with code stay refused. Raises :class:`PolicyError`.
        """
        unknown = set(more) - set(POLICY_FIELDS)
        if unknown:
            known = ", ".join(POLICY_FIELDS)
            raise PolicyError(f"a policy has no field {min(unknown)!r}; known: {known}")
        imports = dict(self.imports)
        for module in more.get("imports", ()):
            imports[module] = tables.ALL
            parts = module.split(".")
            for end in range(1, len(parts)):
                imports.setdefault(".".join(parts[:end]), frozenset())
        operators = frozenset(more.get("operators", ()))
        kept = frozenset(rule for rule in self.operators if rule.lstrip("-") not in operators)
        return replace(
            self,
            imports=imports,
            operators=kept | operators,
            data=self.data | frozenset(more.get("data", ())),
            blender=self.blender | frozenset(more.get("blender", ())),
            attributes=self.attributes | frozenset(more.get("attributes", ())),
        )

    def allows_operator(self, name: str) -> bool:
        """Whether the operator ``subtree.name`` may be called."""
        whole = f"{name.partition('.')[0]}.*"
        return name in self.operators or (
            whole in self.operators and f"-{name}" not in self.operators
        )


DEFAULT = Policy(
    imports=tables.IMPORTS,
    operators=tables.OPERATORS,
    data=tables.DATA,
    blender=tables.BLENDER,
)
