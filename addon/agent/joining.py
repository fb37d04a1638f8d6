# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that ran one after the other on one world of blocks, as one program that does the same.

Each ran with names of its own. In one program a name that an earlier piece took for itself, such as
a function ``fill`` of a model's own, would still be taken in the pieces after it; it is given back
before them.
"""

from __future__ import annotations

import builtins
import symtable
from collections.abc import Sequence

from ..scene.block_api import NAMES

_GIVEN = frozenset(NAMES) | {name for name in dir(builtins) if not name.startswith("_")}
_FUTURE = "from __future__ import "


def joined_pieces(pieces: Sequence[tuple[str, str]]) -> str:
    """The pieces, each a title and its code, as one program; empty without any.

    Imports from the future must stand first in a program, so they are taken to the top.
    """
    codes = [code for _, code in pieces]
    taken = sorted({name for code in codes[:-1] for name in bound(code)} & _GIVEN)
    future = dict.fromkeys(
        line.strip() for code in codes for line in code.splitlines() if line.startswith(_FUTURE)
    )
    kept = {name: f"given_{name}" for name in taken}
    head = [*future, *(f"{safe} = {name}" for name, safe in kept.items())]
    parts = ["\n".join(head)] if head else []
    for place, (title, code) in enumerate(pieces):
        lines = [line for line in code.splitlines() if not line.startswith(_FUTURE)]
        back = [f"{name} = {safe}" for name, safe in kept.items()] if place else []
        parts.append("\n".join([f"# {title}", *back, "\n".join(lines).strip("\n")]))
    return "\n\n\n".join(parts) + "\n" if parts else ""


def bound(code: str) -> set[str]:
    """Names that a program binds for all that comes after it; none if it is no Python."""
    try:
        top = symtable.symtable(code, "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    inner = [*top.get_children()]
    while inner:
        table = inner.pop()
        inner += table.get_children()
        names |= {s.get_name() for s in table.get_symbols() if s.is_declared_global()}
    return names
