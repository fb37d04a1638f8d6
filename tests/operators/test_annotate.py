# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging findings and structures: saved at once, stepping on, blind, taken back, exported."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def own_place(tmp_path, monkeypatch):
    """Nothing of the person who runs the tests is read or written."""
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "session" / "annotations"


@pytest.fixture
def anna(reviewed):
    """The small frame with two findings, and an annotator with a name."""
    state = bpy.context.window_manager.plumbline_annotating
    state.annotator = "Anna"
    return state


@pytest.fixture
def attempt(anna, tmp_path):
    """The open scene is an attempt of a run."""
    from judged_run import make_run, of
    from plumbline.addon.session.opened import OpenedAttempt, remember

    run = make_run(tmp_path / "run")
    about = of(run)
    remember(bpy.context.scene, OpenedAttempt(run, about["attempt"], {}, about["task"]))
    return run


def rows():
    """What is in the annotator's files."""
    from plumbline.addon.session import sitting

    return sitting.sitting(bpy.context).desk.read().rows


def go(found, subject):
    """Choose the finding about a member."""
    table = found.table.findings
    bpy.ops.plumbline.show_finding(row=[f.subject for f in table].index(subject))


def judge(**said):
    return bpy.ops.plumbline.judge_finding(**said)


def test_a_judgment_is_on_the_disk_and_the_next_finding_shown(anna, reviewed):
    go(reviewed, "TopPlate_01")
    anna.tags, anna.comment = "harmless, wrong figure,, ", " so what "
    assert judge(judgment="disagree") == {"FINISHED"}
    (row,) = rows()
    assert (row["annotator"], row["judgment"], row["blind"]) == ("Anna", "disagree", False)
    assert row["subject"]["key"] == "load_path:TopPlate_01"
    assert (row["tags"], row["comment"]) == (["harmless", "wrong figure"], "so what")
    assert row["automatic"]["status"] == "failed"
    assert row["seconds"] >= 0.0
    assert row["versions"]["blender"] == bpy.app.version_string
    assert (anna.tags, anna.comment) == ("", "")
    met = ["TopPlate_01"]
    while reviewed.chosen.subject not in met:
        met.append(reviewed.chosen.subject)
        judge(judgment="unsure")
    assert sorted(met) == sorted(f.subject for f in reviewed.table.findings)
    assert reviewed.chosen.subject == met[-1], "all are judged: it stays"
    assert [r["judgment"] for r in rows()] == ["disagree", *["unsure"] * (len(met) - 1)]


def test_it_stays_where_it_is_if_asked_to(anna, reviewed):
    anna.step = False
    go(reviewed, "TopPlate_01")
    judge(judgment="agree")
    assert reviewed.chosen.subject == "TopPlate_01"
    assert bpy.ops.plumbline.next_unjudged() == {"FINISHED"}
    assert reviewed.chosen.subject != "TopPlate_01"


def test_judging_again_replaces_and_withdrawing_takes_back(anna):
    from plumbline.addon.session import sitting

    bpy.ops.plumbline.show_finding(row=0)
    judge(judgment="agree")
    bpy.ops.plumbline.show_finding(row=0)
    judge(judgment="disagree")
    here = sitting.sitting(bpy.context)
    assert [r["judgment"] for r in here.standing.values()] == ["disagree"]
    assert bpy.ops.plumbline.withdraw_judgment(place=0) == {"FINISHED"}
    assert not here.standing
    assert [r["withdrawn"] for r in rows()] == [False, False, True]
    assert not bpy.ops.plumbline.withdraw_judgment.poll()


def test_what_was_said_last_is_taken_back_by_a_key(anna):
    bpy.ops.plumbline.judge_structure(opinion="faulty")
    bpy.ops.plumbline.mark_fault(member="Stud_01", check="clash", location=(0, 0, 1))
    assert bpy.ops.plumbline.withdraw_judgment() == {"FINISHED"}
    assert [r["subject"]["type"] for r in rows() if r["withdrawn"]] == ["missed"]


