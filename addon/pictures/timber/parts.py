# SPDX-License-Identifier: GPL-3.0-or-later
"""What all pictures of timber are made of: members in a tone, places read from a finding, words.

Findings may come from a file that somebody else wrote: whatever is odd in their detail reads as
absent, and the picture does without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...runs.wording import METRES
from ..drawing import Faces, Floats, Lines, Place, Shown, Subjects, Tone, Words
from ..solids import boxes, cross, grown, moved

# Opacity of faces behind something and of faces in front.
FAULT, RELATED, SOUND, HINT = (0.18, 0.55), (0.14, 0.44), (0.06, 0.22), (0.08, 0.25)
#: Of what is to be seen through everything.
THROUGH = (0.55, 0.75)

#: No picture has more points than this from a finding's detail, and no place is farther away, m.
_MOST, _FARTHEST = 4096, 1.0e6


def told(shown: Shown, key: str) -> Any:
    """What a finding's detail holds under a key, ``None`` where it holds nothing."""
    detail = shown.finding.detail
    return detail.get(key) if isinstance(detail, Mapping) else None


def points(shown: Shown, key: str, least: int = 1, most: int = _MOST) -> Floats | None:
    """Places (k, 3), m, of a finding's detail; ``None`` where there are none that make sense."""
    return _array(shown, key, (3,), least, most)


def quads_of(shown: Shown, key: str) -> Floats | None:
    """Quads (k, 4, 3), m, of a finding's detail, or ``None``."""
    return _array(shown, key, (4, 3), 1, _MOST)


def point(shown: Shown, key: str) -> Floats | None:
    """One place (3,), m, of a finding's detail, or ``None``."""
    return _array(shown, key, (), 3, 3)


def numbers(shown: Shown, key: str, count: int) -> list[float] | None:
    """So many figures of a finding's detail, or ``None``."""
    found = _array(shown, key, (), count, count)
    return None if found is None else [float(value) for value in found]


def ends(shown: Shown, first: str = "from", second: str = "to") -> tuple[Floats, Floats] | None:
    """Both ends of what was measured, or ``None`` if one is missing or they are one place."""
    start, end = point(shown, first), point(shown, second)
    if start is None or end is None or np.linalg.norm(end - start) < 1e-6:
        return None
    return start, end


def _array(shown: Shown, key: str, shape: tuple[int, ...], least: int, most: int) -> Floats | None:
    value = told(shown, key)
    if value is None or isinstance(value, (str, bytes)):
        return None
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    if array.ndim != len(shape) + 1 or array.shape[1:] != shape:
        return None
    if not least <= len(array) <= most or not (np.abs(array) < _FARTHEST).all():
        return None
    return array


def number(value: Any) -> float | None:
    """A finite figure, or ``None``."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        return None
    try:
        figure = float(value)
    except (OverflowError, TypeError):  # a whole number of 400 digits, a complex one
        return None
    return figure if math.isfinite(figure) else None


def lengths(shown: Shown) -> tuple[float, float] | None:
    """What was measured and its limit, both in m and positive, or ``None``."""
    finding = shown.finding
    scale = METRES.get(finding.unit) if isinstance(finding.unit, str) else None
    measured, limit = number(finding.measured), number(finding.limit)
    if scale is None or measured is None or limit is None:
        return None
    measured, limit = measured * scale, limit * scale
    return (measured, limit) if 0 < measured < _FARTHEST and 0 <= limit < _FARTHEST else None


def versus(shown: Shown, measured: float, limit: float) -> str:
    """``4.12 m, allowed 3.91 m``; of too little ``19 mm, needed 38 mm``."""
    word = "needed" if measured < limit else "allowed"
    return f"{shown.length(measured)}, {word} {shown.length(limit)}"


def subject_names(shown: Shown) -> list[str]:
    """The member at fault, if it is one."""
    finding = shown.finding
    member = finding.subject_kind == "member" and isinstance(finding.subject, str)
    return [finding.subject] if member else []


def related_names(shown: Shown) -> list[str]:
    """Everybody else that the finding names."""
    finding = shown.finding
    return [name for name in _strings(finding.related) if name != finding.subject]


def _strings(names: Any) -> Iterable[str]:
    listed = names if isinstance(names, (list, tuple)) else ()
    return (name for name in listed if isinstance(name, str))


def still(shown: Shown) -> bool:
    """Whether nobody whom the finding names was moved since the check."""
    return not any(name in shown.moves for name in [*subject_names(shown), *related_names(shown)])


def boxes_of(subjects: Subjects, names: Iterable[str]) -> tuple[list[str], Floats]:
    """Those of the names that are members, and their boxes (k, 8, 3), m."""
    index = subjects.index
    wanted = [name for name in dict.fromkeys(names) if name in index]
    return wanted, subjects.corners[[index[name] for name in wanted]].reshape(-1, 8, 3)


def members(
    shown: Shown,
    names: Iterable[str],
    tone: Tone,
    opacity: tuple[float, float],
    outlined: bool = True,
) -> tuple[Faces, ...]:
    """The boxes of the named members, where they are now; names of no members are left out."""
    wanted, corners = boxes_of(shown.subjects, names)
    if not wanted:
        return ()
    solid = boxes(moved(grown(corners), wanted, shown.moves))
    return (Faces(solid, tone, *opacity, outline=tone if outlined else None),)


def company(shown: Shown, fault: tuple[float, float] = FAULT) -> tuple[Faces, ...]:
    """The member at fault over those that take part."""
    return (
        *members(shown, related_names(shown), "related", RELATED),
        *members(shown, subject_names(shown), "fault", fault),
    )


def location(shown: Shown) -> Place | None:
    """Where the finding says that one should look, or ``None``."""
    value = shown.finding.location
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        return None
    found = [number(v) for v in value]
    if any(v is None or abs(v) >= _FARTHEST for v in found):
        return None
    x, y, z = (float(v or 0.0) for v in found)
    return (x, y, z)


def anchor(shown: Shown) -> Place | None:
    """Where the label stands: at the place of the finding, on the member once it was moved."""
    finding, at = shown.finding, location(shown)
    matrix = shown.moves.get(finding.subject) if isinstance(finding.subject, str) else None
    if at is not None and matrix is None:
        return at
    wanted, corners = boxes_of(shown.subjects, subject_names(shown))
    if not wanted:
        return None
    x, y, z = moved(corners, wanted, shown.moves)[0].mean(axis=0).tolist()
    return (x, y, z)


def mark(shown: Shown) -> tuple[Lines, ...]:
    """A cross at the place of the finding."""
    at = location(shown)
    return () if at is None else (Lines(cross(at), "fault"),)


def words(text: str, at: Any, tone: Tone = "plain") -> tuple[Words, ...]:
    """A text at a place (3,), none where the text is empty."""
    x, y, z = (float(c) for c in at)
    return (Words(text, (x, y, z), tone),) if text else ()
