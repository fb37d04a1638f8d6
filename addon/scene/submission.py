# SPDX-License-Identifier: GPL-3.0-or-later
"""Submission JSON of the released DreamHouse harness to members, and members back to it.

A submission is ``{"members": [{name, location[3], dimensions[3], bbox_world_corners[8][3],
matrix_world[4][4]}]}``. The corners are what is judged; where the other fields tell another story
(:mod:`.agreement`) a finding says so. No ``bpy`` here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ...checks.timber.structure import TimberStructure
from .agreement import TOLERANCE, Fields, compare
from .fitting import Boxes, Floats, fit_corners, fit_solid
from .reading import Reading, listed, shown
from .solids import FARTHEST, FLAT, LONGEST

#: Fields of a member and their shapes, in the order in which sentences name them.
SHAPES: dict[str, tuple[int, ...]] = {
    "bbox_world_corners": (8, 3),
    "location": (3,),
    "dimensions": (3,),
    "matrix_world": (4, 4),
}
# What JSON calls the values that Python reads it to.
_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
#: A field of ours that may stand beside them.
ROLE_FIELD = "plumbline_role"


class SubmissionError(ValueError):
    """A submission that can't be read at all; the message names file, place and remedy."""


def structure_from_submission(
    data_or_path: Mapping[str, Any] | str | os.PathLike[str],
) -> TimberStructure:
    """Members of a submission: a path, or the object that its JSON holds.

    Raises :class:`SubmissionError` if there are no members to read: no file, broken JSON, no list
    ``members``. A fault of a single member becomes a finding of check ``reading`` and the others
    are read all the same.
    """
    if isinstance(data_or_path, Mapping):
        data, where, file = data_or_path, "the submission", None
    else:
        path = Path(data_or_path)
        data, where, file = _load(path), str(path), str(path)
    members = _members(data, where)
    reading = Reading()
    extra = sorted(map(str, set(data) - {"members"}))
    if extra:
        reading.note(f"Fields beside members in {where} were ignored: {listed(extra)}.")
    if not members:
        reading.note(f"{where} has no members.")
    return _read(members, reading, file)


def submission_from_structure(structure: TimberStructure) -> dict[str, Any]:
    """The structure as a submission whose fields agree. Explicit roles go into a field of ours."""
    matrices = np.zeros((len(structure), 4, 4))
    matrices[:, :3, :3] = structure.axes.transpose(0, 2, 1)
    matrices[:, :3, 3] = structure.center
    matrices[:, 3, 3] = 1.0
    members = []
    for name, role, location, size, corners, matrix in zip(
        structure.names,
        structure.explicit_roles,
        structure.center.tolist(),
        (2 * structure.half).tolist(),
        structure.corners.tolist(),
        matrices.tolist(),
        strict=True,
    ):
        member: dict[str, Any] = {
            "name": name,
            "location": location,
            "dimensions": size,
            "bbox_world_corners": corners,
            "matrix_world": matrix,
        }
        if role is not None:
            member[ROLE_FIELD] = role
        members.append(member)
    return {"members": members}


def _load(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SubmissionError(f"{path} doesn't exist: check the path") from None
    except IsADirectoryError:
        raise SubmissionError(f"{path} is a folder: name the JSON file in it") from None
    except PermissionError:
        raise SubmissionError(f"{path} may not be read: give yourself the right to") from None
    except UnicodeDecodeError as error:
        raise SubmissionError(
            f"{path} is no text in UTF-8 (byte {error.start}): save it as UTF-8 JSON"
        ) from None
    except OSError as error:
        raise SubmissionError(f"{path} can't be read ({error.strerror or error})") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].strip()
        if not rest or error.msg.startswith("Unterminated string"):
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
            what, remedy = "is cut off", "write it again in full"
        else:
            line, column = error.lineno, error.colno
            what, remedy = f"is no valid JSON ({error.msg})", "correct it there"
        raise SubmissionError(f"{path} {what} at line {line}, column {column}: {remedy}") from None
    except RecursionError:
        raise SubmissionError(
            f'{path} is nested too deeply to be a submission: write {{"members": […]}}'
        ) from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise SubmissionError(
            f"{path} holds a number of thousands of digits: write metres"
        ) from None


