# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run says on the terminal: a line an attempt, and the figures at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..ranking import findings_of, grouped
from . import block_results, construction_text, wording
from .console import Style
from .runfolder import read_run
from .runner import Finished
from .scores import summary_of
from .table import verdict_word

#: Ends of an episode that somebody may want to set further off.
_LIMITS = ("attempts", "retries", "seconds", "tokens", "cost")


def attempt_lines(event: Finished, number: int, total: int, style: Style) -> Iterator[str]:
    """One line an attempt, one more for what is wrong with it."""
    record = event.record
    groups = grouped(findings_of(record))
    found = sum(1 + len(group.followers) for group in groups)
    parts = [block_results.tally(record, len(groups), found)]
    expectation = record["expectation"]
    if expectation:
        parts.insert(0, "as planted" if expectation["met"] else "NOT as planted")
    if isinstance(similarity := record["metrics"].get("S"), (int, float)):
        parts.append(f"S {similarity:.2f}")
    if isinstance(topology := record["metrics"].get("T"), (int, float)):
        parts.append(f"T {topology:.2f}")
    if record["usage"]:
        parts.append(wording.usage(record["usage"]))
    if record["verdict"] == "failed" and record["end"] in _LIMITS:
        parts.append(f"ended by the limit on {record['end']}")
    parts.append(wording.seconds(record["timing"]["total"]))
    name = style.paint(wording.printable(event.assignment.name), "bold")
    place = f"{number:>{len(str(total))}}/{total}"
    yield f"{place}  {verdict_word(record['verdict'], style)}  {name}  {style.dot.join(parts)}"
    if record["environment"]:
        # Whole: its remedy stands at its end.
        yield style.paint(f"    {wording.printable(record['environment']['message'])}", "dim")
    elif groups:
        root = groups[0].root
        yield from _aside(f"{root['check']}, {root['subject']}: {root['message']}", style)


def _aside(text: str, style: Style) -> Iterator[str]:
    room = style.width - 4
    yield style.paint(f"    {wording.clip(wording.printable(text), room, style.ellipsis)}", "dim")


def closing_lines(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The figures of a run."""
    summary = summary_of(records)
    verdicts = ", ".join(
        f"{summary[verdict]} {word}" for verdict, word in wording.VERDICT_WORDS.items()
    )
    yield ""
    yield f"{wording.count(len(records), 'attempt')}: {verdicts}"
    yield from map(_rate, summary.get("pass_at", ()))
    if similar := summary.get("similarity"):
        yield _similarity(similar)
    if near := summary.get("topology"):
        yield _topology(near)
    yield from construction_text.closing(records)
    if summary["environment"]:
        faults = ", ".join(f"{n} {kind}" for kind, n in summary["environment"].items())
        yield f"faults of the environment: {faults} (--resume tries them again)"
    if "usage" in summary:
        yield f"used: {wording.usage(summary['usage'])}"
    if "planted" in summary:
        planted = summary["planted"]
        yield (
            f"planted defects: {planted['root_as_expected']} of {planted['twins']} named first, "
            f"{planted['nothing_unexpected']} with nothing unexpected beside them"
        )
        different = (r for r in records if (r["expectation"] or {}).get("differences"))
        yield from map(_difference, different)


def _rate(rate: Mapping[str, Any]) -> str:
    return f"pass@{rate['k']}: {rate['value']:.3f} over {wording.count(rate['tasks'], 'task')}"


def _similarity(similar: Mapping[str, Any]) -> str:
    mean = similar["passed_mean"]
    told = "nothing passed that has one" if mean is None else f"{mean:.3f} over what passed"
    joint = ", ".join(f"{rate:.3f} at {limit}" for limit, rate in similar["joint"].items())
    return f"similarity S: {told}; joint pass rate: {joint}"


def _topology(near: Mapping[str, Any]) -> str:
    told = (
        f"{'none' if mean is None else f'{mean:.3f}'} over what {word}"
        for word, mean in (("passed", near["passed_mean"]), ("failed", near["failed_mean"]))
    )
    means = near["all_mean"]
    every = ", ".join(f"{n} {means[n]:.3f}" for n in ("C", "M", "V") if means[n] is not None)
    return f"topology T: {', '.join(told)}{f'; of all: {every}' if every else ''}"


def compared_with(path: str, records: Sequence[Mapping[str, Any]]) -> str:
    """How many verdicts of a replay are those of the run in ``path``, and which are not."""
    before = {_place(record): record["verdict"] for record in read_run(path).records}
    known = [record for record in records if _place(record) in before]
    other = [record for record in known if record["verdict"] != before[_place(record)]]
    text = f"verdicts as in {path}: {len(known) - len(other)} of {len(known)}"
    if other:
        names = ", ".join(str(record["attempt"]) for record in other[:5])
        text += f"; different: {names}{' and more' if len(other) > 5 else ''}"
    return wording.printable(text)


def _place(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return record.get("task"), record.get("variant"), record.get("epoch", 1)


def _difference(record: Mapping[str, Any]) -> str:
    """The first way in which a twin's findings are not the expected ones, and how many more."""
    first, *others = record["expectation"]["differences"]
    more = f" (and {len(others):,} more)" if others else ""
    name = f"{record['task']} [{record['variant']}]"
    return f"  {wording.printable(f'{name}: {first}{more}')}"
