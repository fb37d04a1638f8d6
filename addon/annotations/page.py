# SPDX-License-Identifier: GPL-3.0-or-later
"""The agreement page: one file of HTML in the style of the report, with nothing fetched.

Every text that a person or a model wrote passes :func:`.runs.report_table.text`.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from ..runs import wording
from ..runs.report import brand, order_of, page
from ..runs.report_table import text
from ..runs.runfolder import REPORT_FILE
from ..words import check_title
from .agreement import Agreement, Share, mean_and_sd, words_for
from .figures import CheckFigures, Dispute, Figures, Pair, Person
from .gather import Attempt, Gathered
from .row import Row, item_of

_DISPUTES_SHOWN = 500


def build_page(gathered: Gathered, figures: Figures, where: Path | None = None) -> str:
    """The page as HTML; ``where`` is the folder it will lie in, for links to reports of runs."""
    return page("Agreement of annotators", "\n".join(_body(gathered, figures, where)))


def _body(gathered: Gathered, figures: Figures, where: Path | None) -> Iterator[str]:
    judged = len({item_of(row) for row in figures.rows})
    yield '<header class="top">'
    yield from brand(
        "Agreement of annotators",
        f"{wording.count(len(figures.people), 'annotator')}, "
        f"{wording.count(judged, 'structure')}, {wording.count(len(figures.rows), 'judgment')}",
    )
    yield "</header>\n<main>"
    yield from (f'<p class="note">{text(note)}</p>' for note in gathered.notes)
    if not figures.rows:
        yield '<p class="note">Nobody has judged anything here yet.</p></main>'
        return
    yield from _people(figures.people)
    yield from _overall(figures)
    yield from _pairs(figures.pairs)
    yield from _checks(figures.checks)
    yield from _disputes(figures.disputes, gathered, where)
    yield from _comments(figures.rows)
    yield "</main>"
    yield from _explained()


def _table(
    title: str, heads: Sequence[str], lines: Iterable[Sequence[str]], words: int = 1
) -> Iterator[str]:
    """A table of cells that are HTML already; the first ``words`` columns are words."""
    kinds = ["text" if i < words else "number" for i in range(len(heads))]
    yield f'<details class="overview" open><summary>{title}</summary>'
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table><thead><tr>'
    yield "".join(
        f'<th scope="col" class="{k}">{h}</th>' for k, h in zip(kinds, heads, strict=True)
    )
    yield "</tr></thead><tbody>"
    for line in lines:
        cells = "".join(f'<td class="{k}">{cell}</td>' for k, cell in zip(kinds, line, strict=True))
        yield f"<tr>{cells}</tr>"
    yield "</tbody></table></div></details>"


def _people(people: Sequence[Person]) -> Iterator[str]:
    heads = [
        *("annotator", "structures", "findings", "faults marked", "others", "agree", "disagree"),
        *("unsure", "blind", "mean rating", "seconds a judgment (median)"),
    ]

    def line(person: Person) -> Iterator[str]:
        counts, said = person.counts, person.judgments
        others = sum(counts.get(kind, 0) for kind in ("event", "object", "criterion"))
        mean, sd = mean_and_sd(person.ratings)
        yield text(person.name)
        yield from (str(counts.get(k, 0)) for k in ("structure", "finding", "missed"))
        yield str(others)
        yield from (str(said.get(k, 0)) for k in ("agree", "disagree", "unsure"))
        yield str(person.blind)
        yield "" if mean is None else f"{mean:.2f}" + ("" if sd is None else f" ± {sd:.2f}")
        yield "" if person.seconds is None else f"{person.seconds:.0f}"

    yield from _table("Annotators", heads, [list(line(p)) for p in people])


def _overall(figures: Figures) -> Iterator[str]:
    heads = [
        *("all annotators together", "items", "judgments", "agreement", "by chance"),
        *("Fleiss' kappa", "95 % interval", ""),
    ]
    lines = [
        (name, *_agreement(found), words_for(found.kappa))
        for name, found in (
            ("findings: agree, disagree, unsure", figures.findings),
            ("structures: sound, faulty, unsure", figures.structures),
        )
    ]
    yield from _table("Agreement of all", heads, lines)


def _agreement(found: Agreement) -> tuple[str, ...]:
    return (
        str(found.items),
        str(found.ratings),
        _percent(found.observed),
        _percent(found.expected),
        "" if found.kappa is None else f"{found.kappa:.3f}",
        "" if found.interval is None else "{:.2f} to {:.2f}".format(*found.interval),
    )


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _pairs(pairs: Sequence[Pair]) -> Iterator[str]:
    if not pairs:
        return
    heads = ["first", "second", "what", "items", "agreement", "by chance", "kappa"]
    heads += ["95 % interval", ""]

    def lines(pair: Pair) -> Iterator[list[str]]:
        for what, found in (
            ("findings", pair.findings),
            ("structures", pair.structures),
            ("ratings, by weights", pair.rated),
        ):
            if found.items:
                items, _, *rest = _agreement(found)
                names = [text(pair.first), text(pair.second), what]
                yield [*names, items, *rest, words_for(found.kappa)]

    every = [line for pair in pairs for line in lines(pair)]
    yield from _table("Pairs (Cohen's kappa)", heads, every, words=3)


def _checks(checks: Sequence[CheckFigures]) -> Iterator[str]:
    if not checks:
        return
    heads = [
        *("check", "agree", "disagree", "unsure", "findings right", "wrong", "undecided", "tied"),
        *("missed", "missed, minority", "missed, tied", "precision", "recall"),
    ]

    def line(one: CheckFigures) -> list[str]:
        votes = [str(one.votes.get(word, 0)) for word in ("agree", "disagree", "unsure")]
        findings = [str(n) for n in (one.right, one.wrong, one.unsure, one.ties)]
        missed = [str(n) for n in (one.missed, one.minority, one.missed_ties)]
        shares = [_share(one.precision), _share(one.recall)]
        return [text(check_title(one.check)), *votes, *findings, *missed, *shares]

    yield from _table("The checks by the judgment of people", heads, map(line, checks))


def _share(share: Share) -> str:
    if share.value is None or share.interval is None:
        return ""
    low, high = share.interval
    return f"{share.count} of {share.total}<small>{low:.0%} to {high:.0%}</small>"


def _disputes(disputes: Sequence[Dispute], gathered: Gathered, where: Path | None) -> Iterator[str]:
    if not disputes:
        return
    heads = ("attempt", "subject", "what each said")

    def line(dispute: Dispute) -> list[str]:
        said = "; ".join(f"{name}: {word}" for name, word in dispute.said.items())
        return [_attempt(dispute.row, gathered, where), text(_subject(dispute.row)), text(said)]

    title = f"Where people differ ({len(disputes):,})"
    yield from _table(title, heads, map(line, disputes[:_DISPUTES_SHOWN]), words=3)
    if len(disputes) > _DISPUTES_SHOWN:
        yield f'<p class="note">{len(disputes) - _DISPUTES_SHOWN:,} more are in the table.</p>'


def _comments(rows: Sequence[Row]) -> Iterator[str]:
    said = [row for row in rows if row["comment"] or row["tags"]]
    if not said:
        return
    heads = ("annotator", "subject", "tags", "comment")
    lines = [
        (text(r["annotator"]), text(_subject(r)), text(", ".join(r["tags"])), text(r["comment"]))
        for r in said[:_DISPUTES_SHOWN]
    ]
    yield from _table(f"Tags and comments ({len(said):,})", heads, lines, words=4)


def _attempt(row: Row, gathered: Gathered, where: Path | None) -> str:
    """The attempt's name, as a link to its place in the run's report where there is one."""
    of = row["of"]
    name = of.get("task") or of.get("attempt") or of.get("file") or of.get("scene") or ""
    if of.get("variant"):
        name += f" [{of['variant']}]"
    name += f" {of['epoch']}" if (of.get("epoch") or 1) > 1 else ""
    attempt = gathered.attempts.get(item_of(row))
    link = _link(attempt, where) if attempt is not None and where is not None else None
    return text(name) if link is None else f'<a href="{html.escape(link)}">{text(name)}</a>'


def _link(attempt: Attempt, where: Path) -> str | None:
    report = attempt.run.path.resolve() / REPORT_FILE
    if not os.path.isfile(report):
        return None
    place = order_of(attempt.run.records).index(attempt.index) + 1
    try:
        path = Path(os.path.relpath(report, where.resolve())).as_posix()
    except ValueError:  # another drive
        return f"{report.as_uri()}#attempt-{place}"
    return f"{quote(path)}#attempt-{place}"


def _subject(row: Row) -> str:
    subject = row["subject"]
    kind = subject["type"]
    if kind == "structure":
        return "the whole structure"
    if kind in ("finding", "missed"):
        where = subject.get("member") or f"at {wording.place(subject.get('location'))}"
        return f"{check_title(subject['check'])}: {where}"
    return f"{kind} {subject['id']}"


def _explained() -> Iterator[str]:
    yield "<footer><p>"
    yield (
        "Kappa is agreement beyond chance: 1 is complete, 0 what chance would bring. Empty cells "
        "are not defined: kappa, where all said the same of everything, or an interval, where "
        "nothing varies. Cohen 1960 with intervals by Fleiss, Cohen and Everitt 1969; weighted "
        "with quadratic weights (Cohen 1968); Fleiss 1971 over items that two or more have judged, "
        "interval by 1,000 resamples; words by Landis and Koch 1977. A finding is right or wrong "
        "by the majority of those who judged it; a fault counts as missed if more than half of "
        "those who judged the structure marked it. Precision and recall with Wilson's 95 % "
        "interval. Only judgments of structures are compared with the checks' own verdict."
    )
    yield "</p></footer>"
