# SPDX-License-Identifier: GPL-3.0-or-later
"""From ``anthropic/MODEL`` to a provider."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal
from urllib.parse import urlsplit

from . import keys, prices
from .asking import Asking, Setup
from .base import Provider, ProviderError
from .faults import Place, host_of, is_loopback
from .keys import NO_KEY, Key
from .limiter import shared
from .links import Timeouts, require

Api = Literal["responses", "chat"]

OFFICIAL = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
#: The SDKs' own variables for another address.
_ADDRESSES = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}


def provider_for(
    name: str,
    *,
    base_url: str | None = None,
    api: str | None = None,
    key: str | None = None,
    online: bool = True,
    timeout: float | None = None,
    **setup: Any,
) -> Provider:
    """The provider for ``anthropic/MODEL`` or ``openai/MODEL``.

    ``base_url`` is any server that speaks the same protocol; without it ANTHROPIC_BASE_URL or
    OPENAI_BASE_URL of the environment counts, else the provider's own. ``api`` (``responses`` or
    ``chat``) is for ``openai``: by itself Responses at OpenAI and Chat Completions elsewhere.
    ``key``: else the environment's; a server that isn't the provider's own may do without.
    ``online``: ``bpy.app.online_access``; if false, only servers on this very machine are asked.
    ``timeout``: s for one whole answer. Further arguments go to ``Setup``. Nothing is imported or
    connected before the first question, except that a missing SDK is told at once.

    Raises ``ProviderError`` with one sentence.
    """
    vendor, _, model = name.partition("/")
    if vendor not in OFFICIAL or not model:
        raise ProviderError(
            "request", f"{name!r} names no model; write anthropic/MODEL or openai/MODEL."
        )
    address = _checked(base_url or os.environ.get(_ADDRESSES[vendor]) or OFFICIAL[vendor])
    host = host_of(address)
    if not online and not is_loopback(address):
        raise ProviderError(
            "offline",
            f"Blender is not to go online, so {host} can't be asked: allow it under "
            "Preferences > System > Network, or give the base URL of a server on this machine.",
        )
    make = _implementation(vendor, api, host)
    require(vendor)
    _check_prices()
    place = Place(vendor, address, model, _key(vendor, host, key))
    limits = Timeouts() if timeout is None else Timeouts(silence=timeout, whole=timeout)
    return make(Setup(place, **{"limiter": shared(host), "timeouts": limits, **setup}))


def _checked(base_url: str) -> str:
    """The address, if it is one. Raises ``ProviderError``."""
    try:
        parts = urlsplit(base_url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        # It is written into run folders, so nothing that may be secret has a place in it.
        bare = "@" not in parts.netloc and not parts.query and not parts.fragment
    except ValueError:
        usable = bare = False
    if usable and not bare:
        raise ProviderError(
            "request",
            f"the address of {parts.hostname} holds a user, a password or a query; put keys into "
            "the environment instead.",
        )
    if not usable:
        raise ProviderError(
            "request", f"{base_url!r} is no address of a server; write http://HOST:PORT/v1."
        )
    return base_url.strip().rstrip("/")


def _key(vendor: str, host: str, given: str | None) -> Key:
    """The key, or none for a server of one's own. Raises ``ProviderError``."""
    found = keys.find(vendor, given)
    if found is not None:
        return found
    if host == host_of(OFFICIAL[vendor]):
        raise ProviderError(
            "key",
            f"There is no key for {host}: set {keys.VARIABLES[vendor]}, or the key in "
            "Blender's preferences of this extension.",
        )
    return Key(NO_KEY)


def _implementation(vendor: str, api: str | None, host: str) -> Callable[[Setup], Asking]:
    """The class for a protocol. Raises ``ProviderError``."""
    if api not in (None, "responses", "chat") or (api is not None and vendor != "openai"):
        raise ProviderError(
            "request", f"{vendor} has no API called {api!r}; openai has responses and chat."
        )
    if vendor == "anthropic":
        from .anthropic_messages import AnthropicMessages

        return AnthropicMessages
    official = host == host_of(OFFICIAL[vendor])
    if (api or ("responses" if official else "chat")) == "responses":
        from .openai_responses import OpenAIResponses

        return OpenAIResponses
    from .openai_chat import OpenAIChat

    return OpenAIChat


def _check_prices() -> None:
    try:
        prices.check()
    except ValueError as error:
        message = f"{error}."
    else:
        return
    raise ProviderError("request", message)
