# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry for people who script, and one clear sentence for everything that can't be judged."""

import gzip
import json

import numpy as np
import plumbline
import pytest
from plumbline.addon.runs import judging
from plumbline.addon.runs.judging import InputError, judge
from plumbline.addon.scene.plain import structure_to_plain
from plumbline.addon.scene.submission import submission_from_structure
from plumbline.checks.timber import TimberStructure

AXES = np.eye(3)


@pytest.fixture
def structure() -> TimberStructure:
    """A stud that floats 200 mm above a sill on the ground."""
    return TimberStructure.from_boxes(
        ["Sill_01", "Stud_01"],
        [(0, 0, 0.019), (0, 0, 1.438)],
        [AXES, AXES],
        [(3.0, 0.089, 0.038), (0.038, 0.089, 2.4)],
    )


@pytest.fixture
def submission(structure, tmp_path):
    path = tmp_path / "house.json"
    path.write_text(json.dumps(submission_from_structure(structure)))
    return path


def names(result):
    return {finding.subject for finding in result.findings}


def test_every_form_of_a_structure_gives_the_same_findings(structure, submission):
    results = [
        judge(structure),
        judge(structure_to_plain(structure)),
        judge(json.loads(submission.read_text())),
        judge(submission),
        judge(str(submission)),
    ]
    assert "Stud_01" in names(results[0])
    assert {result.verdict for result in results} == {"failed"}
    assert len({tuple(f.message for f in result.findings) for result in results}) == 1
    assert results[3].source == str(submission) and results[0].source is None
    assert results[0].judgement.metrics["members"] == 2


def test_it_is_the_public_entry(structure):
    assert plumbline.judge is judge
    record = plumbline.judge(structure, profile="engineering").to_record()
    assert record["schema"] == "plumbline.result/1" and record["profile"] == "engineering"
    assert record["versions"]["numpy"] == np.__version__
    assert record["timing"]["total"] >= record["timing"]["judge"] >= 0


def test_a_task_sets_the_brief(structure):
    result = judge(structure, task="timber/cabin")
    assert result.task == "timber/cabin" and result.title


def test_the_judged_data_stay_as_they_were(submission):
    data = json.loads(submission.read_text())
    before = json.dumps(data)
    judge(data)
    assert json.dumps(data) == before


def write(path, content):
    path.write_bytes(content)
    return path


NO_JSON = b'{"members": [{"name": "Stud"'


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.blend", b"", "is empty; save it again"),
        ("a.json", b"", "is empty"),
        ("a.json", NO_JSON, r"cut off at line 1, column \d+"),
        ("a.json", b'{"members": nonsense}', r"line 1, column 13"),
        ("a.json", b'{"members": "\xff"}', "UTF-8"),
        ("a.json", b"[1, 2]", "not an object"),
        ("a.json", b"{}", 'lacks the field "members"'),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.blend", b"no blend at all", "no .blend file"),
        ("a.blend", b"BLENDER-v405" + b"\0" * 8, "cut off"),
        ("a.txt", b"hello", "is of no known kind; give a .blend"),
        ("a", b"\x00\x01\x02", "is of no known kind"),
        ("a.png", b"\x89PNG\r\n\x1a\n", "is of no known kind"),
    ],
)
def test_what_is_unreadable_is_said_in_one_sentence(tmp_path, name, content, sentence):
    path = write(tmp_path / name, content)
    with pytest.raises(InputError, match=sentence) as caught:
        judge(path)
    message = str(caught.value)
    assert str(path) in message and "\n" not in message


def test_what_is_not_there_or_no_file_is_said(tmp_path):
    with pytest.raises(InputError, match=r"missing\.blend: there is no such file; check the path"):
        judge(tmp_path / "missing.blend")
    with pytest.raises(InputError, match="is a folder; name the file in it"):
        judge(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(InputError, match=r"`plumbline report .*` shows a run"):
        judge(tmp_path)
    with pytest.raises(InputError, match="can't be read"):
        judge("a\0b.json")
    with pytest.raises(InputError, match="a int can't be judged"):
        judge(3)


def test_a_file_without_rights_is_said(submission, somebody_else, open_folder):
    path = write(open_folder / "house.json", submission.read_bytes())
    path.chmod(0o600)
    with somebody_else():
        with pytest.raises(InputError, match=r"house\.json: may not be read; give yourself"):
            judge(path)
        with pytest.raises(InputError, match=r"(may not be read|Permission denied)"):
            judge(submission)  # in a folder that may not even be looked into


def test_the_content_decides_not_the_name(submission, tmp_path):
    renamed = write(tmp_path / "house.blend", submission.read_bytes())
    assert "Stud_01" in names(judge(renamed))
    marked = write(tmp_path / "house.txt", b"\xef\xbb\xbf" + submission.read_bytes())
    assert "Stud_01" in names(judge(marked))
    assert judging._format(write(tmp_path / "old.blend1", gzip.compress(b"BLENDER"))) == "blend"


def test_unknown_choices_are_said(structure, tmp_path):
    with pytest.raises(InputError, match="no profile 'strict'; known: engineering, paper, release"):
        judge(structure, profile="strict")
    with pytest.raises(InputError, match="kind 'assembly' can't be judged; known: timber, voxel"):
        judge(structure, kind="assembly")
    with pytest.raises(InputError, match="neither a bundled task nor a folder"):
        judge(structure, task=str(tmp_path))


def test_the_checks_of_a_profile_have_names():
    ids = judging.check_ids("engineering")
    assert "load_path" in ids and len(ids) == len(set(ids))
