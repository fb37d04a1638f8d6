# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges a counterfactual criterion from its runs: baseline twice, altered, and the controls.

The order of the specification: the baseline repeats itself, the intervention took effect, what must
be held was held, then the response is measured and set beside the controls. A failure needs
measured intrusion or motion that nothing supports together with a control that answers; whatever
falls short of that is inconclusive, and says what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..result import CheckResult, Finding
from .brief import Control, Counterfactual, Criterion
from .interventions import Intervention
from .limits import Limits
from .moments import moments
from .responses import Response, apart, measure, named
from .trajectory import Trajectory
from .words import alteration_words


@dataclass(frozen=True, eq=False)
class Runs:
    """The recorded runs of one criterion; ``None`` where one was not made.

    ``refused`` says why one couldn't be, by its name here: then the criterion is inconclusive.
    """

    baseline: Trajectory | None = None
    repeat: Trajectory | None = None
    branch: Trajectory | None = None
    positive: Trajectory | None = None
    negative: Trajectory | None = None
    refused: Mapping[str, str] | None = None


def judge_counterfactual(
    criterion: Criterion, runs: Runs, limits: Limits | None = None
) -> CheckResult:
    """Passed, failed or inconclusive, with the figures of every run as evidence.

    Raises ``ValueError`` if the criterion has no counterfactual.
    """
    asked = criterion.counterfactual
    if asked is None:
        raise ValueError(f"criterion {criterion.id} has no counterfactual")
    limits = limits or Limits()
    evidence: dict[str, Any] = {"intervention": asked.intervention.to_plain()}
    if runs.branch is not None and "applied" in runs.branch.source:
        evidence["applied"] = runs.branch.source["applied"]

    def undecided(reason: str) -> CheckResult:
        return CheckResult(criterion.id, "inconclusive", reason=reason, figures=evidence)

    for name, why in (runs.refused or {}).items():
        return undecided(f"the {name} could not be run: {why}")
    base, branch = runs.baseline, runs.branch
    if base is None or branch is None:
        missing = "baseline" if base is None else "altered scene"
        return CheckResult(
            criterion.id, "not_run", reason=f"the {missing} was not run", figures=evidence
        )
    trouble = (
        _repeats(base, runs.repeat, limits, evidence)
        or _effect(asked.intervention, base, branch, evidence)
        or _held(asked, base, branch, limits, evidence)
    )
    if trouble:
        return undecided(trouble)
    answers = [measure(e, branch, base, limits) for e in asked.expects]
    evidence["responses"] = [plain(one) for one in answers]
    begins = _begins(asked.intervention, base, branch)
    evidence["moments"] = moments(begins, base, branch, answers)
    controls = _controls(asked, runs, base, limits, evidence)
    for one in answers:
        if one.holds is None:
            return undecided(one.message)
    if all(one.holds for one in answers):
        if controls["negative"] is True:
            return undecided("the response appears in the negative control too: it tells nothing")
        if controls["negative"] == "unknown":
            return undecided("the negative control could not be measured")
        return CheckResult(criterion.id, "passed", figures=evidence)
    missing = "; ".join(one.message for one in answers if not one.holds)
    if controls["positive"] is None:
        return undecided(
            f"the response is missing: {missing}, but no positive control shows that it could be"
        )
    if controls["positive"] is not True:
        return undecided(
            f"the response is missing: {missing}, but the positive control doesn't answer either: "
            "the measurement can't be trusted"
        )
    if not any(one.witness for one in answers if not one.holds):
        return undecided(
            f"only the trajectory differs from what is expected ({missing}): no intrusion and no "
            "motion without support was measured"
        )
    found = tuple(_finding(criterion, one, asked, base, branch) for one in answers if not one.holds)
    return CheckResult(criterion.id, "failed", found, figures=evidence)


def plain(one: Response) -> dict[str, Any]:
    """A response as plain data for records."""
    return {
        "predicate": one.expectation.predicate,
        **{
            key: list(v) if isinstance(v, tuple) else v for key, v in one.expectation.values.items()
        },
        "holds": one.holds,
        "message": one.message,
        "measured": one.measured if one.measured is None or np.isfinite(one.measured) else None,
        "limit": one.limit,
        "frame": one.frame,
        **one.figures,
    }