def _members(data: Any, where: str) -> list[Any]:
    if not isinstance(data, Mapping):
        raise SubmissionError(
            f'{where} holds {_KINDS[type(data)]}, not an object: write {{"members": […]}}'
        )
    if "members" not in data:
        raise SubmissionError(f'{where} lacks the field "members": list there what was built')
    members = data["members"]
    if not isinstance(members, list):
        kind = _KINDS.get(type(members), "something else")
        raise SubmissionError(f'"members" in {where} is {kind}: write a list of objects')
    return members


def _read(members: list[Any], reading: Reading, file: str | None) -> TimberStructure:
    """Fields to arrays, corners to boxes, what can't be a member set aside, fields compared."""
    records = [member if isinstance(member, dict) else {} for member in members]
    names = _names(records, reading)
    columns: dict[str, Floats] = {}
    troubles: list[list[str]] = [[] for _ in records]
    for field, shape in SHAPES.items():
        columns[field] = _column([r.get(field) for r in records], field, shape, troubles)
    fields = Fields(
        columns["bbox_world_corners"],
        columns["location"],
        columns["dimensions"],
        columns["matrix_world"],
    )
    _say_extra_fields(records, reading)
    given = np.isfinite(fields.corners).all(axis=(1, 2))
    stand_in = fields.expected_corners()
    usable = given | (np.abs(stand_in) <= FARTHEST).all(axis=(1, 2))
    points = np.where(given[:, None, None], fields.corners, stand_in)
    boxes = _boxes(points, usable)
    roles = _roles(records)
    for i in np.flatnonzero([bool(t) for t in troubles]):
        _tell_trouble(
            names[i], troubles[i], bool(given[i]), bool(usable[i]), boxes.center[i], reading
        )
    reading.skip("unreadable", int((~usable).sum()))
    keep = usable & _of_member_size(names, roles, boxes, usable, reading)
    compare(names, fields, boxes, keep & given, reading)
    kept = np.flatnonzero(keep)
    return TimberStructure.from_boxes(
        [names[i] for i in kept],
        boxes.center[kept],
        boxes.axes[kept],
        boxes.size[kept],
        [roles[i] for i in kept],
        source={"kind": "submission", "file": file},
        **reading.extra(),
    )


def _names(records: Sequence[Mapping[str, Any]], reading: Reading) -> list[str]:
    """Names, made where there is none and made unique where one comes twice."""
    plain = [record.get("name") or "" for record in records]
    if set(map(type, plain)) == {str} and len(set(plain)) == len(plain) and "" not in plain:
        return plain
    names: list[str] = []
    taken: dict[str, int] = {}
    for number, record in enumerate(records, start=1):
        name = record.get("name")
        if not isinstance(name, str) or not name:
            name = f"member_{number}"
            reading.fault(name, f"Member number {number} has no name: give it one with its role.")
        count = taken[name] = taken.get(name, 0) + 1
        if count > 1:
            unique = f"{name}#{count}"
            reading.fault(
                unique,
                f"{shown(name)} is the name of more than one member; number {number} is shown as "
                f"{shown(unique)}: give each a name of its own.",
                related=(name,),
            )
            name = unique
        names.append(name)
    return names


