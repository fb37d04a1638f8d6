# SPDX-License-Identifier: GPL-3.0-or-later
"""Lumber sizes and design values: the numbers that every limit of a timber member rests on.

Sources, named once here and by letter in the tables:

* S: PS 20-20, American Softwood Lumber Standard, table 3 (dressed sizes, dry).
* A: NDS Supplement 2018, table 4A, visually graded dimension lumber.
* B: NDS Supplement 2018, table 4B, southern pine dimension lumber (bending by size).
* D: NDS Supplement 2018, table 4D, visually graded timbers 5 in and thicker (beams and stringers).
* N: NDS 2018, chapters 2, 3 and 4 (adjustment factors).

What was compared with what is in ``docs/span-tables.md``. Stresses in Pa, lengths in m.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .brief import INCH, PSI

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class LumberError(ValueError):
    """A species or grade that no table has; the message lists those that there are."""


@dataclass(frozen=True, slots=True)
class DesignValues:
    """Reference design values of one species and grade, Pa, before any adjustment.

    ``bending`` is Fb of table A or D, or of table B by depth: pairs of (largest depth in m, Fb).
    ``modulus`` E, ``modulus_min`` Emin, ``shear`` Fv, ``bearing`` Fc perpendicular to grain.
    ``sized`` says that ``bending`` already holds the size effect (table B).
    """

    bending: tuple[tuple[float, float], ...]
    modulus: float
    modulus_min: float
    shear: float
    bearing: float
    sized: bool = False


# --- Sizes -------------------------------------------------------------------------------------

# Dressed thickness and width of nominal sizes, m (S): 2 in is 1 1/2, from 8 in on 3/4 less.
_FACE = {
    1: 0.75 * INCH,
    2: 1.5 * INCH,
    3: 2.5 * INCH,
    4: 3.5 * INCH,
    5: 4.5 * INCH,
    6: 5.5 * INCH,
    8: 7.25 * INCH,
    10: 9.25 * INCH,
    12: 11.25 * INCH,
    14: 13.25 * INCH,
    16: 15.25 * INCH,
}
# Timbers are half an inch less than nominal on both faces (S).
_TIMBER_FACE = {n: (n - 0.5) * INCH for n in (5, 6, 8, 10, 12, 14, 16)}

#: Dressed sizes by name, (width, depth) in m with width <= depth (S).
SIZES: dict[str, tuple[float, float]] = {
    **{
        f"{t}x{w}": (_FACE[t], _FACE[w])
        for t in (1, 2, 3, 4)
        for w in (2, 3, 4, 5, 6, 8, 10, 12, 14, 16)
        if w >= t
    },
    **{
        f"{t}x{w}": (_TIMBER_FACE[t], _TIMBER_FACE[w])
        for t in (5, 6, 8, 10, 12)
        for w in (5, 6, 8, 10, 12, 14, 16)
        if w >= t
    },
}
_SIZE_NAMES = tuple(SIZES)
_SIZE_TABLE: Floats = np.array(list(SIZES.values()))

#: Thickness of one ply of a built-up member: a 2x, m (S).
PLY = _FACE[2]
#: How far a modelled section may be from a dressed size and still stand for it, m (LoD 350 (i)).
SIZE_TOLERANCE = 0.003
#: Thickness from which table D holds, m: nominal 5 in (S, D).
TIMBER_THICKNESS = _TIMBER_FACE[5]

# --- Design values -----------------------------------------------------------------------------


def _values(fb: float, e: float, e_min: float, fv: float, fc_perp: float) -> DesignValues:
    """A row of table A or D: psi in, Pa out."""
    bending = ((np.inf, fb * PSI),)
    return DesignValues(bending, e * PSI, e_min * PSI, fv * PSI, fc_perp * PSI)


def _pine(fb: tuple[int, int, int, int, int], e: float, e_min: float) -> DesignValues:
    """A row of table B: Fb at 4, 6, 8, 10 and 12 in nominal depth; deeper is 0.9 of 12 in."""
    depth = (*(_FACE[n] for n in (4, 6, 8, 10, 12)), np.inf)
    psi = (*fb, 0.9 * fb[-1])
    bending = tuple((d, f * PSI) for d, f in zip(depth, psi, strict=True))
    return DesignValues(bending, e * PSI, e_min * PSI, 175 * PSI, 565 * PSI, sized=True)


#: Dimension lumber, 2 to 4 in thick (A, B).
DIMENSION_LUMBER: dict[str, dict[str, DesignValues]] = {
    "douglas-fir-larch": {
        "SS": _values(1500, 1.9e6, 690e3, 180, 625),
        "1": _values(1000, 1.7e6, 620e3, 180, 625),
        "2": _values(900, 1.6e6, 580e3, 180, 625),
        "3": _values(525, 1.4e6, 510e3, 180, 625),
    },
    "hem-fir": {
        "SS": _values(1400, 1.6e6, 580e3, 150, 405),
        "1": _values(975, 1.5e6, 550e3, 150, 405),
        "2": _values(850, 1.3e6, 470e3, 150, 405),
        "3": _values(500, 1.2e6, 440e3, 150, 405),
    },
    "southern-pine": {
        "SS": _pine((2350, 2100, 1950, 1700, 1600), 1.8e6, 660e3),
        "1": _pine((1500, 1350, 1250, 1050, 1000), 1.6e6, 580e3),
        "2": _pine((1100, 1000, 925, 800, 750), 1.4e6, 510e3),
        "3": _pine((650, 575, 525, 475, 450), 1.3e6, 470e3),
    },
    "spruce-pine-fir": {
        "SS": _values(1250, 1.5e6, 550e3, 135, 425),
        "1": _values(875, 1.4e6, 510e3, 135, 425),
        "2": _values(875, 1.4e6, 510e3, 135, 425),
        "3": _values(500, 1.2e6, 440e3, 135, 425),
    },
}

#: Timbers, 5 in and thicker (D). The table has no grade 3: the dimension lumber row stands in,
#: which is lower in bending than grade 2 timbers.
TIMBERS: dict[str, dict[str, DesignValues]] = {
    "douglas-fir-larch": {
        "SS": _values(1600, 1.6e6, 580e3, 170, 625),
        "1": _values(1350, 1.6e6, 580e3, 170, 625),
        "2": _values(875, 1.3e6, 470e3, 170, 625),
    },
    "hem-fir": {
        "SS": _values(1300, 1.3e6, 470e3, 140, 405),
        "1": _values(1050, 1.3e6, 470e3, 140, 405),
        "2": _values(675, 1.1e6, 400e3, 140, 405),
    },
    "southern-pine": {
        "SS": _values(1500, 1.5e6, 550e3, 165, 375),
        "1": _values(1350, 1.5e6, 550e3, 165, 375),
        "2": _values(850, 1.2e6, 440e3, 165, 375),
    },
    "spruce-pine-fir": {
        "SS": _values(1100, 1.3e6, 470e3, 125, 425),
        "1": _values(900, 1.3e6, 470e3, 125, 425),
        "2": _values(600, 1.0e6, 370e3, 125, 425),
    },
}

SPECIES: tuple[str, ...] = tuple(DIMENSION_LUMBER)
GRADES: tuple[str, ...] = ("SS", "1", "2", "3")

_SPECIES_ALIASES = {
    "spf": "spruce-pine-fir",
    "df": "douglas-fir-larch",
    "df-l": "douglas-fir-larch",
    "dfl": "douglas-fir-larch",
    "sp": "southern-pine",
    "syp": "southern-pine",
    "hf": "hem-fir",
    "h-f": "hem-fir",
}
_GRADE_ALIASES = {"select structural": "SS", "sel str": "SS", "ss": "SS"}

# --- Adjustment factors ------------------------------------------------------------------------

#: Size factor for bending C_F by depth (A): up to this depth in m, this factor; 2 and 3 in thick.
SIZE_FACTORS: tuple[tuple[float, float], ...] = (
    (_FACE[4], 1.5),
    (_FACE[5], 1.4),
    (_FACE[6], 1.3),
    (_FACE[8], 1.2),
    (_FACE[10], 1.1),
    (_FACE[12], 1.0),
    (np.inf, 0.9),
)
#: The same for members 4 in thick (A).
SIZE_FACTORS_THICK: tuple[tuple[float, float], ...] = (
    (_FACE[4], 1.5),
    (_FACE[5], 1.4),
    (_FACE[6], 1.3),
    (_FACE[8], 1.3),
    (_FACE[10], 1.2),
    (_FACE[12], 1.1),
    (np.inf, 1.0),
)
#: Southern pine 4 in thick and 8 in or deeper (B).
PINE_THICK_FACTOR = 1.1
#: Repetitive member factor C_r: three or more members at most 24 in apart (N 4.3.9).
REPETITIVE = 1.15
#: Spacing up to which C_r holds, m, with room for members drawn at 610 mm (N 4.3.9).
REPETITIVE_SPACING = 0.62
#: Load duration factor C_D by the shortest load of the combination (N table 2.3.2).
DURATION = {"permanent": 0.9, "floor": 1.0, "snow": 1.15, "roof": 1.25}


def canonical_species(name: str) -> str:
    """Key of a species from its key or alias ("SPF", "DF-L", "HF", "SP"); case is ignored.

    Raises :class:`LumberError` for an unknown one.
    """
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    key = _SPECIES_ALIASES.get(key, key)
    if key not in DIMENSION_LUMBER:
        raise LumberError(f"unknown species {name!r}; known: {', '.join(SPECIES)}")
    return key


def canonical_grade(name: str) -> str:
    """Key of a grade from its key or a way of writing it ("No. 2", "#2", "Select Structural").

    Raises :class:`LumberError` for an unknown one.
    """
    text = name.strip().lower()
    key = _GRADE_ALIASES.get(text, text.replace("no", "").strip(" .#"))
    if key not in GRADES:
        raise LumberError(f"unknown grade {name!r}; known: {', '.join(GRADES)}")
    return key


def design_values(species: str, grade: str, timber: bool = False) -> DesignValues:
    """Reference values of a species and grade (A, B; D with ``timber``), Pa.

    Raises :class:`LumberError` for unknown species or grade.
    """
    species, grade = canonical_species(species), canonical_grade(grade)
    ordinary = DIMENSION_LUMBER[species][grade]
    return TIMBERS[species].get(grade, ordinary) if timber else ordinary


def size_factor(width: ArrayLike, depth: ArrayLike) -> Floats:
    """C_F for bending of dimension lumber by thickness and depth in m (A); broadcasts.

    A depth between two sizes gets the factor of the larger, which is the lower one.
    """
    width, depth = np.broadcast_arrays(_floats(width), _floats(depth))
    slack = SIZE_TOLERANCE
    thin = _step(SIZE_FACTORS, depth, slack)
    thick = _step(SIZE_FACTORS_THICK, depth, slack)
    return np.where(width >= _FACE[4] - slack, thick, thin)


def bending_value(
    width: ArrayLike, depth: ArrayLike, species: str, grade: str, plies: int = 1
) -> Floats:
    """Fb with the size effect, before C_r and C_D, Pa; broadcasts over width and depth in m.

    ``width`` is that of the whole member; ``plies`` says of how many pieces side by side it is.
    """
    width, depth = np.broadcast_arrays(_floats(width), _floats(depth))
    piece = width / plies
    slack = SIZE_TOLERANCE
    row = design_values(species, grade)
    value = _step(row.bending, depth, slack)
    if row.sized:
        deep = (piece >= _FACE[4] - slack) & (depth >= _FACE[8] - slack)
        value = np.where(deep, value * PINE_THICK_FACTOR, value)
    else:
        value = value * size_factor(piece, depth)
    timber = design_values(species, grade, timber=True)
    return np.where(is_timber(piece), _timber_bending(timber, depth), value)


def modulus(width: ArrayLike, species: str, grade: str, plies: int = 1) -> Floats:
    """E of members ``width`` m wide made of ``plies`` pieces, Pa."""
    return _by_thickness(width, species, grade, plies, "modulus")


def shear_value(width: ArrayLike, species: str, grade: str, plies: int = 1) -> Floats:
    """Fv of members ``width`` m wide made of ``plies`` pieces, Pa."""
    return _by_thickness(width, species, grade, plies, "shear")


def is_timber(width: ArrayLike) -> NDArray[np.bool_]:
    """Whether a piece ``width`` m thick is a timber of table D rather than dimension lumber."""
    return np.asarray(_floats(width) >= TIMBER_THICKNESS - SIZE_TOLERANCE)


def match_size(
    width: ArrayLike, depth: ArrayLike, tolerance: float = SIZE_TOLERANCE
) -> tuple[Ints, Ints]:
    """Which dressed size sections stand for, and of how many plies they are built.

    Parameters
    ----------
    width, depth
        The smaller and the larger side, (n,), m.
    tolerance
        Largest difference on either side, m.

    Returns
    -------
    index, plies
        (n,) each: position in :data:`SIZES` of the nearest fitting size, -1 where none fits;
        number of plies (1 for a solid piece; more where only n plies of a 2x fit, whichever way
        round they lie, of 2x4 and deeper; 0 where none fits).
    """
    sides = np.sort(np.stack(np.broadcast_arrays(_floats(width), _floats(depth)), -1), axis=-1)
    # A house has few sections: each is looked up once. Two floats side by side are one complex.
    pairs = np.ascontiguousarray(sides.reshape(-1, 2)).view(np.complex128).ravel()
    unique, back = np.unique(pairs, return_inverse=True)
    index, plies = _lookup(unique.view(np.float64).reshape(-1, 2), tolerance)
    return index[back.ravel()], plies[back.ravel()]


def size_name(index: int) -> str:
    """Name ("2x8") of a position in :data:`SIZES`."""
    return _SIZE_NAMES[index]


def dressed(
    width: ArrayLike, depth: ArrayLike, tolerance: float = SIZE_TOLERANCE
) -> tuple[Floats, Floats]:
    """Sections with both sides moved to the dressed size that they stand for, m.

    A member drawn 38 x 140 mm is a 2x6 of 38.1 x 139.7 mm; its limit is that of the 2x6. Sides
    that stand for no size stay as they are.
    """
    width, depth = (a.copy() for a in np.broadcast_arrays(_floats(width), _floats(depth)))
    index, plies = match_size(width, depth, tolerance)
    known = (index >= 0).reshape(width.shape)
    index, plies = index.reshape(width.shape), plies.reshape(width.shape)
    thin, broad = _SIZE_TABLE[index, 0], _SIZE_TABLE[index, 1]
    flat = width > depth
    built = plies * thin
    upright = np.abs(width - built) <= np.abs(width - broad)
    narrow = np.where(upright, built, broad)
    deep = np.where(upright, broad, built)
    solid = plies <= 1
    narrow = np.where(solid, np.where(flat, broad, thin), narrow)
    deep = np.where(solid, np.where(flat, thin, broad), deep)
    return np.where(known, narrow, width), np.where(known, deep, depth)


# --- Helpers -----------------------------------------------------------------------------------


def _floats(value: Any) -> Floats:
    return np.asarray(value, dtype=np.float64)


def _step(table: tuple[tuple[float, float], ...], depth: Floats, slack: float) -> Floats:
    """Value of the first row whose depth is not less than ``depth``."""
    limits = np.array([row[0] for row in table])
    values = np.array([row[1] for row in table])
    return values[np.searchsorted(limits + slack, depth)]


def _timber_bending(row: DesignValues, depth: Floats) -> Floats:
    """Fb of timbers, with C_F = (12 in / d)^(1/9) from 12 in on (N 4.3.6.3), Pa."""
    with np.errstate(divide="ignore"):
        factor = np.minimum((12 * INCH / depth) ** (1 / 9), 1.0)
    return row.bending[-1][1] * factor


def _by_thickness(width: ArrayLike, species: str, grade: str, plies: int, field: str) -> Floats:
    ordinary = getattr(design_values(species, grade), field)
    timber = getattr(design_values(species, grade, timber=True), field)
    return np.where(is_timber(_floats(width) / plies), timber, ordinary)


def _lookup(sides: Floats, tolerance: float) -> tuple[Ints, Ints]:
    """:func:`match_size` of sorted sides (n, 2)."""
    index, plies = _nearest(sides, tolerance)
    for across, along in ((0, 1), (1, 0)):
        if (index >= 0).all():
            break
        count = np.rint(sides[:, across] / PLY)
        # The tolerance is that of the whole member: plies of 38 mm may add up to 76 or 76.2.
        whole = (np.abs(sides[:, across] - count * PLY) <= tolerance) & (count >= 2)
        board = sides[:, along] >= _FACE[4] - tolerance
        piece = np.stack([np.full(len(sides), PLY), sides[:, along]], axis=1)
        fits, _ = _nearest(np.sort(piece, axis=1), tolerance)
        built = (index < 0) & whole & board & (fits >= 0)
        index = np.where(built, fits, index)
        plies = np.where(built, count, plies).astype(np.intp)
    return index, plies


def _nearest(sides: Floats, tolerance: float) -> tuple[Ints, Ints]:
    """Nearest size of sorted sides (n, 2), -1 beyond the tolerance; and 1 ply where one fits."""
    off = np.abs(sides[:, None, :] - _SIZE_TABLE[None]).max(axis=2)
    index = np.argmin(off, axis=1)
    fits = off[np.arange(len(sides)), index] <= tolerance + 1e-9
    return np.where(fits, index, -1), fits.astype(np.intp)
