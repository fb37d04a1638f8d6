# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model is told about its program and about what it built: the same findings as everybody.

Program errors come first and alone, since what a broken program leaves says little. Findings come
in the order of :mod:`..ranking`, the worst root first, as far as the limit of tokens allows; what
is left out is counted, check by check. Each check that failed is shown at least once as long as
there is room, so that none is hidden behind a hundred faults of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...checks.result import CheckResult, Judgement
from ..motion_words import OUTCOMES, validity_words
from ..ranking import Group, findings_of, grouped
from ..runs.records import Result
from ..runs.wording import count, place, quantity, tally
from ..scene.pixels import on_colour, png_bytes, read_png
from .bench import Execution
from .history import CHARACTERS_PER_TOKEN, tokens_of_text
from .messages import Picture

#: Tokens that findings may take, if nobody says otherwise.
TOKENS = 2000
#: Tokens of what a program printed that are told back.
OUTPUT_TOKENS = 400
#: Faults of the policy and followers that are named one by one.
_PROBLEMS_SHOWN = 12
_RELATED_SHOWN = 4
#: Cells of one finding that are named; the rest is counted.
_CELLS_SHOWN = 20


def record_of(judgement: Judgement) -> dict[str, Any]:
    """A judgement as the plain record that findings are listed and drawn from."""
    return Result(judgement).to_record()


def acceptable(judgement: Judgement) -> bool:
    """Whether a model has nothing left to mend.

    What could not be judged for want of an instrument is no fault of its; but where nothing passed
    (everything lies on one heap, say), that is hardly sound.
    """
    if judgement.verdict == "not_judged":
        return any(check.status == "passed" for check in judgement.checks)
    return judgement.verdict == "passed"


# --- Programs -------------------------------------------------------------------------------------


def program_text(execution: Execution) -> str:
    """Why a program left nothing that can be judged; empty if it ran to its end and could be read.

    Line numbers are those of the model's own program.
    """
    if execution.ok:
        return ""
    lines = [_ending(execution)]
    if execution.problems:
        shown = execution.problems[:_PROBLEMS_SHOWN]
        lines += [f"- line {problem.line}: {problem.message}" for problem in shown]
        if len(execution.problems) > len(shown):
            lines.append(f"- and {len(execution.problems) - len(shown)} more of this sort")
    if execution.traceback:
        lines += ["```", execution.traceback.rstrip(), "```"]
    printed = printed_text(execution)
    return "\n".join([*lines, *([printed] if printed else [])])


def failure(execution: Execution) -> str:
    """Why a program came to nothing, in one sentence without its traceback."""
    if execution.problems:
        first = execution.problems[0]
        return f"The program was not run, line {first.line}: {first.message}"
    lines = [line for line in (execution.traceback or "").splitlines() if line.strip()]
    if lines:
        told = [line for line in lines if not line[0].isspace()][-1]
        numbers = [line.partition("line ")[2] for line in lines if line.startswith("  File ")]
        number = numbers[-1].partition(",")[0].strip() if numbers else ""
        return f"The program stopped with {told}" + (f" (line {number})" if number else "")
    return _ending(execution).rstrip(":")


def printed_text(execution: Execution) -> str:
    """The end of what a program printed, empty if it printed nothing."""
    output = execution.output.strip()
    if not output:
        return ""
    room = OUTPUT_TOKENS * CHARACTERS_PER_TOKEN
    cut = "…" if len(output) > room else ""
    return f"It printed:\n```\n{cut}{output[-room:]}\n```"


def _ending(execution: Execution) -> str:
    message = f" {execution.message.rstrip('.')}." if execution.message else ""
    words = {
        "refused": "The program was not run, since it uses what is not allowed here:",
        # Its traceback follows; where there is none, the message says it.
        "raised": f"The program stopped with an error.{'' if execution.traceback else message}",
        "timeout": f"The program took too long and was ended.{message}",
        "memory": f"The program used too much memory and was ended.{message}",
        "crashed": f"The program brought Blender down.{message}",
    }
    if execution.outcome == "finished":
        why = (execution.unreadable or "nobody knows why").rstrip(".")
        return f"The program ran, but what it left in the scene can't be read: {why}."
    return words[execution.outcome]


