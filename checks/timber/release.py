# SPDX-License-Identifier: GPL-3.0-or-later
"""The ``release`` profile: the ten keys of the released DreamHouse server.

For comparison with its users' results: what it says of a structure, with named findings that it
doesn't give. In ``pass_rate``, and only there, a test that had nothing to check counts as passed,
as theirs does. One row a key: ``docs/checks-release.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..result import CheckResult, Judgement, Progress
from .brief import TimberBrief
from .published import bays, carried, connect, members, roof, server
from .published.scene import Scene, in_turn
from .published.table import RELEASE, Constants
from .structure import TimberStructure

#: The ten keys in the order in which the server gives them.
KEYS: tuple[str, ...] = (
    "completeness",
    "load_path",
    "span_limits",
    "deflection",
    "roof_coverage",
    "gap_detection",
    "point_load",
    "cantilever",
    "stability_score",
    "dual_end_connection",
)


def judge_release(
    structure: TimberStructure,
    brief: TimberBrief | None = None,
    constants: Constants = RELEASE,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a structure by the ten keys of the released server.

    Arguments as :func:`.paper.judge_paper`. ``metrics`` holds ``pass_rate``.
    """
    scene = Scene.of(structure, brief, "release", constants, "DreamHouse release")
    tests = (
        server.completeness,
        server.load_path,
        lambda s: members.span_limits(s, required=False),
        lambda s: members.deflection(s, required=False),
        lambda s: roof.roof_coverage(s, must_exist=True),
        bays.gap_detection,
        carried.point_load,
        carried.cantilever,
        server.stability_score,
        lambda s: connect.dual_end(s, KEYS[9], KEYS[9], required=False),
    )
    checks = in_turn(scene, progress, *zip(KEYS, tests, strict=True))
    passed = sum(map(_counts_as_passed, checks))
    return Judgement("timber", "release", checks, {"pass_rate": passed / len(checks)}, scene.notes)


def _counts_as_passed(check: CheckResult) -> bool:
    """Whether the released server would say ``true``: nothing to check is true for it."""
    return check.status in ("passed", "vacuous", "not_applicable")


def release_result(judgement: Judgement, task_id: str | None) -> dict[str, Any]:
    """A judgement of this profile in the released result format.

    Keys: task_id, all_passed, pass_rate, tests, stability_details, dual_end_details. A test that
    could not be run is false. Raises :class:`ValueError` for a judgement of another profile.
    """
    if judgement.profile != "release":
        raise ValueError(f"only the release profile has this format, not {judgement.profile!r}")
    tests = {key: _counts_as_passed(judgement.check(key)) for key in KEYS}
    stability = judgement.check("stability_score").figures
    ends = judgement.check("dual_end_connection").figures
    return {
        "task_id": task_id,
        "all_passed": all(tests.values()),
        "pass_rate": sum(tests.values()) / len(tests),
        "tests": tests,
        "stability_details": {
            "score": float(stability.get("score", 0.0)),
            "total_members": _count(stability, "total_members"),
            "grounded_members": _count(stability, "grounded_members"),
        },
        "dual_end_details": {
            key: _count(ends, key)
            for key in ("rafters_checked", "rafters_failed", "studs_checked", "studs_failed")
        },
    }


def _count(figures: Mapping[str, Any], key: str) -> int:
    return int(figures.get(key, 0))
