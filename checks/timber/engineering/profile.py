# SPDX-License-Identifier: GPL-3.0-or-later
"""The ``engineering`` profile: its checks in order, and the judgement they add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...result import CheckResult, Finding, Judgement, Progress
from ..brief import TimberBrief
from ..broadphase import CrowdedError
from ..structure import Floats, TimberStructure
from .bearing import bearing
from .cantilever import cantilever
from .clash import clash
from .clear_span import clear_span
from .completeness import completeness
from .dual_end import dual_end_connection
from .duplicates import duplicates, told
from .fixed_point import LoadPath, load_path
from .joints import Joints
from .linking import link
from .load_path import load_path_check
from .notching import notching
from .opening_header import opening_header
from .orientation import orientation
from .outcome import Outcome
from .point_load import point_load
from .roof_coverage import roof_coverage
from .section import section
from .spacing import spacing
from .workings import Workings

Check = Callable[[Joints], Outcome]

#: Checks in the order of the specification, with whether their subjects are required (1.4).
CHECKS: tuple[tuple[str, Check, bool], ...] = (
    ("completeness", completeness, True),
    ("bearing", bearing, True),
    ("clear_span", clear_span, True),
    ("spacing", spacing, True),
    ("section", section, True),
    ("orientation", orientation, True),
    ("clash", clash, True),
    ("notching", notching, True),
    ("dual_end_connection", dual_end_connection, True),
    ("roof_coverage", roof_coverage, True),
    ("opening_header", opening_header, False),
    ("point_load", point_load, False),
    ("cantilever", cantilever, False),
)

#: The paper's pillars and the LoD 350 requirements, as groups of checks (1.4).
PILLARS = {
    "topological_connectivity": ("load_path",),
    "irc_compliance": ("clear_span", "spacing", "section", "orientation", "opening_header"),
    "structural_physics": ("bearing", "cantilever", "notching", "point_load"),
    "geometric_integrity": ("roof_coverage", "dual_end_connection", "clash", "completeness"),
}
LOD_350 = {
    "i_geometry": ("section", "orientation", "clear_span"),
    "ii_position": ("spacing", "roof_coverage", "clash"),
    "iii_interfaces": ("dual_end_connection", "bearing", "notching"),
    "iv_load_path": ("load_path", "cantilever", "point_load"),
}


def judge_engineering(
    structure: TimberStructure,
    brief: TimberBrief | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Judge a structure by the ``engineering`` profile (timber specification, section 1.4)."""
    brief = brief or TimberBrief()
    tell = progress or _silent
    steps = len(CHECKS) + 3  # joints before the checks, the load path, and linking after them
    tell("", 0, steps)
    reading = tuple(f for f in structure.findings if isinstance(f, Finding))
    copies = duplicates(structure, brief.ground)
    single = structure
    if copies:
        single = structure.subset(np.setdiff1d(np.arange(len(structure)), list(copies)))
    workings: Workings | None = None
    try:
        outcomes, workings = _outcomes(single, brief, tell, steps)
    except CrowdedError as error:
        outcomes = {name: Outcome(0, not_run=str(error)) for name in check_ids()}
    if copies:
        clashes = outcomes["clash"]
        every = (*told(structure, copies), *clashes.findings)
        figures = {**clashes.figures, "copies": len(copies)}
        outcomes["clash"] = replace(clashes, findings=every, figures=figures, not_run=None)
    found = {name: outcome.findings for name, outcome in outcomes.items()}
    if reading:
        found["reading"] = reading
    tell("", steps - 1, steps)
    linked = link(found, _lines(structure, found))
    results = [
        _result(name, outcomes[name], linked[name], brief, required)
        for name, required in _required()
    ]
    if reading:
        results.insert(0, CheckResult("reading", "failed", linked["reading"]))
    checks = tuple(results)
    return Judgement("timber", "engineering", checks, _metrics(checks), structure.notes, workings)


