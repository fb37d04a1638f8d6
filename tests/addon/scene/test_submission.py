# SPDX-License-Identifier: GPL-3.0-or-later
"""Submissions: what agrees is read exactly, what contradicts itself is said, broken files too."""

import json

import numpy as np
import pytest
from plumbline.addon.scene.submission import (
    SubmissionError,
    structure_from_submission,
    submission_from_structure,
)
from plumbline.checks.timber.structure import CORNER_SIGNS, TimberStructure


def member(name="Stud_01", center=(1.0, 2.0, 3.0), size=(0.038, 0.089, 2.4), turn=None, **changes):
    turn = np.eye(3) if turn is None else turn
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, center
    corners = np.array(center) + (0.5 * CORNER_SIGNS * size) @ turn.T
    data = {
        "name": name,
        "location": list(center),
        "dimensions": list(size),
        "bbox_world_corners": corners.tolist(),
        "matrix_world": matrix.tolist(),
    }
    data.update(changes)
    return {key: value for key, value in data.items() if value is not ...}


def read(*members):
    return structure_from_submission({"members": list(members)})


def house(n=673, seed=0):
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    names = [f"Stud_{i:03}" for i in range(n)]
    return TimberStructure.from_boxes(
        names, rng.normal(size=(n, 3)) * 5, axes, rng.uniform(0.03, 4, (n, 3))
    )


def test_an_agreeing_submission_says_nothing():
    structure = read(member(), member("Sill_01", (0, 0, 0.02), (4.0, 0.14, 0.038)))
    assert structure.names == ("Stud_01", "Sill_01")
    assert structure.findings == ()
    assert structure.notes == ()
    assert 2 * structure.half[0] == pytest.approx([2.4, 0.089, 0.038])
    assert np.abs(structure.axes[0, 0]) == pytest.approx([0, 0, 1])


def test_round_trip():
    before = house()
    text = json.dumps(submission_from_structure(before))
    after = structure_from_submission(json.loads(text))
    assert after.names == before.names
    assert after.findings == ()
    assert np.abs(after.center - before.center).max() < 1e-12
    assert np.abs(after.half - before.half).max() < 1e-12


def test_explicit_roles_survive():
    structure = read(member(plumbline_role="KingStud"))
    assert structure.explicit_roles == ("KingStud",)
    again = structure_from_submission(submission_from_structure(structure))
    assert again.explicit_roles == ("KingStud",)


def test_numbers_printed_to_the_millimetre_still_agree():
    turn = np.array([[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]])
    data = member(turn=turn)
    data["bbox_world_corners"] = np.round(data["bbox_world_corners"], 3).tolist()
    structure = read(data)
    assert structure.findings == ()
    assert 2 * structure.half[0] == pytest.approx([2.4, 0.089, 0.038], abs=1.5e-3)


def test_way_one_collapsed_on_the_origin():
    """transform_apply moves the origin of every object to the world's."""
    (finding,) = read(member(location=[0, 0, 0], matrix_world=np.eye(4).tolist())).findings
    assert (finding.check, finding.subject) == ("reading", "Stud_01")
    assert finding.detail["way"] == ["collapsed"]
    assert finding.detail["fields"] == ["bbox_world_corners", "location"]
    assert "transform_apply(location=False" in finding.message
    assert "corners were used" in finding.message
    assert finding.location == pytest.approx((1, 2, 3))
    assert finding.measured == pytest.approx(np.sqrt(14))
    assert finding.margin < 0


def test_way_two_scale_squared():
    """An unapplied scale is in the dimensions already."""
    matrix = np.diag([0.038, 0.089, 2.4, 1.0])
    matrix[:3, 3] = [1, 2, 3]
    structure = read(member(matrix_world=matrix.tolist()))
    (finding,) = structure.findings
    assert finding.detail["way"] == ["scale squared"]
    assert finding.detail["fields"] == ["dimensions", "matrix_world"]
    assert 2 * structure.half[0] == pytest.approx([2.4, 0.089, 0.038])


def test_way_three_location_against_matrix():
    (finding,) = read(member(location=[1.0, 2.0, 3.5])).findings
    assert finding.detail["way"] == ["location"]
    assert finding.measured == pytest.approx(0.5)
    assert "location says (1.000, 2.000, 3.500) m" in finding.message


def test_dimensions_and_direction_that_disagree():
    (finding,) = read(member(dimensions=[0.038, 0.14, 2.4])).findings
    assert finding.detail["fields"] == ["bbox_world_corners", "dimensions"]
    turned = np.eye(4)
    turned[:3, :3] = [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]
    turned[:3, 3] = [1, 2, 3]
    (finding,) = read(member(matrix_world=turned.tolist())).findings
    assert finding.detail["way"] == ["direction"]


@pytest.mark.parametrize(("off", "faults"), [(0.9e-3, 0), (1.1e-3, 1)])
def test_the_limit_is_one_millimetre(off, faults):
    assert len(read(member(location=[1.0 + off, 2.0, 3.0])).findings) == faults


def test_corners_that_are_no_box_are_boxed():
    corners = np.array(member()["bbox_world_corners"])
    corners[0] -= [0.5, 0, 0]
    structure = read(member(bbox_world_corners=corners.tolist()))
    assert len(structure) == 1
    assert "no box" in structure.findings[0].detail["way"]


def test_order_of_corners_does_not_matter():
    data = member()
    data["bbox_world_corners"] = data["bbox_world_corners"][::-1]
    assert read(data).findings == ()


