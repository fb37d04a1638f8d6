# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person says of findings and structures, as the window remembers it. Main thread only.

Rows themselves are on the disk the moment they are given (:mod:`..annotations.files`); here is only
which of them stand for the scene that is shown.
"""

from __future__ import annotations

import time
import uuid
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from ...checks.result import Finding
from .. import bundled, preferences, review, strict_json
from ..annotations import row as rows
from ..annotations.files import Desk
from ..annotations.row import Row
from ..runs import versions
from ..runs.storage import StorageError
from . import opened
from .place import own_folder

# Scenes and names whose rows are held; older ones are read again when they are shown again.
_KEPT = 64
# Tells unsaved scenes of this Blender from those of another one.
_SESSION = uuid.uuid4().hex[:12]


def _tidy_name(state: Any, _context: Any) -> None:
    tidy = rows.normal_name(state.annotator)
    if tidy != state.annotator:
        state["annotator"] = tidy


class PlumblineAnnotating(bpy.types.PropertyGroup):
    """Choices of the person in the panel Annotate."""

    annotator: bpy.props.StringProperty(
        name="Annotator",
        description="Your name: everything that you judge is kept in a file of this name",
        maxlen=200,
        update=_tidy_name,
    )
    blind: bpy.props.BoolProperty(
        name="Blind",
        description="Hide verdict, findings and colours of the checks until you have said whether "
        "this structure is sound, so that they can't sway you",
    )
    tags: bpy.props.StringProperty(
        name="Tags", description="Words for your next judgment, separated by commas"
    )
    comment: bpy.props.StringProperty(
        name="Comment", description="What you want to say with your next judgment"
    )
    rating: bpy.props.IntProperty(
        name="Rating",
        description="How good the structure is, 1 (useless) to 5 (excellent); 0 gives none",
        min=0,
        max=5,
    )


@dataclass
class Sitting:
    """One annotator before one scene: what stands of his or her rows, and since when."""

    desk: Desk
    of: dict[str, Any]
    began: float = field(default_factory=time.monotonic)
    standing: dict[rows.About, Row] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> bool:
        """Whether the structure as a whole was judged."""
        own = self.standing.get(("structure",))
        return own is not None and own["opinion"] is not None


_sittings: dict[tuple[Any, ...], Sitting] = {}


def state_of(context: bpy.types.Context) -> Any:
    """The choices of this window manager; ``None`` while the extension is not registered."""
    return getattr(context.window_manager, "plumbline_annotating", None)


def name_of(context: bpy.types.Context) -> str:
    """The annotator's name: as it was written in the panel, else that of the preferences."""
    state = state_of(context)
    if state is None:
        return ""
    if state.annotator:
        return state.annotator
    addon = context.preferences.addons.get(preferences.PACKAGE)
    return rows.normal_name(getattr(addon.preferences, "annotator", "")) if addon else ""


def sitting(context: bpy.types.Context) -> Sitting | None:
    """This annotator's rows about the scene that is shown; ``None`` without a name or a scene."""
    name, scene = name_of(context), context.scene
    if not name or scene is None:
        return None
    attempt = opened.attempt_of(scene)
    key = (scene.session_uid, name, bpy.data.filepath, attempt and (attempt.run, attempt.attempt))
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
            found.standing[rows.subject_of(one)] = one
    return found


def _about(
    scene: bpy.types.Scene, attempt: opened.OpenedAttempt | None
) -> tuple[Path | None, Path, dict[str, Any]]:
    """Where rows about a scene belong, where else they may lie, and what they name."""
    ours = own_folder("annotations")
    if attempt is not None:
        run = attempt.run.resolve()
        record = {"task": attempt.task, **attempt.record}
        of = rows.of_attempt(run.name, _started(run), attempt.attempt, record, attempt.step)
        return run, ours / _beside(run), of
    task, variant = scene.get(bundled.TASK_KEY), scene.get(bundled.VARIANT_KEY)
    file = Path(bpy.data.filepath) if bpy.data.filepath else None
    of = rows.of_scene(
        file.name if file else None,
        scene.name,
        task if isinstance(task, str) else None,
        variant if isinstance(variant, str) else None,
        None if file else f"{_SESSION}-{scene.session_uid}",
    )
    if file is None:
        return None, ours / "unsaved", of
    return file.parent, ours / _beside(file.parent), of


def _beside(folder: Path) -> str:
    """A name in our own folder for what lies in ``folder``."""
    return f"{folder.name or 'root'}-{zlib.crc32(str(folder).encode('utf-8', 'replace')):08x}"


def _started(run: Path) -> str | None:
    try:
        header = strict_json.loads((run / "run.json").read_bytes())
        started = header["sessions"][0]["started"]
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None  # an episode that is still at work, or no run
    return started if isinstance(started, str) else None


def give(context: bpy.types.Context, subject: dict[str, Any], **said: Any) -> Row:
    """Write down what the annotator says of a subject; it is on the disk when this returns.

    ``said`` are the arguments of :func:`..annotations.row.make_row`. Raises ``ValueError`` without
    a name and :class:`..runs.storage.StorageError` where no disk takes it.
    """
    from . import blind

    found = sitting(context)
    if found is None:
        raise ValueError("a judgment needs an annotator: write your name first")
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
    about = rows.subject_of(made)
    found.standing.pop(about, None)
    if not made["withdrawn"]:
        found.standing[about] = made
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


CLASSES: tuple[type, ...] = (PlumblineAnnotating,)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_annotating = bpy.props.PointerProperty(
        type=PlumblineAnnotating
    )


def detach() -> None:
    """Take it away again."""
    del bpy.types.WindowManager.plumbline_annotating
    _sittings.clear()
