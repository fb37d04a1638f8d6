# SPDX-License-Identifier: GPL-3.0-or-later
"""Timber elements of an IFC file as members: beams, members, columns and plates by extrusion.

Needs ``ifcopenshell`` (optional, imported when first used). No ``bpy``.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ...checks.timber.roles import role_by_words
from ...checks.timber.structure import TimberStructure
from .ifc_solids import body_of
from .reading import Reading, counted, listed, shown
from .solids import BOX_FILL, FLAT, LONGEST

#: Classes whose instances can be members; subclasses count too.
CLASSES = ("IfcBeam", "IfcMember", "IfcColumn", "IfcPlate")
#: Predefined types that name a timber role, in our words. BEAM, COLUMN and the like say no more
#: than the class does.
PREDEFINED = {
    "BRACE": "Brace",
    "COLLAR": "CollarTie",
    "JOIST": "Joist",
    "LINTEL": "Header",
    "PLATE": "Plate",
    "POST": "Post",
    "PURLIN": "Purlin",
    "RAFTER": "Rafter",
    "SHEET": "Sheathing",
    "STRUT": "Strut",
    "STUD": "Stud",
}
#: Roles whose words any building uses, whatever it is made of: no sign of timber by themselves.
_COMMON_WORDS = frozenset(
    {"Beam", "BeamPost", "Brace", "Foundation", "Footing", "Pier", "Plate", "Post", "Strut"}
)
_TIMBER = re.compile(
    r"timber|lumber|wood|glulam|glued.laminated|\b(clt|lvl|psl|lsl|osb|spf|kvh|bsh)\b|spruce|pine|"
    r"\bfir\b|larch|hemlock|cedar|\boak\b|holz|fichte|bois|madera|legno|hout",
    re.IGNORECASE,
)
#: Property of any property set that states a role in our words.
ROLE_PROPERTY = "plumbline_role"


class IfcError(ValueError):
    """An IFC file that can't be read; the message names the file, or what to install."""


def structure_from_ifc(path: str | os.PathLike[str]) -> TimberStructure:
    """Members of an IFC file (IFC2X3 to IFC4X3), in metres whatever its units.

    A role is taken from a property ``plumbline_role``, else from the predefined type (STUD, RAFTER
    …), else from the name, but from names only in a file that shows somewhere that it is of timber:
    a concrete beam called beam is no timber beam. Elements without an extrusion are counted and
    named. Raises :class:`IfcError`.
    """
    path = Path(path)
    library = _library()
    model = _open(path, library)
    unit = _unit_scale(model)
    reading = Reading()
    elements = [e for name in CLASSES for e in _by_class(model, name)]
    elements.sort(key=lambda e: e.id())
    _say_others(model, elements, path, reading)
    names = _names(elements)
    stated, of_timber = _roles(elements)
    roles = _used_roles(names, stated, of_timber, elements, path, reading)
    boxes, kept, fill = [], [], {}
    without: list[tuple[str, str | None, None]] = []
    flat, long = [], []
    for i, element in enumerate(elements):
        body = body_of(element)
        if body is None:
            without.append((names[i], roles[i], None))
            continue
        center, axes, size, share = body.moved(np.eye(3) * unit).box()
        if size.min() < FLAT:
            flat.append((names[i], roles[i], center))
        elif size.max() > LONGEST:
            long.append((names[i], roles[i], center))
        else:
            boxes.append((center, axes, size))
            kept.append(i)
            if share < BOX_FILL:
                fill[names[i]] = share
    reading.leave_out(
        "no extrusion", without, "has no extruded body", "model it as an extruded profile"
    )
    reading.leave_out("flat", flat, "is flat, with no volume", "give it a thickness")
    reading.leave_out(
        "too long", long, f"is longer than {LONGEST:,.0f} m", "check the file's units"
    )
    _say_odd(fill, reading)
    return TimberStructure.from_boxes(
        [names[i] for i in kept],
        [box[0] for box in boxes],
        [box[1] for box in boxes],
        [box[2] for box in boxes],
        [roles[i] for i in kept],
        source={
            "kind": "ifc",
            "file": str(path),
            "schema": model.schema,
            "unit_scale": unit,
            "fill": fill,
        },
        **reading.extra(),
    )


def _library() -> ModuleType:
    try:
        import ifcopenshell
        import ifcopenshell.util.element
        import ifcopenshell.util.placement
        import ifcopenshell.util.unit
    except ImportError as error:
        missing = error.name or "ifcopenshell"
        raise IfcError(
            f"reading IFC needs {missing}, which this Python lacks: "
            f'"{sys.executable}" -m pip install ifcopenshell'
        ) from None
    return ifcopenshell


