# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the self-test, run here or by processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...tasks.defects.selftest import Case, Job, Told, run
from .workers import WorkersError, answers


def results(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, list[Case]]]:
    """Every job with its cases, in the order in which they are done.

    Raises :class:`.workers.WorkersError` for a worker that ended or failed.
    """
    if workers == 1 or len(jobs) == 1:
        for job in jobs:
            yield job, run(job)
        return
    requests = [asdict(job) for job in jobs]
    for place, told in answers("addon.runs.selftest_workers", requests, workers):
        job = jobs[place]
        if told is None or "bug" in told:
            why = "the worker ended" if told is None else told["bug"]
            raise WorkersError(f"{job.style}, seed {job.seed}: {why}; try --workers 1")
        yield job, [_case(plain) for plain in told["cases"]]


def _case(plain: Mapping[str, Any]) -> Case:
    strays = tuple(Told(**told) for told in plain["strays"])
    lists = {name: tuple(plain[name]) for name in ("expected", "missed")}
    return Case(**{**plain, **lists, "strays": strays})


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """In a worker: the cases of the job that is asked for, as plain data."""
    try:
        return {"cases": [asdict(case) for case in run(Job(**asked))]}
    except Exception as error:  # it must reach the one who asked, in whatever process
        return {"bug": f"{type(error).__name__}: {error}"}
