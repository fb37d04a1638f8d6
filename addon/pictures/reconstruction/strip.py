# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy over time as a strip: what is drawn in a corner of a view and in a report. Pure figures.

Both places draw the same :class:`Strip`; they differ in pixels and in how lines get there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks.result import CheckResult, Finding, Judgement
from ..drawing import Floats, Tone
from ..timber.parts import number

#: Points of a line beyond this are thinned: a strip has a few hundred pixels.
_MOST = 600


@dataclass(frozen=True)
class Line:
    """One line of a strip: its name, its tone, and its points (k, 2) in shares of the strip."""

    name: str
    tone: Tone
    points: Floats
    width: float = 1.0


@dataclass(frozen=True)
class Strip:
    """Energies over frames.

    ``frames`` are the first and the last one, ``most`` the energy at the strip's top, J. ``rises``
    are stretches in which energy rises though nothing puts it in, as shares of the width from and
    to. Frames lie at the middles of steps: energies are those of the step from one to the next.
    """

    frames: tuple[int, int]
    most: float
    lines: tuple[Line, ...]
    rises: tuple[tuple[float, float], ...] = ()

    def share(self, frame: float) -> float:
        """Where a frame is, as a share of the width, within 0 and 1."""
        first, last = self.frames
        return min(max((frame - first) / max(last - first, 1), 0.0), 1.0)


def energy_words(joules: float) -> str:
    """``0.42 J``, ``13 kJ``, ``85 mJ``."""
    for size, name in ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J")):
        if abs(joules) >= size:
            return f"{joules / size:.3g} {name}"
    return f"{joules * 1e3:.3g} mJ"


def strip_of(result: CheckResult | Mapping[str, Any], first: int) -> Strip | None:
    """The strip of an energy check or of its plain record; ``None`` where it has no series.

    ``first`` is the number of the first frame of the run, where the figures don't tell it.
    """
    figures = result.figures if isinstance(result, CheckResult) else result.get("figures")
    if not isinstance(figures, Mapping):
        return None
    series = [_series(figures.get(name)) for name in ("kinetic", "potential")]
    kinetic, potential = series
    if kinetic is None or potential is None or len(kinetic) != len(potential):
        return None
    total = kinetic + potential
    most = float(total.max(initial=0.0))
    if len(total) < 2 or most <= 0:
        return None
    told = number(figures.get("first"))
    first = first if told is None else int(told)
    last = first + len(total)
    made = Strip((first, last), most, ())
    at = (np.arange(len(total)) + 0.5) / len(total)
    lines = (
        Line("kinetic", "flow", _points(at, kinetic / most)),
        Line("potential", "sound", _points(at, potential / most)),
        Line("total", "plain", _points(at, total / most), 1.6),
    )
    findings = result.findings if isinstance(result, CheckResult) else result.get("findings", ())
    rises = tuple(
        (made.share(a), made.share(b)) for a, b in (_frames(f) for f in findings) if b > a
    )
    return Strip((first, last), most, lines, rises)


def energy_strip(judgement: Judgement, first: int) -> Strip | None:
    """The strip of a judgement's energy check, ``None`` where it made none."""
    for check in judgement.checks:
        if check.id == "energy":
            return strip_of(check, first)
    return None


def _series(values: Any) -> Floats | None:
    if not isinstance(values, Sequence) or isinstance(values, str) or not len(values):
        return None
    found = [number(v) for v in values]
    if any(v is None for v in found):
        return None
    return np.array(found, float)


def _points(at: Floats, values: Floats) -> Floats:
    """Line points, every so many left out; the greatest of what is left out stays."""
    if len(at) <= _MOST:
        return np.stack((at, values), axis=1)
    step = math.ceil(len(at) / _MOST)
    whole = len(at) // step * step
    rows = values[:whole].reshape(-1, step).argmax(1) + np.arange(whole // step) * step
    return np.stack((at[rows], values[rows]), axis=1)


def _frames(finding: Finding | Mapping[str, Any]) -> tuple[float, float]:
    detail = finding.detail if isinstance(finding, Finding) else finding.get("detail")
    frames = detail.get("frames") if isinstance(detail, Mapping) else None
    if not isinstance(frames, Sequence) or len(frames) != 2:
        return 0.0, 0.0
    ends = [number(frame) for frame in frames]
    if ends[0] is None or ends[1] is None:
        return 0.0, 0.0
    return ends[0], ends[1]
