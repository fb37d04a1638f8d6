# SPDX-License-Identifier: GPL-3.0-or-later
"""How near to its limit a member is, for the number and the colour beside a slider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...checks.result import CheckResult, Finding, Judgement
from .model import Slider

#: Stands for every subject: the worst of them counts.
ANY = "*"


@dataclass(frozen=True, slots=True)
class Meter:
    """``used`` is the share of what is allowed, 1 at the limit, ``None`` where it has no figure.

    ``holds`` is whether the slider's check found nothing there; ``faults`` counts faults of their
    own in the whole building, ``verdict`` is the whole building's.
    """

    used: float | None
    holds: bool
    faults: int
    verdict: str

    @property
    def words(self) -> str:
        """``9 % to spare``, ``12 % beyond the limit``; without a figure only which of both."""
        if self.used is None or not np.isfinite(self.used):
            return "within the limit" if self.holds else "beyond the limit"
        if self.holds:
            return f"{max(0.0, 1.0 - self.used) * 100:.0f} % to spare"
        return f"{max(0.0, self.used - 1.0) * 100:.0f} % beyond the limit"


def read(judgement: Judgement, slider: Slider) -> Meter:
    """What a judgement says of the member that the slider is about."""
    result = next((r for r in judgement.checks if r.id == slider.check), None)
    found = [f for f in result.findings if _about(f, slider)] if result else []
    shares = [*_of_findings(found), *(_of_measures(result, slider) if result else ())]
    return Meter(
        max(shares, default=None),
        not found,
        sum(finding.is_root for finding in judgement.findings),
        judgement.verdict,
    )


def _about(finding: Finding, slider: Slider) -> bool:
    if slider.subject == ANY:
        return True
    return finding.subject.startswith(slider.subject) or slider.subject in finding.related


def _of_findings(findings: list[Finding]) -> Iterator[float]:
    for finding in findings:
        measured, limit = finding.measured, finding.limit
        if measured is None or limit is None or measured <= 0.0 or limit <= 0.0:
            continue
        yield max(measured / limit, limit / measured)  # a fault is beyond, whichever way


def _of_measures(result: CheckResult, slider: Slider) -> Iterator[float]:
    for measures in result.measures:
        for name, share in zip(measures.subjects, measures.utilisation.tolist(), strict=True):
            if slider.subject in (name, ANY) and np.isfinite(share):
                yield share
