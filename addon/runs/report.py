# SPDX-License-Identifier: GPL-3.0-or-later
"""``report.html``: one file that shows a run, with nothing fetched from anywhere.

The page stands without its script (everything is in the HTML); the script sorts, filters and folds.
A content security policy names the digests of the one style sheet and the one script and forbids
all else, so that nothing in a name or a message of a model can run or load. Every text of a record
passes :func:`.report_table.text`.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..ranking import Group, findings_of, grouped
from . import block_results, nearness, report_motion, wording
from .construction_page import constructions
from .report_overview import header_facts, overview, rejudged, transcript_link
from .report_table import findings_table, text
from .runfolder import PICTURE, REPORT_FILE, Run, read_run
from .storage import is_own_file, write_whole

_PAGE = Path(__file__).with_name("page")
_VERDICTS = ("failed", "not_judged", "passed")

# Attempts are unfolded from the start as long as they are few.
_UNFOLDED = 2

# Sentences beside the picture; all others stand in the table below it.
_WORST_SHOWN = 6


def write_report(folder: Path | str) -> Path:
    """Write ``report.html`` of a run folder and return its path.

    Raises :class:`.runfolder.RunFolderError` if there is no run and
    :class:`.storage.StorageError` if the disk refuses.
    """
    run = read_run(folder)
    path = run.path / REPORT_FILE
    write_whole(path, build_report(run))
    return path


def build_report(run: Run) -> str:
    """The page of a run as one text of HTML."""
    session = run.header["sessions"][-1]
    heading = _run_title(session["asked"])
    return page(heading, "\n".join(_body(run, heading)))


def page(heading: str, body: str) -> str:
    """A whole page of our style around a body of HTML; ``heading`` is plain text."""
    style = (_PAGE / "report.css").read_text(encoding="utf-8")
    script = (_PAGE / "report.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; "
        f"script-src '{_digest(script)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(heading)} - Plumbline report</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _run_title(asked: Mapping[str, Any]) -> str:
    return f"Agent {asked.get('agent') or '?'}, profile {asked.get('profile') or '?'}"


def _body(run: Run, heading: str) -> Iterator[str]:
    records = run.records
    ranked = [grouped(findings_of(record)) for record in records]
    order = order_of(records)
    yield '<a class="skip" href="#attempts">Skip to the results</a>'
    yield from _header(run, heading, ranked)
    yield "<main>"
    yield from (f'<p class="note">{text(note)}</p>' for note in run.notes)
    yield from constructions(run)
    yield from overview(run, order)
    yield _toolbar(records)
    yield '<div id="attempts">'
    if not records:
        yield '<p class="note">Nothing has been judged in this run yet.</p>'
    for place, index in enumerate(order):
        unfolded = len(records) <= _UNFOLDED or (place == 0 and len(records) <= 4)
        yield from _attempt(run, records[index], ranked[index], place + 1, unfolded)
    yield "</div>\n</main>"
    yield from _footer(run)


def order_of(records: Sequence[Mapping[str, Any]]) -> list[int]:
    """Which record stands at each place of the report: ``#attempt-1`` is the first."""
    return sorted(range(len(records)), key=lambda i: _VERDICTS.index(records[i]["verdict"]))


def _header(run: Run, heading: str, ranked: Sequence[Sequence[Group]]) -> Iterator[str]:
    counts = Counter(record["verdict"] for record in run.records)
    roots = sum(len(groups) for groups in ranked)
    planted = [e for record in run.records if (e := record.get("expectation"))]
    session = run.header["sessions"][-1]
    yield '<header class="top">'
    yield from brand(heading, _when(session))
    yield '<dl class="totals">'
    for verdict in ("passed", "failed", "not_judged"):
        word = wording.VERDICT_WORDS[verdict]
        yield f'<div class="{verdict}"><dt>{word}</dt><dd>{counts[verdict]:,}</dd></div>'
    yield f'<div class="faults"><dt>faults</dt><dd>{roots:,}</dd></div>'
    if planted:
        named = sum(one["met"] for one in planted)
        yield f'<div class="named"><dt>planted and found</dt><dd>{named}/{len(planted)}</dd></div>'
    yield "</dl>"
    yield _bar(counts)
    yield from header_facts(run)
    yield "</header>"


def brand(heading: str, below: str) -> Iterator[str]:
    """The plumb bob with the page's heading and what stands below it, both plain text."""
    yield '<div class="brand"><svg viewBox="0 0 24 48" aria-hidden="true"><path class="line" '
    yield 'd="M12 0V26"/><path class="bob" d="M7 26h10l-1 7-4 13-4-13z"/></svg>'
    yield f"<div><p>Plumbline</p><h1>{text(heading)}</h1>"
    yield f'<p class="when">{text(below)}</p></div></div>'