def _repeats(
    base: Trajectory, again: Trajectory | None, limits: Limits, evidence: dict[str, Any]
) -> str | None:
    """Why the baseline can't be trusted, if it can't: two runs of the same scene differ."""
    if again is None:
        return "the baseline was run only once: whether it repeats itself isn't known"
    far = {n: apart(base, again, n) for n in base.names if n in again.names}
    shares = {
        name: float(np.nan_to_num(one, nan=np.inf).max()) / base.bodies[base.index(name)].size
        for name, one in far.items()
    }
    worst = max(shares, key=lambda name: shares[name], default=None)
    evidence["repeat"] = 0.0 if worst is None else shares[worst]
    if set(base.names) != set(again.names) or len(base) != len(again):
        return "two runs of the baseline don't have the same bodies and frames"
    if worst is not None and shares[worst] > limits.repeat_size:
        return f"the baseline doesn't repeat itself: {worst} goes another way in the second run"
    return None


def _held(
    asked: Counterfactual,
    base: Trajectory,
    branch: Trajectory,
    limits: Limits,
    evidence: dict[str, Any],
) -> str | None:
    """What was to be held and wasn't: frames up to the intervention, bodies that are named."""
    start = asked.intervention.at_frame
    touched = {base.names[base.index(n)] for n in asked.intervention.subjects if _there(base, n)}
    worst = 0.0
    for name in base.names:
        if name not in branch.names:
            continue
        body = base.bodies[base.index(name)]
        far = np.nan_to_num(apart(branch, base, name), nan=np.inf)
        size = body.size
        always = name in asked.held or body.role in asked.held
        if not always:
            if start is None or (name in touched and start <= base.frames[0]):
                continue
            far = far[: base.row(start) + 1]
        share = float(far.max(initial=0.0)) / size
        worst = max(worst, share)
        if share > limits.held_size:
            when = "all along" if always else f"up to frame {start}"
            return f"{name} was to be held {when}, but it is {share * size * 1000:.3g} mm off"
    evidence["held"] = worst
    return None


def _there(trajectory: Trajectory, name: str) -> bool:
    return any(name in (body.name, body.role) for body in trajectory.bodies)


def _effect(
    done: Intervention, base: Trajectory, branch: Trajectory, evidence: dict[str, Any]
) -> str | None:
    """Why the intervention doesn't count, if the altered scene doesn't show it."""
    shown = took_effect(done, base, branch)
    evidence["took_effect"] = shown
    if shown is False:
        return f"the intervention ({done.kind}) doesn't show in the altered scene"
    if shown is None:
        return f"whether the intervention ({done.kind}) took effect can't be told"
    return None


def took_effect(done: Intervention, base: Trajectory, branch: Trajectory) -> bool | None:
    """Whether the altered scene differs from the baseline as it should; ``None``: can't be told.

    Told from the settings that were recorded. ``source["applied"]`` of the branch holds the kinds
    that the recorder applied and read back: that stands in where no setting tells, and goes first
    where the settings are those of before ``at_frame``, or collections aren't what switches.
    """
    applied = branch.source.get("applied")
    told = None if applied is None else done.kind in applied
    late = done.at_frame is not None and done.at_frame > base.frames[0]
    if told is not None and (done.kind in _CONTACTS or (late and done.kind in _AT_START)):
        return told
    shown = _settings(done, base, branch)
    return told if shown is None else shown


#: Kinds that collections of bodies, or what cloth collides with, may switch.
_CONTACTS = ("remove_contact", "add_contact")
#: Kinds whose settings are recorded with the bodies, in the first frame.
_AT_START = ("mass", "friction", "restitution")


