# SPDX-License-Identifier: GPL-3.0-or-later
"""What an outside agent calls: asks the harness that waits for it, prints the answer as JSON.

``python outside_client.py ADDRESS_FILE prompt | call TOOL [JSON|@FILE|-] | status | finish
[--skip]``. Runs by its path, with the standard library alone, in any Python from 3.11 on; the
command ``plumbline session`` uses the same functions. Exit code: 0 if the answer is ok, 1 if not,
2 if the usage was wrong or nobody answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

USAGE = (
    "usage: plumbline-session prompt | call TOOL [JSON|@FILE|-] | status | finish [--skip]; "
    "arguments are one JSON object, @FILE reads it from a file, - from the standard input"
)
#: An answer is never larger than this, bytes.
LARGEST = 64 << 20


class ClientError(ValueError):
    """Wrong usage, or a harness that doesn't answer: one sentence with the remedy."""


def request_from(words: Sequence[str]) -> dict[str, Any]:
    """The request that the words of a command line mean. Raises :class:`ClientError`."""
    if words[:1] == ["call"] and len(words) in (2, 3):
        request: dict[str, Any] = {"do": "call", "tool": words[1]}
        return {**request, **arguments_from(words[2] if len(words) == 3 else "{}")}
    if words in (["finish", "--skip"], ["finish"]):
        return {"do": "finish", "skip": len(words) == 2}
    if words in (["prompt"], ["status"]):
        return {"do": words[0]}
    raise ClientError(USAGE)


def arguments_from(word: str) -> dict[str, Any]:
    """``arguments`` from JSON, ``@FILE`` or ``-``; ``problem`` where it is no JSON object.

    What is no JSON is the caller's wrong call, and counted as such; a file that can't be read is
    wrong usage. Raises :class:`ClientError`.
    """
    text = word
    try:
        if word == "-":
            text = sys.stdin.read()
        elif word.startswith("@"):
            text = Path(word[1:]).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ClientError(f"{word}: is not UTF-8 text; save it as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClientError(f"{word[1:]}: can't be read ({reason}); check the path") from None
    try:
        arguments = json.loads(text)
    except RecursionError:
        return {"arguments": None, "problem": "the arguments are nested too deeply"}
    except ValueError as error:
        return {"arguments": None, "problem": f"the arguments are no JSON: {error}"}
    return {"arguments": arguments}


def ask(address_file: Path, request: Mapping[str, Any]) -> dict[str, Any]:
    """Ask the harness whose address stands in the file. Raises :class:`ClientError`."""
    try:
        plain = json.loads(address_file.read_text(encoding="utf-8"))
        address, key = plain["address"], plain["key"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ClientError(
            f"{address_file}: the harness of this attempt is not there any more; "
            "start the run again"
        ) from None
    try:
        with Client(address) as connection:
            connection.send_bytes(json.dumps({"key": key, "request": request}).encode())
            answer = json.loads(connection.recv_bytes(LARGEST))
    except (OSError, EOFError, ValueError, RecursionError):
        raise ClientError("the harness ended this attempt; nothing more can be done") from None
    return dict(answer)


def main(words: Sequence[str]) -> int:
    """Ask and print; see the module."""
    try:
        if not words:
            raise ClientError(USAGE)
        answer = ask(Path(words[0]), request_from(list(words[1:])))
    except ClientError as error:
        print(f"plumbline-session: {error}", file=sys.stderr)
        return 2
    if words[1] == "prompt" and answer.get("ok"):
        sys.stdout.buffer.write(prompt_text(answer).encode("utf-8", "backslashreplace") + b"\n")
    else:
        print(json.dumps(answer))
    sys.stdout.flush()
    return 0 if answer.get("ok") else 1


def prompt_text(answer: Mapping[str, Any]) -> str:
    """The answer to ``prompt`` for reading: the task, then a line a tool."""
    lines = [str(answer["prompt"]), "", "Tools, with the JSON Schema of their arguments:"]
    for tool in answer["tools"]:
        schema = json.dumps(tool["parameters"])
        lines.append(f"* {tool['name']}: {tool['description']} {schema}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
