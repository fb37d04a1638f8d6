# SPDX-License-Identifier: GPL-3.0-or-later
"""One annotator before one scene: what was said of it, and saying more. Main thread only.

Rows are on the disk the moment they are given (:mod:`..annotations.files`); here is which of them
stand for the scene that is shown.
"""

from __future__ import annotations

import time
import uuid
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from ...checks.result import Finding
from .. import bundled, preferences, review, strict_json
from ..annotations import row as rows
from ..annotations.files import Desk
from ..annotations.row import About, Row
from ..findings import Query
from ..review import Review
from ..runs import versions
from ..runs.runfolder import RUN_FILE
from ..runs.storage import StorageError
from . import opened
from .place import own_folder

# Scenes and names whose rows are held; older ones are read again when they are shown again.
_KEPT = 64
# Tells unsaved scenes of this Blender from those of another one.
_SESSION = uuid.uuid4().hex[:12]

STRUCTURE: About = ("structure",)
NO_NAME = "A judgment needs an annotator: write your name first"


@dataclass
class Sitting:
    """What stands of an annotator's rows about a scene, by subject, and since when it is shown."""

    desk: Desk
    of: dict[str, Any]
    began: float = field(default_factory=time.monotonic)
    standing: dict[About, Row] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    version: int = 0
    _progress: tuple[Any, tuple[int, int]] | None = None

    @property
    def structure(self) -> Row | None:
        """What was said of the structure as a whole."""
        return self.standing.get(STRUCTURE)

    @property
    def seconds(self) -> float:
        """How long the scene has been before this annotator, s."""
        return time.monotonic() - self.began

    @property
    def judged(self) -> bool:
        """Whether it was said whether the structure is sound."""
        return self.structure is not None and self.structure["opinion"] is not None

    def said(self, found: Review, index: int) -> Row | None:
        """What was said of a row of the findings."""
        return self.standing.get(abouts(found)[index])

    def progress(self, found: Review, query: Query) -> tuple[int, int]:
        """How many of the findings that are listed are judged, and how many there are; kept."""
        key = (found.serial, query, self.version)
        if self._progress is None or self._progress[0] != key:
            shown = found.table.view(query).shown
            done = sum(self.said(found, index) is not None for index in shown)
            self._progress = (key, (done, len(shown)))
        return self._progress[1]

    def take(self, row: Row) -> None:
        """Let a row stand."""
        about = rows.subject_of(row)
        self.standing.pop(about, None)
        if not row["withdrawn"]:
            self.standing[about] = row
        self.version += 1


_sittings: dict[tuple[Any, ...], Sitting] = {}
_edited: set[int] = set()  # scenes that are no longer what was loaded
_shown: tuple[int, int, float] | None = None  # serial of the review, row, since when
_abouts: tuple[int, tuple[About, ...], tuple[dict[str, Any], ...]] | None = None


def forget_all() -> None:
    """The extension goes."""
    global _abouts, _shown
    _sittings.clear()
    _edited.clear()
    _abouts = _shown = None


def note_edited(scene: bpy.types.Scene) -> None:
    """A scene was edited: what stands there is a structure of its own from now on."""
    _edited.add(scene.session_uid)


def state_of(context: bpy.types.Context) -> Any:
    """The choices of this window manager; ``None`` while the extension is not registered."""
    return getattr(context.window_manager, "plumbline_annotating", None)


def holder_of(context: bpy.types.Context) -> Any:
    """What has the annotator's name: the preferences, else the choices of this window manager."""
    addon = context.preferences.addons.get(preferences.PACKAGE)
    if addon is None or addon.preferences is None:
        return state_of(context)
    return addon.preferences


def name_of(context: bpy.types.Context) -> str:
    """The annotator's name, empty if there is none."""
    return rows.normal_name(getattr(holder_of(context), "annotator", ""))


def sitting(context: bpy.types.Context) -> Sitting | None:
    """This annotator's rows about the scene that is shown; ``None`` without a name or a scene.

    Read from the disk the first time, a look-up afterwards.
    """
    name, scene = name_of(context), context.scene
    if not name or scene is None:
        return None
    attempt = opened.attempt_of(scene)
    step = attempt and (attempt.run, attempt.attempt, attempt.step)
    edited = scene.session_uid in _edited
    key = (scene.session_uid, scene.name, name, bpy.data.filepath, step, edited)
    found = _sittings.get(key)
    if found is None:
        while len(_sittings) >= _KEPT:
            del _sittings[next(iter(_sittings))]
        found = _sittings[key] = _sit_down(name, scene, attempt)
    return found


