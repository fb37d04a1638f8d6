# SPDX-License-Identifier: GPL-3.0-or-later
"""A run as a log of Inspect (UK AI Security Institute): opens in ``inspect view``.

Written after the data model ``EvalLog`` of inspect_ai 0.3.285, log version 2, without importing it:
the header first, then one sample after the other, so that one attempt is in memory at a time.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from .export_episode import (
    BESIDE_TALK,
    Episode,
    Event,
    content_of,
    episodes,
    findings_of,
    identity,
    run_identity,
    told,
)
from .runfolder import Run, now
from .storage import explained, make_folder

LOG_VERSION = 2
#: Verdict -> Inspect's letters for correct, incorrect and no answer.
_LETTERS = {"passed": "C", "failed": "I", "not_judged": "N"}
_STOPS = {"end": "stop", "tools": "tool_calls", "length": "max_tokens", "refusal": "content_filter"}
#: Ends of an episode that are limits: what Inspect calls them, and where the limit stands.
_LIMITS = {
    "tokens": ("token", "tokens"),
    "cost": ("cost", "cost"),
    "seconds": ("time", "seconds"),
    "attempts": ("custom", "attempts"),
    "retries": ("custom", "retries"),
}

Plain = dict[str, Any]


def write_inspect(run: Run, out: Path) -> list[Path]:
    """Write one log for each agent of the run into the folder ``out``; returns the files.

    Raises :class:`.storage.StorageError`.
    """
    make_folder(out)
    agents: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for record in run.records:
        agents.setdefault(_agent_of(record), []).append(record)
    return [_write_log(run, agent, records, out) for agent, records in agents.items()]


def _agent_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(record.get(key) for key in ("agent", "model", "protocol", "effort"))


def _write_log(
    run: Run, agent: tuple[Any, ...], records: Sequence[Mapping[str, Any]], out: Path
) -> Path:
    header = _header(run, agent, records)
    # Readers that list a folder know a log by its name: time, task, id.
    created = header["eval"]["created"].replace(":", "-").replace("+00-00", "-00-00")
    path = out / f"{created}_plumbline_{header['eval']['task_id']}.json"
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    with explained(path):
        try:
            with open(draft, "w", encoding="utf-8") as stream:
                _write(stream, header, (e for e in episodes(run) if _agent_of(e.record) == agent))
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    return path


def _write(stream: IO[str], header: Plain, found: Iterator[Episode]) -> None:
    stream.write(json.dumps(header, allow_nan=False, indent=1).removesuffix("\n}"))
    stream.write(',\n "samples": [')
    for number, episode in enumerate(found):
        stream.write(",\n" if number else "\n")
        stream.write(json.dumps(_Sample(episode).plain(), allow_nan=False))
    stream.write("\n ]\n}\n")


# --- The header -----------------------------------------------------------------------------------


def _header(run: Run, agent: tuple[Any, ...], records: Sequence[Mapping[str, Any]]) -> Plain:
    sessions = run.header["sessions"]
    first, last = sessions[0], sessions[-1]
    asked = last["asked"]
    name, model, protocol, effort = agent
    started = first.get("started") or now()
    identities = {"run_id": run_identity(run), "task_id": identity(run_identity(run), agent)}
    samples = sorted({Episode(run, record, None).sample for record in records})
    epochs = max(int(record.get("epoch", 1)) for record in records)
    return {
        "version": LOG_VERSION,
        "status": "success" if last.get("ended") else "started",
        "eval": {
            "eval_id": identities["task_id"],
            **identities,
            "created": _utc(started),
            "task": "plumbline",
            "task_version": str(last["versions"].get("plumbline") or 0),
            "task_args": asked,
            "solver": protocol or name,
            "dataset": {"name": "plumbline", "samples": len(samples), "sample_ids": samples},
            "model": model or name or "unknown",
            "model_generate_config": {"reasoning_effort": effort} if _known_effort(effort) else {},
            "model_base_url": asked.get("base_url"),
            "config": {"epochs": epochs},
            "packages": {k: str(v) for k, v in last["versions"].items() if v},
            "metadata": {"agent": name, "protocol": protocol, "effort": effort},
        },
        "plan": {"name": "plan", "steps": [{"solver": str(protocol or name), "params": {}}]},
        "results": _results(records),
        "stats": {
            "started_at": _utc(started),
            "completed_at": _utc(last["ended"]) if last.get("ended") else "",
            "model_usage": _usage_by_model(records),
        },
    }


def _known_effort(effort: Any) -> bool:
    return effort in ("none", "minimal", "low", "medium", "high", "xhigh")


def _utc(text: str) -> str:
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _results(records: Sequence[Mapping[str, Any]]) -> Plain:
    """Pass rate over all attempts: faults of the environment never change the denominator."""
    passed = [record for record in records if record["verdict"] == "passed"]
    judged = [record for record in records if not record.get("environment")]
    scores = [
        _score("verdict", len(judged), len(records), {"pass_rate": len(passed) / len(records)})
    ]
    similar = [record["metrics"].get("S") for record in passed]
    values = [float(value) for value in similar if isinstance(value, (int, float))]
    if values:
        known = [r for r in records if r["metrics"].get("S") is not None]
        mean = {"mean_of_passed": sum(values) / len(values)}
        scores.append(_score("S", len(known), len(records), mean))
    near = [t for r in records if isinstance(t := r["metrics"].get("T"), (int, float))]
    if near:
        scores.append(_score("T", len(near), len(records), {"mean": sum(near) / len(near)}))
    return {"total_samples": len(records), "completed_samples": len(judged), "scores": scores}


def _score(name: str, scored: int, total: int, metrics: Mapping[str, float]) -> Plain:
    return {
        "name": name,
        "scorer": name,
        "scored_samples": scored,
        "unscored_samples": total - scored,
        "metrics": {key: {"name": key, "value": value} for key, value in metrics.items()},
    }


def _usage_by_model(records: Sequence[Mapping[str, Any]]) -> dict[str, Plain]:
    total: dict[str, dict[str, Any]] = {}
    for record in records:
        usage, model = record.get("usage"), record.get("model")
        if not usage or not model:
            continue
        sums = total.setdefault(model, {})
        for key, value in usage.items():
            before = sums.get(key, 0)
            # One unknown cost makes the sum unknown.
            sums[key] = None if value is None or before is None else before + value
    return {model: _usage(usage) for model, usage in total.items()}


def _usage(usage: Mapping[str, Any]) -> Plain:
    """Tokens in Inspect's terms, which count cached ones apart as ours do."""
    read, written = usage.get("cached_tokens", 0), usage.get("cache_write_tokens", 0)
    fresh, said = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    return {
        "input_tokens": fresh,
        "output_tokens": said,
        "total_tokens": fresh + said + read + written,
        "input_tokens_cache_read": read,
        "input_tokens_cache_write": written,
        "reasoning_tokens": usage.get("reasoning_tokens", 0),
        "total_cost": usage.get("cost"),
    }


