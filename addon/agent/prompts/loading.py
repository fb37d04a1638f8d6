# SPDX-License-Identifier: GPL-3.0-or-later
"""Prompt templates: files of text with ``$names`` to fill in and ``{{other}}`` files to take in.

The first line of each file is ``# version N``: whoever changes a file counts it up. What a run was
told is told apart by the digest over all files of its kind, whether somebody remembered or not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent
COMMON = "common"

_VERSION = re.compile(r"# version (\d+)\n")
_INCLUDE = re.compile(r"^\{\{(\w+)\}\}$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")


class PromptError(ValueError):
    """A template that is missing, has no version, or lacks a value; names the file."""


class Prompts:
    """The templates of one kind of task: those of its own folder, else the common ones.

    ``folder`` is where the folders of the kinds lie.
    """

    def __init__(self, kind: str, folder: Path = FOLDER) -> None:
        self.kind = kind
        self._folder = folder
        self._read: dict[str, tuple[int, str]] = {}

    def render(self, name: str, facts: Mapping[str, object]) -> str:
        """The template ``name`` with its ``$names`` filled in from ``facts``.

        A line ``{{other}}`` takes in the template ``other``, filled in alike. Values are never
        looked into, so a ``$`` in a task's description means nothing. Blank lines that an empty
        value leaves behind are drawn together. Raises :class:`PromptError`.
        """
        return _BLANK_LINES.sub("\n\n", self._fill(name, facts, ())).strip()

    def _fill(self, name: str, facts: Mapping[str, object], above: tuple[str, ...]) -> str:
        if name in above:
            raise PromptError(f"{self._path(name)}: takes itself in")
        pieces = _INCLUDE.split(self._template(name)[1])
        for i in range(0, len(pieces), 2):
            try:
                pieces[i] = Template(pieces[i]).substitute(facts)
            except KeyError as missing:
                gap = f"nothing is given for ${missing.args[0]}"
                raise PromptError(f"{self._path(name)}: {gap}") from None
            except ValueError as error:
                raise PromptError(f"{self._path(name)}: {error}; write $$ for a dollar") from None
        for i in range(1, len(pieces), 2):
            pieces[i] = self._fill(pieces[i], facts, (*above, name)).strip()
        return "".join(pieces)

    def _path(self, name: str) -> Path:
        """File of a template: the kind's own, else the common one."""
        own = self._folder / self.kind / f"{name}.txt"
        return own if own.is_file() else self._folder / COMMON / f"{name}.txt"

    def _template(self, name: str) -> tuple[int, str]:
        if name not in self._read:
            self._read[name] = _read(self._path(name))
        return self._read[name]

    @cached_property
    def _files(self) -> dict[str, Path]:
        """All templates that this kind can use, by name."""
        folders = (self._folder / COMMON, self._folder / self.kind)
        return {path.stem: path for folder in folders for path in sorted(folder.glob("*.txt"))}

    @cached_property
    def digest(self) -> str:
        """SHA-256 over names and texts of all templates that this kind can use, in hexadecimal."""
        total = hashlib.sha256()
        for name, path in sorted(self._files.items()):
            text = path.read_text(encoding="utf-8")
            total.update(f"{name}\0{text}\0".encode())
        return total.hexdigest()

    @cached_property
    def versions(self) -> dict[str, int]:
        """Version of each template that this kind can use, by name."""
        return {name: self._template(name)[0] for name in sorted(self._files)}

    def describe(self) -> dict[str, object]:
        """What ``run.json`` says of them: digest and versions."""
        return {"kind": self.kind, "sha256": self.digest, "versions": self.versions}


def _read(path: Path) -> tuple[int, str]:
    """Version and text of a template file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PromptError(f"{path}: can't be read ({error.strerror})") from None
    head = _VERSION.match(text)
    if head is None:
        raise PromptError(f"{path}: its first line must be `# version N`")
    return int(head[1]), text[head.end() :]
