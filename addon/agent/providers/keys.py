# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys: from the environment or from whoever calls, and out of everything that leaves.

A key is never written into a message, a log, a transcript, a run folder or a .blend. What a server
says is scrubbed of it, since some servers repeat the key that they refuse.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

VARIABLES: Mapping[str, str] = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

#: What is sent where a server of one's own asks for no key; both SDKs insist on some.
NO_KEY = "no-key"
_HIDDEN = "[key]"
#: A server may repeat a key in part; eight characters of it are enough to take for one.
_TELLING = 8
# What keys of the known providers and bearer tokens look like, whoever's they are.
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|xai|gsk)[-_][\w*.\-]{6,}|\bBearer\s+\S+", re.IGNORECASE)


class Key:
    """A key that doesn't show itself when it is printed, formatted or logged."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key, for the client that sends it and nobody else."""
        return self._value

    @property
    def real(self) -> bool:
        """Whether it is a key at all."""
        return self._value != NO_KEY

    def scrub(self, text: str) -> str:
        """``text`` without the key, any long piece of it, or anything that looks like a key."""
        text = _LOOKS_LIKE_A_KEY.sub(_HIDDEN, text)
        if not self.real or not self._value:
            return text
        text = text.replace(self._value, _HIDDEN)
        if len(self._value) < 2 * _TELLING:
            return text
        for piece in (self._value[:_TELLING], self._value[-_TELLING:]):
            text = re.sub(rf"[\w*.\-]*{re.escape(piece)}[\w*.\-]*", _HIDDEN, text)
        return text

    def hide(self, text: str) -> str:
        """``text`` without the key itself, and otherwise to the letter: what a model wrote."""
        return text.replace(self._value, _HIDDEN) if self.real and self._value else text

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __reduce__(self) -> str:
        raise TypeError("a key is not written anywhere")


def find(provider: str, given: str | None = None) -> Key | None:
    """The key for ``anthropic`` or ``openai``: the given one, else the environment's."""
    value = (given or os.environ.get(VARIABLES[provider], "")).strip()
    return Key(value) if value else None
