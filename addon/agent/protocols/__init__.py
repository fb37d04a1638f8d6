# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model is led through a task: atomic, reactive, managed, editing (``docs/protocols.md``)."""

from .options import ProtocolOptions

#: Protocols that build from nothing, and the one that edits.
BUILDING: tuple[str, ...] = ("atomic", "reactive", "managed")
EDITING = "editing"
PROTOCOLS: tuple[str, ...] = (*BUILDING, EDITING)

__all__ = ["BUILDING", "EDITING", "PROTOCOLS", "ProtocolOptions"]
