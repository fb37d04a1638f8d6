# SPDX-License-Identifier: GPL-3.0-or-later
"""The lesson that is open in the window, and how far it has come."""

from __future__ import annotations

CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""


def detach() -> None:
    """Take it away again."""
