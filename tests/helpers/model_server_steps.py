# SPDX-License-Identifier: GPL-3.0-or-later
"""What the local model server answers: a reply, or trouble at one place of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

#: Where trouble strikes. ``connect``: before any byte of an answer. ``start``: after the headers of
#: HTTP. ``before``: after the first event, before any text. ``middle``: halfway through the text or
#: the arguments. ``end``: when only the closing events are missing.
PLACES = ("connect", "start", "before", "middle", "end")
#: ``cut``: the connection breaks. ``hang``: nothing more comes, and the connection stays open.
#: ``garble``: an event that is no JSON. ``error``: the provider's own error event.
TROUBLES = ("cut", "hang", "garble", "error")


@dataclass(frozen=True)
class Call:
    """A call of a tool; ``arguments`` as an object, or as text that may be no JSON at all."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True)
class Step:
    """One answer.

    ``stop`` is one of ``end``, ``tools``, ``length``, ``refusal``; by itself ``tools`` where there
    are calls. A step without text and calls is an empty answer. With ``status`` other than 200 it
    is an error of that status, of the provider's ``error`` type, with ``headers`` (such as
    ``retry-after``). ``trouble`` at ``place`` as in TROUBLES and PLACES. ``delay``: s before the
    answer; ``drip``: s between events. ``usage``: ``input``, ``cached``, ``cache_write``,
    ``output``, ``reasoning``; ``None``: the server doesn't tell (Chat Completions only).
    ``echo_key``: an error repeats the key it was sent, as some servers do. ``raw``: these very
    events in place of all else, as servers send them that only resemble the real ones.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    stop: str | None = None
    status: int = 200
    error: str | None = None
    message: str = "something is wrong"
    headers: Mapping[str, str] = field(default_factory=dict)
    trouble: str | None = None
    place: str = "middle"
    delay: float = 0.0
    drip: float = 0.0
    usage: Mapping[str, int] | None = field(default_factory=dict)
    echo_key: bool = False
    raw: tuple[Mapping[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.trouble not in (None, *TROUBLES) or self.place not in PLACES:
            raise ValueError(f"no such trouble: {self.trouble} at {self.place}")

    @property
    def ended(self) -> str:
        """How the reply ends."""
        return self.stop or ("tools" if self.calls else "end")

    def tokens(self, kind: str) -> int:
        """Tokens of one kind; unless told, a quarter of the characters for the output."""
        known = dict(self.usage or {})
        known.setdefault("input", 100)
        said = len(self.text) + len(self.thinking) + sum(len(str(c.arguments)) for c in self.calls)
        known.setdefault("output", 1 + said // 4)
        return known.get(kind, 0)


def step_from_plain(plain: Mapping[str, Any] | str) -> Step:
    """The step that a script in JSON describes; a string alone is its text.

    Raises ``ValueError`` for names that no step has.
    """
    if isinstance(plain, str):
        return Step(plain)
    unknown = set(plain) - {known.name for known in fields(Step)} - {"code"}
    if unknown:
        raise ValueError(f"a step has no {', '.join(sorted(unknown))}")
    values = {name: value for name, value in plain.items() if name != "code"}
    values["calls"] = tuple(Call(**call) for call in plain.get("calls", ()))
    if "code" in plain:
        values["text"] = code_text(plain["code"], plain.get("text", "Here is the script."))
    return Step(**values)


def code_text(code: str, before: str = "Here is the script.") -> str:
    """Text of a reply that holds a Python script."""
    return f"{before}\n\n```python\n{code.rstrip()}\n```\n"


def code_reply(code: str, before: str = "Here is the script.") -> Step:
    """A reply that holds a Python script."""
    return Step(code_text(code, before))


def calls(*wanted: tuple[str, Mapping[str, Any]], text: str = "") -> Step:
    """A reply that calls tools: ``calls(("run", {"code": "..."}), ...)``."""
    return Step(text, tuple(Call(name, arguments) for name, arguments in wanted))


def too_many(seconds: float | str = 1) -> Step:
    """429 with ``Retry-After``."""
    return Step(status=429, message="slow down", headers={"retry-after": str(seconds)})


def broken(status: int = 500) -> Step:
    """A fault of the provider."""
    return Step(status=status, message="internal trouble")
