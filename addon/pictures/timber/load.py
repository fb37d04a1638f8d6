# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads on their way to the ground as arrows, and where the way breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ....checks.timber.engineering.reactions import Step, Way
from ..drawing import Faces, Floats, Flow, Lines, Picture, Shown, Subjects, Tone, Words
from ..marks import STRONG, dimension
from ..solids import boxes, cross, grown
from .breaks import CROSS, breaks_of, one_break
from .parts import (
    FAULT,
    SOUND,
    anchor,
    boxes_of,
    company,
    ends,
    members,
    number,
    related_names,
    still,
    subject_names,
    words,
)
from .ways import Explained

#: Arrows shorter than this are taken together with the next, m: a plate is passed in one go.
_SHORT = 0.12
#: A picture follows no more members than these down to their break.
_MOST_STARTS = 24
#: Whoever only hangs on what is broken is hinted at.
_HANGS = (0.04, 0.14)
#: Whoever stands right over the break, and whom the load passes on its way there.
_ABOVE = (0.10, 0.26)
#: A crowd of those is kept pale, or nothing is seen behind them.
_CROWD, _PALE = 6, (0.05, 0.14)


def load_path(shown: Shown) -> Picture | None:
    """Down from the member at fault, or from those that stand over the place, to the break."""
    explained = shown.explained
    if not isinstance(explained, Explained) or not still(shown):
        return None
    starts = _starts(shown, explained)
    ways = [way for name in starts if (way := explained.way(name)) is not None]
    if not ways:
        return None
    # Of many that break alike, one shows the sound rest of its way.
    ways = [ways[0], *(Way((), way.broken, way.breaks) for way in ways[1:])]
    hanging = [name for name in related_names(shown) if name not in starts]
    faces = (
        *_passed(explained, shown.subjects, ways, {*starts, *hanging}),
        *members(shown, hanging, "related", _HANGS, outlined=False),
        *members(
            shown,
            [name for name in starts if name not in subject_names(shown)],
            "related",
            _ABOVE if len(starts) <= _CROWD else _PALE,
        ),
        *members(shown, subject_names(shown), "fault", FAULT),
    )
    lines, texts = breaks_of(shown, explained, [b for way in ways for b in way.breaks])
    return Picture(faces, lines, _flows(ways), texts, anchor(shown))


def post(shown: Shown) -> Picture | None:
    """A post that stands on no post: from where it ends to where it should go on."""
    gap, figure = ends(shown), number(shown.finding.measured)
    if gap is None or not still(shown):
        return load_path(shown)
    start, end = gap
    level = abs(float(end[2] - start[2])) < 1e-3
    size = float(np.linalg.norm(end - start))
    lines = [Lines(cross(start, CROSS), "fault", STRONG)]
    if level and figure is not None:
        line = dimension(start, end, (0, 0, -1), offset=0.0, tone="fault")
        reach = np.array([0.0, 0.0, 0.6])
        axes = np.array([start, start + reach, end, end - reach])
        lines += [*line.lines, Lines(axes, "plain", 1.2, dashed=True)]
        texts = words(f"{shown.length(size)} out of line", line.middle)
    else:
        lines.append(Lines(np.array(gap), "fault", STRONG, dashed=True))
        texts = words(f"no post for {shown.length(size)}", 0.5 * (start + end))
    return Picture(company(shown), tuple(lines), words=texts, anchor=anchor(shown))


def path(
    explained: object, subjects: Subjects, name: str, length: Callable[[float], str]
) -> Picture | None:
    """The way of any member's load; ``None`` if nothing is known of it."""
    way = explained.way(name) if isinstance(explained, Explained) else None
    if way is None or not isinstance(explained, Explained):
        return None
    faces = [*_passed(explained, subjects, [way], {name})]
    _, corners = boxes_of(subjects, [name])
    if len(corners):
        faces.append(Faces(boxes(grown(corners)), "flow", 0.15, 0.45, outline="flow"))
    lines: list[Lines] = []
    texts: list[Words] = []
    for found in way.breaks:
        more, text = one_break(found, length)
        lines += more
        texts += text
    return Picture(tuple(faces), tuple(lines), _flows([way]), tuple(texts))


def _starts(shown: Shown, explained: Explained) -> list[str]:
    """Whose loads are followed: the member at fault, or all that break right at the place."""
    own = [name for name in subject_names(shown) if name in explained.index]
    if own:
        return own
    right_there: list[str] = []
    above: list[str] = []
    for name in related_names(shown):
        way = explained.way(name)
        if way is not None and way.breaks:
            here = any(found.member == explained.index[name] for found in way.breaks)
            (right_there if here else above).append(name)
        if len(right_there) == _MOST_STARTS:
            break
    return right_there or above[:_MOST_STARTS]


def _passed(
    explained: Explained, subjects: Subjects, ways: Sequence[Way], but: set[str]
) -> tuple[Faces, ...]:
    """The members that loads pass: those of the sound part, and those over the break."""
    sound = {step.member for way in ways for step in way.sound}
    over = {step.member for way in ways for step in way.broken}
    faces = []
    looks: tuple[tuple[set[int], Tone, tuple[float, float]], ...] = (
        (sound - over, "sound", SOUND),
        (over, "related", _ABOVE),
    )
    for rows, tone, opacity in looks:
        names = [explained.names[row] for row in sorted(rows)]
        _, corners = boxes_of(subjects, [name for name in names if name not in but])
        if len(corners):
            solid = boxes(grown(corners))
            faces.append(Faces(solid, tone, *opacity, outline=tone))
    return tuple(faces)


def _flows(ways: Iterable[Way]) -> tuple[Flow, ...]:
    """Arrows of loads that arrive, and of those that don't."""
    sound, broken = [], []
    for way in ways:
        sound += arrows(way.sound)
        broken += arrows(way.broken)
    flows = []
    if sound:
        flows.append(Flow(np.array(sound), "flow"))
    if broken:
        flows.append(Flow(np.array(broken), "fault"))
    return tuple(flows)


def arrows(steps: Sequence[Step]) -> list[Floats]:
    """Steps as arrows (2, 3); what a step is too short for is begun by the one after it."""
    origin: dict[tuple[int, tuple[float, ...]], Floats] = {}
    found: list[Floats] = []
    for step in steps:
        start = origin.get((step.member, _key(step.start)), step.start)
        if step.into >= 0 and np.linalg.norm(step.end - start) < _SHORT:
            origin.setdefault((step.into, _key(step.end)), start)
            continue
        if np.linalg.norm(step.end - start) > 1e-6:
            found.append(np.array([start, step.end]))
    return found


def _key(spot: Floats) -> tuple[float, ...]:
    return tuple(np.round(spot, 4).tolist())