def _sit_down(name: str, scene: bpy.types.Scene, attempt: opened.OpenedAttempt | None) -> Sitting:
    place, own, of = _about(scene, attempt)
    found = Sitting(Desk(name, place, own), of)
    item = rows.item_of({"of": of})
    try:
        sheets = found.desk.read()
    except StorageError as error:
        found.notes = (str(error),)
        return found
    found.notes = sheets.notes
    for one in rows.latest(sheets.rows):
        if rows.item_of(one) == item and one["annotator"] == name:
            found.take(one)
    return found


def _about(
    scene: bpy.types.Scene, attempt: opened.OpenedAttempt | None
) -> tuple[Path | None, Path, dict[str, Any]]:
    """Where rows about a scene belong, where else they may lie, and what they name."""
    ours = own_folder("annotations")
    session = f"{_SESSION}-{scene.session_uid}"
    edited = scene.session_uid in _edited
    if attempt is not None:
        run = attempt.run.resolve()
        record = {"task": attempt.task, **attempt.record}
        of = rows.of_attempt(run.name, _started(run), attempt.attempt, record, attempt.step)
        of = rows.of_edited(of, session) if edited else of
        return run, ours / _beside(run), of
    task, variant = review.task_of(scene), scene.get(bundled.VARIANT_KEY)
    if task is None or variant not in {known.id for known in bundled.variants(task)}:
        variant = None  # built by hand, say: no building that others have
    file = Path(bpy.data.filepath) if bpy.data.filepath else None
    of = rows.of_scene(
        file.name if file else None,
        scene.name,
        task,
        variant,
        None if file else session,
    )
    if file is None:
        of = rows.of_edited(of, session) if edited and of["task"] else of
        return None, ours / "unsaved", of
    return file.parent, ours / _beside(file.parent), of


def _beside(folder: Path) -> str:
    """A name in our own folder for what lies in ``folder``."""
    return f"{folder.name or 'root'}-{zlib.crc32(str(folder).encode('utf-8', 'replace')):08x}"


def _started(run: Path) -> str | None:
    try:
        header = strict_json.loads((run / RUN_FILE).read_bytes())
        started = header["sessions"][0]["started"]
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None  # an episode that is still at work, or no run
    return started if isinstance(started, str) else None


def subjects(found: Review) -> tuple[dict[str, Any], ...]:
    """What a row names as its subject for each finding of the table; kept for the last review."""
    return _named(found)[2]


def abouts(found: Review) -> tuple[About, ...]:
    """The same as keys of :attr:`Sitting.standing`."""
    return _named(found)[1]


def _named(found: Review) -> tuple[int, tuple[About, ...], tuple[dict[str, Any], ...]]:
    global _abouts
    if _abouts is None or _abouts[0] != found.serial:
        named = rows.finding_subjects(found.table.findings)
        about = tuple(rows.subject_of({"subject": subject}) for subject in named)
        _abouts = (found.serial, about, named)
    return _abouts


def give(context: bpy.types.Context, subject: dict[str, Any], **said: Any) -> Row:
    """Write down what the annotator says of a subject; it is on the disk when this returns.

    ``said`` are the arguments of :func:`..annotations.row.make_row`. Raises ``ValueError`` without
    a name and :class:`..runs.storage.StorageError` where no disk takes it.
    """
    from . import blind

    found = sitting(context)
    if found is None:
        raise ValueError(NO_NAME)
    said.setdefault("blind", blind.hidden(context))
    said.setdefault("automatic", automatic(context.scene))
    made = rows.make_row(
        found.desk.annotator,
        found.of,
        subject,
        versions={**versions.own(), "blender": bpy.app.version_string},
        **said,
    )
    found.desk.write(made)
    found.take(made)
    return made


def automatic(scene: bpy.types.Scene, finding: Finding | None = None) -> dict[str, Any] | None:
    """What the checks say of the scene now, as a row records it; ``None`` if it wasn't checked."""
    found = review.of(scene)
    if found is None:
        return None
    plain = {
        "profile": found.judgement.profile,
        "verdict": found.judgement.verdict,
        "faults": found.table.root_count,
    }
    if finding is not None:
        plain["status"] = found.judgement.check(finding.check).status
    return plain


def shown(found: Review) -> None:
    """Note that the chosen finding is shown from now on: whoever chooses one calls this."""
    global _shown
    _shown = (found.serial, found.active, time.monotonic())


def seconds_shown(found: Review) -> float | None:
    """How long the chosen finding has been shown, s; ``None`` if nobody knows."""
    if _shown is None or _shown[:2] != (found.serial, found.active):
        return None
    return time.monotonic() - _shown[2]


def next_unjudged(found: Review, here: Sitting, shown: Sequence[int]) -> int | None:
    """The first listed finding after the chosen one that is not judged, round the end; or none."""
    start = shown.index(found.active) + 1 if found.active in shown else 0
    order = (*shown[start:], *shown[:start])
    return next((index for index in order if here.said(found, index) is None), None)
