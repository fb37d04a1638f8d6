# SPDX-License-Identifier: GPL-3.0-or-later
"""Attempts as trajectories in the Agent Trajectory Interchange Format (ATIF) of Harbor.

One ``trajectory.json`` an attempt, pictures as files beside it. After version 1.7 of the format, as
Harbor's own models have it (package harbor 0.26, ``harbor.models.trajectories``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .export_episode import BESIDE_TALK, Episode, Event, content_of, episodes, run_identity, told
from .runfolder import Run
from .storage import make_folder, write_whole

SCHEMA = "ATIF-v1.7"
FILE = "trajectory.json"
PICTURES = "images"
_MEDIA = ("image/png", "image/jpeg", "image/gif", "image/webp")
#: How a program is called that an agent without tools has run.
_RUN = "run_program"

Plain = dict[str, Any]


def write_atif(run: Run, out: Path) -> list[Path]:
    """Write the trajectory of every attempt to ``out/ATTEMPT/trajectory.json``; returns the files.

    Raises :class:`.storage.StorageError`.
    """
    written = []
    for episode in episodes(run):
        folder = out / episode.name
        make_folder(folder)
        trajectory = _Trajectory(episode, folder).plain()
        write_whole(folder / FILE, json.dumps(trajectory, indent=1, allow_nan=False) + "\n")
        written.append(folder / FILE)
    return written


class _Trajectory:
    """Steps of one attempt, made event by event."""

    def __init__(self, episode: Episode, folder: Path) -> None:
        self.episode = episode
        self.folder = folder
        self.steps: list[Plain] = []
        self._by_message: dict[int, Plain] = {}
        self._by_call: dict[str, Plain] = {}
        self._agent: Plain | None = None  # the step that what happens now belongs to

    def plain(self) -> Plain:
        """The trajectory as JSON data."""
        for event in self.episode.told():
            self._take(event)
        if not self.steps:
            text = self.episode.error or f"{self.episode.title}: no transcript was kept."
            self._step("system", text, {})
        episode, record = self.episode, self.episode.record
        agent: Plain = {
            "name": record.get("harness") or "plumbline",
            "version": str(record["versions"].get("plumbline") or "unknown"),
            "model_name": record.get("model"),
            "extra": _known(record, ("agent", "protocol", "effort")),
        }
        trajectory: Plain = {
            "schema_version": SCHEMA,
            "session_id": run_identity(episode.run),
            "trajectory_id": episode.name,
            "agent": {key: value for key, value in agent.items() if value},
            "steps": self.steps,
            "final_metrics": _final(record, len(self.steps)),
        }
        extra = _known(record, ("task", "variant", "epoch", "title", "end", "environment"))
        return {**trajectory, "extra": extra}

    def _take(self, event: Event) -> None:
        kind = event["type"]
        if kind == "system":
            self._step("system", event["text"], event)
        elif kind == "message":
            self._message(event)
        elif kind == "reply":
            self._reply(event)
        elif kind == "execution" and self._agent is None:
            self._own_run(event)
        elif kind in BESIDE_TALK and kind != "tool":
            self._observe(event)

    def _step(self, source: str, message: Any, event: Event) -> Plain:
        step: Plain = {"step_id": len(self.steps) + 1, "source": source, "message": message}
        stamp = self.episode.time_of(event)
        if stamp is not None and event:
            step["timestamp"] = stamp
        self.steps.append(step)
        return step

    def _message(self, event: Event) -> None:
        role, parts = event["role"], event["parts"]
        if role == "tool":
            for part in parts:
                self._result(part)
            return
        source = "agent" if role == "assistant" else "user"
        step = self._step(source, self._content(parts), event)
        if source == "agent":
            self._agent = self._by_message[event["index"]] = step
            calls = [part for part in parts if part["type"] == "tool_call"]
            if calls:
                step["tool_calls"] = [_call(part) for part in calls]
                self._by_call.update({part["id"]: step for part in calls})

    def _reply(self, event: Event) -> None:
        step = self._by_message.get(event["message"])
        if step is None:
            return
        usage = event.get("usage") or {}
        read = usage.get("cached_tokens", 0)
        prompt = usage.get("input_tokens", 0) + read + usage.get("cache_write_tokens", 0)
        metrics = {
            "prompt_tokens": prompt,
            "completion_tokens": usage.get("output_tokens", 0),
            "cached_tokens": read,
            "cost_usd": usage.get("cost"),
            "extra": {
                **_known(usage, ("cache_write_tokens", "reasoning_tokens")),
                **_known(event, ("seconds", "retries")),
            },
        }
        step["metrics"] = {key: value for key, value in metrics.items() if value is not None}
        step["llm_call_count"] = 1
        if event.get("model"):
            step["model_name"] = event["model"]
        if event.get("thoughts"):
            step["reasoning_content"] = event["thoughts"]
        if self.episode.record.get("effort"):
            step["reasoning_effort"] = self.episode.record["effort"]
        step["extra"] = _known(event, ("stop", "id"))

    def _result(self, part: Mapping[str, Any]) -> None:
        """What a tool answered, at the step that called it."""
        step = self._by_call.get(part["call_id"], self._agent)
        result: Plain = {"content": self._content(part["content"])}
        if part["call_id"] in self._by_call:
            result["source_call_id"] = part["call_id"]
        result["extra"] = {"tool": part["name"], "failed": part["failed"]}
        self._add(step, result)

    def _observe(self, event: Event) -> None:
        """A run of code, a verdict or a note, at the step that led to it."""
        rest = ("label", "outcome", "isolation", "verdict", "scope", "what", "seconds")
        result = {"content": told(event), "extra": {"event": event["type"], **_known(event, rest)}}
        self._add(self._agent, result)

    def _add(self, step: Plain | None, result: Plain) -> None:
        if step is None:
            self._step("system", result["content"], {})["extra"] = result.get("extra", {})
            return
        step.setdefault("observation", {"results": []})["results"].append(result)

    def _own_run(self, event: Event) -> None:
        """A program that no model wrote just now: a step without a model."""
        call = f"run-{len(self.steps) + 1}"
        step = self._step("agent", event.get("label") or "", event)
        step["llm_call_count"] = 0
        arguments = {"code": event.get("code", "")}
        step["tool_calls"] = [{"tool_call_id": call, "function_name": _RUN, "arguments": arguments}]
        self._add(step, {"source_call_id": call, "content": told(event)})

    # --- Content ----------------------------------------------------------------------------------

    def _content(self, parts: Sequence[Mapping[str, Any]]) -> str | list[Plain]:
        return content_of(parts, self._picture)

    def _picture(self, part: Mapping[str, Any]) -> list[Plain]:
        data, media = self.episode.picture(part), part.get("media_type")
        if data is None or media not in _MEDIA:
            return [{"type": "text", "text": f"(picture {part.get('name')}: its file is gone)"}]
        suffix = str(media).partition("/")[2]
        name = f"{PICTURES}/{hashlib.sha256(data).hexdigest()[:16]}.{suffix}"
        path = self.folder / name
        if not path.exists():
            make_folder(path.parent)
            write_whole(path, data)
        return [
            {"type": "text", "text": f"{part.get('name')}:"},
            {"type": "image", "source": {"media_type": media, "path": name}},
        ]


def _call(part: Mapping[str, Any]) -> Plain:
    call: Plain = {
        "tool_call_id": part["id"],
        "function_name": part["name"],
        "arguments": part["arguments"] if part["arguments"] is not None else {},
    }
    if part["arguments"] is None:
        call["extra"] = _known(part, ("raw", "problem"))
    return call


def _final(record: Mapping[str, Any], steps: int) -> Plain:
    """The figures of the whole attempt; what it was judged to be is beside them."""
    usage = record.get("usage")
    figures: Plain = {"total_steps": steps}
    if usage:
        read = usage.get("cached_tokens", 0)
        prompt = usage.get("input_tokens", 0) + read + usage.get("cache_write_tokens", 0)
        figures["total_prompt_tokens"] = prompt
        figures["total_completion_tokens"] = usage.get("output_tokens", 0)
        figures["total_cached_tokens"] = read
        if usage.get("cost") is not None:
            figures["total_cost_usd"] = usage["cost"]
    statuses = {check["id"]: check["status"] for check in record["checks"]}
    extra = {
        "verdict": record["verdict"],
        "profile": record["profile"],
        "checks": statuses,
        "metrics": record["metrics"],
    }
    return {**figures, "extra": extra}


def _known(data: Mapping[str, Any], keys: Sequence[str]) -> Plain:
    return {key: data[key] for key in keys if data.get(key) is not None}
