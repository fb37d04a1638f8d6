# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDKs, imported when first needed, and their HTTP clients."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .base import ProviderError
from .faults import Place, is_loopback
from .streams import follow

#: Loggers that would tell requests, addresses and headers to whoever listens.
_LOGGERS = ("anthropic", "openai", "httpx", "httpx2", "httpcore", "httpcore2")
_EVERY_WAY = ("http://", "https://", "all://")
# Importing an SDK takes a second or two and is not meant for several threads at once.
_importing = threading.Lock()


@dataclass(frozen=True)
class Timeouts:
    """s. ``silence``: without a single byte; reasoning models may think for minutes unheard."""

    connect: float = 15.0
    silence: float = 600.0
    whole: float = 1800.0


def require(name: str) -> None:
    """Raise ``ProviderError`` (``missing``) if an SDK isn't there; imports nothing."""
    if name not in sys.modules and importlib.util.find_spec(name) is None:
        raise _missing(name, "it is not installed")


def sdk_version(name: str) -> str:
    """The version of an installed SDK, without importing it; ``unknown`` if it doesn't say."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _missing(name: str, reason: str) -> ProviderError:
    return ProviderError(
        "missing",
        f"The package {name} is missing ({reason}): `python -m pip install {name}`, or in "
        "Blender install the extension's zip that carries it.",
    )


def sdk(name: str) -> Any:
    """The SDK of that name. Raises ``ProviderError`` (``missing``) with the remedy."""
    with _importing:
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise _missing(name, str(error)) from None
        for logger in _LOGGERS:
            logging.getLogger(logger).setLevel(logging.CRITICAL)
    return module


def client_options(module: Any, place: Place, timeouts: Timeouts) -> dict[str, Any]:
    """What both SDKs' clients are made with: no retries and no redirects of their own.

    Every question has a connection to itself: it can then be broken off without harm to others, and
    none is found dead after a long pause. A request to this machine goes through no proxy.
    """
    # Older SDKs stand on httpx, newer on httpx2; both have the same names.
    base = next(c for c in module.DefaultHttpxClient.__mro__ if c.__module__.startswith("httpx"))
    http = importlib.import_module(base.__module__.partition(".")[0])
    limits = module.Timeout(timeouts.silence, connect=timeouts.connect)
    client = module.DefaultHttpxClient(
        timeout=limits,
        limits=http.Limits(max_connections=None, max_keepalive_connections=0),
        # A redirected request would carry the key to wherever it is sent.
        follow_redirects=False,
        # Where no TLS is spoken, the certificates needn't be read.
        verify=place.base_url.startswith("https:"),
        # No proxy on the way to this machine; certificates of the environment count all the same.
        mounts=dict.fromkeys(_EVERY_WAY, None) if is_loopback(place.base_url) else {},
        event_hooks={"request": [follow]},
    )
    return {
        "api_key": place.key.reveal(),
        "base_url": place.base_url,
        "max_retries": 0,
        "timeout": limits,
        "http_client": client,
    }


class Once:
    """Makes something once, when it is first asked for, whichever thread asks."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: Any = None

    def get(self) -> Any:
        """It."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def close(self) -> None:
        """Close it if it was ever made."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None