def _settings(done: Intervention, base: Trajectory, branch: Trajectory) -> bool | None:
    kind, values = done.kind, done.values
    if kind == "none":
        return True
    if kind == "gravity":
        new = values.get("vector", np.multiply(values.get("scale", 1.0), base.gravity))
        return bool(np.allclose(branch.gravity, new, atol=1e-6))
    if kind == "remove":
        return _there(base, values["object"]) and not _there(branch, values["object"])
    if kind == "remove_constraint":
        name = values["constraint"]
        return all(j.name != name or j.until is not None for j in branch.joints)
    if kind == "field":
        name = values["field"]
        old, new = ({f.name: f.strength for f in t.fields}.get(name) for t in (base, branch))
        if old is None:  # a role, maybe, which fields don't have
            return None if "applied" in branch.source else False
        return bool(np.isclose(new or 0.0, old * values["scale"]))
    if kind in ("mass", "friction", "restitution") and _there(branch, values["object"]):
        old, new = (getattr(t.bodies[t.index(values["object"])], kind) for t in (base, branch))
        if new is None:
            return None
        return bool(np.isclose(new, values.get("value", (old or 0) * values.get("scale", 1))))
    if kind in ("remove_contact", "add_contact"):
        one, other = (branch.bodies[branch.index(n)] for n in values["pair"])
        collide = bool(one.layers & other.layers) and "none" not in (one.part, other.part)
        return None if one.layers == other.layers == 1 else collide == (kind == "add_contact")
    if kind in ("release", "velocity") and _there(branch, values["object"]):
        row = base.row(_begins(done, base, branch))
        far = apart(branch, base, branch.names[branch.index(values["object"])])
        return bool(np.nanmax(far[row : row + 2], initial=0.0) > 0)
    return None


def _begins(done: Intervention, base: Trajectory, branch: Trajectory) -> int:
    """From which frame on a body goes otherwise: one that is animated first, where it is let go."""
    applied = branch.source.get("applied")
    one = applied.get(done.kind) if isinstance(applied, Mapping) else None
    if isinstance(one, Mapping) and one.get("let_go") is not None:
        return int(one["let_go"])
    return int(base.frames[0]) if done.at_frame is None else done.at_frame


def _controls(
    asked: Counterfactual,
    runs: Runs,
    base: Trajectory,
    limits: Limits,
    evidence: dict[str, Any],
) -> dict[str, Any]:
    """Of each control: ``True`` if what it expects came, ``None`` if there is none.

    A negative control is given with the response that must *not* come, so ``True`` there is bad.
    """
    answers: dict[str, Any] = {}
    pairs: tuple[tuple[str, Control | None, Trajectory | None], ...] = (
        ("positive", asked.positive, runs.positive),
        ("negative", asked.negative, runs.negative),
    )
    for name, control, run in pairs:
        if control is None:
            answers[name] = None
        elif run is None or took_effect(control.intervention, base, run) is False:
            answers[name] = "unknown"
        else:
            told = [measure(e, run, base, limits) for e in control.expects]
            evidence[name] = [plain(one) for one in told]
            unsure = any(one.holds is None for one in told)
            answers[name] = "unknown" if unsure else all(one.holds for one in told)
    return answers


def _finding(
    criterion: Criterion,
    one: Response,
    asked: Counterfactual,
    base: Trajectory,
    branch: Trajectory,
) -> Finding:
    """As other findings it names objects; the expectation may speak of roles."""
    subjects = [named(branch, name) for name in one.expectation.subjects]
    margin = None
    if one.measured is not None and one.limit is not None:
        margin = -abs(one.limit - one.measured)
    return Finding(
        criterion.id,
        subjects[0],
        _said(asked.intervention, one, base, subjects[0]),
        related=tuple(subjects[1:]),
        measured=one.measured,
        limit=one.limit,
        unit=one.unit,
        margin=margin,
        location=one.location,
        frame=one.frame,
    )


def _said(done: Intervention, one: Response, base: Trajectory, subject: str) -> str:
    """``Marble released elsewhere: it gets up to 63.9 mm inside Dish, 2 mm is allowed``."""
    altered = alteration_words(done.to_plain(), lambda n: named(base, n) if _there(base, n) else n)
    message = one.message
    if altered.startswith(f"{subject} ") and message.startswith(f"{subject} "):
        message = message.replace(subject, "it", 1)
    return f"{altered}: {message}"
