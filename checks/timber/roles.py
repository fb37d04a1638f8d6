# SPDX-License-Identifier: GPL-3.0-or-later
"""What a member is: canonical roles, by explicit property or by name, in three conventions.

``engineering`` matches whole words of the name, ``paper`` demands that the name begins with a
keyword (case-sensitive, as the published validator), ``release`` finds a keyword anywhere.
Source: the timber specification, section 2; the published prompt, part 3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .structure import TimberStructure

Convention = Literal["engineering", "paper", "release"]

#: Posts whose lowest point is within this height of the ground are foundation, m (paper, T1).
STANDS_ON_GROUND = 0.1

# Canonical role -> (category, names that mean it). The first name is the canonical one.
_TABLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "Sill": ("foundation", ("Sill", "SillPlate", "MudSill", "SillBeam")),
    "Foundation": ("foundation", ("Foundation", "FoundationWall", "StemWall", "Slab")),
    "Footing": ("foundation", ("Footing",)),
    "Pier": ("foundation", ("Pier",)),
    "Post": ("walls", ("Post", "Column")),
    "BeamPost": ("walls", ("BeamPost", "GirderPost")),
    "Beam": ("floor", ("Beam", "CenterBeam", "Girder", "FloorBeam")),
    "RimJoist": ("floor", ("RimJoist", "Rim", "BandJoist", "RimBoard")),
    "Ledger": ("floor", ("Ledger",)),
    "Joist": ("floor", ("Joist", "FloorJoist")),
    "Blocking": ("floor", ("Blocking",)),
    "Bridging": ("floor", ("Bridging",)),
    "Plate": ("walls", ("Plate", "WallPlate")),
    "BottomPlate": ("walls", ("BottomPlate", "SolePlate")),
    "TopPlate": ("walls", ("TopPlate",)),
    "Stud": ("walls", ("Stud", "WallStud", "GableStud", "CornerStud")),
    "KingStud": ("walls", ("KingStud", "King")),
    "TrimmerStud": ("walls", ("TrimmerStud", "Trimmer", "JackStud", "Jack")),
    "Header": ("walls", ("Header",)),
    "Cripple": ("walls", ("Cripple", "CrippleStud")),
    "WindowSill": ("walls", ("WindowSill", "RoughSill")),
    "CornerPost": ("walls", ("CornerPost", "Corner")),
    "Brace": ("walls", ("Brace",)),
    "Ridge": ("roof", ("Ridge", "RidgeBoard", "RidgeBeam")),
    "RidgePost": ("roof", ("RidgePost",)),
    "Rafter": ("roof", ("Rafter", "Raf", "CommonRafter")),
    "JackRafter": ("roof", ("JackRafter", "HipJack", "ValleyJack")),
    "HipRafter": ("roof", ("HipRafter", "Hip")),
    "ValleyRafter": ("roof", ("ValleyRafter", "Valley")),
    "CollarTie": ("roof", ("CollarTie", "Collar")),
    "RafterTie": ("roof", ("RafterTie",)),
    "Lookout": ("roof", ("Lookout",)),
    "Purlin": ("roof", ("Purlin",)),
    "Strut": ("roof", ("Strut",)),
    "KingPost": ("roof", ("KingPost",)),
    "Fascia": ("roof", ("Fascia",)),
    "CeilingJoist": ("roof", ("CeilingJoist",)),
    "Sheathing": ("accessory", ("Sheathing",)),
    "Subfloor": ("accessory", ("Subfloor",)),
    "Decking": ("accessory", ("Decking",)),
    "Anchor": ("accessory", ("Anchor",)),
    "Hanger": ("accessory", ("Hanger",)),
}

CATEGORY_OF: dict[str, str] = {role: category for role, (category, _) in _TABLE.items()}
ROLES: tuple[str, ...] = tuple(_TABLE)

_KEYWORDS: dict[str, str] = {name: role for role, (_, names) in _TABLE.items() for name in names}
_BY_LENGTH = sorted(_KEYWORDS, key=lambda name: (-len(name), name))
_BY_LENGTH_LOWER = [(name.lower(), _KEYWORDS[name]) for name in _BY_LENGTH]

_BLENDER_SUFFIX = re.compile(r"\.\d{3,}$")
_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[a-z]+")


def _words(name: str) -> tuple[str, ...]:
    """Lower-case words of a name, split at case changes, digits and anything not a letter."""
    return tuple(word.lower() for word in _WORDS.findall(_BLENDER_SUFFIX.sub("", name)))


_SEQUENCES: dict[tuple[str, ...], str] = {_words(name): role for name, role in _KEYWORDS.items()}
_LONGEST_SEQUENCE = max(map(len, _SEQUENCES))


def _singular(word: str) -> str:
    """``joists`` -> ``joist`` where that is a known word; anything else is left alone."""
    return word[:-1] if word.endswith("s") and (word[:-1],) in _SEQUENCES else word


def role_by_words(name: str) -> str | None:
    """Role by whole words: the longest known sequence of words, of equals the last one.

    ``RimJoist_01`` is a rim joist, ``Township`` no hip, ``SillPlate`` a sill.
    """
    words = tuple(map(_singular, _words(name)))
    for length in range(min(_LONGEST_SEQUENCE, len(words)), 0, -1):
        for start in range(len(words) - length, -1, -1):
            role = _SEQUENCES.get(words[start : start + length])
            if role is not None:
                return role
    return None


def role_by_prefix(name: str) -> str | None:
    """Role by the longest keyword that the name begins with, case-sensitive (``paper``)."""
    return next((_KEYWORDS[k] for k in _BY_LENGTH if name.startswith(k)), None)


def role_by_substring(name: str) -> str | None:
    """Role by the longest keyword found anywhere in the name, any case (``release``)."""
    lowered = name.lower()
    return next((role for keyword, role in _BY_LENGTH_LOWER if keyword in lowered), None)


_RESOLVERS = {
    "engineering": role_by_words,
    "paper": role_by_prefix,
    "release": role_by_substring,
}


@dataclass(frozen=True)
class Roles:
    """Role and category of each of ``n`` members; ``None`` where the name says nothing."""

    role: tuple[str | None, ...]
    category: tuple[str | None, ...]
    _codes: NDArray[np.int16]

    def mask(self, *roles: str) -> NDArray[np.bool_]:
        """Which members have one of ``roles``, bool (n,). Raises ``KeyError`` for unknown roles."""
        wanted = [_CODE[role] for role in roles]
        return np.isin(self._codes, wanted)

    def in_category(self, *categories: str) -> NDArray[np.bool_]:
        """Which members belong to one of ``categories``, bool (n,)."""
        wanted = set(categories)
        return np.fromiter((c in wanted for c in self.category), bool, len(self.category))


_CODE: dict[str | None, int] = {None: -1, **{role: i for i, role in enumerate(ROLES)}}


def _category(role: str | None, on_ground: bool) -> str | None:
    if role is None:
        return None
    if role in ("Post", "BeamPost") and on_ground:
        return "foundation"
    return CATEGORY_OF[role]


def resolve_names(
    names: Sequence[str], explicit: Sequence[str | None], convention: Convention
) -> tuple[str | None, ...]:
    """Roles of members by explicit property first, else by name.

    Of an instance, ``Truss_A/Stud_01``, only the part behind the instancer's name counts, unless it
    says nothing. An explicit role that is no known role counts as none: the property was set on
    purpose, and a guess from the name would hide the mistake.
    """
    by_name = _RESOLVERS[convention]
    memo: dict[str, str | None] = {}
    found: list[str | None] = []
    for name, explicit_role in zip(names, explicit, strict=True):
        if explicit_role is not None:
            found.append(role_by_words(explicit_role))
            continue
        # Keywords hold no digits, so members that differ only in their numbers share the answer.
        stem = _NUMBER.sub("0", _BLENDER_SUFFIX.sub("", name))
        if stem not in memo:
            memo[stem] = by_name(stem.rpartition("/")[2]) or by_name(stem)
        found.append(memo[stem])
    return tuple(found)


def resolve(
    structure: TimberStructure, convention: Convention = "engineering", ground: float = 0.0
) -> Roles:
    """Roles and categories of all members of a structure.

    ``ground`` is the height of the ground, m: posts that stand on it belong to the foundation.
    """
    role = resolve_names(structure.names, structure.explicit_roles, convention)
    on_ground = structure.aabb[0][:, 2] < ground + STANDS_ON_GROUND
    category = tuple(_category(r, bool(g)) for r, g in zip(role, on_ground, strict=True))
    codes = np.fromiter((_CODE[r] for r in role), np.int16, len(role))
    return Roles(role, category, codes)
