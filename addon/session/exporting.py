# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing what people said of the open run into files. Main thread starts it; a job does it."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..annotations.figures import figures_of
from ..annotations.files import FOLDER
from ..annotations.gather import Gathered, gather
from ..annotations.page import build_page
from ..annotations.table import as_csv
from ..runs.annotations_command import bcf_of
from ..runs.storage import StorageError, make_folder, write_whole
from . import jobs, opened, sitting
from .gallery import redraw
from .job import Job

_NAMES = {"page": "agreement.html", "csv": "annotations.csv", "bcf": "findings.bcf"}

#: What the last export came to, as a sentence for the panel, and whether it failed.
told: tuple[str, bool] | None = None


def forget() -> None:
    """The extension goes."""
    global told
    told = None


def places_of(context: bpy.types.Context) -> list[Path]:
    """Folders in which judgments of the open run or file may lie, those that there are."""
    attempt = opened.attempt_of(context.scene)
    here = sitting.sitting(context)
    if here is not None:
        places = [here.desk.place, here.desk.own]
    else:
        file = Path(bpy.data.filepath).parent if bpy.data.filepath else None
        places = [attempt.run if attempt is not None else file]
    run = attempt.run.resolve() if attempt is not None else None
    return [p for p in places if p is not None and (p == run or (p / FOLDER).is_dir())]


def problem(context: bpy.types.Context) -> str | None:
    """Why nothing can be exported, as a sentence; ``None`` if it can."""
    if places_of(context):
        return None
    return "Nobody has judged anything here yet, and no run folder is open"


def usual_path(context: bpy.types.Context, form: str) -> Path:
    """Where a file of this form goes unless the person says otherwise."""
    return places_of(context)[0] / FOLDER / _NAMES[form]


def export(context: bpy.types.Context, form: str, path: str, show: bool) -> None:
    """Read all annotators' files and write one of ``page``, ``csv`` and ``bcf``."""
    places = places_of(context)
    guids = _guids(context.scene)
    target = Path(bpy.path.abspath(path))
    here = sitting.sitting(context)
    usual = target == usual_path(context, form)
    own = here.desk.own / FOLDER / target.name if here is not None and usual else None

    def work(_: Job) -> Path:
        found = gather(places)
        try:
            return _put(form, found, target, guids)
        except StorageError:
            if own is None:
                raise
            return _put(form, found, own, guids)  # a run that can't be written to: ours can

    def done(written: Path) -> None:
        _tell(f"Written: {written}", failed=False)
        if show and not bpy.app.background:
            bpy.ops.wm.url_open(url=written.resolve().as_uri())

    jobs.start(f"Writing {target.name}", work, done, lambda sentence: _tell(sentence, failed=True))


def _put(form: str, found: Gathered, target: Path, guids: dict[str, str]) -> Path:
    data: bytes
    if form == "page":
        figures = figures_of(found.rows, found.records)
        data = build_page(found, figures, target.parent).encode("utf-8")
    elif form == "csv":
        data = as_csv(found.rows).encode("utf-8", "backslashreplace")
    else:
        data = bcf_of(found, target.stem, guids)[0]
    make_folder(target.parent)
    write_whole(target, data)
    return target


def _guids(scene: bpy.types.Scene) -> dict[str, str]:
    """IFC GlobalIds that objects of the scene carry as a property."""
    found = {}
    for obj in scene.objects:
        guid = obj.get("GlobalId") or obj.get("IfcGuid")
        if isinstance(guid, str):
            found[obj.name] = guid
    return found


def _tell(sentence: str, failed: bool) -> None:
    global told
    told = (sentence, failed)
    redraw()
