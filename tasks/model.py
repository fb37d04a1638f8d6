# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task is: what to build, the values it is judged with, and programs that build it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .expected import Expectation

if TYPE_CHECKING:
    from ..checks.timber.structure import TimberStructure

#: What a task may allow beyond the policy for programs: modules, `subtree.name` of operators, parts
#: of bpy.data, other paths within bpy, and attributes.
POLICY_FIELDS = ("imports", "operators", "data", "blender", "attributes")

#: A text file of a task is no longer, bytes: a program of 1,548 members takes 0.2 MB.
_LARGEST_TEXT = 16 << 20
# Parts of a message are cut after so many characters: names and values may be of any length.
_LONGEST_PART = 240


class TaskError(ValueError):
    """A task file with a fault.

    The message is one sentence: file, place in it, what is wrong, and what to write instead.
    """

    def __init__(self, file: Path | str, place: str, problem: str, remedy: str) -> None:
        self.file = str(file)
        self.place = _one_line(place)
        self.problem = _one_line(problem)
        self.remedy = remedy
        where = f"{file}: {self.place}" if place else str(file)
        super().__init__(f"{where}: {self.problem}; {remedy}")


def _one_line(text: str) -> str:
    """What may hold words of strangers, so that it stays a part of one sentence."""
    if len(text) > _LONGEST_PART:
        text = f"{text[:_LONGEST_PART]}..."
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def read_text(file: Path) -> str:
    """Text of a task file. Raises :class:`TaskError` if it can't be read."""
    try:
        status = os.stat(file)
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise TaskError(file, "", "is no file", "put a text file there")  # a pipe never ends
        if status.st_size > _LARGEST_TEXT:
            raise TaskError(file, "", "is larger than 16 MB", "no task needs as much; shorten it")
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TaskError(file, "", "no such file", "every task and twin needs one") from None
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise TaskError(file, place, "not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise TaskError(file, "", f"can't be read ({error.strerror})", "check its rights") from None


class TwinOrigin(Protocol):
    """What a twin that is made in code has instead of files."""

    def program(self) -> str:
        """The whole program."""
        ...

    def patch(self) -> str:
        """The lines that make the defect; raises :class:`TaskError` where it isn't lines."""
        ...


@dataclass(frozen=True)
class Twin:
    """A flawed twin: the known-good program of a task with exactly one named defect.

    ``id`` is unique within the task, ``defect`` is one sentence that says what was done to the
    sound structure, ``expected`` is the mapping from ``expected.json`` (see :mod:`.expected`),
    ``path`` the twin's folder. ``origin`` is there for twins that are made in code.
    """

    id: str
    title: str
    defect: str
    expected: Mapping[str, Any]
    path: Path
    origin: TwinOrigin | None = field(default=None, repr=False, compare=False)

    @property
    def expectation(self) -> Expectation:
        """``expected`` in a form that findings can be compared with."""
        return Expectation.from_mapping(self.expected)

    def program(self) -> str:
        """The whole program: the sound structure, then the few lines that make the defect."""
        if self.origin is not None:
            return self.origin.program()
        sound = read_text(self.path.parents[1] / "build.py")
        return f"{sound.rstrip()}\n\n\n# The defect: {self.defect}\n{self.patch()}"

    def patch(self) -> str:
        """Only the lines that make the defect.

        Raises :class:`TaskError` for a twin that is another program from the start.
        """
        if self.origin is not None:
            return self.origin.patch()
        return read_text(self.path / "patch.py")


class Origin(Protocol):
    """What a task of a pack has instead of files that somebody wrote."""

    @property
    def has_program(self) -> bool:
        """Whether there is a known-good program."""
        ...

    def program(self) -> str:
        """Its source. Raises :class:`TaskError` if there is none or it can't be made."""
        ...

    def truth(self) -> TimberStructure | None:
        """The structure that the task was made from, ``None`` where it isn't known."""
        ...

    def why_no_truth(self) -> str | None:
        """One sentence where :meth:`truth` is ``None`` though there should be one."""
        ...

    def references(self) -> Mapping[str, bytes]:
        """PNG by canonical view (``front``, ``front_right`` ...); empty without pictures."""
        ...


@dataclass(frozen=True)
class Task:
    """One task: ``id`` is KIND/NAME, ``brief`` the values that the checks are given.

    ``constraints`` are those of the published task format (footprint_x, footprint_y, stories,
    roof_type, lot_width, lot_depth, wings, complexity, roof_pitch, overhang); lengths in m, the
    pitch in degrees. ``path`` is the task's folder, or ``PACK/NAME`` of a pack that is one file.
    ``policy`` is what programs for it may use beyond what every program may: lists of names by
    :data:`POLICY_FIELDS`. ``origin`` is there for tasks of packs. ``prompts`` is what is asked in
    each turn where a kind has turns; else it is empty and ``description`` says all.
    """

    id: str
    kind: str
    title: str
    style: str
    description: str
    constraints: Mapping[str, Any]
    brief: Mapping[str, Any]
    path: Path
    twins: tuple[Twin, ...] = ()
    policy: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origin: Origin | None = field(default=None, repr=False, compare=False)
    prompts: tuple[str, ...] = ()

    @property
    def has_program(self) -> bool:
        """Whether there is a known-good program; tasks of other people's packs have none."""
        if self.origin is not None:
            return self.origin.has_program
        return (self.path / "build.py").is_file()

    def program(self) -> str:
        """Source of the known-good Blender program. Raises :class:`TaskError` without one."""
        if self.origin is not None:
            return self.origin.program()
        return read_text(self.path / "build.py")

    def truth(self) -> TimberStructure | None:
        """The structure that the task was made from; ``None`` where it isn't known."""
        return self.origin.truth() if self.origin is not None else None

    def why_no_truth(self) -> str | None:
        """One sentence where a truth is stored that can't be trusted; else ``None``."""
        return self.origin.why_no_truth() if self.origin is not None else None

    def references(self) -> Mapping[str, bytes]:
        """Reference pictures that came with the task, PNG by view; empty without."""
        return self.origin.references() if self.origin is not None else {}

    def twin(self, twin_id: str) -> Twin:
        """The twin of that id. Raises ``KeyError`` naming the ones there are."""
        for twin in self.twins:
            if twin.id == twin_id:
                return twin
        known = ", ".join(twin.id for twin in self.twins) or "none"
        raise KeyError(f"{self.id} has no twin {twin_id!r}; known: {known}")
