# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures show of a fault in motion: the same bodies before and after, from one place.

Of a counterfactual those are the unchanged and the altered scene in the telling frame, of a probe
two frames of the run. No ``bpy`` here: what is drawn is plain data that any worker can draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...checks.reconstruction.counterfactual import Runs
from ...checks.reconstruction.simulation import Simulation
from ...checks.reconstruction.trajectory import Trajectory
from ...checks.reconstruction.words import alteration_words
from ..pictures.drawing import Floats, Solid
from ..pictures.reconstruction.inside import region
from ..pictures.reconstruction.places import corners_of, surface
from ..pictures.solids import boxes
from ..pictures.timber.parts import number
from ..ranking import findings_of, grouped

#: Faults that get pictures: the worst of each check first, then others, so many of one check.
MOST, _OF_ONE = 4, 2
#: Bodies beyond this are left out of a picture, the farthest first, and so are surfaces of more
#: triangles in all.
_MOST_BODIES, _MOST_TRIANGLES = 120, 60_000
#: So far round the body at fault the picture reaches at least, in its own sizes, and at most of
#: what takes part.
_ROUND, _REACH = 0.8, 1.5
#: The same of the whole scene, of the extent of all that moves.
_AROUND = 0.25
#: Thickness of the line along which a body goes, of its size.
_THREAD = 0.035

#: What a solid is: at fault, what bodies share, the way of a body, the unchanged way, all else.
TONES = ("fault", "shared", "way", "sound", "rest")


@dataclass(frozen=True)
class Still:
    """One picture: its file's name without ending, what it shows, and what is drawn.

    ``solids`` are pairs of a tone and a solid, ``framed`` the points (n, 3), m, that it is framed
    on; all stills of one fault are framed alike.
    """

    name: str
    caption: str
    solids: tuple[tuple[str, Solid], ...]
    framed: Floats

    def to_plain(self) -> dict[str, Any]:
        """As plain data for a worker; places to a hundredth of a millimetre."""
        return {
            "name": self.name,
            "solids": [
                {
                    "tone": tone,
                    "points": np.round(solid.points, 5).tolist(),
                    "triangles": solid.triangles.tolist(),
                }
                for tone, solid in self.solids
            ],
            "framed": np.round(self.framed, 5).tolist(),
        }


@dataclass(frozen=True)
class Evidence:
    """The pictures of one fault, and what it says."""

    check: str
    subject: str
    frame: int
    message: str
    stills: tuple[Still, ...]


def listed(found: Sequence[Evidence]) -> list[dict[str, Any]]:
    """What there are pictures of, as plain data for people: the file of each and what it shows."""
    return [
        {
            "check": one.check,
            "subject": one.subject,
            "frame": one.frame,
            "message": one.message,
            "pictures": [
                {"file": f"{still.name}.png", "caption": still.caption} for still in one.stills
            ],
        }
        for one in found
    ]


@dataclass(frozen=True)
class _Moment:
    """A run in one of its frames, and what of it is written below the picture."""

    run: Trajectory
    row: int
    name: str
    caption: str


