# SPDX-License-Identifier: GPL-3.0-or-later
"""What all providers have in common: ask, wait, ask again, and turn the answer into a reply."""

from __future__ import annotations

import contextlib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from ... import strict_json
from ..messages import Message, Part, Reply, Request, Stop, Text, ToolCall, Usage
from . import prices
from .base import Cancel
from .faults import Failed, Failure, Place, cut_off, failure_from, timed_out
from .keys import Key
from .limiter import Limiter
from .links import Once, Timeouts, sdk_version
from .retry import Backoff, Clock, Policy, SystemClock
from .streams import Broken, Stream, TimedOut

#: What a listener reads where an answer broke off and begins anew.
AGAIN = "\n[The connection broke; asking again.]\n"

#: Characters of an answer's events beyond which nobody means it.
MOST_ANSWER = 256 << 20


@dataclass(frozen=True)
class Setup:
    """How a provider asks; tests put in a clock and chance of their own."""

    place: Place
    limiter: Limiter
    timeouts: Timeouts = field(default_factory=Timeouts)
    policy: Policy = field(default_factory=Policy)
    clock: Clock = field(default_factory=SystemClock)
    share: Callable[[], float] = random.random


@dataclass(frozen=True)
class Answer:
    """What an answer came to. ``stop`` is the provider's word for it, in ours, if it said one."""

    parts: tuple[Part, ...]
    stop: Stop
    usage: Usage
    opaque: Any = None
    thoughts: str = ""
    model: str | None = None
    id: str | None = None


class Collector(Protocol):
    """Puts an answer together from the events of its stream."""

    def feed(self, event: Mapping[str, Any]) -> str:
        """Take one event; returns the text that it brings. Raises ``Failed``."""
        ...

    def finish(self) -> Answer | None:
        """The answer; ``None`` if its end never came."""
        ...


@dataclass(frozen=True)
class Extra:
    """What a server may refuse, by the words that tell so; ``lasting``: it always will."""

    betrayed_by: re.Pattern[str]
    lasting: bool = True


