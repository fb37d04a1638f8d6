# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and the records they are stored as: schema ``plumbline.result/1``.

A record is what ``check --json`` prints and ``results.jsonl`` holds. Its JSON Schema lies in
``schema/result-1.schema.json``. Records are valid JSON by the letter: no NaN, no infinity, and
everything outside ASCII escaped, so that a member's name can't speak to a terminal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...checks.result import CheckResult, Finding, Judgement, Verdict
from ..ranking import plain_finding

SCHEMA = "plumbline.result/1"
SCHEMA_FILE = Path(__file__).with_name("schema") / "result-1.schema.json"


@dataclass(frozen=True, slots=True)
class Result:
    """One judged thing: the judgement and everything a record says beside it.

    Attributes
    ----------
    judgement
        The check results, metrics and notes.
    task, title, variant, epoch
        Id of the task (``None`` outside a task), what it is called for people, id of the flawed
        twin if it is one, and which repetition it is, from 1.
    agent, harness, model, effort
        Who built it; ``None`` for what was merely found on disk or has no model.
    protocol, end
        How a model was led (``atomic``, ``managed``, ...), and why the episode ended.
    rejudged
        Of what was judged again: the verdict and the faults before.
    problem
        Of a voxel task: which problem it is, its words and its check functions a turn
        (:func:`.construction_records.told`).
    source
        The file that was judged, as it was named by the caller.
    attempt
        Folder of the attempt inside its run folder, with ``/`` on every system.
    expectation
        Of a flawed twin: what was expected and whether it was found (:mod:`.expectation`).
    environment
        Fault of the environment that kept it from being judged: ``{"kind", "message"}``.
    usage, isolation, timing, versions
        Tokens and cost; how the code was contained; seconds a stage; versions of what took part.
    """

    judgement: Judgement
    task: str | None = None
    title: str | None = None
    variant: str | None = None
    epoch: int = 1
    agent: str | None = None
    harness: str | None = None
    model: str | None = None
    effort: str | None = None
    protocol: str | None = None
    end: str | None = None
    rejudged: Mapping[str, Any] | None = None
    problem: Mapping[str, Any] | None = None
    source: str | None = None
    attempt: str | None = None
    expectation: Mapping[str, Any] | None = None
    environment: Mapping[str, str] | None = None
    usage: Mapping[str, Any] | None = None
    isolation: Any = None
    timing: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """``passed``, ``failed`` or ``not_judged``."""
        return self.judgement.verdict

    @property
    def checks(self) -> tuple[CheckResult, ...]:
        """One result for each check of the profile."""
        return self.judgement.checks

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, roots first."""
        return self.judgement.findings

    def to_record(self) -> dict[str, Any]:
        """The result as a plain mapping of schema ``plumbline.result/1``, ready for JSON."""
        judgement = self.judgement
        record = {
            "schema": SCHEMA,
            "task": self.task,
            "title": self.title,
            "variant": self.variant,
            "epoch": self.epoch,
            "agent": self.agent,
            "harness": self.harness,
            "model": self.model,
            "effort": self.effort,
            "protocol": self.protocol,
            "end": self.end,
            "problem": self.problem,
            "source": self.source,
            "attempt": self.attempt,
            "kind": judgement.kind,
            "profile": judgement.profile,
            "verdict": judgement.verdict,
            "checks": [_plain_check(check) for check in judgement.checks],
            "metrics": judgement.metrics,
            "notes": judgement.notes,
            "expectation": self.expectation,
            "environment": self.environment,
            "usage": self.usage,
            "isolation": self.isolation,
            "timing": self.timing,
            "versions": self.versions,
            "rejudged": self.rejudged,
        }
        return clean(record)


def _plain_check(check: CheckResult) -> dict[str, Any]:
    findings = [plain_finding(finding) for finding in check.findings]
    for finding in findings:
        del finding["check"]
    return {
        "id": check.id,
        "status": check.status,
        "required": check.required,
        "score": check.score,
        "interval": check.interval,
        "degraded": check.degraded,
        "reason": check.reason,
        "figures": check.figures,
        "findings": findings,
    }


def clean(value: Any) -> Any:
    """The value as JSON knows it: NumPy turned into Python, what is not finite turned into null.

    Unknown objects become their text: a record is never lost because a figure was of an odd type.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((clean(item) for item in value), key=str)
    if hasattr(value, "tolist"):  # NumPy scalars and arrays
        return clean(value.tolist())
    return str(value)


def to_line(record: Mapping[str, Any]) -> str:
    """The record as one line of ASCII JSON without its line end."""
    return json.dumps(record, allow_nan=False, ensure_ascii=True, separators=(", ", ": "))


def schema() -> dict[str, Any]:
    """The published JSON Schema (draft 2020-12) of a record."""
    return json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
