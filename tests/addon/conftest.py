# SPDX-License-Identifier: GPL-3.0-or-later
"""Judgements that look like real ones, for tests of what is done with them."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from plumbline.addon.runs.records import Result
from plumbline.checks.result import CheckResult, Finding, Judgement


def _judgement() -> Judgement:
    root = Finding(
        check="load_path",
        subject="Sill_02",
        message="Sill_02 rests on nothing; lower it by 250 mm onto the ground.",
        related=("Joist_01", "Joist_02"),
        measured=0.25,
        limit=0.001,
        unit="m",
        margin=-0.249,
        location=(3.66, 10.97, 0.019),
        clause="IRC R301.1",
        detail={"from": [0.0, 0.0, 0.0], "to": np.array([0.0, 0.0, 0.25])},
    )
    followers = tuple(
        Finding(
            check="load_path",
            subject=f"Joist_{i:02d}",
            message=f"Joist_{i:02d} stood on Sill_02.",
            follows=root.key,
            location=(float(i), 1.0, 0.3),
        )
        for i in (1, 2)
    )
    span = Finding(
        check="clear_span",
        subject="Joist_07",
        message="Joist_07 spans too far; use 2x12 or put a beam under it.",
        measured=4.12,
        limit=3.91,
        unit="m",
        margin=-0.21,
        location=(2.4, 1.22, 0.55),
        clause="IRC R502.3.1",
    )
    place = Finding(
        check="opening_header",
        subject="place at 1.20, 0.00, 2.10",
        subject_kind="place",
        message="There is no header over this opening; put one in.",
        location=(1.2, 0.0, 2.1),
        related=("KingStud_01", "KingStud_02"),
    )
    checks = (
        CheckResult("completeness", "passed", figures={"members": np.int64(140)}),
        CheckResult("load_path", "failed", (root, *followers), score=0.97),
        CheckResult("clear_span", "failed", (span,), figures={"worst": float("nan")}),
        CheckResult("opening_header", "failed", (place,)),
        CheckResult("point_load", "vacuous", reason="there is no post", required=False),
    )
    return Judgement(
        "timber",
        "engineering",
        checks,
        metrics={"members": 140, "volume": np.float32(3.5)},
        notes=("2 hidden objects were skipped",),
    )


@pytest.fixture
def judgement() -> Judgement:
    """Three root faults, one of them with two consequences, one at a place."""
    return _judgement()


@pytest.fixture
def result(judgement) -> Result:
    """The same as a result of a run."""
    return Result(
        judgement,
        task="timber/cabin",
        agent="scripted",
        harness="plumbline",
        attempt="attempts/timber/cabin/1",
        timing={"started": "2026-01-02T03:04:05Z", "total": 0.31},
        versions={"plumbline": "0.1.0", "python": "3.11.7"},
    )


@pytest.fixture
def record(result) -> dict:
    """The same as a record."""
    return result.to_record()


@pytest.fixture
def crowded() -> Result:
    """5,000 findings: 500 roots with nine consequences each."""
    findings = []
    for i in range(500):
        root = Finding("clash", f"Stud_{i:03d}", f"Stud_{i:03d} clashes.", unit="m",
                       measured=0.01 * i, limit=0.003, margin=0.003 - 0.01 * i,
                       location=(i * 0.1, 0.0, 1.0))  # fmt: skip
        findings.append(root)
        findings += [
            Finding("clash", f"Stud_{i:03d}_{j}", "It follows.", follows=root.key) for j in range(9)
        ]
    checks = (CheckResult("clash", "failed", tuple(findings)),)
    return Result(Judgement("timber", "engineering", checks, metrics={"members": 5000}))


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 KiB of its own. Needs root on Linux."""
    yield from _mounted(tmp_path / "disk", "size=64k")


@pytest.fixture
def remount():
    """Changes the options of a mounted file system, e.g. ``remount(path, "ro")``."""

    def change(path, option):
        subprocess.run(["mount", "-o", f"remount,{option}", str(path)], check=True)

    return change


def _mounted(folder, options):
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True
    )
    if made.returncode:
        pytest.skip("this machine doesn't allow mounting")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