# --- One attempt ----------------------------------------------------------------------------------


class _Sample:
    """One attempt as a sample; pictures are kept once, as attachments."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.attachments: dict[str, str] = {}
        self.messages: list[Plain] = []
        self._systems: dict[str, int] = {}
        self._ranges: dict[int, tuple[int, int]] = {}
        self._asked: Event = {}

    def plain(self) -> Plain:
        """The sample as JSON data."""
        episode, record = self.episode, self.episode.record
        events = [plain for event in episode.told() for plain in self._events(event)]
        if not self.messages:
            self._without_model()
        usage = record.get("usage")
        model = str(record.get("model") or record.get("agent"))
        total = record["timing"].get("total")
        sample: Plain = {
            "id": episode.sample,
            "epoch": int(record.get("epoch", 1)),
            "input": self._input(),
            "target": "",
            "messages": self.messages,
            "output": self._output(model),
            "scores": None if record.get("environment") else _scores(record),
            "metadata": _metadata(record),
            "events": events,
            "events_data": {"messages": self.messages, "calls": []},
            "model_usage": {model: _usage(usage)} if usage else {},
            "started_at": episode.time_of({}),
            "completed_at": episode.time_of({"t": total}) if total else None,
            "total_time": total,
            "uuid": identity(run_identity(episode.run), episode.name),
            "attachments": self.attachments,
            "limit": self._limit(),
        }
        if episode.error:
            sample["error"] = {"message": episode.error, "traceback": "", "traceback_ansi": ""}
        return {key: value for key, value in sample.items() if value is not None}

    def _input(self) -> str:
        asked = [e for e in self.episode.of("message") if e["role"] == "user"]
        texts = [p["text"] for e in asked[:1] for p in e["parts"] if p["type"] == "text"]
        return "\n".join(texts) or self.episode.title

    def _without_model(self) -> None:
        """An agent without a model: what was asked, and the programs that it ran."""
        self.messages.append({"role": "user", "content": self.episode.title, "source": "input"})
        for event in self.episode.of("execution"):
            program = f"```python\n{event.get('code', '')}\n```"
            self.messages += [
                {"role": "assistant", "content": program},
                {"role": "user", "content": told(event)},
            ]

    def _output(self, model: str) -> Plain:
        replies = self.episode.of("reply")
        return self._answer(replies[-1]) if replies else {"model": model, "choices": []}

    def _limit(self) -> Plain | None:
        kind, where = _LIMITS.get(str(self.episode.record.get("end")), (None, ""))
        begun = self.episode.of("episode")
        value = (begun[0].get("limits") or {}).get(where) if begun else None
        if kind is None or not isinstance(value, (int, float)):
            return None
        ends = self.episode.of("end")
        return {"type": kind, "limit": value, "reason": ends[-1].get("message") if ends else None}

    # --- Messages and events ----------------------------------------------------------------------

    def _events(self, event: Event) -> Iterator[Plain]:
        kind = event["type"]
        if kind == "message":
            begin = len(self.messages)
            self.messages += self._messages(event)
            self._ranges[event["index"]] = (begin, len(self.messages))
        elif kind == "system":
            self._systems[event["text"]] = len(self.messages)
            self.messages.append({"role": "system", "content": event["text"]})
        elif kind == "request":
            self._asked = event
        elif kind == "reply":
            yield self._model_event(event)
        elif kind in BESIDE_TALK:
            yield self._info(event, "plumbline", told(event))
        if kind in ("episode", "end", "execution", "judgement"):
            rest = {k: v for k, v in event.items() if k not in ("schema", "type", "t")}
            yield self._info(event, kind, rest)

    def _info(self, event: Event, source: str, data: Any) -> Plain:
        return {"event": "info", "source": source, "data": data, **self._when(event)}

    def _when(self, event: Event) -> Plain:
        stamp = self.episode.time_of(event) or "1970-01-01T00:00:00+00:00"
        return {"timestamp": stamp, "working_start": float(event.get("t", 0.0))}

    def _messages(self, event: Event) -> Iterator[Plain]:
        role, parts = event["role"], event["parts"]
        if role == "tool":
            yield from (self._tool_message(part) for part in parts)
            return
        content = self._content(parts)
        message: Plain = {"id": f"m{event['index']}", "role": role, "content": content}
        if role == "assistant":
            calls = [_call(part) for part in parts if part["type"] == "tool_call"]
            message.update({"tool_calls": calls} if calls else {}, source="generate")
            reply = self.episode.replies.get(event["index"], {})
            if reply.get("model"):
                message["model"] = reply["model"]
            if reply.get("thoughts"):
                thoughts = {"type": "reasoning", "reasoning": reply["thoughts"]}
                said = [{"type": "text", "text": content}] if isinstance(content, str) else content
                message["content"] = [thoughts, *said]
        else:
            message["source"] = "input"
        yield message

    def _tool_message(self, part: Mapping[str, Any]) -> Plain:
        message: Plain = {
            "role": "tool",
            "tool_call_id": part["call_id"],
            "function": part["name"],
            "content": self._content(part["content"]),
        }
        if part["failed"]:
            texts = [inner["text"] for inner in part["content"] if inner["type"] == "text"]
            message["error"] = {"type": "unknown", "message": "\n".join(texts)}
        return message

    def _content(self, parts: Sequence[Mapping[str, Any]]) -> str | list[Plain]:
        """Text alone as text, else pieces, pictures by reference to an attachment."""
        return content_of(parts, self._picture)

    def _picture(self, part: Mapping[str, Any]) -> list[Plain]:
        data = self.episode.picture(part)
        if data is None:
            return [{"type": "text", "text": f"(picture {part.get('name')}: its file is gone)"}]
        key = hashlib.sha256(data).hexdigest()[:32]
        encoded = base64.b64encode(data).decode("ascii")
        self.attachments[key] = f"data:{part.get('media_type', 'image/png')};base64,{encoded}"
        return [
            {"type": "text", "text": f"{part.get('name')}:"},
            {"type": "image", "image": f"attachment://{key}"},
        ]

    def _model_event(self, reply: Event) -> Plain:
        asked = self._asked
        system = self._systems.get(asked.get("system") or "")
        shown = [(system, system + 1)] if system is not None else []
        shown += [self._ranges[i] for i in asked.get("messages", ()) if i in self._ranges]
        sampling = {
            "max_tokens": asked.get("max_tokens"),
            "temperature": asked.get("temperature"),
            "seed": asked.get("seed"),
        }
        return {
            "event": "model",
            "model": str(reply.get("model") or self.episode.record.get("model")),
            "input": [],
            "input_refs": _joined(shown),
            "tools": [_tool(tool) for tool in asked.get("tools", ())],
            "tool_choice": "auto",
            "config": {key: value for key, value in sampling.items() if value is not None},
            "output": self._answer(reply),
            "retries": reply.get("retries"),
            **self._when(asked or reply),
            "completed": self._when(reply)["timestamp"],
            "working_time": reply.get("seconds"),
        }

    def _answer(self, reply: Event) -> Plain:
        message = self.messages[self._ranges[reply["message"]][0]]
        texts = message["content"]
        if not isinstance(texts, str):
            texts = "\n".join(piece["text"] for piece in texts if piece["type"] == "text")
        stop = _STOPS.get(str(reply.get("stop")), "unknown")
        return {
            "model": str(reply.get("model") or self.episode.record.get("model")),
            "choices": [{"message": message, "stop_reason": stop}],
            "completion": texts,
            "usage": _usage(reply.get("usage") or {}),
            "time": reply.get("seconds"),
            "response_id": reply.get("id"),
        }


def _joined(ranges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Ranges with neighbours made one."""
    joined: list[list[int]] = []
    for begin, end in ranges:
        if joined and joined[-1][1] == begin:
            joined[-1][1] = end
        elif end > begin:
            joined.append([begin, end])
    return joined