@pytest.mark.parametrize(
    ("changes", "words", "members"),
    [
        ({"dimensions": ...}, "dimensions is missing", 1),
        ({"location": None}, "location is missing", 1),
        ({"matrix_world": [[1, 2], [3, 4]]}, "matrix_world is not 4 by 4 numbers", 1),
        ({"dimensions": ["1", "2", "3"]}, "dimensions is not 3 numbers", 1),
        ({"dimensions": [True, 1, 2]}, "dimensions is not 3 numbers", 1),
        ({"location": [float("nan"), 0, 0]}, "location is not finite", 1),
        ({"bbox_world_corners": ...}, "its matrix_world and dimensions were used", 1),
        ({"bbox_world_corners": [[1e400, 0, 0]] * 8}, "its matrix_world and dimensions", 1),
        ({"bbox_world_corners": "corners", "dimensions": ...}, "was not read", 0),
        ({"bbox_world_corners": [[1, 2, 3]] * 8}, "is flat", 0),
        (
            {"bbox_world_corners": (CORNER_SIGNS * [0.02, 0.05, 2000]).tolist()},
            "is longer than 1,000 m",
            0,
        ),
        ({"location": [10**400, 0, 0]}, "location is not 3 numbers", 1),
    ],
)
def test_a_member_at_fault_is_named_and_the_others_are_read(changes, words, members):
    structure = read(member("Sill_01"), member(**changes), member("Stud_02"))
    assert len(structure) == 2 + members
    assert any(words in finding.message for finding in structure.findings)
    assert {finding.subject for finding in structure.findings} == {"Stud_01"}


@pytest.mark.parametrize("far", [1e10, -1e300, 1e308, 10**300])
def test_numbers_too_large_to_reckon_with_are_named_and_the_rest_read(far, recwarn):
    wild = member("Stud_02")
    wild["bbox_world_corners"][3][1] = far
    wild["matrix_world"][0][3] = far
    structure = read(member("Stud_01"), wild)
    assert structure.names == ("Stud_01",)
    (finding,) = structure.findings
    assert finding.subject == "Stud_02" and "reaches beyond 1,000,000 km" in finding.message
    assert not recwarn.list


def test_things_in_place_of_members():
    structure = read(member(), 5, None, "Stud")
    assert len(structure) == 1
    assert structure.skipped == {"unreadable": 3}
    assert any("Member number 2 has no name" in f.message for f in structure.findings)


def test_equal_names_stay_apart():
    structure = read(member(), member(), member())
    assert structure.names == ("Stud_01", "Stud_01#2", "Stud_01#3")
    assert [f.related for f in structure.findings] == [("Stud_01",)] * 2


def test_names_are_kept_as_they_are():
    structure = read(member("Stud\n01"), member("Stütze 🏠", dimensions=[1, 1, 1]))
    assert structure.names == ("Stud\n01", "Stütze 🏠")
    (finding,) = structure.findings
    assert "Stütze 🏠" in finding.message


def test_extra_fields_are_said_once():
    structure = structure_from_submission(
        {"members": [member(colour="red"), member("Stud_02", colour="blue")], "task_id": "AF_01"}
    )
    assert len(structure.notes) == 2
    assert "task_id" in structure.notes[0]
    assert "colour" in structure.notes[1]


def test_no_members_is_a_structure_without_members():
    structure = read()
    assert len(structure) == 0
    assert "has no members" in structure.notes[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"members": [\n  {"name": "Stud', "is cut off at line 2, column 17"),
        ("", "is cut off at line 1, column 1"),
        ('{"members": [}]}', "at line 1, column 14: correct it there"),
        ("[1, 2]", "holds a list, not an object"),
        ("{}", 'lacks the field "members"'),
        ('{"members": {}}', "is an object: write a list"),
        ("[" * 100_000, "nested too deeply"),
        ('{"members": [' + "1" * 5000 + "]}", "thousands of digits"),
    ],
)
def test_an_unreadable_file_is_one_sentence(tmp_path, text, words):
    path = tmp_path / "house.json"
    path.write_text(text)
    with pytest.raises(SubmissionError) as error:
        structure_from_submission(path)
    assert words in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_none(tmp_path):
    with pytest.raises(SubmissionError, match="doesn't exist"):
        structure_from_submission(tmp_path / "none.json")
    with pytest.raises(SubmissionError, match="is a folder"):
        structure_from_submission(tmp_path)
    latin = tmp_path / "latin.json"
    latin.write_bytes('{"members": ["Stütze"]}'.encode("latin-1"))
    with pytest.raises(SubmissionError, match="no text in UTF-8"):
        structure_from_submission(latin)


def test_a_file_without_rights(open_folder, somebody_else):
    path = open_folder / "house.json"
    path.write_text('{"members": []}')
    path.chmod(0)
    with somebody_else(), pytest.raises(SubmissionError, match="may not be read"):
        structure_from_submission(path)


@pytest.mark.benchmark(group="submission of 673 members")
def test_speed_of_reading(benchmark):
    """Parsed JSON to structure; the figure to reach is 15 ms."""
    data = json.loads(json.dumps(submission_from_structure(house())))
    assert len(benchmark(structure_from_submission, data)) == 673


@pytest.mark.benchmark(group="submission of 673 members")
def test_speed_of_parsing_alone(benchmark):
    """What ``json`` itself takes for the same file, to compare with."""
    text = json.dumps(submission_from_structure(house()))
    assert len(benchmark(json.loads, text)["members"]) == 673