def _roles(records: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """Explicit roles, where a submission of ours has any."""
    roles = [record.get(ROLE_FIELD) for record in records]
    return [role if isinstance(role, str) else None for role in roles]


def _column(
    values: list[Any], field: str, shape: tuple[int, ...], troubles: list[list[str]]
) -> Floats:
    """One field of all members as (n, *shape); NaN and a word in ``troubles`` where it is unfit."""
    whole = _numbers(values, shape)
    if whole is not None and (np.abs(whole) <= FARTHEST).all():  # not true of NaN either
        return whole
    column = np.full((len(values), *shape), np.nan)
    for i, value in enumerate(values):
        trouble = None
        if value is None:
            trouble = f"{field} is missing"
        else:
            array = _numbers([value], shape)
            if array is None:
                size = " by ".join(map(str, shape))
                trouble = f"{field} is not {size} numbers"
            elif not np.isfinite(array).all():
                trouble = f"{field} is not finite (NaN or infinite)"
            elif (np.abs(array) > FARTHEST).any():
                trouble = f"{field} reaches beyond {FARTHEST / 1000:,.0f} km"
            else:
                column[i] = array[0]
        if trouble:
            troubles[i].append(trouble)
    return column


def _numbers(values: list[Any], shape: tuple[int, ...]) -> Floats | None:
    """All values as (n, *shape), or ``None`` if any of them isn't lists of numbers of that shape.

    Lists are taken apart in C; NumPy's own reading of nested lists takes twice as long.
    """
    try:
        for length in shape:
            if set(map(len, values)) != {length}:
                return None
            values = list(chain.from_iterable(values))
        if not set(map(type, values)) <= {int, float}:
            return None
        return np.array(values, dtype=np.float64).reshape(-1, *shape)
    except (TypeError, OverflowError):  # no list, or a number too large for any float
        return None


def _say_extra_fields(records: Sequence[Mapping[str, Any]], reading: Reading) -> None:
    known = {"name", ROLE_FIELD, *SHAPES}
    extra = sorted(map(str, set().union(*records) - known))
    if extra:
        reading.note(f"Fields of members that were ignored: {listed(extra)}.")


def _tell_trouble(
    name: str, troubles: list[str], corners: bool, usable: bool, place: Floats, reading: Reading
) -> None:
    """One finding on all unfit fields of one member, and on what was used instead."""
    if not usable:
        used = "it was not read: write its eight corners"
    elif corners:
        used = "its corners alone were used: write all fields, so that they can be compared"
    else:
        used = "its matrix_world and dimensions were used: write its eight corners"
    reading.fault(
        name,
        f"{shown(name)}: {', '.join(troubles)}; {used}.",
        place if usable else None,
        detail={"used": "bbox_world_corners" if corners else "matrix_world" if usable else None},
    )


def _boxes(points: Floats, usable: Any) -> Boxes:
    """Boxes round eight points each; the search takes over where they are no box."""
    safe = np.where(usable[:, None, None], points, 0.0)
    boxes = fit_corners(safe, TOLERANCE)
    for i in np.flatnonzero(usable & ~boxes.exact):
        edges = (safe[i][:, None] - safe[i][None])[np.triu_indices(8, 1)]
        normals = np.cross(edges[:, None], edges[None]).reshape(-1, 3)
        boxes.center[i], boxes.axes[i], boxes.size[i] = fit_solid(safe[i], normals, edges)
    return boxes


def _of_member_size(
    names: list[str], roles: list[str | None], boxes: Boxes, usable: Any, reading: Reading
) -> Any:
    """Which boxes have a volume and a length that members have; the others are said."""
    flat = usable & (boxes.size.min(axis=1, initial=np.inf) < FLAT)
    long = usable & (boxes.size.max(axis=1, initial=0.0) > LONGEST) & ~flat
    for kind, mask, why, remedy in (
        ("flat", flat, "is flat, with no volume", "give it a thickness"),
        ("too long", long, f"is longer than {LONGEST:,.0f} m", "check its units"),
    ):
        found = [(names[i], roles[i], boxes.center[i]) for i in np.flatnonzero(mask)]
        reading.leave_out(kind, found, why, remedy)
    return ~(flat | long)
