# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Annotate with a name: what it shows, blind, with thousands of rows, and broken."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def anna(reviewed):
    state = bpy.context.window_manager.plumbline_annotating
    state.annotator = "Anna"
    return state


def draw(cls=None):
    """Everything that the panel draws, header included."""
    from plumbline.panels import annotate
    from recording_layout import RecordingLayout

    cls = cls or annotate.PLUMBLINE_PT_annotate
    layout = RecordingLayout()
    page = SimpleNamespace(layout=layout, bl_rna=cls.bl_rna)
    for method in ("draw_header_preset", "draw"):
        if method in cls.__dict__:
            cls.__dict__[method](page, bpy.context)
    return layout


def operators(layout):
    return [given["operator"] for name, given in layout.items if name == "operator"]


def test_without_a_name_it_asks_for_one(reviewed):
    layout = draw()
    assert any("Write your name" in text for text in layout.texts())
    assert not operators(layout)


def test_it_shows_how_far_one_is_and_what_was_said(anna, reviewed):
    subjects = [f.subject for f in reviewed.table.findings]
    bpy.ops.plumbline.show_finding(row=subjects.index("TopPlate_01"))
    bpy.ops.plumbline.judge_finding(judgment="agree")
    bpy.ops.plumbline.judge_structure(opinion="faulty")
    bpy.ops.plumbline.rate_structure(rating=2)
    layout = draw()
    texts = layout.texts()
    assert "1 / 4" in texts
    assert "1 of 4 findings judged" in texts
    assert "Faulty, 2 of 5: the structure" in texts
    assert "Agree: TopPlate_01 (load path)" in texts
    pressed = [
        given["text"]
        for name, given in layout.items
        if name == "operator" and given.get("depress") and given.get("text")
    ]
    assert pressed == ["Faulty", "2"]


def test_blind_it_gives_nothing_away(anna, reviewed):
    reviewed.active = 0
    anna.blind = True
    told = "\n".join(draw().texts())
    for word in ("TopPlate_01", "Stud_02", "finding", "/", "Load path"):
        assert word not in told
    assert "The checks are hidden till then" in told


def test_thousands_of_rows_are_listed_a_few_at_a_time(anna):
    from plumbline.addon.annotations import row as rows
    from plumbline.addon.session import sitting

    here = sitting.sitting(bpy.context)
    for number in range(3000):
        subject = rows.missed_subject("clear_span", f"Joist_{number}", None)
        here.take(rows.make_row("Anna", here.of, subject))
    crosses = [o for o in operators(draw()) if o == "plumbline.withdraw_judgment"]
    assert len(crosses) == 8
    for first in (1, 2999, 3000, 10_000):
        anna.first = first
        assert "You said (3,000)" in draw().texts()


def test_damaged_files_are_told(anna, tmp_path):
    from plumbline.addon.annotations.files import FOLDER, file_name
    from plumbline.addon.session import sitting

    own = sitting.sitting(bpy.context).desk.own / FOLDER
    own.mkdir(parents=True)
    (own / file_name("Anna")).write_bytes(b'{"schema": "plumbl\n\xff\n{}')
    sitting.forget_all()
    assert "half-written" in " ".join(draw().texts())


def test_menus_offer_every_check_and_every_opinion(anna):
    from plumbline.addon.session import picking
    from plumbline.panels import annotate

    assert "No member was pointed at" in draw(annotate.PLUMBLINE_MT_fault).texts() or picking.kept()
    picking.keep(picking.Picked("Stud_01", (0.0, 0.0, 1.0)))
    texts = draw(annotate.PLUMBLINE_MT_fault).texts()
    assert texts[0] == "Stud_01"
    assert texts[-1] == "Something else (say in the comment)"
    assert len(texts) > 2
    assert draw(annotate.PLUMBLINE_MT_structure).texts()[:3] == ["Sound", "Faulty", "Unsure"]


def test_before_any_check_faults_of_the_chosen_rules_can_be_marked(anna):
    from plumbline.addon import review
    from plumbline.addon.session import annotating

    review.forget(bpy.context.scene)
    known = annotating.faults(bpy.context)
    assert {"load_path", "clear_span", annotating.OTHER} <= set(known)
    draw()
