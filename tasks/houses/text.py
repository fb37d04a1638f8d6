# SPDX-License-Identifier: GPL-3.0-or-later
"""What people and models read of a house: title, description, constraints of the task format."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...checks.timber.brief import PSF
from ...checks.timber.structure import TimberStructure
from .levels import T
from .parameters import HouseParameters
from .styles.style import Design, Sized
from .volume import Opening, Volume

#: Room around a house on its lot, m.
YARD = 2.0
#: Members up to which a house is called simple and moderate.
SIMPLE, MODERATE = 400, 800

#: Walls in the order in which quarter turns carry one to the next, and the words for them.
_FACING = "SENW"
_NAMES = ("front", "east wall", "back", "west wall")
_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four"}


def title(p: HouseParameters) -> str:
    """``Two-storey Colonial, 9.8 x 7.3 m``."""
    storeys = f"{_COUNTS[p.stories].capitalize()}-storey "
    return f"{storeys}{p.style}, {p.footprint_x:.1f} x {p.footprint_y:.1f} m"


def describe(p: HouseParameters, design: Design, sized: Sequence[Sized]) -> str:
    """The brief of a model: sizes, storeys, roof, openings, spacing, wood and loads."""
    volumes = [volume for volume, _ in sized] or list(design.told)
    eaves = f" and overhangs {p.overhang:.2f} m at the eaves" if p.overhang else ""
    x, y = main_size(p, design)
    parts = [
        f"A timber-framed {_noun(p.style)} of {_COUNTS[p.stories]} "
        f"{'storey' if p.stories == 1 else 'storeys'}, {x:.2f} m along the ridge (x) and "
        f"{y:.2f} m deep (y), the front at the lowest y, the ground at z = 0.",
        _below(volumes[0]) if volumes else "",
        f"The {design.roof_type} roof rises {12 * math.tan(math.radians(p.pitch)):.1f} in 12 "
        f"({p.pitch:.1f} degrees){eaves}.",
        *design.words,
        _openings(volumes) if volumes else "",
        _places(volumes),
        _walls(volumes[0]) if volumes else "",
        f"Joists, studs and rafters stand at {p.spacing * 1000:.0f} mm on centre.",
        f"The wood is {p.species.replace('-', ' ')}, grade {p.grade}; floors carry "
        f"{_load(p.floor_live)} live load, the roof {_load(p.roof_live)}"
        + (f" and a ground snow load of {_load(p.ground_snow)}." if p.ground_snow else "."),
    ]
    return " ".join(part for part in parts if part)


def _noun(style: str) -> str:
    """``Ranch house``, ``Townhouse``, ``Barn``."""
    return style if style.endswith(("house", "Barn", "Frame")) else f"{style} house"


def main_size(p: HouseParameters, design: Design) -> tuple[float, float]:
    """Footprint of the main volume over the outer faces of its framing, m."""
    if design.volumes:
        return design.volumes[0].length, design.volumes[0].depth
    x, y = (
        round((size - T) / p.spacing) * p.spacing + T for size in (p.footprint_x, p.footprint_y)
    )
    return x, y


def _load(pascal: float) -> str:
    return f"{pascal / 1000:.2f} kPa ({pascal / PSF:.0f} psf)"


def _below(volume: Volume) -> str:
    base = (
        f"It stands on foundation walls with sills whose top is at {volume.levels.sill_top:.2f} m"
    )
    if volume.lines:
        return f"{base}, with a girder on posts and a bearing wall along the middle of the depth."
    return f"{base}; floors span from wall to wall."


def _walls(volume: Volume) -> str:
    levels = volume.levels
    lengths = " and ".join(f"{studs:.2f} m" for studs in dict.fromkeys(levels.studs))
    return (
        f"Walls are 2x{4 if volume.stud < 0.1 else 6} with studs of {lengths} and double top "
        f"plates, the uppermost at {levels.eaves:.2f} m."
    )


def _openings(volumes: Sequence[Volume]) -> str:
    """Openings of the outer walls of all volumes, counted by kind."""
    outer = [o for v in volumes for o in v.openings if o.wall != "M"]
    counts = Counter(o.kind for o in outer)
    if not counts:
        return "It has no openings in its outer walls."
    words = [f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(counts.items())]
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return f"Its outer walls have {listed}."


def _places(volumes: Sequence[Volume]) -> str:
    """Where the openings are: along x or y of the house, and above their floor."""
    walls = []
    for volume in volumes:
        for storey in range(1, volume.storeys + 1):
            for wall in (*_FACING, "M"):
                here = [o for o in volume.openings if (o.wall, o.storey) == (wall, storey)]
                if here:
                    spans = sorted((*_span(volume, o), _edges(o)) for o in here)
                    listed = ", ".join(
                        f"{low:.2f} to {high:.2f} {edges}" for low, high, edges in spans
                    )
                    walls.append(f"storey {storey} {_wall(volume, wall)}: {listed}")
    if not walls:
        return ""
    return (
        "Openings, in m along x or y of the house and, in brackets, above their floor: "
        f"{'; '.join(walls)}."
    )


def _wall(volume: Volume, wall: str) -> str:
    """The wall as it stands in the house: ``front``, ``west wall of Wing``."""
    if wall == "M":
        name = "bearing wall"
    else:
        name = _NAMES[(_FACING.index(wall) + volume.turn) % 4]
    return f"{name} of {volume.prefix}" if volume.prefix else name


def _span(volume: Volume, opening: Opening) -> tuple[float, float]:
    """Jambs along x or y of the house, m."""
    along = 1 if opening.wall in ("W", "E") else 0
    turn = volume.turn % 4
    # Of the axes turned by quarters, x points back from two on, y from one to two.
    back = turn in ((2, 3), (1, 2))[along]
    start = volume.offset[(along + turn) % 2]
    low, high = sorted(start + (-u if back else u) for u in (opening.low, opening.high))
    return low, high


def _edges(opening: Opening) -> str:
    """``window (0.90 to 2.03)``."""
    sill = 0.0 if opening.sill is None else opening.sill
    return f"{opening.kind} ({sill:.2f} to {opening.head:.2f})"


def constraints(p: HouseParameters, design: Design, structure: TimberStructure) -> dict[str, Any]:
    """The fields of the published task format, SI units and degrees."""
    low, high = structure.aabb
    size = high.max(axis=0) - low.min(axis=0)
    count = len(structure)
    kind = "simple" if count <= SIMPLE else "moderate" if count <= MODERATE else "complex"
    x, y = main_size(p, design)
    return {
        "footprint_x": round(x, 3),
        "footprint_y": round(y, 3),
        "stories": p.stories,
        "roof_type": design.roof_type,
        "lot_width": float(math.ceil(size[0] + 2 * YARD)),
        "lot_depth": float(math.ceil(size[1] + 2 * YARD)),
        "wings": p.wings,
        "complexity": kind,
        "roof_pitch": p.pitch,
        "overhang": p.overhang,
    }
