# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the released server about the whole: completeness, load path, stability score."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from .connect import floating, stability_index
from .scene import Scene, not_run, outcome

_CATEGORY_WORDS = {
    "foundation": "no foundation member: add sills, piers or footings",
    "floor": "no floor member: add joists, beams or rim boards",
    "walls": "no wall member: add studs and plates",
    "roof": "no roof member: add rafters or a ridge",
}


def completeness(scene: Scene) -> CheckResult:
    """At least one member of every category that the task requires."""
    findings = []
    counts = {}
    for category in scene.brief.required_categories:
        counts[category] = int(scene.roles.in_category(category).sum())
        if not counts[category]:
            findings.append(
                Finding(
                    "completeness",
                    category,
                    f"There is {_CATEGORY_WORDS[category]}.",
                    subject_kind="place",
                    measured=0.0,
                    limit=1.0,
                    unit="members",
                    margin=-1.0,
                    clause=scene.clause("completeness"),
                )
            )
    wanted = len(scene.brief.required_categories)
    return outcome(
        scene,
        "completeness",
        findings,
        subjects=wanted,
        nothing="the task requires no category",
        score=1.0 - len(findings) / wanted if wanted else None,
        figures=counts,
    )


def load_path(scene: Scene) -> CheckResult:
    """Everything is connected to the ground, and wall and roof to the foundation."""
    if scene.crowded:
        return not_run(scene, "load_path", scene.crowded)
    findings = floating(scene, "load_path", "load_path")
    findings += _unconnected(scene, "load_path", None)
    figures = {"members": len(scene), "connected": int(scene.supported.sum())}
    score = float(scene.supported.mean()) if len(scene) else None
    return outcome(scene, "load_path", findings, subjects=len(scene), score=score, figures=figures)


def stability_score(scene: Scene) -> CheckResult:
    """At least 80 % is connected to the ground, and wall and roof to the foundation."""
    if scene.crowded:
        return not_run(scene, "stability_score", scene.crowded)
    plain = stability_index(scene, "stability_score", "stability_score")
    score = plain.score if plain.score is not None else 0.0
    figures = {
        "score": score,
        "total_members": len(scene),
        "grounded_members": int(scene.supported.sum()),
    }
    findings = [*plain.findings, *_unconnected(scene, "stability_score", "load_path")]
    return outcome(
        scene, "stability_score", findings, subjects=len(scene), score=score, figures=figures
    )


def _unconnected(scene: Scene, check: str, root: str | None) -> list[Finding]:
    """A finding for walls and for the roof where no member of them reaches the foundation.

    The one published verdict, four sills and nothing else, fails both tests that use this.
    """
    base = scene.roles.in_category("foundation") & scene.grounded
    reached = np.zeros(len(scene), bool)
    reached[scene.component[base]] = True
    reached = reached[scene.component]
    findings = []
    for category, one in (("walls", "wall"), ("roof", "roof")):
        if not (scene.roles.in_category(category) & reached).any():
            findings.append(
                Finding(
                    check,
                    category,
                    f"No {one} member is connected to the foundation: join the {category} to it.",
                    subject_kind="place",
                    measured=0.0,
                    limit=1.0,
                    unit="members",
                    margin=-1.0,
                    clause=scene.clause(check),
                    follows=f"{root}:{category}" if root else None,
                )
            )
    return findings
