# SPDX-License-Identifier: GPL-3.0-or-later
"""A trajectory as plain data that JSON can hold, and back. Numbers that are none become null."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from .bodies import Body, Driver, Floats, TrajectoryError
from .plain_kinds import checked
from .reading import is_number, shown
from .surroundings import ForceField, Joint, Liquid
from .trajectory import Distances, Trajectory

SCHEMA = "plumbline.trajectory/1"

# Arrays of more numbers are packed, as base64 of little-endian values.
_LISTED = 4096
_PACKED = ("<f8", "<f4", "<i8", "|b1")

_ARRAYS: dict[type, dict[str, str]] = {
    Body: {
        **dict.fromkeys(("vertices", "collision_vertices", "inertia", "rest_lengths"), "f8"),
        **dict.fromkeys(("triangles", "pinned"), "i8"),
    },
    Liquid: dict.fromkeys(("volume", "added", "leaked", "inside", "level"), "f8"),
    Distances: {
        **dict.fromkeys(("frame", "first", "second", "measured"), "i8"),
        **dict.fromkeys(("distance", "point", "normal"), "f8"),
    },
    Trajectory: {
        "frames": "i8",
        "kinematic": "b1",
        **dict.fromkeys(("position", "quaternion", "gravity", "velocity"), "f8"),
        **dict.fromkeys(("angular_velocity", "scale"), "f8"),
    },
}
_WIDTHS = {
    **dict.fromkeys(("position", "velocity", "angular_velocity", "scale"), (3,)),
    "quaternion": (4,),
    "kinematic": (),
}
# Trailing axes of arrays that may be empty, which a list can't tell.
_EMPTY = {
    **dict.fromkeys(("vertices", "triangles", "point", "normal"), (0, 3)),
    "measured": (0, 2),
}
_AXES = {
    **dict.fromkeys(("position", "velocity", "angular_velocity", "scale", "quaternion"), 3),
    **dict.fromkeys(("vertices", "collision_vertices", "triangles", "point", "normal"), 2),
    **dict.fromkeys(("measured", "kinematic"), 2),
}


def to_plain(trajectory: Trajectory) -> dict[str, Any]:
    """The trajectory as dicts, lists and numbers; ``json.dumps(..., allow_nan=False)`` takes it."""
    plain = {"schema": SCHEMA, **_plain(trajectory)}
    plain["bodies"] = [_plain(body) for body in trajectory.bodies]
    for name in ("joints", "liquids", "fields"):
        plain[name] = [_plain(item) for item in getattr(trajectory, name)]
    plain["meshes"] = {name: pack(mesh) for name, mesh in trajectory.meshes.items()}
    plain["distances"] = None if trajectory.distances is None else _plain(trajectory.distances)
    return plain


def from_plain(data: Any) -> Trajectory:
    """A trajectory from its plain form. Raises :class:`TrajectoryError`, which names the place."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise TrajectoryError(f'trajectory: "schema" must be "{SCHEMA}"')
    parts: dict[str, Any] = {
        "bodies": tuple(
            _body(item, f"body {k + 1}") for k, item in enumerate(_list(data, "bodies"))
        ),
        "joints": tuple(_made(Joint, item, "joint") for item in _list(data, "joints")),
        "liquids": tuple(_made(Liquid, item, "liquid") for item in _list(data, "liquids")),
        "fields": tuple(_made(ForceField, item, "field") for item in _list(data, "fields")),
        "meshes": _meshes(data.get("meshes")),
    }
    distances = data.get("distances")
    if distances is not None:
        parts["distances"] = _made(Distances, distances, "distances")
    rest = {k: v for k, v in data.items() if k not in parts and k not in ("schema", "distances")}
    if not parts["bodies"]:  # a list of empty lists doesn't tell its last axis
        frames = unpack(rest.get("frames", []), "i8").size
        for key, width in _WIDTHS.items():
            if isinstance(rest.get(key), list) and not any(rest.pop(key)):
                parts[key] = np.zeros((frames, 0, *width))
    return _made(Trajectory, rest, "trajectory", parts)


def _meshes(data: Any) -> dict[str, Floats]:
    if data is not None and not isinstance(data, Mapping):
        raise TrajectoryError("trajectory: meshes must be an object")
    found = {str(name): unpack(mesh, "f8") for name, mesh in (data or {}).items()}
    for name, mesh in found.items():
        if mesh.ndim != 3:
            raise TrajectoryError(f"trajectory: the mesh of {name!r} must have 3 axes")
    return found


