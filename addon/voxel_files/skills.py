# SPDX-License-Identifier: GPL-3.0-or-later
"""Which skills of Mindcraft there are, and which one a name that is none was perhaps meant to be.

The names are those of ``src/agent/library/skills.js`` in github.com/kolbytn/mindcraft.
"""

from __future__ import annotations

import difflib

#: The two that place and remove blocks; an action file is read for these.
BUILDING = ("placeBlock", "breakBlockAt")
_OTHERS = """
    activateNearestBlock attackEntity attackNearest autoLight avoidEnemies clearNearestFurnace
    collectBlock consume craftRecipe defendSelf digDown discard equip followPlayer giveToPlayer
    goToBed goToGoal goToNearestBlock goToNearestEntity goToPlayer goToPosition goToSurface log
    moveAway moveAwayFromEntity pickupNearbyItems putInChest showVillagerTrades smeltItem stay
    takeFromChest tillAndSow tradeWithVillager useDoor useToolOn useToolOnBlock viewChest wait
"""
#: Skills that are known and place nothing here.
HARMLESS = frozenset(_OTHERS.split())
# How alike two names must be, from 0 to 1: `placeBlok` and `breakBlock` are, `buildWall` isn't.
_ALIKE = 0.75


def meant(name: str) -> str | None:
    """Which of :data:`BUILDING` a name was perhaps meant to be; ``None`` if it is like neither."""
    lower = {known.lower(): known for known in BUILDING}
    found = difflib.get_close_matches(name[:40].lower(), lower, 1, _ALIKE)
    return lower[found[0]] if found else None


def no_skill(name: str) -> str:
    """That there is no such skill, with what was perhaps meant."""
    hint = meant(name)
    told = f"there is no skills.{name[:40]}"
    return f"{told}; perhaps {hint} was meant" if hint else told