# --- Findings -------------------------------------------------------------------------------------


def findings_text(judgement: Judgement, tokens: int = TOKENS) -> str:
    """What the checks found, within about ``tokens`` tokens."""
    record = record_of(judgement)
    groups = grouped(findings_of(record))
    head = [_summary(judgement, groups), *_criteria(judgement), *_unfinished(judgement.checks)]
    room = tokens - tokens_of_text("\n".join(head))
    tell = _WHERE.get(judgement.kind, _where)
    chosen, lines = _chosen(groups, room, tell)
    shown = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    rest = [group for i, group in enumerate(groups) if i not in chosen]
    return "\n".join([*head, *shown, *_left_out(rest), *_notes(judgement)])


def _summary(judgement: Judgement, groups: Sequence[Group]) -> str:
    asked = [check for check in judgement.checks if check.status != "not_applicable"]
    failed = [check.id for check in asked if check.status == "failed"]
    if not failed:
        return f"No check found a fault ({count(len(asked), 'check')})."
    findings = len(groups) + sum(len(group.followers) for group in groups)
    faults = tally(len(groups), findings)
    return (
        f"{len(failed)} of {count(len(asked), 'check')} failed ({', '.join(failed)}): {faults}. "
        "The worst first:"
    )


def _criteria(judgement: Judgement) -> list[str]:
    """What became of each criterion of a simulation's rubric, in one line."""
    outcomes = judgement.metrics.get("criteria")
    if not isinstance(outcomes, Mapping) or not outcomes:
        return []
    told = ", ".join(f"{name} {OUTCOMES.get(str(o), str(o))}" for name, o in outcomes.items())
    validity = validity_words(judgement.metrics)
    return [f"Criteria: {told}{f' ({validity})' if validity else ''}."]


def _unfinished(checks: Sequence[CheckResult]) -> list[str]:
    """What stands in the way of a pass without being a finding."""
    lines = []
    for check in checks:
        reason = (check.reason or "").rstrip(".")
        if check.status == "vacuous" and check.required:
            lines.append(f"- [{check.id}] can't pass: what it is about must be there. {reason}.")
        elif check.status in ("not_run", "inconclusive") and check.required:
            lines.append(f"- [{check.id}] could not be judged: {reason}.")
    return lines


def _chosen(
    groups: Sequence[Group], room: int, where: Callable[[Mapping[str, Any], set[str]], list[str]]
) -> tuple[set[int], list[str]]:
    """Which groups are told within ``room`` tokens, and their lines, in the order of groups."""
    lines = {i: _line(group, where) for i, group in enumerate(groups)}
    firsts: dict[str, int] = {}
    for i, group in enumerate(groups):
        firsts.setdefault(group.root["check"], i)
    queue = [*firsts.values(), *(i for i in lines if i not in firsts.values())]
    chosen: set[int] = set()
    for i in queue:
        cost = tokens_of_text(lines[i]) + 1
        if cost > room and chosen:
            continue  # a shorter one may still fit
        room -= cost
        chosen.add(i)
    return chosen, [lines[i] for i in sorted(chosen)]


def _line(group: Group, where: Callable[[Mapping[str, Any], set[str]], list[str]]) -> str:
    root = group.root
    followers = list(dict.fromkeys(f["subject"] for f in group.followers))
    bits = [f"[{root['check']}] {' '.join(root['message'].split())}"]
    details = [*_figures(root), *where(root, {root["subject"], *followers})]
    if details:
        bits.append(f"({'; '.join(details)})")
    if group.followers:
        number = len(group.followers)
        follow = "follows" if number == 1 else "follow"
        bits.append(f"{number} more {follow} from it: {_some(followers)}.")
    return " ".join(bits)