def test_the_scene_is_not_touched(anna):
    scene = bpy.context.scene
    before = (sorted(scene.keys()), len(bpy.data.objects), len(bpy.data.texts))
    bpy.ops.plumbline.judge_structure(opinion="sound")
    bpy.ops.plumbline.rate_structure(rating=4)
    bpy.ops.plumbline.mark_fault(member="Stud_01", check="clash", location=(0, 0, 1))
    assert (sorted(scene.keys()), len(bpy.data.objects), len(bpy.data.texts)) == before


def test_opinion_and_rating_of_a_structure_are_one_row(anna):
    from plumbline.addon.session import sitting

    bpy.ops.plumbline.judge_structure(opinion="faulty")
    bpy.ops.plumbline.rate_structure(rating=2)
    own = sitting.sitting(bpy.context).structure
    assert (own["opinion"], own["rating"], own["judgment"]) == ("faulty", 2, "agree")
    bpy.ops.plumbline.judge_structure(opinion="sound")
    own = sitting.sitting(bpy.context).structure
    assert (own["opinion"], own["rating"], own["judgment"]) == ("sound", 2, "disagree")


def test_blind_hides_until_the_structure_is_judged(anna):
    from plumbline.addon.session import blind

    anna.blind = True
    assert blind.hidden(bpy.context)
    assert not bpy.ops.plumbline.judge_finding.poll()
    assert not bpy.ops.plumbline.next_unjudged.poll()
    bpy.ops.plumbline.rate_structure(rating=3)
    assert blind.hidden(bpy.context), "a rating says nothing of soundness"
    bpy.ops.plumbline.mark_fault(member="Stud_02", check="load_path", location=(0, 0, 1))
    bpy.ops.plumbline.judge_structure(opinion="faulty")
    assert not blind.hidden(bpy.context)
    bpy.ops.plumbline.rate_structure(rating=1)
    bpy.ops.plumbline.show_finding(row=0)
    judge(judgment="agree")
    assert [r["blind"] for r in rows()] == [True, True, True, True, False]
    bpy.ops.plumbline.withdraw_judgment(place=1)
    assert blind.hidden(bpy.context), "taken back: hidden again"
    anna.annotator = "Ben"
    assert blind.hidden(bpy.context), "another annotator has not judged"


def test_a_marked_fault_says_whether_the_checks_had_it(anna):
    for member in ("TopPlate_01", "Stud_01"):
        bpy.ops.plumbline.mark_fault(member=member, check="load_path", location=(1, 2, 3))
    found, missed = rows()
    assert (found["automatic"]["found"], missed["automatic"]["found"]) == (True, False)
    assert missed["subject"]["location"] == [1.0, 2.0, 3.0]
    assert missed["judgment"] is None


def test_without_a_name_every_button_says_why(anna):
    anna.annotator = ""
    for name in ("judge_finding", "judge_structure", "rate_structure", "mark_fault", "say_more"):
        assert not getattr(bpy.ops.plumbline, name).poll()


def test_an_attempt_is_judged_beside_its_run(attempt):
    bpy.ops.plumbline.judge_structure(opinion="faulty")
    (file,) = (attempt / "annotations").iterdir()
    assert file.name.startswith("anna-")
    row = json.loads(file.read_text(encoding="utf-8"))
    assert row["of"]["attempt"] == "attempts/timber/shed/1"
    assert row["of"]["task"] == "timber/shed"
    assert row["of"]["started"]


def test_what_was_said_before_is_there_again(attempt):
    from plumbline.addon.session import sitting

    bpy.ops.plumbline.judge_structure(opinion="faulty")
    sitting.forget_all()
    assert sitting.sitting(bpy.context).structure["opinion"] == "faulty"


