# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person says of findings and structures, as the window remembers it."""

from __future__ import annotations

CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""


def detach() -> None:
    """Take it away again."""