def _figures(finding: Mapping[str, Any]) -> list[str]:
    unit = finding["unit"]
    pairs = (("measured", finding["measured"]), ("limit", finding["limit"]))
    return [f"{word} {quantity(value, unit, False)}" for word, value in pairs if value is not None]


def _where(finding: Mapping[str, Any], told: set[str]) -> list[str]:
    """Place and neighbours; not those who are told anyway, as subject or as what follows."""
    found = []
    if finding["location"] is not None:
        found.append(f"at {place(finding['location'])}")
    beside = [name for name in finding["related"] if name not in told]
    if beside:
        found.append(f"with {_some(beside)}")
    if finding["frame"] is not None:
        found.append(f"frame {finding['frame']}")
    if finding["clause"]:
        found.append(finding["clause"])
    return found


def _where_blocks(finding: Mapping[str, Any], told: set[str]) -> list[str]:
    """The blocks at fault, in the task's own axes, and other blocks that are part of it."""
    found = []
    cells = finding["detail"].get("blocks") or []
    if cells:
        shown = ", ".join(f"({x}, {y}, {z})" for x, y, z in cells[:_CELLS_SHOWN])
        left = len(cells) - _CELLS_SHOWN
        more = f" and {left:,} more" if left > 0 else ""
        found.append(f"{'block' if len(cells) == 1 else 'blocks'} {shown}{more}")
    beside = [name for name in finding["related"] if name not in told]
    if beside:
        found.append(f"with {_some(beside)}")
    return found


def _where_in_motion(finding: Mapping[str, Any], told: set[str]) -> list[str]:
    """When, with which other bodies, and where."""
    found = []
    frame, frames = finding["frame"], finding["detail"].get("frames")
    if isinstance(frames, (list, tuple)) and len(frames) == 2 and frames[0] != frames[1]:
        found.append(f"frames {frames[0]} to {frames[1]}, worst at {frame}")
    elif frame is not None:
        found.append(f"frame {frame}")
    beside = [name for name in finding["related"] if name not in told]
    if beside:
        found.append(f"with {_some(beside)}")
    if finding["location"] is not None:
        found.append(f"at {place(finding['location'])}")
    return found


#: How the place of a finding is told, by kind; all others as members.
_WHERE: Mapping[str, Callable[[Mapping[str, Any], set[str]], list[str]]] = {
    "voxel": _where_blocks,
    "reconstruction": _where_in_motion,
}


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_RELATED_SHOWN])
    left = len(names) - _RELATED_SHOWN
    return f"{shown} and {left} more" if left > 0 else shown


def _left_out(groups: Sequence[Group]) -> list[str]:
    if not groups:
        return []
    by_check = Counter(group.root["check"] for group in groups)
    counts = ", ".join(f"{number} of {check}" for check, number in by_check.items())
    return [f"Left out to keep this short: {count(len(groups), 'fault')} ({counts})."]


def _notes(judgement: Judgement) -> list[str]:
    return [f"Note: {' '.join(note.split())}" for note in judgement.notes[:_RELATED_SHOWN]]


# --- Pictures -------------------------------------------------------------------------------------


def side_by_side(
    target: Mapping[str, bytes], candidate: Mapping[str, bytes], names: Sequence[str]
) -> list[Picture]:
    """For each view one picture: the target on the left, what was built on the right, on white.

    Raises ``ValueError`` for what are no pictures of ours, or of different heights.
    """
    pictures = []
    for name in names:
        pair = [_on_white(views[name]) for views in (target, candidate)]
        line = np.zeros((pair[0].shape[0], 4, 4), np.float32)
        line[..., 3] = 1.0
        joined = np.concatenate([pair[0], line, pair[1]], axis=1)
        pictures.append(Picture(png_bytes(joined), f"{name}: target left, yours right"))
    return pictures


def _on_white(png: bytes) -> Any:
    pixels = read_png(png).astype(np.float32) / np.float32(255.0)
    return on_colour(pixels, (1.0, 1.0, 1.0))
