# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of faults in motion in an attempt's folder: drawn once, listed in a file beside them.

``evidence.json`` tells of each fault which check found it, on whom, in which frame, and which
``evidence-*.png`` show it. Folders come from others too: whatever is odd in it reads as absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from .. import bundled
from ..agent.bench import Scene
from .runfolder import PICTURE
from .storage import is_own_file, write_whole

LIST_FILE = "evidence.json"
SCHEMA = "plumbline.evidence/1"
_NAME = re.compile(r"evidence-[A-Za-z0-9_-]{1,80}\.png")
#: Faults and pictures of each that are read from a folder at most, and bytes of a list.
_MOST, _MOST_PICTURES, _MOST_BYTES = 24, 4, 1 << 20


@runtime_checkable
class EvidenceBench(Protocol):
    """A bench that can draw faults in motion; see :class:`..sandbox.bench.WorkerBench`."""

    def evidence(
        self,
        scene: Scene,
        record: Mapping[str, Any],
        structure: Mapping[str, Any] | None = None,
        rubric: Mapping[str, Any] | None = None,
    ) -> tuple[list[dict[str, Any]], dict[str, bytes]]: ...


@dataclass(frozen=True)
class Shown:
    """One fault with its pictures: (caption, PNG) each."""

    check: str
    subject: str
    message: str
    pictures: tuple[tuple[str, bytes], ...]


def draw(
    record: Mapping[str, Any],
    bench: EvidenceBench,
    scene: Scene,
    folder: Path,
    structure: Mapping[str, Any] | None = None,
) -> None:
    """Draw the faults of a record and the whole scene into the attempt's folder.

    ``structure`` is what was judged; without it the scene is run again. Raises ``BenchError``.
    """
    task = bundled.known(record.get("task"))
    rubric = dict(task.brief) if task is not None and task.kind == record["kind"] else None
    found, pictures = bench.evidence(scene, record, structure, rubric)
    for name, data in pictures.items():
        if name == PICTURE or _NAME.fullmatch(name):
            write_whole(folder / name, data)
    text = json.dumps({"schema": SCHEMA, "evidence": found}, indent=1)
    write_whole(folder / LIST_FILE, text + "\n")


def read(folder: Path | None) -> tuple[Shown, ...]:
    """The faults of an attempt that have pictures; none where the folder tells of none."""
    if folder is None or not is_own_file(folder, LIST_FILE):
        return ()
    path = folder / LIST_FILE
    try:
        if path.stat().st_size > _MOST_BYTES:
            return ()
        told = json.loads(path.read_text(encoding="utf-8"))
        listed = told["evidence"] if told["schema"] == SCHEMA else []
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return ()
    found = (_shown(folder, one) for one in listed[:_MOST])
    return tuple(one for one in found if one is not None and one.pictures)


def _shown(folder: Path, told: Any) -> Shown | None:
    if not isinstance(told, Mapping) or not isinstance(told.get("pictures"), list):
        return None
    pictures = []
    for one in told["pictures"][:_MOST_PICTURES]:
        name = one.get("file") if isinstance(one, Mapping) else None
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not is_own_file(folder, name):
            continue
        try:
            pictures.append((str(one.get("caption") or ""), (folder / name).read_bytes()))
        except OSError:
            continue
    check, subject, message = (str(told.get(key) or "") for key in ("check", "subject", "message"))
    return Shown(check, subject, message, tuple(pictures))