class Asking(ABC):
    """A provider through an SDK; a subclass knows its protocol."""

    #: Which settings of a request it passes on; others are left out, since it has no such thing.
    takes: ClassVar[frozenset[str]] = frozenset()
    #: ``anthropic/messages``: marks what is opaque to all others.
    api: ClassVar[str] = ""
    #: What we send of our own accord and can do without.
    optional: ClassVar[Mapping[str, Extra]] = {}

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.name = f"{setup.place.provider}/{setup.place.model}"
        self._client = Once(self._connect)
        self._never: set[str] = set()

    def describe(self) -> dict[str, Any]:
        """What goes into ``run.json``: who was asked how, through what, and by which prices."""
        place = self.setup.place
        return {
            "host": place.host,
            "api": self.api,
            "sdk": f"{place.provider} {sdk_version(place.provider)}",
            "takes": sorted(self.takes),
            "prices": prices.date(),
        }

    @abstractmethod
    def _connect(self) -> Any:
        """The SDK's client. Raises ``ProviderError`` (``missing``)."""

    @abstractmethod
    def _begin(self, client: Any, request: Request, without: frozenset[str]) -> Any:
        """Start the SDK's stream, leaving out what is named. Raises ``Failed``."""

    @abstractmethod
    def _collector(self) -> Collector:
        """What puts the next answer together."""

    def complete(
        self, request: Request, cancel: Cancel, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """Ask and wait for the whole reply; see ``Provider``.

        Where an answer breaks off after some of its text was passed on, ``on_text`` gets
        :data:`AGAIN` and then the new answer from its beginning.
        """
        cancel.check()
        client = self._client.get()
        clock = self.setup.clock
        began = clock.now()
        backoff = Backoff(self.setup.policy, self.setup.share)
        without = frozenset(self._never)
        while True:
            with self.setup.limiter.place(cancel):
                result = self._try(client, request, without, cancel, on_text or _nobody)
            if isinstance(result, Failure) and result.refused:
                words = (Text(result.words),) if result.words else ()
                result = Answer(words, "refusal", Usage(uncounted=1))
            if isinstance(result, Answer):
                self.setup.limiter.succeed()
                return self._reply(result, backoff.failures, clock.now() - began)
            if result.crowded:
                self.setup.limiter.complain()
            dislikes = self._dislikes(result) - without
            if dislikes:
                without |= dislikes
                continue
            # Raised here, outside any ``except``: the SDK's own errors hold requests with headers.
            if not result.again:
                raise result.error()
            wait = backoff.next(result.wait, timed_out=result.fault == "timeout")
            if wait is None:
                raise result.error(backoff.failures)
            clock.wait(cancel, wait)

    def _dislikes(self, failure: Failure) -> frozenset[str]:
        """Optional parts of our own making that this server can't take; remembered if lasting."""
        if failure.status not in (400, 422):
            return frozenset()
        found = {
            name: extra.lasting
            for name, extra in self.optional.items()
            if extra.betrayed_by.search(failure.words)
        }
        self._never |= {name for name, lasting in found.items() if lasting}
        return frozenset(found)

    def _try(
        self,
        client: Any,
        request: Request,
        without: frozenset[str],
        cancel: Cancel,
        on_text: Callable[[str], None],
    ) -> Answer | Failure:
        """Ask once. Raises ``Cancelled``."""
        collector = self._collector()
        stream = Stream(lambda: self._begin(client, request, without))
        place = self.setup.place
        failure = cut_off(place)
        heard = False
        size = 0
        try:
            with contextlib.closing(stream.events(cancel, self.setup.timeouts.whole)) as events:
                for event in events:
                    size += len(str(event))
                    if size > MOST_ANSWER:
                        return _too_much(place)
                    text = _fed(collector, event, place)
                    if text:
                        heard = True
                        on_text(text)
            answer = _finished(collector, place)
            if answer is not None:
                return answer
        except TimedOut:
            failure = timed_out(place)
        except Failed as failed:
            failure = failed.failure
        except Broken as broken:
            failure = failure_from(broken.error, place, self.setup.clock.wall())
        if heard and failure.again:
            on_text(AGAIN)
        return failure

    def _reply(self, answer: Answer, retries: int, seconds: float) -> Reply:
        usage = replace(_sound(answer.usage), calls=1)
        place = self.setup.place
        usage = replace(usage, cost=prices.cost(place.host, place.model, usage))
        parts = tuple(_sound_part(part, place.key) for part in answer.parts)
        return Reply(
            Message("assistant", parts, _opaque(answer.opaque, place.key)),
            _stop(answer),
            usage,
            seconds,
            retries,
            str(_told(answer.thoughts, place.key)),
            _word(answer.model, place.key),
            _word(answer.id, place.key),
        )

    def close(self) -> None:
        """Close its connections."""
        self._client.close()


def _too_much(place: Place) -> Failure:
    message = f"{place.host} sent an answer without end: more than {MOST_ANSWER:,} characters."
    return Failure("server", message)


def _fed(collector: Collector, event: Mapping[str, Any], place: Place) -> str:
    """Feed one event, which may be of any form where a server only resembles the real one."""
    try:
        return collector.feed(event)
    except _ODD as error:
        failed = _unknown_form(error, str(event.get("type", "an event")), place)
    raise failed


def _finished(collector: Collector, place: Place) -> Answer | None:
    """The answer, whatever the server said beside it."""
    try:
        return collector.finish()
    except _ODD as error:
        failed = _unknown_form(error, "an answer", place)
    raise failed


# What taking apart an event of another form comes to.
_ODD = (KeyError, TypeError, AttributeError, ValueError, IndexError)


def _unknown_form(error: Exception, where: str, place: Place) -> Failed:
    reason = f"{type(error).__name__} in {where}"
    return Failed(Failure("server", f"{place.host} sent an event of an unknown form ({reason})."))


def _sound(usage: Usage) -> Usage:
    """What a server counted, if it can be counted: else a limit could be talked away."""
    counts = {name: getattr(usage, name) for name in _COUNTED}
    if all(type(count) is int and 0 <= count < _MOST_TOKENS for count in counts.values()):
        return usage
    return Usage(uncounted=1)


_COUNTED = (
    "input_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "output_tokens",
    "reasoning_tokens",
)
#: No single answer costs more tokens than this.
_MOST_TOKENS = 10**12


def _told(value: Any, key: Key) -> Any:
    """Plain data from a server that can be written and sent back, and doesn't hold the key."""
    return strict_json.changed(value, lambda text: key.hide(strict_json.mended(text)))


def _opaque(value: Any, key: Key) -> Any:
    """The same for what only the provider understands; none rather than one that can't be kept."""
    try:
        return _told(value, key)
    except ValueError:
        return None


def _sound_part(part: Part, key: Key) -> Part:
    """A part of an answer without the key, its texts made of whole letters."""
    if isinstance(part, Text):
        return Text(_told(part.text, key))
    if isinstance(part, ToolCall):
        return tool_call(*_told([part.id, part.name, part.raw], key))
    return part


def _word(value: Any, key: Key) -> str | None:
    """What a server calls something, if it is a text."""
    return str(_told(value, key)) if isinstance(value, str) else None


def _nobody(_: str) -> None:
    """Nobody listens."""


def _stop(answer: Answer) -> Stop:
    """How it ended: what the provider says counts, unless what came shows otherwise."""
    if answer.stop in ("refusal", "length"):
        return answer.stop
    if any(isinstance(part, ToolCall) for part in answer.parts):
        return "tools"
    if any(isinstance(part, Text) and part.text.strip() for part in answer.parts):
        return "end"
    return "empty"


def tool_call(id: str, name: str, raw: str) -> ToolCall:
    """A call from the characters of its arguments, whatever they are. None at all mean ``{}``."""
    try:
        arguments = strict_json.loads(raw) if raw.strip() else {}
    except ValueError as error:
        problem = f"The arguments of {name} are no JSON: {error}."
        return ToolCall(id, name, None, raw, problem)
    if not isinstance(arguments, dict):
        problem = f"The arguments of {name} are no JSON object but {type(arguments).__name__}."
        return ToolCall(id, name, None, raw, problem)
    return ToolCall(id, name, arguments, raw)


def sent_arguments(call: ToolCall) -> dict[str, Any]:
    """Arguments as they go back to the provider, which takes only objects."""
    if call.arguments is None:
        return {"INVALID_JSON": call.raw}
    return dict(call.arguments)
