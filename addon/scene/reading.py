# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader says about its source: notes, counts of what it left out, faults as findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...checks.result import Finding
from ...checks.timber.roles import role_by_words

#: Id of the check that faults of the source itself belong to.
READING = "reading"
#: How many names a sentence lists before it counts the rest.
NAMES_SHOWN = 6
#: Separates the instancer's name from the instanced object's, as in ``Truss_A/Stud_01``.
PATH_SEPARATOR = "/"


def shown(name: str) -> str:
    """A name fit for one line of text: line breaks and other controls escaped, emoji kept."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def listed(names: Sequence[str], limit: int = NAMES_SHOWN) -> str:
    """``A, B, C and 9,987 more``."""
    text = ", ".join(shown(name) for name in names[:limit])
    rest = len(names) - limit
    return f"{text} and {rest:,} more" if rest > 0 else text


def counted(count: int, one: str, many: str | None = None) -> str:
    """``1 object``, ``1,234 objects``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def role_in_name(name: str, explicit: str | None = None) -> str | None:
    """The role that a member claims, looking only behind the instancer's part of the name."""
    return role_by_words(explicit or name.rpartition(PATH_SEPARATOR)[2])


class Reading:
    """Collects notes, counts and findings while a source is read."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.skipped: dict[str, int] = {}
        self.findings: list[Finding] = []

    def note(self, sentence: str) -> None:
        """Something a person should see beside the verdict."""
        self.notes.append(sentence)

    def skip(self, kind: str, count: int) -> None:
        """Count what was left out, by kind."""
        if count:
            self.skipped[kind] = self.skipped.get(kind, 0) + count

    def fault(
        self, subject: str, sentence: str, location: Iterable[float] | None = None, **more: Any
    ) -> None:
        """A fault of the source at one member; ``more`` are further fields of the finding."""
        place = None if location is None else tuple(float(x) for x in location)
        self.findings.append(
            Finding(READING, subject, sentence, location=place, **more)  # type: ignore[arg-type]
        )

    def leave_out(
        self,
        kind: str,
        members: Sequence[tuple[str, str | None, Iterable[float] | None]],
        why: str,
        remedy: str,
        always_fault: bool = False,
    ) -> None:
        """Objects that can't be members: a finding for each that claims a role, else one note.

        ``members`` are (name, explicit role, place or ``None``). A lawn drawn as a plane is worth a
        note; a stud drawn as one is a fault, and never drops out in silence.
        """
        if not members:
            return
        self.skip(kind, len(members))
        others = []
        for name, role, place in members:
            if always_fault or role_in_name(name, role):
                sentence = f"{shown(name)} {why} and was not read as a member: {remedy}."
                self.fault(name, sentence, place)
            else:
                others.append(name)
        if others:
            what = "object" if len(others) == 1 else "objects"
            self.note(
                f"{len(others):,} {what} without a role in the name ({listed(others)}), not read "
                f"as a member: each {why}."
            )

    def extra(self) -> dict[str, Any]:
        """Keyword arguments for the structure."""
        return {
            "notes": tuple(self.notes),
            "skipped": dict(self.skipped),
            "findings": tuple(self.findings),
        }
