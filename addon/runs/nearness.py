# SPDX-License-Identifier: GPL-3.0-or-later
"""How near what was built comes to what was asked for, member by member: C, M, V, T of a record.

They stand in ``metrics`` beside the verdict and never change it. ``differences`` there says how
many members of each role are missing, extra, displaced or of another size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...checks.timber.metrics.findings import DIFFERENCES, differences, summary
from ...checks.timber.metrics.matching import MatchingUnknown
from ...checks.timber.metrics.topology import topology
from ...checks.timber.structure import TimberStructure
from ...tasks import Task
from ..agent.agents import Target
from ..scene.plain import members_from_plain
from . import wording

#: The figures in the order in which they are told.
FIGURES = ("C", "M", "V", "T")
_WORDS = {
    "missing": "missing",
    "extra": "too many",
    "displaced": "displaced",
    "wrong_section": "of another section",
    "wrong_length": "of another length",
    "turned": "turned",
}


def wanted(task: Task | None, target: Target | None = None) -> TimberStructure | None:
    """What a task asks for, ``None`` where it isn't known.

    That is the ground truth that came with the task, else what its known-good program built.
    """
    if task is None or task.kind != "timber":
        return None
    truth = task.truth()
    if truth is None and target is not None:
        truth = members_from_plain(target.structure)
    return truth


def nearness(
    aim: TimberStructure, built: TimberStructure | None
) -> tuple[dict[str, Any], str | None]:
    """Metrics of what was built against what should have been, and a sentence if some are unknown.

    Nothing built (``None``) scores 0.
    """
    nothing = TimberStructure.from_boxes((), (), (), ())
    found = topology(aim, built if built is not None else nothing)
    figures: dict[str, Any] = dict(found.values)
    try:
        every = differences(found) if found.values else None
    except MatchingUnknown:  # the figures stand without it
        every = None
    if every is not None:
        figures["differences"] = summary(every)
    return figures, found.note


def unknown(task: Task | None) -> str | None:
    """Why there are no figures though a truth came with the task, in a sentence."""
    why = task.why_no_truth() if task is not None else None
    return f"C, M, V and T are unknown: {why}" if why else None


def sentences(metrics: Mapping[str, Any]) -> Iterator[str]:
    """``3 missing: 2 Stud, 1 Rafter``: one line a kind, most members first."""
    found = metrics.get("differences")
    if not isinstance(found, Mapping):
        return
    for kind in DIFFERENCES:
        roles = found.get(kind)
        known = dict(roles) if isinstance(roles, Mapping) else {}
        known = {role: n for role, n in known.items() if isinstance(n, int) and n > 0}
        if not known:
            continue
        ordered = sorted(known.items(), key=lambda item: (-item[1], item[0]))
        told = ", ".join(f"{number:,} {role or 'without a role'}" for role, number in ordered)
        yield wording.printable(f"{sum(known.values()):,} {_WORDS[kind]}: {told}")


def line(metrics: Mapping[str, Any]) -> str:
    """``C 1.000, M 0.981, V 0.912, T 0.966``; empty where none is known."""
    known = {name: metrics.get(name) for name in FIGURES}
    return ", ".join(
        f"{name} {value:.3f}" for name, value in known.items() if isinstance(value, (int, float))
    )