def _call(part: Mapping[str, Any]) -> Plain:
    call: Plain = {
        "id": part["id"],
        "function": part["name"],
        "arguments": part["arguments"] if part["arguments"] is not None else {},
        "type": "function",
    }
    if part["arguments"] is None:
        call["parse_error"] = f"{part.get('problem') or 'no JSON object'}: {part.get('raw', '')}"
    return call


def _tool(tool: Any) -> Plain:
    """A tool as a request names it: by its name, or with what it is and takes."""
    known = tool if isinstance(tool, Mapping) else {"name": str(tool)}
    plain = {"name": str(known.get("name")), "description": str(known.get("description", ""))}
    parameters = known.get("parameters")
    return {**plain, "parameters": parameters} if isinstance(parameters, Mapping) else plain


def _scores(record: Mapping[str, Any]) -> Plain:
    """The verdict, the status of each check, and S where it is known."""
    findings = findings_of(record)
    scores: Plain = {
        "verdict": {
            "value": _LETTERS[record["verdict"]],
            "answer": record["verdict"],
            "explanation": "\n".join(findings) or "No findings.",
            "metadata": {"profile": record["profile"], "findings": len(findings)},
        }
    }
    if record["checks"]:
        statuses = {check["id"]: check["status"] for check in record["checks"]}
        scores["checks"] = {"value": statuses, "metadata": {"checks": record["checks"]}}
    if isinstance(record["metrics"].get("S"), (int, float)):
        views = record["metrics"].get("S_views")
        scores["S"] = {"value": record["metrics"]["S"], "metadata": {"views": views}}
    if isinstance(record["metrics"].get("T"), (int, float)):
        parts = {name: record["metrics"].get(name) for name in ("C", "M", "V")}
        scores["T"] = {"value": record["metrics"]["T"], "metadata": parts}
    return scores


def _metadata(record: Mapping[str, Any]) -> Plain:
    known = ("checks", "usage", "timing")
    return {key: value for key, value in record.items() if key not in known and value is not None}
