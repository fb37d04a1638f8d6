# SPDX-License-Identifier: GPL-3.0-or-later
"""The report's table of all attempts, the header's facts, and what judging again has changed."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..agent.transcript import FILE as TRANSCRIPT
from ..ranking import findings_of, grouped
from . import wording
from .nearness import FIGURES
from .report_table import text
from .runfolder import Run
from .scores import summary_of
from .storage import is_own_file

# What a run was asked that is worth a fact in the header, and how it is called there.
_ASKED: Mapping[str, str] = {
    "protocol": "protocol",
    "epochs": "repetitions",
    "effort": "effort",
    "temperature": "temperature",
    "max_tokens": "tokens a reply",
    "seed": "seed",
    "base_url": "server",
    "attempts": "programs an attempt",
    "retries": "retries a step",
    "timeout": "seconds a program",
    "max_seconds": "seconds an attempt",
    "max_tokens_total": "tokens an attempt",
    "max_cost": "dollars an attempt",
    "budget_cost": "dollars in all",
    "require_isolation": "isolation required",
    "edit_from": "edits",
    "rejudged": "judged again",
}


def header_facts(run: Run) -> Iterator[str]:
    """What was asked and what it came to, as a list of terms."""
    asked = run.header["sessions"][-1]["asked"]
    modelled = any(record.get("model") for record in run.records)
    shown = _ASKED if modelled else {k: v for k, v in _ASKED.items() if k in _PLAIN}
    facts: list[tuple[str, Any]] = [
        (word, wording.figure(asked[name]))
        for name, word in shown.items()
        if _said(name, asked.get(name))
    ]
    summary = summary_of(run.records)
    facts += [(f"pass@{one['k']}", _rate(one)) for one in summary.get("pass_at", ())]
    if similar := summary.get("similarity"):
        mean = similar["passed_mean"]
        facts.append(("S of what passed", "none" if mean is None else f"{mean:.3f}"))
        facts += [(f"joint at S {s}", f"{rate:.3f}") for s, rate in similar["joint"].items()]
    if near := summary.get("topology"):
        for word, mean in (("passed", near["passed_mean"]), ("failed", near["failed_mean"])):
            facts.append((f"T of what {word}", "none" if mean is None else f"{mean:.3f}"))
    if "usage" in summary:
        facts.append(("used", wording.usage(summary["usage"])))
    facts += [(f"fault: {kind}", number) for kind, number in summary["environment"].items()]
    if facts:
        yield '<dl class="asked">'
        yield from (
            f"<div><dt>{text(term)}</dt><dd>{text(value)}</dd></div>" for term, value in facts
        )
        yield "</dl>"


_PLAIN = ("epochs", "rejudged", "require_isolation")


def _said(name: str, value: Any) -> bool:
    return value is not None and not (name == "epochs" and value == 1)


def _rate(one: Mapping[str, Any]) -> str:
    return f"{one['value']:.3f} ({wording.count(one['tasks'], 'task')})"


def overview(run: Run, order: Sequence[int]) -> Iterator[str]:
    """One row an attempt; nothing where a look at the attempts themselves says it all."""
    records = run.records
    told = [column for column in _COLUMNS if any(column.cell(run, r) for r in records)]
    if len(records) < 2 or not any(column.own for column in told):
        return
    yield '<details class="overview" open><summary>All attempts</summary>'
    yield '<div class="scroll" tabindex="0" role="region" aria-label="All attempts">'
    yield "<table><thead><tr><th scope=col>attempt</th><th scope=col>verdict</th>"
    yield "".join(f'<th scope="col" class="{c.kind}">{c.title}</th>' for c in told)
    yield "</tr></thead><tbody>"
    for place, index in enumerate(order, start=1):
        record = records[index]
        name = record.get("task") or record.get("source") or record["kind"]
        name = f"{name} [{record['variant']}]" if record.get("variant") else name
        word = wording.VERDICT_WORDS[record["verdict"]]
        yield f'<tr><th scope="row"><a href="#attempt-{place}">{text(name)}</a></th>'
        yield f'<td><span class="chip {record["verdict"]}">{word}</span></td>'
        yield "".join(f'<td class="{c.kind}">{c.cell(run, record)}</td>' for c in told)
        yield "</tr>"
    yield "</tbody></table></div></details>"


def transcript_link(run: Run, record: Mapping[str, Any]) -> str:
    """A link to the attempt's transcript, which lies beside the page; empty if there is none."""
    folder = run.folder_of(record)
    if folder is None or not is_own_file(folder, TRANSCRIPT):
        return ""
    path = f"{folder.relative_to(run.path.resolve()).as_posix()}/{TRANSCRIPT}"
    return f'<a href="{html.escape(path, quote=True)}">transcript</a>'


