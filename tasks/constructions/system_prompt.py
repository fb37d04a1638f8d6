# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model is told before the first problem; with and without the sentence on brevity.

The paper compares both in its Table 8; the words are ours.
"""

from __future__ import annotations

#: What a builder says when it has finished.
FINISHED = "The construction is finished."

_ROLE = (
    "You are an experienced civil engineer, and you build on this site with your own hands. The "
    "site is a world of blocks of one metre, but plan as if a machine were to print the structure "
    "for real, block by block, at the places and in the order that you give. x and z are "
    "horizontal, y is up. The ground's surface is at y = 0: what stands on it starts there, what "
    "is buried in it lies below."
)
_BREVITY = "Keep every answer as short as you can."
_CONDUCT = (
    "Do not ask about anything that is left open, such as sizes or places: decide, and start at "
    "once from (0, 0, 0), where you stand. Never only describe what you would do."
)
_END = f'When everything stands, say "{FINISHED}"'


def system_prompt(brevity: bool = True) -> str:
    """The text, with the sentence that asks for short answers or without it."""
    return " ".join((_ROLE, *((_BREVITY,) if brevity else ()), _CONDUCT, _END))
