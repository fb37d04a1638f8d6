# SPDX-License-Identifier: GPL-3.0-or-later
"""What helps a person build by hand, by kind of task: a set of fields, and operators that use them.

The panel draws whatever is registered here for the kind of the task; it knows none of them. A kind
without a helper is built with Blender's own tools.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Button:
    """An operator as the panel shows it: one that takes its values from the fields."""

    operator: str
    text: str
    icon: str


@dataclass(frozen=True)
class Step:
    """One thing to do: its fields, then its button.

    ``fields`` are drawn a line each. ``when`` holds (name, other field, its values): a field, or
    the operator of one of ``extras``, that is drawn only while the other field has one of these
    values.
    """

    title: str
    fields: tuple[str, ...]
    button: Button
    extras: tuple[Button, ...] = ()
    when: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    def shown(self, name: str, settings: object) -> bool:
        """Whether a field, or an extra's operator, is drawn for these settings."""
        return all(
            getattr(settings, other) in values for what, other, values in self.when if what == name
        )


@dataclass(frozen=True)
class Aid:
    """The helper of a kind: ``settings`` names its property group on the window manager."""

    kind: str
    settings: str
    steps: tuple[Step, ...]


_AIDS: dict[str, Aid] = {}


def register(aid: Aid) -> None:
    """Offer a helper for its kind; one that was there before goes."""
    _AIDS[aid.kind] = aid


def unregister(kind: str) -> None:
    """Offer none for this kind any more."""
    _AIDS.pop(kind, None)


def aid_for(kind: str) -> Aid | None:
    """The helper for tasks of a kind, ``None`` if there is none."""
    return _AIDS.get(kind)
