# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses made here or by processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...tasks.houses.parameters import ParameterError
from ...tasks.packs.entry import Entry
from ...tasks.packs.making import Made, Wanted, make
from .workers import Answer, WorkersError, answers


def houses(
    wanted: Sequence[Wanted], judge: bool, with_program: bool, workers: int
) -> Iterator[tuple[int, Made]]:
    """Every house with its place in ``wanted``, in the order in which they are done.

    Raises :class:`ParameterError` for the first that can't be, and :class:`.workers.WorkersError`.
    """
    if workers <= 1:
        for place, one in enumerate(wanted):
            yield place, make(one, judge, with_program)
        return
    asked = {"judge": judge, "with_program": with_program}
    requests = [{**one.plain(), **asked} for one in wanted]
    for place, answer in answers("addon.runs.house_workers", requests, workers):
        yield place, _heard(wanted[place], answer)


def _heard(one: Wanted, answer: Answer) -> Made:
    """The house of an answer; raises what went wrong."""
    what = f"{one.style}, seed {one.seed}"
    if answer is None:
        raise WorkersError(f"{what}: the worker ended; try --workers 1")
    if "impossible" in answer:
        raise ParameterError(str(answer["impossible"]))
    if "bug" in answer:
        raise WorkersError(f"{what}: a fault of the generator ({answer['bug']})")
    entry = Entry.from_mapping(answer["entry"])
    return Made(entry, answer["verdict"], answer["fault"])


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """In a worker: the house that is asked for, as plain data."""
    try:
        wanted = Wanted(asked["style"], asked["seed"], asked["fixed"])
        made = make(wanted, asked["judge"], asked["with_program"])
    except ParameterError as error:
        return {"impossible": str(error)}
    except Exception as error:  # it must reach the one who asked, in whatever process
        return {"bug": f"{type(error).__name__}: {error}"}
    return {"entry": made.entry.to_mapping(), "verdict": made.verdict, "fault": made.fault}