def evidence_of(simulation: Simulation, record: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Pictures of the faults of a record that name a body and a frame, the worst first.

    ``record`` is a result as :meth:`..runs.records.Result.to_record` writes it.
    """
    roots = [group.root for group in grouped(findings_of(record))]
    firsts: dict[str, Mapping[str, Any]] = {}
    for root in roots:
        firsts.setdefault(root["check"], root)
    chosen = [*firsts.values(), *(r for r in roots if r is not firsts[r["check"]])]
    found: list[Evidence] = []
    numbers: dict[str, int] = {}
    told: set[tuple[Any, ...]] = set()
    for finding in chosen:
        if len(found) == MOST:
            break
        same = (finding["check"], finding["subject"], finding.get("frame"))
        if same in told:  # another sentence on what the same pictures show
            continue
        told.add(same)
        numbers[finding["check"]] = numbers.get(finding["check"], 0) + 1
        if numbers[finding["check"]] > _OF_ONE:
            continue
        made = _evidence(simulation, record, finding, numbers[finding["check"]])
        if made is not None:
            found.append(made)
    return tuple(found)


def overview(simulation: Simulation, record: Mapping[str, Any]) -> Still | None:
    """The whole scene in the frame of the worst fault, or in its last one; ``None`` if empty."""
    run = simulation.trajectory
    if not run.bodies:
        return None
    roots = [group.root for group in grouped(findings_of(record))]
    frames = [number(root.get("frame")) for root in roots]
    row = next((run.row(int(f)) for f in frames if f is not None), len(run) - 1)
    at_fault = {root["subject"] for root in roots}
    chosen = [k for k, body in enumerate(run.bodies) if body.moves or body.name in at_fault]
    chosen = chosen or list(range(len(run.bodies)))
    rows = (0, row, len(run) - 1)  # where they come from and go to
    every = np.concatenate([corners_of(run, each)[chosen].reshape(-1, 3) for each in rows])
    framed = every[np.abs(every - corners_of(run, row)[chosen].mean((0, 1))).max(1) <= _far(run)]
    moment = _Moment(run, row, "picture", "")
    size = min(run.bodies[k].size for k in chosen)
    around = max(_AROUND * np.ptp(framed, axis=0).max(), size) * np.array([[-1.0], [1.0]])
    wide = np.array([framed.min(0), framed.max(0)]) + around
    return Still("picture", "", tuple(_solids(moment, at_fault, framed)), _within_reach(wide))


def _far(run: Trajectory) -> float:
    """How far from the middle a body can be and still be in a picture of the whole, m.

    What falls out of the scene would else make everything else tiny.
    """
    low, high = corners_of(run, 0).min((0, 1)), corners_of(run, 0).max((0, 1))
    return float(np.linalg.norm(high - low))


def _evidence(
    simulation: Simulation, record: Mapping[str, Any], finding: Mapping[str, Any], count: int
) -> Evidence | None:
    frame = number(finding.get("frame"))
    name = str(finding["subject"])
    if frame is None:
        return None
    moments = _moments(simulation, record, finding, int(frame))
    base = f"evidence-{file_name(finding['check'])}-{count}"
    if name not in {n for moment in moments for n in moment.run.names}:
        return None
    names = [name, *(n for n in finding.get("related") or () if isinstance(n, str))]
    framed = _framed(moments, names)
    stills = tuple(
        Still(
            f"{base}-{moment.name}",
            moment.caption,
            tuple(_drawn(moment, names, framed)),
            framed,
        )
        for moment in moments
    )
    return Evidence(finding["check"], name, int(frame), str(finding["message"]), stills)


def file_name(check: str) -> str:
    """A check's id as part of a file's name: ``counterfactual.S4`` -> ``S4``."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", check.removeprefix("counterfactual.")).strip("-") or "x"


def _moments(
    simulation: Simulation, record: Mapping[str, Any], finding: Mapping[str, Any], frame: int
) -> list[_Moment]:
    """What is set side by side: two runs in one frame, or two frames of one run."""
    run = simulation.trajectory
    runs = simulation.runs.get(str(finding["check"]).removeprefix("counterfactual."))
    if isinstance(runs, Runs) and runs.branch is not None:
        altered = alteration_words(_intervention(record, finding["check"]))
        base = runs.baseline or run
        return [
            _Moment(base, base.row(frame), "unchanged", f"Unchanged, frame {frame}"),
            _Moment(
                runs.branch,
                runs.branch.row(frame),
                "altered",
                f"{altered[:1].upper()}{altered[1:]}, frame {frame}",
            ),
        ]
    row = run.row(frame)
    before = _before(run, finding, row)
    after = _Moment(run, row, "after", f"Frame {int(run.frames[row])}")
    if before == row or _same(run, before, row):
        return [after]
    return [_Moment(run, before, "before", f"Frame {int(run.frames[before])}"), after]


def _intervention(record: Mapping[str, Any], check: str) -> Mapping[str, Any]:
    for one in record["checks"]:
        if one["id"] == check:
            told = (one.get("figures") or {}).get("intervention")
            return told if isinstance(told, Mapping) else {}
    return {}


def _before(run: Trajectory, finding: Mapping[str, Any], row: int) -> int:
    """The row that the fault is set beside: where it begins, or where the run does."""
    detail = finding.get("detail") or {}
    if "to" in detail and "from" in detail and finding["check"] == "numerical_stability":
        return max(row - 1, 0)
    frames = detail.get("frames")
    if isinstance(frames, Sequence) and len(frames) == 2:
        first = number(frames[0])
        if first is not None and run.row(int(first)) < row:
            return run.row(int(first))
    return 0


