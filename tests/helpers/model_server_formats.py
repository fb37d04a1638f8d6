# SPDX-License-Identifier: GPL-3.0-or-later
"""A step in the words of three protocols: their events in order, their errors, their headers.

Sources: the published API references of Anthropic Messages, OpenAI Responses and OpenAI Chat
Completions with streaming.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from model_server_steps import Step

#: name of the event (``None``: data only), data, where in the answer (``start``, ``body``, ``end``)
Event = tuple[str | None, dict[str, Any], str]

ANTHROPIC, RESPONSES, CHAT = "anthropic", "responses", "chat"
_PIECES = 12
_numbers = itertools.count(1)
_lock = threading.Lock()


def _number() -> int:
    with _lock:
        return next(_numbers)


def pieces(text: str) -> Iterator[str]:
    """The text in about a dozen pieces, as a model would stream it."""
    size = max(4, -(-len(text) // _PIECES))
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _raw(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(dict(arguments))


def events(api: str, step: Step, body: Mapping[str, Any]) -> list[Event]:
    """The events of a reply to the request ``body``, in order."""
    model = str(body["model"])
    if step.raw:
        last = len(step.raw) - 1
        return [
            (
                None if api == CHAT else str(data.get("type")),
                dict(data),
                "end" if n == last else "body",
            )
            for n, data in enumerate(step.raw)
        ]
    if api == CHAT:
        wanted = (body.get("stream_options") or {}).get("include_usage", False)
        return list(_chat(step, model, wanted))
    return list((_anthropic if api == ANTHROPIC else _responses)(step, model))


def error_body(api: str, status: int, kind: str | None, message: str) -> dict[str, Any]:
    """The body of an error in the provider's own format."""
    if api == ANTHROPIC:
        known = {
            400: "invalid_request_error",
            401: "authentication_error",
            402: "billing_error",
            403: "permission_error",
            404: "not_found_error",
            413: "request_too_large",
            429: "rate_limit_error",
            529: "overloaded_error",
        }
        fault = {"type": kind or known.get(status, "api_error"), "message": message}
        return {"type": "error", "error": fault, "request_id": f"req_{_number():06d}"}
    known_codes = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
    type_ = "server_error" if status >= 500 else "invalid_request_error"
    code = kind or known_codes.get(status)
    return {"error": {"message": message, "type": type_, "param": None, "code": code}}


def error_event(api: str, step: Step) -> Event:
    """An error in the middle of a stream."""
    if api == ANTHROPIC:
        return "error", error_body(api, 529, step.error, step.message), "body"
    if api == CHAT:
        fault = {"message": step.message, "type": step.error or "server_error", "code": None}
        return None, {"error": fault}, "body"
    data = {"type": "error", "code": step.error or "server_error", "message": step.message}
    return "error", {**data, "param": None, "sequence_number": 99}, "body"


def last_line(api: str) -> str:
    """What ends a stream beyond its events."""
    return "data: [DONE]\n\n" if api == CHAT else ""


# ---- Anthropic Messages