def rejudged(record: Mapping[str, Any]) -> Iterator[str]:
    """Of what was judged again: the verdict before, and which faults came and went."""
    before = record.get("rejudged")
    if not before:
        return
    came, went = changes(record)
    word = wording.VERDICT_WORDS[before["verdict"]]
    told = f"Judged before: {word} under {before['profile']}"
    told += f", by version {before['plumbline']}" if before.get("plumbline") else ""
    parts = [told]
    parts += [f"new: {', '.join(came[:8])}{_more(came)}"] if came else []
    parts += [f"gone: {', '.join(went[:8])}{_more(went)}"] if went else []
    changed = "changed" if before["verdict"] != record["verdict"] else "as before"
    yield (
        f'<p class="planted"><span class="chip {before["verdict"]}">{changed}</span> '
        f"{text('; '.join(parts))}.</p>"
    )


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - 8:,} more" if len(names) > 8 else ""


def changes(record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Root faults that judging again found anew, and those that it no longer finds."""
    before = list((record.get("rejudged") or {}).get("faults") or ())
    after = root_faults(record)
    return [f for f in after if f not in before], [f for f in before if f not in after]


def root_faults(record: Mapping[str, Any]) -> list[str]:
    """``check:subject`` of each fault of its own, worst first."""
    groups = grouped(findings_of(record))
    return [f"{group.root['check']}:{group.root['subject']}" for group in groups]


@dataclass(frozen=True)
class _Column:
    """A column; ``own`` ones say what nothing else on the page says at a glance."""

    title: str
    kind: str
    cell: Callable[[Run, Mapping[str, Any]], str]
    own: bool = True


def _field(*path: str) -> Callable[[Run, Mapping[str, Any]], str]:
    def cell(_: Run, record: Mapping[str, Any]) -> str:
        value: Any = record
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is None or isinstance(value, (Mapping, list)):
            return ""
        return text(f"{value:.3g}" if isinstance(value, float) else value)

    return cell


def _epoch(_: Run, record: Mapping[str, Any]) -> str:
    return text(record.get("epoch", 1)) if record.get("model") or record["epoch"] > 1 else ""


def _end(_: Run, record: Mapping[str, Any]) -> str:
    fault = (record.get("environment") or {}).get("kind")
    return text(fault or record.get("end") or "") if record.get("model") or fault else ""


def _tokens(_: Run, record: Mapping[str, Any]) -> str:
    used = record.get("usage")
    return text(f"{int(used.get('tokens') or 0):,}") if used else ""


def _cost(_: Run, record: Mapping[str, Any]) -> str:
    used = record.get("usage")
    if not used:
        return ""
    cost = used.get("cost")
    return text(f"{cost:.4f}") if isinstance(cost, (int, float)) else "unknown"


def _seconds(_: Run, record: Mapping[str, Any]) -> str:
    total = record["timing"].get("total")
    return text(wording.seconds(total)) if isinstance(total, (int, float)) else ""


_COLUMNS = (
    _Column("repetition", "number", _epoch),
    _Column("protocol", "text", _field("protocol")),
    _Column("end", "text", _end),
    _Column("programs", "number", _field("metrics", "attempts")),
    _Column("S", "number", _field("metrics", "S")),
    *(_Column(name, "number", _field("metrics", name)) for name in FIGURES),
    _Column("tokens", "number", _tokens),
    _Column("dollars", "number", _cost),
    _Column("isolation", "text", _field("isolation"), own=False),
    _Column("time", "number", _seconds, own=False),
    _Column("", "text", transcript_link, own=False),
)