def _when(session: Mapping[str, Any]) -> str:
    """Day and time: ``2026-01-02 03:04 to 03:09 UTC``."""
    started, ended = (str(session.get(name) or "") for name in ("started", "ended"))
    begin = started[:16].replace("T", " ")
    if not ended:
        return f"{begin} UTC, not ended: this is what was judged so far"
    end = ended[11:16] if ended[:10] == started[:10] else ended[:16].replace("T", " ")
    return f"{begin} to {end} UTC"


def _bar(counts: Mapping[str, int]) -> str:
    """The verdicts as one bar (an image: widths as attributes need no inline style)."""
    total = sum(counts.values())
    if not total:
        return ""
    parts, left = [], 0.0
    for verdict in ("passed", "failed", "not_judged"):
        width = 100.0 * counts[verdict] / total
        parts.append(
            f'<rect class="{verdict}" x="{left:.3f}" y="0" width="{width:.3f}" height="4"/>'
        )
        left += width
    return (
        '<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _toolbar(records: Sequence[Mapping[str, Any]]) -> str:
    if len(records) < 2:
        return ""
    counts = Counter(record["verdict"] for record in records)
    buttons = [
        f'<button type="button" data-show="" aria-pressed="true">all {len(records)}</button>'
    ]
    buttons += [
        f'<button type="button" data-show="{v}" aria-pressed="false">'
        f"{wording.VERDICT_WORDS[v]} {counts[v]}</button>"
        for v in _VERDICTS
        if counts[v]
    ]
    return (
        '<div class="tools needs-script" id="toolbar"><div role="group" aria-label="Show verdicts">'
        f"{''.join(buttons)}</div>"
        '<label>Find <input type="search" id="find" placeholder="task, twin or fault"></label>'
        '<button type="button" id="unfold" aria-pressed="false">unfold all</button></div>'
    )


def _attempt(
    run: Run, record: Mapping[str, Any], groups: Sequence[Group], number: int, unfolded: bool
) -> Iterator[str]:
    found = sum(1 + len(group.followers) for group in groups)
    verdict = record["verdict"]
    name = record.get("title") or record.get("task") or record.get("source") or record["kind"]
    nothing = block_results.nothing_built(record)
    bare = " bare" if nothing else ""
    yield (
        f'<details class="attempt {verdict}{bare}" id="attempt-{number}" data-verdict="{verdict}"'
        f"{' open' if unfolded else ''}>"
    )
    yield "<summary>"
    if not nothing:
        yield _picture(run, record)
    yield f'<div class="gist"><h2>{_chip(verdict, wording.VERDICT_WORDS[verdict])} {text(name)}'
    yield "</h2>"
    yield f'<p class="id">{text(_identity(record))}</p>'
    yield from _expectation(record.get("expectation"))
    yield from rejudged(record)
    yield from _worst(groups)
    if nothing:
        yield '<p class="worst">Nothing was built.</p>'
    if record.get("environment"):
        yield f'<p class="worst">{text(record["environment"]["message"])}</p>'
    link = transcript_link(run, record)
    told = text(_facts(record, len(groups), found))
    yield f'<p class="facts">{told}{f" · {link}" if link else ""}</p>'
    yield "</div></summary>"
    yield '<div class="inside">'
    yield from report_motion.sections(record, run.folder_of(record))
    yield from _checks(record)
    if groups:
        yield from findings_table(groups, number)
    yield from _differences(record)
    yield from _notes(record)
    yield "</div></details>"


def _worst(groups: Sequence[Group]) -> Iterator[str]:
    """The worst faults as sentences; a folded attempt shows the first of them."""
    if not groups:
        return
    yield '<ol class="worst">'
    for group in groups[:_WORST_SHOWN]:
        root, number = group.root, len(group.followers)
        named = root.get("subject_kind") == "place" or root["subject"] in root["message"]
        subject = "" if named else f"{root['subject']}: "
        tail = f" <small>{number:,} more follow from it</small>" if number > 1 else ""
        yield f"<li>{text(subject + root['message'])}{tail}</li>"
    yield "</ol>"


def _chip(kind: str, word: str) -> str:
    return f'<span class="chip {kind}">{text(word)}</span>'


def _identity(record: Mapping[str, Any]) -> str:
    parts = [record.get("task"), record.get("variant"), record.get("model")]
    parts += [record.get("protocol"), record.get("effort") and f"effort {record['effort']}"]
    if record.get("epoch", 1) != 1:
        parts.append(f"epoch {record['epoch']}")
    return " · ".join(str(part) for part in parts if part)


def _facts(record: Mapping[str, Any], roots: int, found: int) -> str:
    parts = [f"{record['kind']}, {record['profile']}"]
    if number := wording.size(record["metrics"]):
        parts.append(number)
    parts.append(block_results.tally(record, roots, found))
    if record.get("usage"):
        parts.append(wording.usage(record["usage"]))
    if isinstance(total := record["timing"].get("total"), (int, float)):
        parts.append(wording.seconds(total))
    return " · ".join(parts)


def _expectation(expectation: Mapping[str, Any] | None) -> Iterator[str]:
    """Of a flawed twin: the planted defect, and whether it was the one that was named."""
    if not expectation:
        return
    word = "found" if expectation["met"] else "not found"
    kind = "passed" if expectation["met"] else "failed"
    defect = expectation.get("defect") or expectation["root"]
    yield f'<p class="planted">{_chip(kind, word)} Planted: {text(defect)}</p>'


def _picture(run: Run, record: Mapping[str, Any]) -> str:
    data = picture_of(run, record)
    if data is None:
        return '<div class="no-picture" aria-hidden="true"></div>'
    subjects = [f["subject"] for f in findings_of(record) if not f.get("follows")]
    alt = f"The structure of {record.get('task') or 'this attempt'}"
    if subjects:
        more = f" and {len(subjects) - 5} more" if len(subjects) > 5 else ""
        alt += f", with faults in red: {', '.join(subjects[:5])}{more}"
    encoded = base64.b64encode(data).decode("ascii")
    return f'<img alt="{text(alt)}" src="data:image/png;base64,{encoded}">'


def picture_of(run: Run, record: Mapping[str, Any]) -> bytes | None:
    """The attempt's picture as PNG, or ``None`` where there is none."""
    folder = run.folder_of(record)
    if folder is None or not is_own_file(folder, PICTURE):
        return None
    try:
        return (folder / PICTURE).read_bytes() or None
    except OSError:
        return None


def _checks(record: Mapping[str, Any]) -> Iterator[str]:
    yield '<h3>Checks</h3><ul class="checks">'
    for check in record["checks"]:
        status, reason = check["status"], check.get("reason")
        count = len(check["findings"])
        tail = f" <small>{count:,}</small>" if count else ""
        degraded = " <small>weaker instrument</small>" if check.get("degraded") else ""
        why = f'<span class="why">{text(reason)}</span>' if reason else ""
        if told := block_results.scored(record, check) or report_motion.said(record, check):
            why = f'<span class="score">{text(told)}</span>{why}'
        word = wording.STATUS_WORDS[status]
        name = block_results.named(check) if record["kind"] == "voxel" else check["id"]
        yield (f"<li>{_chip(status, word)}<span>{text(name)}{tail}{degraded}{why}</span></li>")
    yield "</ul>"


def _differences(record: Mapping[str, Any]) -> Iterator[str]:
    """How many members differ from the target, by kind and role: no part of the verdict."""
    lines = list(nearness.sentences(record["metrics"]))
    if lines:
        yield "<h3>Against the target</h3><ul>"
        yield from (f"<li>{text(line)}</li>" for line in lines)
        yield "</ul>"


def _notes(record: Mapping[str, Any]) -> Iterator[str]:
    notes = record.get("notes") or []
    if notes:
        yield "<h3>Notes</h3><ul>"
        yield from (f"<li>{text(note)}</li>" for note in notes)
        yield "</ul>"
    figures = {k: v for k, v in record["metrics"].items() if isinstance(v, (int, float, str))}
    if figures:
        yield "<h3>Figures</h3><dl class=figures>"
        for name, value in figures.items():
            shown = wording.figure(value)
            yield f"<div><dt>{text(name.replace('_', ' '))}</dt><dd>{text(shown)}</dd></div>"
        yield "</dl>"


def _footer(run: Run) -> Iterator[str]:
    session = run.header["sessions"][-1]
    versions = ", ".join(f"{name} {v}" for name, v in session["versions"].items() if v)
    yield (
        '<footer><p class="legend"><span class="key root"></span> at fault '
        '<span class="key follow"></span> follows from it '
        '<span class="key sound"></span> sound. Verdicts count faults of their own; what follows '
        "from another is folded under it.</p>"
        f"<p>{text(versions)}</p></footer>"
    )