def _lines(structure: TimberStructure, found: Mapping[str, Sequence[Finding]]) -> dict[str, Floats]:
    """Centre lines, (2, 3), m, of the members that findings are about."""
    wanted = {f.subject for findings in found.values() for f in findings}
    reach = structure.half[:, :1] * structure.axes[:, 0]
    return {
        name: np.stack([structure.center[k] - reach[k], structure.center[k] + reach[k]])
        for k, name in enumerate(structure.names)
        if name in wanted
    }


def check_ids() -> tuple[str, ...]:
    """Ids of the checks of this profile, in order."""
    return tuple(name for name, _ in _required())


def _required() -> list[tuple[str, bool]]:
    ids = [(name, required) for name, _, required in CHECKS]
    position = next((i for i, (name, _) in enumerate(ids) if name == "completeness"), -1) + 1
    ids.insert(position, ("load_path", True))
    return ids


def _silent(_step: str, _done: int, _total: int) -> None:
    """Progress that nobody asked for."""


def _outcomes(
    structure: TimberStructure, brief: TimberBrief, tell: Progress, steps: int
) -> tuple[dict[str, Outcome], Workings | None]:
    """Run every check that the task has not excluded; the workings if the load path was one."""
    joints = Joints.of(structure, brief)
    outcomes: dict[str, Outcome] = {}
    path: LoadPath | None = None
    for done, (name, check, _) in enumerate(CHECKS, 1):
        tell(name, done, steps)
        if name not in brief.not_applicable:
            outcomes[name] = check(joints)
    tell("load_path", steps - 2, steps)
    if "load_path" not in brief.not_applicable:
        path = load_path(joints)
        outcomes["load_path"] = load_path_check(joints, path)
    for name in brief.not_applicable:
        outcomes.setdefault(name, Outcome(0))
    return outcomes, None if path is None else Workings(joints, path)


def _result(
    name: str, outcome: Outcome, findings: tuple[Finding, ...], brief: TimberBrief, required: bool
) -> CheckResult:
    """The result of one check under the overrides of the task."""
    required = (required or name in brief.required) and name not in brief.optional
    if name in brief.not_applicable:
        reason = brief.not_applicable[name]
        return CheckResult(name, "not_applicable", reason=reason, required=False)
    if outcome.not_run is not None:
        return CheckResult(name, "not_run", reason=outcome.not_run, required=required)
    if findings:
        roots = sum(f.is_root for f in findings)
        figures = {**outcome.figures, "roots": roots}
        return CheckResult(
            name, "failed", findings, required=required, figures=figures, measures=outcome.measures
        )
    if outcome.subjects == 0:
        reason = f"Nothing to check: {outcome.nothing}."
        return CheckResult(
            name, "vacuous", reason=reason, required=required, figures=outcome.figures
        )
    return CheckResult(
        name, "passed", required=required, figures=outcome.figures, measures=outcome.measures
    )


def _metrics(checks: tuple[CheckResult, ...]) -> dict[str, object]:
    """Counts of roots, and the verdict by pillar and by LoD 350 requirement."""
    status = {c.id: c.status for c in checks}
    roots = sum(f.is_root for c in checks for f in c.findings)
    return {
        "root_findings": roots,
        "findings": sum(len(c.findings) for c in checks),
        "pillars": {name: _group(status, ids) for name, ids in PILLARS.items()},
        "lod_350": {name: _group(status, ids) for name, ids in LOD_350.items()},
    }


def _group(status: Mapping[str, str], ids: tuple[str, ...]) -> str:
    """``failed`` if one failed, ``passed`` if one passed and none is undecided."""
    here = [status[i] for i in ids if i in status]
    if "failed" in here:
        return "failed"
    undecided = any(s in ("not_run", "inconclusive") for s in here)
    return "passed" if "passed" in here and not undecided else "not_judged"


def supported_paths(structure: TimberStructure, brief: TimberBrief | None = None) -> LoadPath:
    """The load path itself (who stands on whom), for drawing; see :class:`LoadPath`."""
    return load_path(Joints.of(structure, brief or TimberBrief()))


__all__ = ["CHECKS", "LOD_350", "PILLARS", "check_ids", "judge_engineering", "supported_paths"]