def _anthropic(step: Step, model: str) -> Iterator[Event]:
    usage = {
        "input_tokens": step.tokens("input"),
        "cache_creation_input_tokens": step.tokens("cache_write"),
        "cache_read_input_tokens": step.tokens("cached"),
        "output_tokens": 1,
    }
    message = {
        "id": f"msg_{_number():06d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"type": "message_start", "message": message}, "start"
    yield "ping", {"type": "ping"}, "start"
    blocks = list(_anthropic_blocks(step))
    for index, (block, deltas) in enumerate(blocks):
        start = {"type": "content_block_start", "index": index, "content_block": block}
        yield "content_block_start", start, "start" if index == 0 else "body"
        for delta in deltas:
            data = {"type": "content_block_delta", "index": index, "delta": delta}
            yield "content_block_delta", data, "body"
        yield "content_block_stop", {"type": "content_block_stop", "index": index}, "body"
    reasons = {"end": "end_turn", "tools": "tool_use", "length": "max_tokens"}
    delta = {"stop_reason": reasons.get(step.ended, step.ended), "stop_sequence": None}
    used: dict[str, Any] = {"output_tokens": step.tokens("output")}
    if step.tokens("reasoning"):
        used["output_tokens_details"] = {"thinking_tokens": step.tokens("reasoning")}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": used}, "end"
    yield "message_stop", {"type": "message_stop"}, "end"


def _anthropic_blocks(step: Step) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    if step.thinking:
        deltas = [{"type": "thinking_delta", "thinking": part} for part in pieces(step.thinking)]
        deltas.append({"type": "signature_delta", "signature": f"sig-{len(step.thinking)}"})
        yield {"type": "thinking", "thinking": "", "signature": ""}, deltas
    if step.text:
        deltas = [{"type": "text_delta", "text": part} for part in pieces(step.text)]
        yield {"type": "text", "text": ""}, deltas
    for call in step.calls:
        block = {"type": "tool_use", "id": call.id or f"toolu_{_number():06d}", "name": call.name}
        deltas = [
            {"type": "input_json_delta", "partial_json": part}
            for part in ("", *pieces(_raw(call.arguments)))
        ]
        yield {**block, "input": {}}, deltas


# ---- OpenAI Responses


def _responses(step: Step, model: str) -> Iterator[Event]:
    sequence = itertools.count()
    response: dict[str, Any] = {
        "id": f"resp_{_number():06d}",
        "object": "response",
        "created_at": 1,
        "model": model,
        "status": "in_progress",
        "output": [],
        "error": None,
        "incomplete_details": None,
        "usage": None,
        "parallel_tool_calls": True,
        "tools": [],
        "tool_choice": "auto",
    }

    def event(kind: str, where: str, **data: Any) -> Event:
        return kind, {"type": kind, "sequence_number": next(sequence), **data}, where

    yield event("response.created", "start", response=dict(response))
    yield event("response.in_progress", "start", response=dict(response))
    for index, (item, parts) in enumerate(_responses_items(step)):
        yield event("response.output_item.added", "start", output_index=index, item=item["added"])
        for kind, data in parts:
            yield event(kind, "body", output_index=index, item_id=item["done"]["id"], **data)
        yield event("response.output_item.done", "body", output_index=index, item=item["done"])
        response["output"] = [*response["output"], item["done"]]
    response["usage"] = _responses_usage(step)
    if step.ended == "length":
        response |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
        yield event("response.incomplete", "end", response=response)
    elif step.ended == "failed":
        fault = {"code": step.error or "server_error", "message": step.message}
        response |= {"status": "failed", "error": fault}
        yield event("response.failed", "end", response=response)
    else:
        yield event("response.completed", "end", response={**response, "status": "completed"})


def _responses_usage(step: Step) -> dict[str, Any]:
    read = step.tokens("input") + step.tokens("cached") + step.tokens("cache_write")
    details = {"cached_tokens": step.tokens("cached")}
    if step.tokens("cache_write"):
        details["cache_write_tokens"] = step.tokens("cache_write")
    return {
        "input_tokens": read,
        "input_tokens_details": details,
        "output_tokens": step.tokens("output"),
        "output_tokens_details": {"reasoning_tokens": step.tokens("reasoning")},
        "total_tokens": read + step.tokens("output"),
    }


def _responses_items(step: Step) -> Iterator[tuple[dict[str, Any], list[tuple[str, dict]]]]:
    if step.thinking:
        item = {"id": f"rs_{_number():06d}", "type": "reasoning", "summary": []}
        summary = [{"type": "summary_text", "text": step.thinking}]
        done = {**item, "summary": summary, "encrypted_content": f"sealed-{len(step.thinking)}"}
        at = {"summary_index": 0}
        empty = {"type": "summary_text", "text": ""}
        parts = [
            ("response.reasoning_summary_part.added", {**at, "part": empty}),
            *(
                ("response.reasoning_summary_text.delta", {**at, "delta": part})
                for part in pieces(step.thinking)
            ),
            ("response.reasoning_summary_part.done", {**at, "part": summary[0]}),
        ]
        yield {"added": item, "done": done}, parts
    if step.text:
        yield _responses_message(step)
    for call in step.calls:
        item = {
            "id": f"fc_{_number():06d}",
            "type": "function_call",
            "name": call.name,
            "call_id": call.id or f"call_{_number():06d}",
            "arguments": "",
        }
        raw = _raw(call.arguments)
        parts = [
            ("response.function_call_arguments.delta", {"delta": part}) for part in pieces(raw)
        ]
        parts.append(("response.function_call_arguments.done", {"arguments": raw}))
        added = {**item, "status": "in_progress"}
        yield {"added": added, "done": {**item, "status": "completed", "arguments": raw}}, parts


def _responses_message(step: Step) -> tuple[dict[str, Any], list[tuple[str, dict]]]:
    kind, field = ("refusal", "refusal") if step.ended == "refusal" else ("output_text", "text")
    item = {"id": f"msg_{_number():06d}", "type": "message", "role": "assistant"}

    def content(text: str) -> dict[str, Any]:
        return {"type": kind, field: text} | ({} if field == "refusal" else {"annotations": []})

    at = {"content_index": 0}
    parts: list[tuple[str, dict]] = [
        ("response.content_part.added", {**at, "part": content("")}),
        *((f"response.{kind}.delta", {**at, "delta": part}) for part in pieces(step.text)),
        (f"response.{kind}.done", {**at, field: step.text}),
        ("response.content_part.done", {**at, "part": content(step.text)}),
    ]
    status = "incomplete" if step.ended == "length" else "completed"
    added = {**item, "status": "in_progress", "content": []}
    return {
        "added": added,
        "done": {**item, "status": status, "content": [content(step.text)]},
    }, parts


# ---- OpenAI Chat Completions


def _chat(step: Step, model: str, tell_usage: bool) -> Iterator[Event]:
    base = {
        "id": f"chatcmpl-{_number():06d}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": model,
    }

    def chunk(where: str, delta: dict[str, Any], finish: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return None, {**base, "choices": [choice]}, where

    yield chunk("start", {"role": "assistant", "content": ""})
    for part in pieces(step.thinking):
        yield chunk("start", {"reasoning_content": part})
    said = "refusal" if step.ended == "refusal" else "content"
    for part in pieces(step.text):
        yield chunk("body", {said: part})
    for index, call in enumerate(step.calls):
        function = {"name": call.name, "arguments": ""}
        begin = {"index": index, "id": call.id or f"call_{_number():06d}", "type": "function"}
        yield chunk("body", {"tool_calls": [{**begin, "function": function}]})
        for part in pieces(_raw(call.arguments)):
            piece = {"index": index, "function": {"arguments": part}}
            yield chunk("body", {"tool_calls": [piece]})
    reasons = {"end": "stop", "refusal": "stop", "tools": "tool_calls"}
    yield chunk("end", {}, reasons.get(step.ended, step.ended))
    if tell_usage and step.usage is not None:
        yield None, {**base, "choices": [], "usage": _chat_usage(step)}, "end"


def _chat_usage(step: Step) -> dict[str, Any]:
    read = step.tokens("input") + step.tokens("cached")
    return {
        "prompt_tokens": read,
        "completion_tokens": step.tokens("output"),
        "total_tokens": read + step.tokens("output"),
        "prompt_tokens_details": {"cached_tokens": step.tokens("cached")},
        "completion_tokens_details": {"reasoning_tokens": step.tokens("reasoning")},
    }
