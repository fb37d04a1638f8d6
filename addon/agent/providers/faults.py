# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong with a question, in a sentence for people, and whether to ask again.

Both SDKs raise errors of the same names; they are told apart by those, so that neither SDK needs to
be imported here and neither its HTTP library.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from .base import Fault, ProviderError
from .keys import VARIABLES, Key
from .retry import retry_after

#: A server's own words are cut here.
_LONGEST = 300
# How servers say that a conversation doesn't fit.
_TOO_LONG = re.compile(
    r"context.?length|context window|prompt is too long|maximum context|too many tokens"
    r"|exceeds? the (?:model|available context)|input is too long",
    re.IGNORECASE,
)
_SPENT = re.compile(
    r"insufficient_quota|credit balance|billing|exceeded your current quota", re.IGNORECASE
)
_REFUSED = re.compile(
    r"content_policy|content_filter|bio_policy|misalignment_policy|invalid_prompt|usage polic",
    re.IGNORECASE,
)
_BUSY = re.compile(r"overloaded|rate.?limit|slow_down|too many requests", re.IGNORECASE)
_SERVER = re.compile(r"api_error|server_error|internal|unavailable|timeout", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """Who is asked: ``provider`` (``anthropic``), its address and the model."""

    provider: str
    base_url: str
    model: str
    key: Key

    @property
    def host(self) -> str:
        """Its name for people and price tables, with the port if it is unusual."""
        return host_of(self.base_url)

    @property
    def variable(self) -> str:
        """Where its key is looked for."""
        return VARIABLES[self.provider]


@dataclass(frozen=True)
class Failure:
    """One failed try. ``wait``: s that the provider asks for; ``words``: its own, scrubbed.

    ``crowded``: it was asked too much at once. ``refused``: it declines to answer, which is an
    answer. ``status``: of HTTP, where it came so far.
    """

    fault: Fault
    message: str
    again: bool = False
    wait: float | None = None
    crowded: bool = False
    refused: bool = False
    words: str = ""
    status: int | None = None

    def error(self, tries: int = 1) -> ProviderError:
        """The error that it is when nobody asks again."""
        if self.again and tries > 1:
            return ProviderError(self.fault, f"{self.message.rstrip('.')} (after {tries} tries).")
        return ProviderError(self.fault, self.message)


class Failed(Exception):
    """A try that failed; never leaves the providers."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def failure_from(error: Exception, place: Place, wall: float) -> Failure:
    """What an exception of an SDK, its HTTP library or Python means; ``wall`` as in ``Clock``."""
    if isinstance(error, Failed):
        return error.failure
    names = {cls.__name__ for cls in type(error).__mro__}
    if "APIStatusError" in names:
        return _from_status(error, place, wall)
    if "TimeoutException" in names or "APITimeoutError" in names:
        return timed_out(place)
    if {"TransportError", "APIConnectionError", "OSError"} & names:
        return _from_connection(error, place)
    if "APIError" in names:
        kind, words = _said(getattr(error, "body", None) or str(error), place)
        return from_stream(kind, words, place)
    if isinstance(error, ValueError):
        return Failure("server", f"{place.host} sent something that is no JSON.", again=True)
    reason = place.key.scrub(f"{type(error).__name__}: {error}")
    return Failure("server", f"The answer of {place.host} can't be used: {_short(reason)}")


def timed_out(place: Place) -> Failure:
    """Nothing came for too long."""
    message = f"{place.host} did not answer in time; try again later or with another model."
    return Failure("timeout", message, again=True)


def cut_off(place: Place) -> Failure:
    """The stream ended without its end."""
    return Failure("unreachable", f"The connection to {place.host} broke off.", again=True)


def from_stream(kind: str, words: str, place: Place) -> Failure:
    """An error in the middle of a stream, of the provider's own ``kind``."""
    told = f"{kind} {words}"
    if _SPENT.search(told):
        return _quota(place, words)
    if _BUSY.search(told):
        return _busy(place, words, None)
    if _TOO_LONG.search(told):
        return _too_long(place, words)
    if _REFUSED.search(told):
        return _refusal(place, words)
    if _SERVER.search(kind) or not kind:
        message = f"{place.host} had trouble of its own{_quoted(words)}."
        return Failure("server", message, again=True, words=words)
    return Failure("request", f"{place.host} refuses the request{_quoted(words)}.", words=words)


def _from_status(error: Any, place: Place, wall: float) -> Failure:
    status = int(error.status_code)
    headers: Mapping[str, str] = error.response.headers
    kind, words = _said(error.body, place)
    if status < 300:  # Anthropic's SDK: an error event within a good answer
        return from_stream(kind, words, place)
    failure = _by_status(status, kind, words, place, retry_after(headers, wall))
    again = {"true": True, "false": False}.get(headers.get("x-should-retry", ""), failure.again)
    lasting = failure.fault in ("key", "quota", "unknown", "request")
    return replace(failure, again=again and not lasting, words=words, status=status)


def _by_status(status: int, kind: str, words: str, place: Place, wait: float | None) -> Failure:
    if status == 402 or (status in (400, 403, 429) and _SPENT.search(f"{kind} {words}")):
        return _quota(place, words)
    if status == 401:
        return _wrong_key(place)
    if status == 403:
        message = f"The key for {place.host} may not use {place.model}{_quoted(words)}."
        return Failure("key", message)
    if status in (429, 529):
        return _busy(place, words, wait)
    if status == 408:
        return timed_out(place)
    if status == 409 or status >= 500:
        message = f"{place.host} had trouble of its own: error {status}{_quoted(words)}."
        return Failure("server", message, again=True, wait=wait)
    if status == 404:
        return _not_found(kind, words, place)
    if status == 413 or _TOO_LONG.search(f"{kind} {words}"):
        return _too_long(place, words)
    if status < 400:
        message = f"{place.host} sends us elsewhere; give the final address as base URL."
        return Failure("request", message)
    if _REFUSED.search(f"{kind} {words}"):
        return _refusal(place, words)
    message = f"{place.host} refuses the request: error {status}{_quoted(words)}."
    return Failure("request", message)


def _wrong_key(place: Place) -> Failure:
    if not place.key.real:
        return Failure("key", f"{place.host} wants a key: set {place.variable}.")
    message = (
        f"{place.host} does not accept the key: set {place.variable} (or the key in Blender's "
        "preferences) to a valid one."
    )
    return Failure("key", message)


def _quota(place: Place, words: str) -> Failure:
    message = f"The account at {place.host} has nothing left to spend{_quoted(words)}."
    return Failure("quota", message, words=words)


def _busy(place: Place, words: str, wait: float | None) -> Failure:
    message = f"{place.host} is over its limit; try later or with fewer --workers{_quoted(words)}."
    return Failure("busy", message, again=True, wait=wait, crowded=True, words=words)


def _too_long(place: Place, words: str) -> Failure:
    message = f"The conversation is too long for {place.model} at {place.host}{_quoted(words)}."
    return Failure("request", message, words=words)


def _refusal(place: Place, words: str) -> Failure:
    message = f"{place.host} declines to answer{_quoted(words)}."
    return Failure("request", message, refused=True, words=words)


def _not_found(kind: str, words: str, place: Place) -> Failure:
    if "model" in f"{kind} {words}".lower():
        message = f"{place.host} knows no model {place.model}; is the name right?"
    else:
        message = f"{place.base_url} is no address of this kind of API; is the base URL right?"
    return Failure("unknown", message)


def _from_connection(error: Exception, place: Place) -> Failure:
    causes = list(_causes(error))
    tls = next((c for c in causes if isinstance(c, ssl.SSLError)), None)
    if isinstance(tls, ssl.SSLCertVerificationError):
        message = (
            f"The certificate of {place.host} can't be trusted ({tls.verify_message}); behind a "
            "proxy with a certificate of its own, point SSL_CERT_FILE at it."
        )
        return Failure("unreachable", message)
    told = " ".join(str(cause) for cause in causes)
    if any(isinstance(c, socket.gaierror) for c in causes) or "getaddrinfo" in told:
        message = f"There is no host {place.host} to be found; is the network there?"
        return Failure("unreachable", message, again=True)
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        # A server of one's own that isn't started will not start by being asked.
        message = f"Nothing answers at {place.host}; is the server running, is the address right?"
        return Failure("unreachable", message, again=not is_loopback(place.base_url))
    if any("ProxyError" in type(c).__name__ for c in causes):
        message = f"The proxy on the way to {place.host} does not let us through; see HTTPS_PROXY."
        return Failure("unreachable", message)
    return cut_off(place)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _said(body: Any, place: Place) -> tuple[str, str]:
    """Kind and words of an error in whatever form a server gives it, scrubbed and short."""
    kinds: list[str] = []
    words = ""
    while isinstance(body, Mapping):
        kinds += [str(body[name]) for name in ("type", "code") if body.get(name)]
        text = body.get("message") or body.get("detail")
        words = text if isinstance(text, str) else words
        body = body.get("error")
    if isinstance(body, str):
        words = words or body
    kinds = [kind for kind in kinds if kind != "error"]
    return place.key.scrub(" ".join(kinds)), _short(place.key.scrub(words))


def _short(words: str) -> str:
    line = " ".join(words.split()).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _quoted(words: str) -> str:
    return f" (it says: {words})" if words else ""


def host_of(base_url: str) -> str:
    """``HOST`` or ``HOST:PORT`` of an address."""
    return urlsplit(base_url).netloc.rpartition("@")[2].lower()


def is_loopback(base_url: str) -> bool:
    """Whether an address means this very machine."""
    host = urlsplit(base_url).hostname or ""
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){3}", host) is not None
