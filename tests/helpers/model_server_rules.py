# SPDX-License-Identifier: GPL-3.0-or-later
"""What the real providers refuse in a request, so that a wrong client fails in tests too.

Each function returns one sentence, or ``None`` if the request is fine.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from model_server_formats import ANTHROPIC, CHAT, RESPONSES

_SIGNATURES = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/webp": b"RIFF",
    "image/gif": b"GIF8",
}


def fault(api: str, body: Any) -> str | None:
    """What is wrong with a request."""
    if not isinstance(body, dict):
        return "the body is no JSON object"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "model: field required"
    if body.get("stream") is not True:
        return "this server only streams: set stream to true"
    return {ANTHROPIC: _anthropic, RESPONSES: _responses, CHAT: _chat}[api](body)


def _picture(media_type: str, data: str) -> str | None:
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return "image: invalid base64 data"
    signature = _SIGNATURES.get(media_type)
    if signature is None or not content.startswith(signature):
        return f"image: the data is no {media_type}"
    return None


def _data_url(url: Any) -> str | None:
    if not isinstance(url, str) or not url.startswith("data:") or ";base64," not in url:
        return "image_url: expected a base64 data URL"
    head, data = url[5:].split(";base64,", 1)
    return _picture(head, data)


# ---- Anthropic Messages


def _anthropic(body: dict[str, Any]) -> str | None:
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        return "max_tokens: field required"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages: at least one message is required"
    if messages[0].get("role") != "user":
        return "messages: first message must use the user role"
    marks = sum("cache_control" in block for block in _anthropic_marked(body))
    if marks > 4:
        return f"a maximum of 4 blocks with cache_control may be provided, found {marks}"
    for tool in body.get("tools", []):
        if tool.get("input_schema", {}).get("type") != "object":
            return "tools: input_schema.type must be object"
    thinking = body.get("thinking", {})
    if thinking.get("type") == "enabled":
        if not 1024 <= thinking.get("budget_tokens", 0) < body["max_tokens"]:
            return "max_tokens must be greater than thinking.budget_tokens, at least 1024"
        if "temperature" in body:
            return "temperature may only be set to 1 when thinking is enabled"
    return _anthropic_messages(messages)


def _anthropic_marked(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    system = body.get("system")
    yield from (system if isinstance(system, list) else [])
    yield from body.get("tools", [])
    for message in body.get("messages", []):
        content = message.get("content")
        yield from (content if isinstance(content, list) else [])


def _anthropic_messages(messages: list[dict[str, Any]]) -> str | None:
    before: dict[str, Any] = {"role": None, "content": []}
    for number, message in enumerate(messages):
        if message.get("role") not in ("user", "assistant"):
            return f"messages.{number}.role: unexpected role"
        if message["role"] == before["role"]:
            return "messages: roles must alternate between user and assistant"
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if not content:
            return f"messages.{number}: all messages must have non-empty content"
        for block in content:
            if problem := _anthropic_block(block, message["role"]):
                return f"messages.{number}: {problem}"
        asked = {b["id"] for b in before["content"] if b["type"] == "tool_use"}
        answered = {b["tool_use_id"] for b in content if b["type"] == "tool_result"}
        if asked != answered:
            return (
                f"messages.{number}: tool_use ids and tool_result blocks differ: "
                f"{sorted(asked ^ answered)}"
            )
        before = {"role": message["role"], "content": content}
    if any(block["type"] == "tool_use" for block in before["content"]):
        return "tool_use ids were found without tool_result blocks immediately after"
    return None


def _anthropic_block(block: dict[str, Any], role: str) -> str | None:
    kind = block.get("type")
    if kind == "text":
        return None if block.get("text", "").strip() else "text content blocks must be non-empty"
    if kind == "image" and role == "user":
        source = block.get("source", {})
        return _picture(source.get("media_type", ""), source.get("data", ""))
    if kind == "tool_result" and role == "user":
        inner = block.get("content", [])
        blocks = inner if isinstance(inner, list) else []
        problems = (_anthropic_block(part, "user") for part in blocks)
        return next((problem for problem in problems if problem), None)
    if role == "assistant" and kind == "tool_use":
        return None if isinstance(block.get("input"), dict) else "tool_use.input: not an object"
    if role == "assistant" and kind == "thinking":
        genuine = block.get("signature") == f"sig-{len(block.get('thinking', ''))}"
        return None if genuine else "thinking blocks cannot be modified: invalid signature"
    if role == "assistant" and kind == "redacted_thinking":
        return None
    return f"unexpected block {kind!r} from {role}"


# ---- OpenAI Responses


def _responses(body: dict[str, Any]) -> str | None:
    items = body.get("input")
    if not isinstance(items, list) or not items:
        return "input: a list is required"
    for tool in body.get("tools", []):
        if tool.get("type") != "function" or not isinstance(tool.get("parameters"), dict):
            return "tools: expected functions with parameters"
    if "seed" in body:
        return "Unknown parameter: 'seed'."
    asked: set[str] = set()
    answered: set[str] = set()
    for number, item in enumerate(items):
        problem = _responses_item(item, asked, answered)
        if problem:
            return f"input[{number}]: {problem}"
    missing = asked - answered
    return f"No tool output found for function call {sorted(missing)[0]}." if missing else None


def _responses_item(item: dict[str, Any], asked: set[str], answered: set[str]) -> str | None:
    kind = item.get("type", "message")
    if kind == "message":
        return _responses_content(item.get("content"), item.get("role"))
    if kind == "function_call":
        if not isinstance(item.get("arguments"), str):
            return "arguments: expected a string"
        asked.add(item["call_id"])
        return None
    if kind == "function_call_output":
        if item.get("call_id") not in asked:
            return f"no function call with id {item.get('call_id')}"
        answered.add(item["call_id"])
        output = item.get("output")
        return None if isinstance(output, str) else _responses_content(output, "user")
    if kind == "reasoning":
        said = "".join(part["text"] for part in item.get("summary", []))
        genuine = item.get("encrypted_content") == f"sealed-{len(said)}"
        return None if genuine else "encrypted_content could not be verified"
    return f"unexpected item {kind!r}"


def _responses_content(content: Any, role: Any) -> str | None:
    if role not in ("user", "assistant", "system", "developer"):
        return f"role: unexpected {role!r}"
    if isinstance(content, str):
        return None
    if not isinstance(content, list) or not content:
        return "content: a list of parts is required"
    wanted = ("output_text", "refusal") if role == "assistant" else ("input_text", "input_image")
    for part in content:
        if part.get("type") not in wanted:
            return f"content: {part.get('type')!r} is not for {role}"
        if part["type"] == "input_image" and (problem := _data_url(part.get("image_url"))):
            return problem
    return None


# ---- OpenAI Chat Completions


def _chat(body: dict[str, Any]) -> str | None:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages: a list is required"
    for tool in body.get("tools", []):
        if tool.get("type") != "function" or "name" not in tool.get("function", {}):
            return "tools: expected functions"
    open_calls: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role")
        if role != "tool" and open_calls:
            return f"tool_call_ids did not have response messages: {sorted(open_calls)}"
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                return f"messages[{number}]: 'tool' must follow a message with 'tool_calls'"
            if not isinstance(message.get("content"), str):
                return f"messages[{number}]: content of a tool message is text"
            open_calls.discard(message["tool_call_id"])
        elif problem := _chat_message(message):
            return f"messages[{number}]: {problem}"
        open_calls |= {call["id"] for call in message.get("tool_calls", [])}
    return f"tool calls without answer: {sorted(open_calls)}" if open_calls else None


def _chat_message(message: dict[str, Any]) -> str | None:
    role, content = message.get("role"), message.get("content")
    if role not in ("system", "developer", "user", "assistant"):
        return f"role: unexpected {role!r}"
    for call in message.get("tool_calls", []):
        if not isinstance(call.get("function", {}).get("arguments"), str):
            return "tool_calls: arguments are a string"
    if isinstance(content, str) or (role == "assistant" and message.get("tool_calls")):
        return None
    if not isinstance(content, list) or not content or role == "assistant":
        return "content: expected text or parts"
    for part in content:
        if part.get("type") == "image_url":
            if problem := _data_url(part["image_url"].get("url")):
                return problem
        elif part.get("type") != "text":
            return f"content: unexpected {part.get('type')!r}"
    return None
