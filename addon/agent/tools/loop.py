# SPDX-License-Identifier: GPL-3.0-or-later
"""The tool loop: a model is asked, its calls are run, their answers go back, until it is done.

It knows no kind of task: what can be called is in the box. A model with tool use calls natively;
for others the same calls are written as text (:mod:`.text_calls`).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..budget import Budget, Ended
from ..messages import Message, Reply, Request, Text, ToolCall
from ..prompts import Prompts
from ..protocols.talk import in_time
from ..providers.base import Cancel, Provider
from ..transcript import Transcript
from .box import Answer, ToolBox
from .context import Context, Told, Window
from .text_calls import find_calls

#: Folder of the loop's own templates.
PROMPTS = "tools"


@dataclass(frozen=True)
class LoopSettings:
    """How a model is led. The defaults are those of the published harness.

    ``replies`` is the most that a model may say, ``silent`` how many replies in a row without a
    call end the episode. ``native``: the model has tool use. The rest is passed on to the provider.
    """

    replies: int = 70
    silent: int = 3
    native: bool = True
    window: Window = field(default_factory=Window)
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    effort: str | None = None

    def sampling(self) -> dict[str, Any]:
        """What the provider is asked for beside the question."""
        names = ("max_tokens", "temperature", "seed", "effort")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class LoopEnd:
    """How a loop ended: the word and the sentence of :class:`..agents.Built`, and figures."""

    end: str
    message: str | None
    metrics: Mapping[str, Any] = field(default_factory=dict)


class ToolLoop:
    """One conversation of one model with one box of tools."""

    def __init__(
        self,
        provider: Provider,
        box: ToolBox,
        settings: LoopSettings,
        transcript: Transcript,
        cancel: Cancel,
        budget: Budget,
        progress: Callable[[str], None] = lambda _: None,
        on_text: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._provider = provider
        self._box = box
        self._settings = settings
        self._transcript = transcript
        self._cancel = cancel
        self._budget = budget
        self._progress = progress
        self._on_text = on_text
        self._prompts = Prompts(PROMPTS)
        self._replies = 0
        self._silent = 0
        self._forms: Counter[str] = Counter()

    def run(self, system: str, head: Sequence[Message]) -> LoopEnd:
        """Go on until a tool ends the episode, a limit runs out, or the model calls nothing.

        ``head`` is the task. Raises ``ProviderError``, ``Cancelled`` and what tools raise beside
        their own errors.
        """
        settings = self._settings
        if not settings.native:
            system = f"{system}\n\n{self._text_protocol()}".strip()
        context = Context(head, settings.window, settings.native)
        try:
            while not self._box.ended:
                self._step(system, context)
        except Ended as over:
            return LoopEnd(over.end, str(over), self.metrics())
        return LoopEnd("finished", None, self.metrics())

    def _text_protocol(self) -> str:
        tools = [
            {"name": t.name, "description": t.description, "parameters": t.parameters}
            for t in self._box.tools.values()
        ]
        listed = "\n".join(json.dumps(tool) for tool in tools)
        return self._prompts.render("text_protocol", {"tools": listed})

    def _step(self, system: str, context: Context) -> None:
        if self._replies >= self._settings.replies:
            raise Ended("attempts", f"all {self._settings.replies} replies are used up")
        self._budget.check()
        self._cancel.check()
        self._replies += 1
        self._progress(f"reply {self._replies}, waiting for the model")
        reply = self._ask(system, context)
        if reply.text.strip() or reply.calls:  # providers refuse empty messages
            context.add(reply.message)
        calls, problem = self._calls(reply)
        if calls:
            self._silent = 0
            context.answered(self._run(calls))
        else:
            context.add(self._nudge(reply, problem))

    def _ask(self, system: str, context: Context) -> Reply:
        settings, native = self._settings, self._settings.native
        messages = context.messages()
        tools = tuple(tool.spec for tool in self._box.tools.values()) if native else ()
        self._transcript.event(
            "request",
            label=f"reply {self._replies}",
            system=system,
            messages=[self._transcript.message(message) for message in messages],
            tools=[tool.name for tool in tools],
            stable=context.stable(),
            **settings.sampling(),
        )
        request = Request(system, messages, tools, stable=context.stable(), **settings.sampling())
        reply = in_time(self._provider, self._budget, self._cancel, self._on_text, request)
        self._transcript.reply(reply)
        self._budget.spend(reply.usage)
        return reply

    def _calls(self, reply: Reply) -> tuple[tuple[ToolCall, ...], str | None]:
        """The calls of a reply, or what kept them from being read."""
        if self._settings.native:
            return reply.calls, None
        found = find_calls(reply.text, self._box.tools, reply.thoughts)
        if found.calls:
            self._forms[found.how] += 1
        # Two replies must not use one id, for readers of the transcript.
        numbered = tuple(
            ToolCall(
                f"r{self._replies}-{call.id}", call.name, call.arguments, call.raw, call.problem
            )
            for call in found.calls
        )
        return numbered, found.problem

    def _nudge(self, reply: Reply, problem: str | None) -> Message:
        """What a reply without a call is told. Raises ``Ended`` when that was the last one."""
        self._forms["silent"] += 1
        if reply.stop == "refusal":
            self._budget.refused()
        self._silent += 1
        if self._silent >= self._settings.silent:
            raise Ended("gave_up", f"{self._silent} replies in a row called no tool")
        why = {
            "refusal": "You declined to answer.",
            "length": "Your reply was cut off at the limit of its length before it called a tool.",
            "empty": "Your reply was empty.",
        }.get(reply.stop, "Your reply called no tool.")
        if problem:
            why = f"Your call can't be read: {problem}."
        name = "no_call" if self._settings.native else "no_text_call"
        last = " and ".join(tool.name for tool in self._box.tools.values() if tool.ends)
        left = self._settings.silent - self._silent
        facts = {"why": why, "left": left, "last": last or "nothing"}
        return Message("user", (Text(self._prompts.render(name, facts)),))

    def _run(self, calls: Sequence[ToolCall]) -> list[Told]:
        told = []
        for call in calls:
            self._cancel.check()
            self._budget.check_time()  # one reply may hold hundreds of calls
            self._progress(f"reply {self._replies}: {call.name}")
            begin = time.monotonic()
            answer = self._box.call(call.name, call.arguments, call.problem)
            text = answer_text(answer)
            self._transcript.event(
                "tool",
                reply=self._replies,
                call=call.id,
                name=call.name,
                ok=answer.ok,
                error=answer.kind,
                seconds=round(time.monotonic() - begin, 4),
                pictures=[picture.name for picture in answer.pictures],
                answer=answer.plain,
            )
            told.append(Told(call, text, answer.pictures, not answer.ok))
        return told

    def metrics(self) -> dict[str, Any]:
        """Figures for a record: replies, calls, errors by class."""
        forms = {name: number for name, number in self._forms.items() if name != "silent"}
        metrics = {
            "replies": self._replies,
            "replies_without_call": self._forms["silent"],
            **self._box.metrics(),
        }
        return {**metrics, "text_calls": forms} if forms else metrics


def answer_text(answer: Answer) -> str:
    """An answer as the JSON text that is told; what JSON doesn't know becomes its text."""
    return json.dumps(answer.plain, ensure_ascii=False, default=str)
