# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures of simulations are made of: bodies in the frame shown, measures, arrows, words.

Everything is drawn as large as the bodies are: an egg and a crate are both seen. What a finding
measured stands where and when it was measured; bodies stand where they are in the frame shown.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ....checks.reconstruction.simulation import Simulation
from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Faces, Floats, Lines, Place, Shown, Solid, Tone, Words
from ..marks import FINE, STRONG, arrow, place, square_to, unit
from ..solids import boxes, cross
from ..timber.parts import location, number, related_names, subject_names, told, words
from .places import corners_of, surface

__all__ = [
    "RELATED", "SKIN", "SUBJECT", "THROUGH", "about", "anchor", "arrows", "at_hand", "bodies",
    "company", "ghost", "location", "mark", "measure", "middle", "number", "own_row", "place",
    "related_names", "row_of", "size_of", "subject_names", "told", "track", "trajectory_of",
    "when", "words",
]  # fmt: skip

#: Opacity behind something and in front: at fault, taking part, seen through everything.
SUBJECT, RELATED, THROUGH = (0.16, 0.42), (0.10, 0.28), (0.60, 0.80)
_GHOST = (0.05, 0.14)
#: How much larger than the body it is drawn, of its size.
SKIN = 0.004
#: A body so many times as large as the smallest one is drawn paler.
_HUGE = 6.0
#: Frames before and after its own in which what was measured is still shown.
_NEAR = 3
#: Bodies that moved by less, sizes (or turned, in a quaternion), stand as they stood.
_STILL = 0.005
#: Frames of the way of a body that are drawn before and after the finding's own.
_TRACK = 15


def trajectory_of(shown: Shown) -> Trajectory | None:
    """The unchanged scene's run, ``None`` where there is none to be drawn from."""
    structure = shown.structure
    found = structure.trajectory if isinstance(structure, Simulation) else None
    return found if found is not None and found.bodies else None


def own_row(shown: Shown, run: Trajectory) -> int:
    """The row of the frame in which the finding was measured; the first where it tells none."""
    frame = number(shown.finding.frame)
    return 0 if frame is None else run.row(int(frame))


def row_of(shown: Shown, run: Trajectory) -> int:
    """The row of the frame that is shown; without one the finding's own."""
    return own_row(shown, run) if shown.frame is None else run.row(shown.frame)


def span_of(shown: Shown, run: Trajectory) -> tuple[int, int]:
    """First and last row over which the finding says that it lasts."""
    own = own_row(shown, run)
    frames = told(shown, "frames")
    if not isinstance(frames, (list, tuple)) or len(frames) != 2:
        return own, own
    ends = [number(frame) for frame in frames]
    if ends[0] is None or ends[1] is None:
        return own, own
    return run.row(int(ends[0])), run.row(int(ends[1]))


def at_hand(shown: Shown, run: Trajectory) -> bool:
    """Whether the frame shown is one in which what was measured is to be seen.

    That is one of the finding's own or beside them, or one in which its bodies stand as they do
    there.
    """
    first, last = span_of(shown, run)
    row = row_of(shown, run)
    if first - _NEAR <= row <= last + _NEAR:
        return True
    own = own_row(shown, run)
    fault, related = about(shown, run)
    rows = [*fault, *related]
    with np.errstate(invalid="ignore"):
        shift = np.linalg.norm(run.position[row, rows] - run.position[own, rows], axis=1)
        turn = np.abs(run.quaternion[row, rows] - run.quaternion[own, rows]).max(1, initial=0.0)
        still = (shift <= _STILL * size_of(run, *rows)) & (turn <= _STILL)
    deforms = any(run.names[k] in run.meshes for k in rows)
    return bool(rows) and not deforms and bool(still.all())


def rows_named(run: Trajectory, names: Iterable[str]) -> list[int]:
    """Rows of the bodies of those names; others are left out."""
    index = {name: k for k, name in enumerate(run.names)}
    return [index[name] for name in dict.fromkeys(names) if name in index]


def about(shown: Shown, run: Trajectory) -> tuple[list[int], list[int]]:
    """Bodies at fault and those that take part."""
    return rows_named(run, subject_names(shown)), rows_named(run, related_names(shown))


def size_of(run: Trajectory, *rows: int) -> float:
    """Longest extent of the smallest of the bodies, m; never so small that nothing is seen."""
    sizes = [run.bodies[k].size for k in rows if run.bodies[k].size > 0]
    return max(min(sizes, default=1.0), 1e-3)


def bodies(
    run: Trajectory,
    rows: Iterable[int],
    row: int,
    tone: Tone,
    opacity: tuple[float, float],
    outline: bool = True,
) -> tuple[Faces, ...]:
    """The surfaces of bodies in a row of frames, in one tone.

    One that is much larger than the smallest body, such as the table under an egg, is paler: it
    would colour the whole view.
    """
    smallest = min((body.size for body in run.bodies if body.size > 0), default=1.0)
    made = []
    for k in rows:
        behind, front = opacity
        if run.bodies[k].size > _HUGE * smallest:
            behind, front = 0.3 * behind, 0.3 * front
        solid = surface(run, k, row, SKIN * run.bodies[k].size)
        if not len(solid.triangles):
            solid = boxes(corners_of(run, row)[[k]])
        made.append(Faces(solid, tone, behind, front, outline=tone if outline else None))
    return tuple(made)