def test_an_edited_structure_is_another_one(attempt):
    from plumbline.addon.session import sitting

    bpy.ops.plumbline.judge_structure(opinion="faulty")
    bpy.data.objects["Stud_01"].location.x += 0.5
    bpy.context.view_layer.update()
    here = sitting.sitting(bpy.context)
    assert here.structure is None
    bpy.ops.plumbline.judge_structure(opinion="sound")
    assert [r["of"].get("edited", False) for r in here.desk.read().rows] == [False, True]


def test_a_saved_file_keeps_them_beside_it(anna, tmp_path):
    path = tmp_path / "house.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.plumbline.judge_structure(opinion="sound")
    (row,) = rows()
    assert row["of"]["file"] == "house.blend"
    assert len(list((tmp_path / "annotations").iterdir())) == 1
    text = (tmp_path / "annotations").glob("*").__next__().read_text(encoding="utf-8")
    assert str(tmp_path) not in text


def test_a_place_that_takes_nothing_is_said_and_another_found(attempt, own_place):
    from plumbline.addon.session import sitting

    (attempt / "annotations").write_text("a file where a folder should be")
    assert bpy.ops.plumbline.judge_structure(opinion="sound") == {"FINISHED"}
    told = sitting.sitting(bpy.context).desk.told
    assert "Kept in" in told
    assert len(rows()) == 1
    assert list(own_place.rglob("*.jsonl"))


@pytest.mark.parametrize("form", ["page", "csv", "bcf"])
def test_exports_of_an_attempts_run(attempt, form, tmp_path):
    from plumbline.addon.session import exporting

    bpy.data.objects["Stud_01"]["GlobalId"] = "2O2Fr$t4X7Zf8NOew3FLOH"
    bpy.ops.plumbline.judge_structure(opinion="faulty")
    path = tmp_path / f"out.{form}"
    assert bpy.ops.plumbline.export_annotations(form=form, filepath=str(path)) == {"FINISHED"}
    sentence, failed = exporting.told
    assert not failed, sentence
    if form == "bcf":
        with zipfile.ZipFile(path) as archive:
            assert sum(name.endswith("markup.bcf") for name in archive.namelist()) == 2
    else:
        assert "Anna" in path.read_text(encoding="utf-8")


def test_a_failed_export_is_one_sentence(attempt, tmp_path):
    from plumbline.addon.session import exporting

    (tmp_path / "file").write_text("")
    bpy.ops.plumbline.export_annotations(form="csv", filepath=str(tmp_path / "file" / "x.csv"))
    sentence, failed = exporting.told
    assert failed
    assert str(Path(tmp_path, "file")) in sentence


def test_nothing_to_export_is_said(anna):
    assert not bpy.ops.plumbline.export_annotations.poll()


def test_words_without_a_window_are_a_sentence(anna):
    if not bpy.app.background:
        pytest.skip("there is a window")
    with pytest.raises(RuntimeError, match="no window"):
        bpy.ops.plumbline.say_more()


def test_no_disk_anywhere_is_a_sentence_and_no_panel_falls_over(anna, tmp_path, monkeypatch):
    """A home that can't be written to, as on a school's machines."""
    from plumbline.addon.session import by_hand_session, place, recent, sitting
    from recording_layout import RecordingLayout

    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "file" / "cache"))
    sitting.forget_all()
    assert not place.own_folder("runs").exists()
    with pytest.raises(RuntimeError, match="a part of the path is a file"):
        bpy.ops.plumbline.judge_structure(opinion="sound")
    recent.look()
    assert recent.shown() == ((), ())
    by_hand_session.forget()
    assert by_hand_session.unfinished() == ()
    scenes = len(bpy.data.scenes)
    with pytest.raises(RuntimeError, match="Nothing has begun"):
        bpy.ops.plumbline.begin_by_hand()
    assert len(bpy.data.scenes) == scenes
    panel = bpy.types.PLUMBLINE_PT_annotate
    layout = RecordingLayout()
    panel.draw(type("Page", (), {"layout": layout, "is_popover": False})(), bpy.context)
    assert layout.items
