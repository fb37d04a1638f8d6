# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings and what people say of them as a BCF file, which building people's programs open.

BIM Collaboration Format 2.1 of buildingSMART: a zip with ``bcf.version``, ``project.bcfp`` and a
folder a topic, in it ``markup.bcf``, ``viewpoint.bcfv`` and, where there is one, ``snapshot.png``.
The order of elements is that of its schemas, which demand it. Identifiers are made from what they
stand for, so that a second export updates the topics of the first.
"""

from __future__ import annotations

import math
import re
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

from ..ranking import Group, findings_of, grouped
from ..runs import versions, wording
from ..words import check_title
from .agreement import majority
from .gather import Attempt
from .row import About, Row, category, item_of

VERSION = "2.1"
AUTHOR = "Plumbline"

_NAMESPACE = uuid.UUID("6b3c1a52-6a0e-5d0c-9a53-52c7a0d3c8f1")
_IFC_GUID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")
# 2.1 allows 45 to 60 degrees.
_FIELD_OF_VIEW = 60.0
# From there a member and what stands around it are seen, m.
_DISTANCE = 4.0
# Above the horizon, rad.
_ELEVATION = math.radians(25.0)
# Whence a place in the middle is seen: from the front right.
_FRONT_RIGHT = (0.6, -0.8)
_MOST_SELECTED = 200
_EPOCH = (2020, 1, 1, 0, 0, 0)


@dataclass
class Topic:
    """One issue: a fault that the checks found or that a person marked."""

    about: About
    title: str
    description: str
    labels: list[str]
    date: str
    author: str = AUTHOR
    members: list[str] = field(default_factory=list)
    location: Sequence[float] | None = None
    centre: Sequence[float] | None = None
    comments: list[Row] = field(default_factory=list)
    snapshot: bytes | None = None


def topics_of(
    item: About, attempt: Attempt, rows: Sequence[Row], picture: bytes | None
) -> list[Topic]:
    """The topics of one attempt: its faults of their own, then those that only people saw.

    ``rows`` are those about this attempt. What people say of a finding that follows from another
    stands under the other.
    """
    record = attempt.record
    date = _date(attempt)
    groups = grouped(findings_of(record))
    places = [g.root["location"] for g in groups if _is_place(g.root.get("location"))]
    centre = [sum(p[k] for p in places) / len(places) for k in range(3)] if places else None
    taken: set[int] = set()
    topics = []
    for group in groups:
        topic = _of_group(item, record, group, date)
        keys = {f"{f['check']}:{f['subject']}" for f in (group.root, *group.followers)}
        for index, row in enumerate(rows):
            subject = row["subject"]
            about = subject.get("key") or f"{subject.get('check')}:{subject.get('member')}"
            if index not in taken and subject["type"] in ("finding", "missed") and about in keys:
                taken.add(index)
                topic.comments.append(row)
        topic.labels += _verdict_of_people(topic.comments)
        topic.centre, topic.snapshot = centre, picture
        topics.append(topic)
    left = [row for index, row in enumerate(rows) if index not in taken]
    return topics + list(_of_people(item, record, left, centre, picture))


def _of_group(item: About, record: Mapping[str, Any], group: Group, date: str) -> Topic:
    root = group.root
    figures = [wording.quantity(root.get(n), root.get("unit")) for n in ("measured", "limit")]
    told = [root["message"]]
    told += [f"Measured {figures[0]}, limit {figures[1]}."] if all(figures) else []
    told += [f"Rule: {root['clause']}."] if root.get("clause") else []
    followers = len(group.followers)
    told += [f"{wording.count(followers, 'other finding')} would go with it."] if followers else []
    return Topic(
        (*item, "finding", root["check"], root["subject"]),
        f"{check_title(root['check'])}: {root['subject']}",
        "\n".join(told),
        [root["check"], str(record.get("attempt"))],
        date,
        members=[
            name
            for name in (root["subject"], *root.get("related", ()))
            if name != root["subject"] or root.get("subject_kind") != "place"
        ],
        location=root.get("location"),
    )


def _of_people(
    item: About,
    record: Mapping[str, Any],
    rows: Sequence[Row],
    centre: Sequence[float] | None,
    picture: bytes | None,
) -> Iterator[Topic]:
    """Faults that people marked and the checks have not, one topic a fault."""
    by_fault: dict[About, list[Row]] = {}
    for row in rows:
        subject = row["subject"]
        if subject["type"] == "missed":
            where = subject.get("member") or f"at {wording.place(subject.get('location'))}"
            by_fault.setdefault((subject["check"], where), []).append(row)
    for (check, where), said in by_fault.items():
        first = said[0]
        yield Topic(
            (*item, "missed", check, where),
            f"{check_title(check)}: {where} (marked by people)",
            "A fault that the checks have not found.",
            [check, "marked by people", str(record.get("attempt"))],
            first["time"],
            first["annotator"],
            [first["subject"]["member"]] if first["subject"].get("member") else [],
            first["subject"].get("location"),
            centre,
            said,
            picture,
        )


def _verdict_of_people(rows: Sequence[Row]) -> list[str]:
    votes: dict[str, int] = {}
    for row in rows:
        word = row["judgment"] if row["subject"]["type"] == "finding" else "agree"
        if word:
            votes[word] = votes.get(word, 0) + 1
    most = majority(votes)
    return [f"people {most}" if most != "unsure" else "people are unsure"] if most else []


def _date(attempt: Attempt) -> str:
    sessions = attempt.run.header["sessions"]
    return sessions[-1].get("ended") or sessions[-1].get("started") or "1970-01-01T00:00:00Z"


def write_bcf(
    attempts: Mapping[About, Attempt],
    rows: Sequence[Row],
    pictures: Mapping[About, bytes],
    name: str,
    guids: Mapping[str, str] | None = None,
) -> tuple[bytes, int]:
    """A BCF file of some attempts and the number of its topics.

    ``rows`` are annotations that stand, ``pictures`` PNGs by attempt, ``name`` what the project is
    called, ``guids`` IFC GlobalIds of members that have one. Deterministic.
    """
    topics = [
        topic
        for item, attempt in attempts.items()
        for topic in topics_of(
            item, attempt, [row for row in rows if item_of(row) == item], pictures.get(item)
        )
    ]
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "bcf.version", _version())
        _put(archive, "project.bcfp", _project(name))
        for index, topic in enumerate(topics):
            folder = _guid("topic", *topic.about)
            _put(archive, f"{folder}/markup.bcf", _markup(topic, folder, index))
            _put(archive, f"{folder}/viewpoint.bcfv", _viewpoint(topic, guids or {}))
            if topic.snapshot:
                _put(archive, f"{folder}/snapshot.png", topic.snapshot)
    return buffer.getvalue(), len(topics)


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def _guid(*words: str) -> str:
    plain = "\x1f".join(words).encode("utf-8", "backslashreplace").decode("utf-8")
    return str(uuid.uuid5(_NAMESPACE, plain))


def _version() -> bytes:
    root = ET.Element("Version", VersionId=VERSION)
    _text(root, "DetailedVersion", VERSION)
    return _xml(root)


def _project(name: str) -> bytes:
    root = ET.Element("ProjectExtension")
    project = ET.SubElement(root, "Project", ProjectId=_guid("project", name))
    _text(project, "Name", name)
    _text(root, "ExtensionSchema", "")  # obligatory; empty: no words beyond those of BCF
    return _xml(root)


def _markup(topic: Topic, guid: str, index: int) -> bytes:
    root = ET.Element("Markup")
    view = _guid("viewpoint", *topic.about)
    element = ET.SubElement(root, "Topic", Guid=guid, TopicType="Issue", TopicStatus="Open")
    _text(element, "Title", topic.title)
    _text(element, "Index", str(index))
    for label in topic.labels:
        _text(element, "Labels", label)
    _text(element, "CreationDate", topic.date)
    _text(element, "CreationAuthor", topic.author)
    _text(element, "Description", topic.description)
    for row in topic.comments:
        _comment(root, topic, row, view)
    viewpoints = ET.SubElement(root, "Viewpoints", Guid=view)
    _text(viewpoints, "Viewpoint", "viewpoint.bcfv")
    if topic.snapshot:
        _text(viewpoints, "Snapshot", "snapshot.png")
    return _xml(root)


def _comment(root: ET.Element, topic: Topic, row: Row, view: str) -> None:
    subject = row["subject"]
    guid = _guid("comment", *topic.about, row["annotator"], row["time"], str(subject))
    element = ET.SubElement(root, "Comment", Guid=guid)
    _text(element, "Date", row["time"])
    _text(element, "Author", row["annotator"])
    word = "marked as a fault" if subject["type"] == "missed" else category(row) or "no judgment"
    told = [f"{word}: {', '.join(row['tags'])}" if row["tags"] else word, row["comment"]]
    _text(element, "Comment", "\n".join(t for t in told if t))
    ET.SubElement(element, "Viewpoint", Guid=view)


def _viewpoint(topic: Topic, guids: Mapping[str, str]) -> bytes:
    root = ET.Element("VisualizationInfo", Guid=_guid("viewpoint", *topic.about))
    components = ET.SubElement(root, "Components")
    if topic.members:
        selection = ET.SubElement(components, "Selection")
        for name in topic.members[:_MOST_SELECTED]:
            guid = guids.get(name, "")
            known = {"IfcGuid": guid} if _IFC_GUID.fullmatch(guid) else {}
            component = ET.SubElement(selection, "Component", known)
            _text(component, "OriginatingSystem", f"Plumbline {versions.plumbline() or ''}".strip())
            _text(component, "AuthoringToolId", name)
    ET.SubElement(components, "Visibility", DefaultVisibility="true")
    if _is_place(topic.location):
        assert topic.location is not None
        point, direction, up = camera(topic.location, topic.centre)
        element = ET.SubElement(root, "PerspectiveCamera")
        _vector(element, "CameraViewPoint", point)
        _vector(element, "CameraDirection", direction)
        _vector(element, "CameraUpVector", up)
        _text(element, "FieldOfView", f"{_FIELD_OF_VIEW:g}")
    return _xml(root)


def camera(
    location: Sequence[float], centre: Sequence[float] | None
) -> tuple[list[float], list[float], list[float]]:
    """Where a camera stands that looks at a place from outside, whither, and its up; metres.

    It looks from the side on which the place lies of ``centre``, from the front right where that
    is no side.
    """
    x, y = (location[k] - centre[k] for k in range(2)) if centre is not None else (0.0, 0.0)
    far = math.hypot(x, y)
    x, y = (x / far, y / far) if far > 0.3 else _FRONT_RIGHT
    flat, high = math.cos(_ELEVATION), math.sin(_ELEVATION)
    back = (x * flat, y * flat, high)
    point = [location[k] + back[k] * _DISTANCE for k in range(3)]
    return point, [-b for b in back], [-x * high, -y * high, flat]


def _is_place(location: Any) -> bool:
    return (
        isinstance(location, Sequence)
        and len(location) == 3
        and all(isinstance(x, (int, float)) and math.isfinite(x) for x in location)
    )


def _vector(parent: ET.Element, name: str, values: Sequence[float]) -> None:
    element = ET.SubElement(parent, name)
    for axis, value in zip("XYZ", values, strict=True):
        _text(element, axis, f"{value + 0.0:.6f}")


def _text(parent: ET.Element, name: str, text: str) -> None:
    """An element with text, of which everything is escaped that XML has no letter for."""
    lines = "\n".join(wording.printable(line) for line in text.split("\n"))
    ET.SubElement(parent, name).text = lines


def _xml(root: ET.Element) -> bytes:
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