def _open(path: Path, library: ModuleType) -> Any:
    """The model, once the file has been seen to be whole."""
    try:
        with open(path, "rb") as file:
            head = file.read(64).lstrip()
            file.seek(max(0, file.seek(0, 2) - 256))
            tail = file.read()
    except IsADirectoryError:
        raise IfcError(f"{path} is a folder: name the IFC file in it") from None
    except FileNotFoundError:
        raise IfcError(f"{path} doesn't exist: check the path") from None
    except PermissionError:
        raise IfcError(f"{path} may not be read: give yourself the right to") from None
    except OSError as error:
        raise IfcError(f"{path} can't be read ({error.strerror or error})") from None
    if not head.startswith(b"ISO-10303-21"):
        raise IfcError(f"{path} is no IFC file in STEP form: export it as .ifc")
    if b"END-ISO-10303-21" not in tail:
        raise IfcError(f"{path} is cut off (its last line is missing): export or copy it again")
    try:
        return library.open(str(path))
    except Exception as error:  # the library's own error types differ between its versions
        raise IfcError(f"{path} can't be read as IFC: {error}; export it again") from None


def _unit_scale(model: Any) -> float:
    """Metres in the file's unit of length; metres where the file names none."""
    import ifcopenshell.util.unit

    try:
        return float(ifcopenshell.util.unit.calculate_unit_scale(model))
    except (AttributeError, IndexError, TypeError):
        return 1.0


def _by_class(model: Any, name: str) -> list[Any]:
    try:
        return list(model.by_type(name))
    except RuntimeError:  # not in this schema
        return []


def _say_others(model: Any, elements: list[Any], path: Path, reading: Reading) -> None:
    """Count the building elements that are no members: walls, slabs, openings aside."""
    ours = {e.id() for e in elements}
    others: Counter[str] = Counter()
    for element in _by_class(model, "IfcElement"):
        if element.id() not in ours and not element.is_a("IfcFeatureElement"):
            others[element.is_a().removeprefix("Ifc").removesuffix("StandardCase")] += 1
    total = sum(others.values())
    if total:
        kinds = ", ".join(f"{n} {kind}" for kind, n in others.most_common())
        reading.skip("not a member", total)
        reading.note(
            f"{counted(total, 'element')} of {path.name} can't be members by their class: {kinds}."
        )
    if not elements:
        reading.note(f"{path.name} has no beam, member, column or plate.")


def _names(elements: list[Any]) -> list[str]:
    """Names, or class and id where there is none, made unique by ``#2``, ``#3``."""
    names, taken = [], Counter[str]()
    for element in elements:
        name = element.Name or f"{element.is_a()} {element.GlobalId}"
        taken[name] += 1
        names.append(name if taken[name] == 1 else f"{name}#{taken[name]}")
    return names


def _roles(elements: list[Any]) -> tuple[list[str | None], list[bool]]:
    """The role that each element states, and whether its material or our property says timber."""
    from ifcopenshell.util.element import get_materials, get_predefined_type, get_psets

    stated: list[str | None] = []
    of_timber = []
    for element in elements:
        role = next(
            (p[ROLE_PROPERTY] for p in get_psets(element).values() if p.get(ROLE_PROPERTY)), None
        )
        ours = isinstance(role, str)
        if not ours:
            kind = str(get_predefined_type(element) or "").upper()
            role = PREDEFINED.get(kind) or role_by_words(kind.title())
            role = None if role in _COMMON_WORDS and kind not in PREDEFINED else role
        stated.append(role)
        materials = [m.Name for m in get_materials(element) if getattr(m, "Name", None)]
        of_timber.append(ours or any(_TIMBER.search(name) for name in materials))
    return stated, of_timber


def _used_roles(
    names: list[str],
    stated: list[str | None],
    of_timber: list[bool],
    elements: list[Any],
    path: Path,
    reading: Reading,
) -> list[str | None]:
    """Roles to hand on: ``None`` lets the name speak, an empty text forbids guessing from it."""
    by_name = [role_by_words(name) for name in names]
    speaks = any(role and role not in _COMMON_WORDS for role in stated + by_name)
    is_timber = speaks or any(of_timber)
    if is_timber or not elements:
        return stated
    reading.note(
        f"Nothing in {path.name} says that it is of timber: no predefined type such as STUD or "
        f"RAFTER, no property {ROLE_PROPERTY}, no timber material. Its {len(elements):,} elements "
        f"were read without roles rather than with guessed ones: {listed(names)}."
    )
    return [""] * len(elements)


def _say_odd(fill: dict[str, float], reading: Reading) -> None:
    if fill:
        each = [f"{shown(name)} fills {share:.0%}" for name, share in fill.items()]
        reading.note(
            f"{counted(len(fill), 'member is', 'members are')} no plain box and judged as the "
            f"smallest box round it: {listed(each)}."
        )
