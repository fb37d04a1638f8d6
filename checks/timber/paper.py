# SPDX-License-Identifier: GPL-3.0-or-later
"""The ``paper`` profile: the ten tests T1 to T10 of DreamHouse (arXiv 2603.24866).

The rules and constants are those of the paper's project page, holes and all: AABBs that come
within 50 mm count as joined, whichever carries which. Constants: :mod:`.published.table`; the
tests: :mod:`.published`; one row a test: ``docs/checks-paper.md``.
"""

from __future__ import annotations

from ..result import Judgement, Progress
from .brief import TimberBrief
from .published import connect, members, roof, sills
from .published.scene import Scene, in_turn
from .published.table import PAPER, Constants
from .structure import TimberStructure


def judge_paper(
    structure: TimberStructure,
    brief: TimberBrief | None = None,
    constants: Constants = PAPER,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a structure by the ten tests of the paper.

    ``brief`` sets species, grade, loads and height of the ground, and overrides which tests are
    required; ``constants`` are the numbers of the profile. Never raises for a readable structure:
    a test that can't be run says so.
    """
    scene = Scene.of(structure, brief, "paper", constants, "DreamHouse")
    checks = in_turn(
        scene,
        progress,
        ("load_path", connect.load_path),
        ("span_limits", members.span_limits),
        ("oc_spacing", members.oc_spacing),
        ("lumber_dimensions", members.lumber_dimensions),
        ("deflection", members.deflection),
        ("roof_coverage", roof.roof_coverage),
        ("gap_detection", roof.gap_detection),
        ("cantilever", sills.cantilever),
        ("stability_index", connect.stability_index),
        ("dual_end", connect.dual_end),
    )
    metrics: dict[str, float] = {}
    for metric, check in (("stability_index", checks[8]), ("roof_coverage", checks[5])):
        if check.score is not None:
            metrics[metric] = check.score
    return Judgement("timber", "paper", checks, metrics, scene.notes)