def pack(array: Any) -> Any:
    """An array as nested lists, or packed where it is large."""
    array = np.asarray(array)
    if array.size <= _LISTED:
        return _nulls(array.tolist())
    kind = next(k for k in _PACKED if np.dtype(k).kind == array.dtype.kind)
    raw = np.ascontiguousarray(array, dtype=kind).tobytes()
    return {"shape": list(array.shape), "dtype": kind, "base64": base64.b64encode(raw).decode()}


def unpack(data: Any, kind: str) -> Any:
    """The array of :func:`pack`, with null as NaN. Raises :class:`TrajectoryError`."""
    try:
        if isinstance(data, Mapping):
            if data["dtype"] not in _PACKED:
                raise ValueError(f"dtype {shown(data['dtype'])}")
            raw = np.frombuffer(base64.b64decode(data["base64"], validate=True), data["dtype"])
            return raw.reshape(data["shape"]).astype(kind)
        return np.array(data, dtype=object).astype(kind)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise TrajectoryError(f"an array can't be read: {error}") from error


def _nulls(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_nulls(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _nulls(item) for key, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(item: Any) -> dict[str, Any]:
    """A dataclass's own fields; those that are dataclasses are left to the caller."""
    plain: dict[str, Any] = {}
    for entry in fields(item):
        value = getattr(item, entry.name)
        if isinstance(value, np.ndarray):
            plain[entry.name] = pack(value)
        elif entry.name == "pieces":
            plain["pieces"] = [pack(piece) for piece in value]
        elif entry.name == "drivers" and value is not None:
            plain["drivers"] = [{"kind": d.kind, "detail": d.detail} for d in value]
        else:
            plain[entry.name] = _nulls(value)
    return plain


def _body(data: Any, place: str) -> Body:
    if not isinstance(data, Mapping):
        raise TrajectoryError(f"{place}: must be an object")
    extra: dict[str, Any] = {"pieces": tuple(unpack(p, "f8") for p in _list(data, "pieces"))}
    if data.get("drivers") is not None:
        listed = _list(data, "drivers")
        extra["drivers"] = tuple(_made(Driver, d, f"{place}: driver") for d in listed)
    rest = {k: v for k, v in data.items() if k not in ("pieces", "drivers")}
    return _made(Body, rest, place, extra)


def _made(kind: type, data: Any, place: str, extra: Mapping[str, Any] | None = None) -> Any:
    """A dataclass from its plain fields; arrays are unpacked, lists become tuples."""
    if not isinstance(data, Mapping):
        raise TrajectoryError(f"{place}: must be an object")
    known = {entry.name: entry.type for entry in fields(kind)}
    for key in data:
        if key not in known:
            raise TrajectoryError(f"{place}: unknown field {shown(key)}")
    arrays = _ARRAYS.get(kind, {})
    values = dict(extra or {})
    for key, value in data.items():
        if key in arrays:
            optional = value is None and "None" in str(known[key])
            values[key] = None if optional else _array(value, arrays[key], key, place)
        elif key == "reach" and not is_number(value):
            values[key] = unpack(value, "f8")
        else:
            values[key] = checked(known[key], value, f"{place}: {key}")
    needed = [f.name for f in fields(kind) if f.default is MISSING is f.default_factory]
    missing = [name for name in needed if name not in values]
    if missing:
        raise TrajectoryError(f"{place}: {', '.join(missing)} missing")
    try:
        return kind(**values)
    except TrajectoryError:
        raise
    except (TypeError, AttributeError, ValueError, IndexError) as error:
        raise TrajectoryError(f"{place}: a value is of the wrong kind ({error})") from error


def _array(value: Any, kind: str, key: str, place: str) -> Floats:
    """An array with as many axes as its field has; their lengths are for the field's owner."""
    array: Floats = unpack(value, kind)
    if not array.size and key in _EMPTY:
        return array.reshape(_EMPTY[key])
    if array.ndim != _AXES.get(key, 1):
        raise TrajectoryError(f"{place}: {key} must have {_AXES.get(key, 1)} axes")
    return array


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key) or []
    if not isinstance(value, list):
        raise TrajectoryError(f"{key} must be a list")
    return value
