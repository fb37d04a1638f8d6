# SPDX-License-Identifier: GPL-3.0-or-later
"""What a rubric asks of a reconstruction, as far as its physics go. Plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .bodies import DRIVERS
from .expectations import Expectation
from .interventions import Intervention
from .limits import LimitError, Limits
from .reading import (
    BriefError,
    Field,
    amount,
    fields_of,
    is_list,
    mapping,
    names,
    pairs,
    shown,
    text,
    vector,
)

__all__ = ["PROBES", "BriefError", "Counterfactual", "Criterion", "ReconstructionBrief"]

#: Ids of the probes, in the order of the specification.
PROBES = (
    *("numerical_stability", "gravity", "mass", "prescribed_motion", "interpenetration"),
    *("support", "contact", "energy", "rigidity", "cloth", "liquid", "wind", "friction"),
    *("restitution", "soft_body"),
)


@dataclass(frozen=True)
class Control:
    """A run beside the intervention that tells whether the measurement can be trusted."""

    intervention: Intervention
    expects: tuple[Expectation, ...]


@dataclass(frozen=True)
class Counterfactual:
    """An intervention, what must be held, what is expected, and the controls.

    ``held`` are bodies that must go as in the baseline all the time; of all others the frames up to
    the intervention's own must. ``positive`` is a run in which the response has to appear,
    ``negative`` one in which it must not.
    """

    intervention: Intervention
    expects: tuple[Expectation, ...]
    held: tuple[str, ...] = ()
    positive: Control | None = None
    negative: Control | None = None


@dataclass(frozen=True)
class Criterion:
    """One criterion of a rubric.

    ``weight`` counts it in the weighted share; ``cap`` is the most that validity can be if it
    fails. ``probes`` are those that judge it, of ``roles`` where any are named;
    ``counterfactual`` is judged beside them.
    """

    id: str
    mechanism: str = ""
    weight: float = 1.0
    cap: float | None = None
    probes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    evidence: str = ""
    counterfactual: Counterfactual | None = None


@dataclass(frozen=True)
class ReconstructionBrief:
    """The physics of a rubric.

    Attributes
    ----------
    criteria
        What is judged; without any, all probes are.
    roles
        Object names by role id, where the scene itself doesn't bind them.
    core
        Roles whose motion must come from the solver; empty means all that move.
    admitted
        Kinds of drivers that a role may have beside the solver, by role; ``"*"`` is every role.
    sources
        Roles, joints and fields that may put energy in.
    rolling
        Roles that are claimed to roll.
    may_overlap
        Pairs of roles whose solids may be within each other.
    may_change_volume
        Roles of soft bodies that are filled or emptied.
    gravity
        m/s2 that the scene should have; ``None``: whatever it has.
    densities
        (lowest, highest) kg/m3 by material, beside those that are known.
    limits
        The thresholds.
    optional
        Probes that may be vacuous or not run without standing in the way.
    not_applicable
        Reasons by the id of a probe or criterion that the task leaves out.
    """

    criteria: tuple[Criterion, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    core: tuple[str, ...] = ()
    admitted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    rolling: tuple[str, ...] = ()
    may_overlap: tuple[tuple[str, str], ...] = ()
    may_change_volume: tuple[str, ...] = ()
    gravity: tuple[float, float, float] | None = None
    densities: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    optional: tuple[str, ...] = ()
    not_applicable: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_mapping(cls, data: Any, place: str = "rubric") -> ReconstructionBrief:
        """A brief from the ``rubric`` of a task. Raises :class:`BriefError` naming the place."""
        values = fields_of(mapping(data, place), _BRIEF, place)
        ids = [criterion.id for criterion in values["criteria"]]
        if len(set(ids)) != len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise BriefError(f"{place}: two criteria have the id {shown(twice)}")
        return cls(**values)

    def admits(self, role: str | None, name: str, kind: str) -> bool:
        """Whether a body may be moved by a driver of that kind."""
        keys = [key for key in (role, name, "*") if key is not None]
        return any(kind in self.admitted.get(key, ()) for key in keys)

    def overlap_admitted(self, first: set[str], second: set[str]) -> bool:
        """Whether two bodies, each with its role and name, may be within each other."""
        return any(
            (a in first and b in second) or (b in first and a in second)
            for a, b in self.may_overlap
        )


def _expectations(value: Any, place: str) -> tuple[Expectation, ...]:
    if not is_list(value) or not value:
        raise BriefError(f"{place}: must be a list with at least one expectation")
    return tuple(Expectation.from_mapping(v, f"{place} {k + 1}") for k, v in enumerate(value))


def _control(value: Any, place: str) -> Control:
    return Control(**fields_of(mapping(value, place), _CONTROL, place))


def _counterfactual(value: Any, place: str) -> Counterfactual:
    return Counterfactual(**fields_of(mapping(value, place), _COUNTERFACTUAL, place))


def _probes(value: Any, place: str) -> tuple[str, ...]:
    for name in names(value, place):
        if name not in PROBES:
            raise BriefError(
                f"{place}: there is no probe {shown(name)}; there are {', '.join(PROBES)}"
            )
    return names(value, place)


def _criteria(value: Any, place: str) -> tuple[Criterion, ...]:
    if not is_list(value):
        raise BriefError(f"{place}: must be a list of criteria")
    made = []
    for k, item in enumerate(value):
        where = f"{place} {k + 1}"
        one = Criterion(**fields_of(mapping(item, where), _CRITERION, where))
        if not one.probes and one.counterfactual is None:
            raise BriefError(f"{where}: {one.id} needs probes or a counterfactual to be judged by")
        if one.cap is not None and one.cap > 1:
            raise BriefError(f"{where}: cap must be from 0 to 1, not {shown(one.cap)}")
        made.append(one)
    return tuple(made)


def _limits(value: Any, place: str) -> Limits:
    try:
        return Limits.from_mapping(mapping(value, place))
    except LimitError as error:
        raise BriefError(f"{place}: {error}") from error


def _admitted(value: Any, place: str) -> dict[str, tuple[str, ...]]:
    kinds = {role: names(v, f"{place}: {role}") for role, v in mapping(value, place).items()}
    for role, listed in kinds.items():
        for kind in listed:
            if kind not in DRIVERS:
                raise BriefError(
                    f"{place}: {role}: unknown driver {shown(kind)}; known: {', '.join(DRIVERS)}"
                )
    return kinds


def _densities(value: Any, place: str) -> dict[str, tuple[float, float]]:
    made = {}
    for name, ends in mapping(value, place).items():
        if not is_list(ends) or len(ends) != 2:
            raise BriefError(f"{place}: {name}: must be the lowest and the highest density, kg/m3")
        low, high = (amount(end, f"{place}: {name}") for end in ends)
        if not 0 < low <= high:
            raise BriefError(f"{place}: {name}: must be 0 < lowest <= highest, not {shown(ends)}")
        made[name] = (low, high)
    return made


def _texts(value: Any, place: str) -> dict[str, str]:
    return {key: text(item, f"{place}: {key}") for key, item in mapping(value, place).items()}


def _may(read: Callable[[Any, str], Any], meaning: str, default: Any = ()) -> Field:
    return Field(read, meaning, None, False, default)


_CONTROL = {
    "intervention": Field(Intervention.from_mapping, "what is otherwise in the control"),
    "expects": Field(_expectations, "what must come of it"),
}
_COUNTERFACTUAL = {
    "intervention": Field(Intervention.from_mapping, "what is made otherwise"),
    "expects": Field(_expectations, "what must come of it"),
    "held": _may(names, "bodies that must go as before"),
    "positive": _may(_control, "a run in which the response must appear", None),
    "negative": _may(_control, "a run in which it must not", None),
}
_CRITERION = {
    "id": Field(text, "a short name"),
    "mechanism": _may(text, "what it is about", ""),
    "weight": _may(amount, "its weight", 1.0),
    "cap": _may(amount, "the most that validity can be if it fails", None),
    "probes": _may(_probes, "probes that judge it"),
    "roles": _may(names, "roles that it is about"),
    "evidence": _may(text, "what evidence is needed", ""),
    "counterfactual": _may(_counterfactual, "an intervention that judges it", None),
}
_BRIEF = {
    "criteria": _may(_criteria, "what is judged"),
    "roles": _may(_texts, "object names by role", {}),
    "core": _may(names, "roles that the solver must move"),
    "admitted": _may(_admitted, "drivers that a role may have", {}),
    "sources": _may(names, "what may put energy in"),
    "rolling": _may(names, "roles that roll"),
    "may_overlap": _may(pairs, "roles that may be within each other"),
    "may_change_volume": _may(names, "soft bodies that are filled or emptied"),
    "gravity": _may(vector, "the gravity that there should be", None),
    "densities": _may(_densities, "densities by material, kg/m3", {}),
    "limits": _may(_limits, "thresholds that differ from the table", Limits()),
    "optional": _may(names, "probes that may be vacuous"),
    "not_applicable": _may(_texts, "reasons by probe or criterion", {}),
}
