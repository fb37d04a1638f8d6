# SPDX-License-Identifier: GPL-3.0-or-later
"""The hostile corpus: programs that want something that they must not get.

Each is a file of tests/hostile that begins with what is to be known of it:

    # title: what it does
    # route: the way it takes
    # policy: `refused RULE`, or `passes` where a filter of names can't see it
    # contained: what must not happen (canary, writes, network, memory, deadline, crash, outlives,
    #            flood, answer), any of them
    # ends: how its run may end, by the outcomes of a bench

In the code ``@SECRET@`` is a file with a secret, ``@OUTSIDE@`` its folder, in which nothing may
change, ``@HOME@`` and ``@CHECKOUT@`` those of the person, ``@PORT@``, ``@UDP@``, ``@SOCKET@`` and
``@ABSTRACT@`` where somebody listens, ``@PARENT@`` the process that asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "hostile"
KINDS = (
    *("canary", "writes", "network", "memory", "deadline", "crash", "outlives", "flood"),
    "answer",
)
FIELDS = ("title", "route", "policy", "contained", "ends")


@dataclass(frozen=True)
class Hostile:
    """One program of the corpus. ``rule`` is the policy's, ``None`` if the policy lets it pass."""

    name: str
    title: str
    route: str
    rule: str | None
    contained: tuple[str, ...]
    ends: tuple[str, ...]
    source: str

    def code(self, places: Mapping[str, object]) -> str:
        """The program for this machine; keys of ``places`` as in the module's text, in lower."""
        code = self.source
        for name, place in places.items():
            code = code.replace(f"@{name.upper()}@", str(place))
        return code


def read(path: Path) -> Hostile:
    """A program with what its first lines say. Raises ``ValueError`` for a missing line."""
    source = path.read_text(encoding="utf-8")
    said = {}
    for line in source.splitlines()[1 : 1 + len(FIELDS)]:
        name, _, value = line.removeprefix("# ").partition(": ")
        said[name] = value.strip()
    if tuple(said) != FIELDS:
        raise ValueError(f"{path} must begin with {', '.join(FIELDS)}")
    verdict, _, rule = said["policy"].partition(" ")
    if verdict not in ("passes", "refused") or (verdict == "refused") != bool(rule):
        raise ValueError(f"{path}: policy is `passes` or `refused RULE`")
    return Hostile(
        path.stem,
        said["title"],
        said["route"],
        rule or None,
        tuple(said["contained"].split()),
        tuple(said["ends"].split()),
        source,
    )


def corpus() -> list[Hostile]:
    """Every program, by name."""
    return [read(path) for path in sorted(FOLDER.glob("*.py"))]