def company(
    shown: Shown, run: Trajectory, opacity: tuple[float, float] = SUBJECT
) -> tuple[Faces, ...]:
    """The bodies at fault over those that take part, where they are in the frame shown."""
    row = row_of(shown, run)
    fault, related = about(shown, run)
    return (
        *bodies(run, related, row, "related", RELATED),
        *bodies(run, fault, row, "fault", opacity),
    )


def ghost(run: Trajectory, body: int, row: int, tone: Tone = "plain") -> tuple[Faces, ...]:
    """A body only hinted at: where it was, or would be."""
    return bodies(run, [body], row, tone, _GHOST)


def middle(run: Trajectory, body: int, row: int) -> Floats:
    """The middle of a body in a row of frames, (3,) m."""
    found: Floats = corners_of(run, row)[body].mean(0)
    return found


def anchor(shown: Shown, run: Trajectory) -> Place | None:
    """Where the label stands: at the finding's place when it is to be seen, else on the body."""
    at = location(shown)
    if at is not None and at_hand(shown, run):
        return at
    fault, _ = about(shown, run)
    if not fault:
        return at
    return place(middle(run, fault[0], row_of(shown, run)))


def when(shown: Shown, run: Trajectory) -> str:
    """``at frame 34`` if another frame is shown, else nothing."""
    if at_hand(shown, run):
        return ""
    return f"at frame {int(run.frames[own_row(shown, run)])}"


def away(shown: Shown, run: Trajectory, hint: str = "") -> tuple[Words, ...]:
    """Where to look, if what was measured isn't to be seen in the frame shown."""
    fault, _ = about(shown, run)
    late = when(shown, run)
    if not late or not fault:
        return ()
    body = fault[0]
    top = corners_of(run, row_of(shown, run))[body]
    return words(f"{hint} {late}".strip(), [*top[:, :2].mean(0), top[:, 2].max()])


def measure(
    start: ArrayLike, end: ArrayLike, aside: ArrayLike, size: float, tone: Tone = "fault"
) -> tuple[Lines, ...]:
    """A length between two points with a tick at both ends, as large as fits bodies of a size."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    beside = square_to(end - start, aside)
    half = 0.12 * size * beside
    ticks = np.array([start - half, start + half, end - half, end + half])
    return (Lines(np.array([start, end]), tone, STRONG), Lines(ticks, tone, STRONG * 0.6))


def arrows(
    starts: ArrayLike, ends: ArrayLike, tone: Tone, width: float = STRONG
) -> tuple[Lines, ...]:
    """Arrows (k, 3) to (k, 3) with heads of a fifth of their length."""
    starts, ends = np.atleast_2d(starts), np.atleast_2d(ends)
    made = [
        arrow(a, b, head=0.2 * float(np.linalg.norm(np.subtract(b, a))))
        for a, b in zip(starts, ends, strict=True)
        if np.linalg.norm(np.subtract(b, a)) > 1e-9
    ]
    return (Lines(np.concatenate(made), tone, width),) if made else ()


def pointing(start: ArrayLike, along: ArrayLike, length: float, tone: Tone) -> tuple[Lines, ...]:
    """An arrow of a length from a place along a direction."""
    start = np.asarray(start, float)
    return arrows(start, start + length * unit(along), tone)


def track(run: Trajectory, body: int, row: int, tone: Tone = "plain") -> tuple[Lines, ...]:
    """The way of a body round a row of frames, with a tick at every frame."""
    rows = np.arange(max(row - _TRACK, 0), min(row + _TRACK + 1, len(run)))
    points = run.position[rows, body]
    points = points[np.isfinite(points).all(1)]
    if len(points) < 2 or np.ptp(points, axis=0).max() < 1e-6:
        return ()
    pairs = np.stack((points[:-1], points[1:]), axis=1).reshape(-1, 3)
    half = 0.02 * size_of(run, body)
    aside = square_to(points[-1] - points[0], (0.0, 0.0, 1.0))
    ticks = np.stack((points - half * aside, points + half * aside), axis=1).reshape(-1, 3)
    return (Lines(pairs, tone, FINE), Lines(ticks, tone, FINE * 1.5))


def mark(shown: Shown, run: Trajectory) -> tuple[Lines, ...]:
    """A cross at the place of the finding, as large as fits the body."""
    at = location(shown)
    fault, _ = about(shown, run)
    reach = 0.35 * size_of(run, *fault) if fault else 0.12
    return () if at is None else (Lines(cross(at, reach), "fault", STRONG),)


def through(solid: Solid, tone: Tone = "fault") -> tuple[Faces, ...]:
    """A solid that is seen through everything."""
    return (Faces(solid, tone, *THROUGH, outline=tone),) if len(solid.triangles) else ()
