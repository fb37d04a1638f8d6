# SPDX-License-Identifier: GPL-3.0-or-later
"""BCF files: what the schemas of buildingSMART (BCF 2.1) demand of their structure holds.

The tables below state in our own form the elements of ``markup.xsd``, ``visinfo.xsd``,
``project.xsd`` and ``version.xsd`` that we write: their order and which of them must be there.
"""

import io
import math
import re
import zipfile
from xml.etree import ElementTree as ET

import pytest
from judged_run import EVIL, FOLLOWS, LOAD, PNG, SPAN, finding, make_run, missed, store
from plumbline.addon.annotations.bcf import camera
from plumbline.addon.annotations.gather import gather
from plumbline.addon.runs.annotations_command import bcf_of

GUID = re.compile(r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

# Element -> its children in the order of the schema; ! must be there, * may be repeated.
ORDER = {
    "Version": "DetailedVersion",
    "ProjectExtension": "Project ExtensionSchema!",
    "Project": "Name",
    "Markup": "Header Topic! Comment* Viewpoints*",
    "Topic": "ReferenceLink* Title! Priority Index Labels* CreationDate! CreationAuthor! "
    "ModifiedDate ModifiedAuthor DueDate AssignedTo Stage Description BimSnippet",
    "Comment": "Date! Author! Comment! Viewpoint ModifiedDate ModifiedAuthor",
    "Viewpoints": "Viewpoint Snapshot Index",
    "VisualizationInfo": "Components OrthogonalCamera PerspectiveCamera Lines ClippingPlanes",
    "Components": "ViewSetupHints Selection Visibility! Coloring",
    "Selection": "Component*!",
    "Component": "OriginatingSystem AuthoringToolId",
    "Visibility": "Exceptions",
    "PerspectiveCamera": "CameraViewPoint! CameraDirection! CameraUpVector! FieldOfView!",
    **dict.fromkeys(("CameraViewPoint", "CameraDirection", "CameraUpVector"), "X! Y! Z!"),
}


def obey(element):
    """Whether an element and all in it has the children of the schema in its order."""
    if element.tag not in ORDER or (element.tag == "Comment" and not len(element)):
        assert len(element) == 0, element.tag
        return
    allowed = ORDER[element.tag].split()
    names = [word.rstrip("!*") for word in allowed]
    given = [child.tag for child in element]
    places = [names.index(tag) for tag in given]
    assert places == sorted(places), f"{element.tag}: {given}"
    for word, name in zip(allowed, names, strict=True):
        assert "*" in word or given.count(name) <= 1
        assert "!" not in word or name in given, f"{element.tag} lacks {name}"
    for child in element:
        obey(child)


@pytest.fixture
def run(tmp_path):
    folder = make_run(tmp_path / "run", report=False)
    store(
        folder,
        finding(folder, "anna", SPAN, "agree", comment="look <here>\nand there"),
        finding(folder, "ben", SPAN, "agree", tags=["harmless"]),
        finding(folder, "ben", FOLLOWS, "disagree"),
        missed(folder, "anna", "clear_span", "Joist_99", comment=EVIL),
        missed(folder, EVIL, "clear_span", "Joist_99"),
    )
    return folder


@pytest.fixture
def archive(run):
    data, number = bcf_of(gather([run]), "house", {"Joist_07": "2O2Fr$t4X7Zf8NOew3FLOH"})
    assert number == 3
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        assert opened.testzip() is None
        yield opened


def documents(archive):
    return {
        name: ET.fromstring(archive.read(name))
        for name in archive.namelist()
        if not name.endswith(".png")
    }


def topics(archive):
    """Markup and viewpoint of each topic by its title."""
    found = documents(archive)
    markups = {name.partition("/")[0]: d for name, d in found.items() if name.endswith(".bcf")}
    return {
        markup.findtext("Topic/Title"): (markup, found[f"{folder}/viewpoint.bcfv"])
        for folder, markup in markups.items()
    }


def test_its_files_are_those_of_a_bcf(archive):
    names = archive.namelist()
    assert names[:2] == ["bcf.version", "project.bcfp"]
    folders = {name.partition("/")[0] for name in names[2:]}
    assert len(folders) == 3
    for folder in folders:
        assert GUID.fullmatch(folder)
        own = {name.partition("/")[2] for name in names if name.startswith(folder)}
        assert own == {"markup.bcf", "viewpoint.bcfv", "snapshot.png"}
        assert archive.read(f"{folder}/snapshot.png") == PNG


def test_elements_stand_in_the_order_of_the_schemas(archive):
    roots = [root.tag for root in documents(archive).values()]
    assert sorted(set(roots)) == ["Markup", "ProjectExtension", "Version", "VisualizationInfo"]
    for root in documents(archive).values():
        obey(root)


def test_identifiers_and_dates_are_of_their_form(archive):
    for name, root in documents(archive).items():
        for element in root.iter():
            if "Guid" in element.attrib:
                assert GUID.fullmatch(element.attrib["Guid"])
            if element.tag in ("Date", "CreationDate"):
                assert DATE.fullmatch(element.text)
        if root.tag == "Markup":
            assert root.find("Topic").get("Guid") == name.partition("/")[0]
            view = documents(archive)[name.replace("markup.bcf", "viewpoint.bcfv")]
            assert root.find("Viewpoints").get("Guid") == view.get("Guid")
        if root.tag == "Version":
            assert root.get("VersionId") == "2.1"


def test_a_topic_says_what_is_wrong_and_what_people_say(archive):
    markup, view = topics(archive)["Clear span: Joist_07"]
    assert "put a beam under it" in markup.findtext("Topic/Description")
    assert "IRC R502.3.1" in markup.findtext("Topic/Description")
    labels = [label.text for label in markup.iterfind("Topic/Labels")]
    assert labels == ["clear_span", "attempts/timber/shed/1", "people agree"]
    said = {c.findtext("Author"): c.findtext("Comment") for c in markup.iterfind("Comment")}
    assert said == {"anna": "agree\nlook <here>\nand there", "ben": "agree: harmless"}
    components = view.findall("Components/Selection/Component")
    assert [c.findtext("AuthoringToolId") for c in components] == ["Joist_07", "Beam_01"]
    assert [c.get("IfcGuid") for c in components] == ["2O2Fr$t4X7Zf8NOew3FLOH", None]


def test_what_follows_stands_under_its_cause(archive):
    markup, _ = topics(archive)["Load path: Stud_03"]
    assert "1 other finding would go with it" in markup.findtext("Topic/Description")
    assert [c.findtext("Author") for c in markup.iterfind("Comment")] == ["ben"]


def test_a_fault_that_only_people_saw_is_a_topic(archive):
    markup, view = topics(archive)["Clear span: Joist_99 (marked by people)"]
    authors = [c.findtext("Author") for c in markup.iterfind("Comment")]
    assert len(authors) == 2
    assert "anna" in authors
    assert markup.findtext("Topic/CreationAuthor") == authors[0]
    assert view.find("PerspectiveCamera") is not None


def test_no_name_is_taken_for_an_ifc_guid(run):
    """A member's name of 22 letters is no GlobalId."""
    name = "1234567890123456789012"
    store(run, missed(run, "cid", "load_path", name))
    data, _ = bcf_of(gather([run]), "house")
    assert b"IfcGuid" not in b"".join(
        zipfile.ZipFile(io.BytesIO(data)).read(n)
        for n in zipfile.ZipFile(io.BytesIO(data)).namelist()
        if n.endswith(".bcfv")
    )


@pytest.mark.parametrize("centre", [None, (0.0, 0.0, 0.0), (2.0, 3.0, 9.0)])
def test_the_camera_looks_at_the_place(centre):
    place = (2.0, 3.0, 1.5)
    point, direction, up = camera(place, centre)
    assert math.hypot(*direction) == pytest.approx(1.0)
    assert math.hypot(*up) == pytest.approx(1.0)
    assert sum(a * b for a, b in zip(direction, up, strict=True)) == pytest.approx(0.0, abs=1e-9)
    away = [p - o for p, o in zip(place, point, strict=True)]
    assert [a / math.hypot(*away) for a in away] == pytest.approx(direction)
    assert up[2] > 0
    assert point[2] > place[2]
    if centre == (0.0, 0.0, 0.0):  # from outside
        assert math.hypot(*point[:2]) > math.hypot(*place[:2])


def test_a_second_export_is_the_same(run):
    found = gather([run])
    assert bcf_of(found, "house") == bcf_of(found, "house")
    assert SPAN.key != LOAD.key