def _same(run: Trajectory, one: int, other: int) -> bool:
    """Whether nothing moves between two rows by as much as is seen."""
    if run.meshes:
        return False
    sizes = np.array([body.size for body in run.bodies])
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(run.position[one] - run.position[other], axis=1)
        turn = np.abs(run.quaternion[one] - run.quaternion[other]).max(1)
        return bool(((far <= 0.02 * sizes) & (turn <= 0.02)).all())


def _framed(moments: Sequence[_Moment], names: Sequence[str]) -> Floats:
    """Points that come into all pictures of a fault: its body, where it is and near what."""
    inner = [
        corners_of(moment.run, moment.row)[moment.run.index(names[0])]
        for moment in moments
        if names[0] in moment.run.names
    ]
    own = np.concatenate(inner)
    size = max(float(np.ptp(corners, axis=0).max()) for corners in inner)
    low, high = own.min(0) - _ROUND * size, own.max(0) + _ROUND * size
    beside = [
        corners_of(moment.run, moment.row)[moment.run.index(name)]
        for moment in moments
        for name in names[1:]
        if name in moment.run.names
    ]
    if beside:  # what takes part, as far as it is near
        other = np.concatenate(beside)
        low = np.minimum(low, np.maximum(other.min(0), own.min(0) - _REACH * size))
        high = np.maximum(high, np.minimum(other.max(0), own.max(0) + _REACH * size))
    return _within_reach(np.array([low, high]))


def _within_reach(points: Floats) -> Floats:
    """The eight corners of the box round points."""
    low, high = points.min(0), points.max(0)
    ends = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    found: Floats = low + ends * (high - low)
    return found


def _drawn(moment: _Moment, names: Sequence[str], framed: Floats) -> Iterator[tuple[str, Solid]]:
    """The bodies of a moment, the one at fault coloured, what it shares, and the way it came."""
    yield from _solids(moment, {names[0]}, framed)
    run = moment.run
    if names[0] not in run.names:
        return
    body = run.index(names[0])
    for other in names[1:]:
        if other in run.names:
            common = region(run, body, run.index(other), moment.row)
            if len(common.triangles):
                yield "shared", common
    tone = "sound" if moment.name == "unchanged" else "way"
    way = thread(run.position[: moment.row + 1, body], _THREAD * run.bodies[body].size)
    if len(way.triangles):
        yield tone, way


def _solids(moment: _Moment, at_fault: set[str], framed: Floats) -> Iterator[tuple[str, Solid]]:
    """Every body of a run in a row; of too many the nearest, of too fine ones their boxes."""
    run = moment.run
    every = corners_of(run, moment.row)
    middle = framed.mean(0)
    far = np.linalg.norm(every.mean(1) - middle, axis=1)
    far[[body.name in at_fault for body in run.bodies]] = -1.0
    shown = [
        int(k)
        for k in np.argsort(far, kind="stable")
        if run.bodies[k].visible and run.bodies[k].medium not in ("particles", "liquid")
    ]
    left = _MOST_TRIANGLES
    for k in shown[:_MOST_BODIES]:
        solid = surface(run, k, moment.row)
        if not len(solid.triangles) or len(solid.triangles) > left:
            solid = boxes(every[[k]])
        left -= len(solid.triangles)
        yield ("fault" if run.bodies[k].name in at_fault else "rest"), solid


def thread(points: Floats, radius: float) -> Solid:
    """A line through points (k, 3), m, as a square rod of a radius; nothing where it is a point."""
    points = points[np.isfinite(points).all(1)]
    if len(points) > 1:
        far = np.linalg.norm(np.diff(points, axis=0), axis=1)
        points = points[np.concatenate(([True], far > 1e-9))]
    if len(points) < 2 or np.ptp(points, axis=0).max() < 2 * radius:
        return Solid()
    made = []
    for start, end in pairwise(points):
        along = (end - start) / np.linalg.norm(end - start)
        aside = np.eye(3)[int(np.abs(along).argmin())]
        aside = np.cross(along, aside)
        aside /= np.linalg.norm(aside)
        up = np.cross(along, aside)
        signs = ((-1, -1), (-1, 1), (1, 1), (1, -1))
        ring = np.array([radius * (a * aside + b * up) for a, b in signs])
        made.append(np.concatenate((start + ring, end + ring)))
    return boxes(np.array(made))
