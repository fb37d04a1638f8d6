# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks, findings, work and summary: what they draw in empty, huge and broken states."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")


@pytest.fixture
def draw(registered):
    """``draw(panel class)``: what its ``draw`` asks for."""
    from recording_layout import RecordingLayout

    def drawn(panel, method="draw", context=None):
        layout = RecordingLayout()
        getattr(panel, method)(SimpleNamespace(layout=layout), context or bpy.context)
        return layout

    return drawn


@pytest.fixture
def jobs(registered):
    from plumbline.addon.session import jobs

    yield jobs
    jobs.close()


def every_panel():
    from plumbline.panels import checks, findings, summary

    return [
        (panel, method)
        for panel in (
            checks.PLUMBLINE_PT_checks,
            checks.PLUMBLINE_PT_each_check,
            findings.PLUMBLINE_PT_findings,
            summary.PLUMBLINE_PT_summary,
            findings.PLUMBLINE_MT_filter_check,
            findings.PLUMBLINE_MT_filter_role,
        )
        for method in ("draw", "draw_header_preset")
        if method in panel.__dict__
    ]


def operators(layout):
    return [given["operator"] for name, given in layout.items if name == "operator"]


def keep(judgement, structure, **values):
    from plumbline.addon import properties, review

    found = review.Review(judgement, structure, None, 0.25, **values)
    review.keep(bpy.context.scene, found)
    properties.fit_rows(bpy.context.window_manager)
    return found


def test_nothing_raises_before_the_first_check(draw):
    for panel, method in every_panel():
        draw(panel, method)


def test_nothing_raises_without_a_scene(draw):
    """As for a moment while a file is being opened."""
    real = bpy.context
    nowhere = SimpleNamespace(
        scene=None, window_manager=real.window_manager, preferences=real.preferences,
        region=None, mode="OBJECT", space_data=None, window=real.window, area=None,
    )  # fmt: skip
    for panel, method in every_panel():
        draw(panel, method, nowhere)


def test_a_result_that_goes_between_poll_and_draw(draw, reviewed):
    from plumbline.addon import review
    from plumbline.panels.findings import PLUMBLINE_UL_findings
    from recording_layout import RecordingLayout

    state = bpy.context.window_manager.plumbline
    review.forget(bpy.context.scene)
    for panel, method in every_panel():
        draw(panel, method)
    layout = RecordingLayout()
    PLUMBLINE_UL_findings.draw_item(None, bpy.context, layout, state, None, 0, state, "", 3)
    assert layout.items == []
    widget = SimpleNamespace(bitflag_filter_item=1 << 30)
    flags, _ = PLUMBLINE_UL_findings.filter_items(widget, bpy.context, state, "rows")
    assert flags == [0] * len(state.rows)


def test_a_list_that_has_too_few_rows_yet(draw, reviewed):
    """Between a result being kept and the widget being told of it."""
    from plumbline.panels.findings import PLUMBLINE_UL_findings
    from recording_layout import RecordingLayout

    state = bpy.context.window_manager.plumbline
    state.rows.clear()
    state.rows.add()
    widget = SimpleNamespace(bitflag_filter_item=1 << 30)
    flags, _ = PLUMBLINE_UL_findings.filter_items(widget, bpy.context, state, "rows")
    assert flags == [0]
    layout = RecordingLayout()
    PLUMBLINE_UL_findings.draw_item(None, bpy.context, layout, state, None, 0, state, "", 99)
    assert layout.items == []


def test_no_members_at_all(draw):
    bpy.ops.plumbline.check_scene()
    for panel, method in every_panel():
        draw(panel, method)
    from plumbline.panels import summary

    assert "0 members" in draw(summary.PLUMBLINE_PT_summary).texts()


def test_thousands_of_findings_with_odd_characters(draw, reviewed):
    from plumbline.checks.result import CheckResult, Finding, Judgement

    odd = ("Stud\n\t01", "\u202eStud", "Stud " * 60, "", "梁_01", "a\x00b")
    findings = tuple(
        Finding(
            "bearing", f"{odd[i % len(odd)]}{i}", f"{odd[i % len(odd)]} bears nothing.\n" * 3,
            related=tuple(odd) * 40, measured=float(i % 7), limit=3.0, unit=("m", None, "%")[i % 3],
            margin=-float(i % 7), clause=odd[i % len(odd)],
        )
        for i in range(5000)
    )  # fmt: skip
    judgement = Judgement("timber", "engineering", (CheckResult("bearing", "failed", findings),))
    found = keep(judgement, reviewed.structure)
    for active in (-1, 0, 3, 4999, 5000):
        found.active = active
        for panel, method in every_panel():
            for text in draw(panel, method).texts():
                assert text.isprintable(), repr(text)
    state = bpy.context.window_manager.plumbline
    assert len(state.rows) == 5000
    found.active = 0
    from plumbline.panels import findings as panel

    assert "and 0 more" not in draw(panel.PLUMBLINE_PT_findings).texts()


def test_a_kind_without_pictures(draw, reviewed):
    from plumbline.checks.result import CheckResult, Finding, Judgement

    block = Finding("floating", "Block_1", "Block_1 floats.")
    judgement = Judgement("assembly", "v3.8", (CheckResult("floating", "failed", (block,)),))
    found = keep(judgement, SimpleNamespace(source={}, __len__=lambda: 1))
    found.structure = reviewed.structure
    found.active = 0
    for panel, method in every_panel():
        draw(panel, method)


def test_severities(draw, reviewed):
    from plumbline.checks.result import CheckResult, Finding, Judgement
    from plumbline.panels.findings import row_icon, severity_words

    slight = Finding("bearing", "Stud_01", "A little short.", measured=37e-3, limit=38e-3,
                     unit="m", margin=-1e-3)  # fmt: skip
    far = replace(slight, subject="Stud_02", measured=19e-3, margin=-19e-3)
    after = replace(far, subject="Sill_01", follows=far.key)
    place = replace(slight, subject="a place", subject_kind="place", margin=None)
    results = (CheckResult("bearing", "failed", (slight, far, after, place)),)
    found = keep(Judgement("timber", "engineering", results), reviewed.structure)
    grave = {
        f.subject: s for f, s in zip(found.table.findings, found.table.severities, strict=True)
    }
    assert grave == {
        "Stud_01": "fault", "Stud_02": "severe", "a place": "severe", "Sill_01": "follows",
    }  # fmt: skip
    assert severity_words(found.table) == "2 severe, 1 fault, 1 follows"
    icons = [row_icon(f, grave[f.subject]) for f in (slight, far, place, after)]
    assert icons == ["ERROR", "CANCEL", "CURSOR", "FORWARD"]


def test_roles_can_be_chosen(draw, reviewed):
    from plumbline.panels import findings

    assert reviewed.table.roles == ("Stud", "TopPlate")
    menu = draw(findings.PLUMBLINE_MT_filter_role)
    assert menu.texts() == ["Stud", "TopPlate"]
    bpy.ops.plumbline.filter_role(role="TopPlate")
    state = bpy.context.window_manager.plumbline
    shown = reviewed.table.view(state.query()).shown
    assert [reviewed.table.findings[row].subject for row in shown] == ["TopPlate_01"]
    assert "1 of 4 shown" in draw(findings.PLUMBLINE_PT_findings).texts()
    assert draw(findings.PLUMBLINE_MT_filter_role).texts()[0] == "All roles"
    bpy.ops.plumbline.filter_role(role="TopPlate")
    assert state.filter_role == ""


def test_few_findings_need_no_filters_unless_one_hides_something(draw, reviewed):
    from plumbline.panels import findings

    def searchable():
        items = draw(findings.PLUMBLINE_PT_findings).items
        return any(g.get("property") == "filter_text" for n, g in items if n == "prop")

    assert not searchable()
    bpy.context.window_manager.plumbline.filter_text = "stud"
    assert searchable()


def test_the_members_that_take_part_are_buttons(draw, reviewed):
    from plumbline.panels import findings

    reviewed.active = reviewed.table.row_of["load_path:TopPlate_01"]
    layout = draw(findings.PLUMBLINE_PT_findings)
    (button,) = [g for n, g in layout.items if g.get("operator") == "plumbline.show_member"]
    assert button["options"].member == "Stud_01" and "Takes part" in layout.texts()
    assert "plumbline.copy_finding" in operators(layout)


def test_the_load_path_can_be_shown_where_it_is_known(draw, reviewed):
    from plumbline.panels import findings

    def offered():
        items = draw(findings.PLUMBLINE_PT_findings).items
        return any(g.get("property") == "load_path" for n, g in items if n == "prop")

    reviewed.active = 0
    assert not offered()
    reviewed.explained = object()
    assert offered()


def test_each_check_can_be_made_again_and_tells_how_long_it_took(draw, reviewed):
    from plumbline.panels import checks

    reviewed.timing = {"clash": 0.0123, "load_path": 1.34, "section": 0.0001}
    layout = draw(checks.PLUMBLINE_PT_each_check)
    again = [g["options"].check for n, g in layout.items if g.get("operator", "").endswith("_one")]
    assert again == [c.id for c in reviewed.judgement.checks]
    words = [checks.milliseconds(s) for s in reviewed.timing.values()]
    assert words == ["12 ms", "1.3 s", "< 1 ms"]
    wide = SimpleNamespace(
        scene=bpy.context.scene, window_manager=bpy.context.window_manager,
        preferences=bpy.context.preferences, region=SimpleNamespace(width=900), mode="OBJECT",
    )  # fmt: skip
    texts = draw(checks.PLUMBLINE_PT_each_check, context=wide).texts()
    assert {"12 ms", "1.3 s", "< 1 ms"} <= set(texts)


def test_older_answers_say_so(draw, reviewed):
    from plumbline.panels import checks

    reviewed.older = frozenset({"clash", "section"})
    assert draw(checks.PLUMBLINE_PT_each_check).texts().count("older") == 2
    said = " ".join(draw(checks.PLUMBLINE_PT_checks).texts())
    assert "2 answers are from before an edit: check again" in said


def test_what_was_mended_and_what_is_new(draw, reviewed):
    from plumbline.addon.review import Changes
    from plumbline.panels import checks

    reviewed.changes = Changes(("a", "b"), ("c",))
    assert "2 mended, 1 new since the check before" in draw(checks.PLUMBLINE_PT_checks).texts()
    reviewed.changes = Changes()
    assert "since the check" not in " ".join(draw(checks.PLUMBLINE_PT_checks).texts())


def test_blind_nothing_of_the_verdict_is_seen(draw, reviewed, monkeypatch):
    from plumbline.addon.session import blind

    reviewed.active = 0
    monkeypatch.setattr(blind, "hidden", lambda context: True)
    for panel, method in every_panel():
        said = " ".join(draw(panel, method).texts())
        if panel.__name__.startswith("PLUMBLINE_MT"):
            continue  # not reachable: the panel that offers them shows the note instead
        for word in ("Failed", "failed", "TopPlate_01", "3 faults", "severe"):
            if not panel.__name__.endswith("each_check"):  # its poll keeps it away
                assert word not in said, (panel, method, said)
    from plumbline.panels import checks

    assert not checks.PLUMBLINE_PT_each_check.poll(bpy.context)
    assert not bpy.ops.plumbline.step_finding.poll()
    assert not bpy.ops.plumbline.copy_finding.poll()


def test_work_failures_and_estimates(draw, jobs, capsys):
    from plumbline.panels import checks
    from plumbline.panels.jobs import time_left

    seen = []

    def look(job):
        work = jobs.now()[0]
        work.done, work.total, work.words = 3.0, 12.0, "Bearing"
        job._began -= 4.0
        seen.append(draw(checks.PLUMBLINE_PT_checks))
        work.cancel()
        seen.append(draw(checks.PLUMBLINE_PT_checks))

    jobs.start("Checking a house", look, lambda _: None, lambda _: None)
    texts = seen[0].texts()
    assert "Checking a house" in texts and "25%" in texts
    assert "Bearing, about 12 s left" in texts
    assert "plumbline.cancel_job" in operators(seen[0])
    assert "stopping" in seen[1].texts()
    jobs.start("Pictures", lambda job: 1 / 0, lambda _: None, lambda _: None)
    layout = draw(checks.PLUMBLINE_PT_checks)
    assert "ZeroDivisionError: division by zero" in layout.texts()
    dismiss = next(g for n, g in layout.items if g.get("operator") == "plumbline.dismiss_failure")
    bpy.ops.plumbline.dismiss_failure(serial=dismiss["options"].serial)
    assert "ZeroDivisionError: division by zero" not in draw(checks.PLUMBLINE_PT_checks).texts()
    words = [time_left(s) for s in (0.4, 12.3, 43, 130, 9000)]
    assert words == [
        "a moment left", "about 12 s left", "about 45 s left", "about 2 min left",
        "about 2.5 h left",
    ]  # fmt: skip
    capsys.readouterr()


def test_the_live_switch_says_why_a_scene_is_left_alone(draw, reviewed, monkeypatch):
    from plumbline.addon.session import live_check
    from plumbline.panels import checks

    monkeypatch.setattr(live_check, "MOST_OBJECTS", 3)
    assert "Not live here" not in " ".join(draw(checks.PLUMBLINE_PT_checks).texts())
    bpy.context.window_manager.plumbline_live.on = True
    assert "Not live here: reading 4 objects" in " ".join(draw(checks.PLUMBLINE_PT_checks).texts())


def test_the_summary(draw, reviewed):
    from plumbline.panels import summary

    layout = draw(summary.PLUMBLINE_PT_summary)
    texts = layout.texts()
    assert "Failed: 3 severe, 1 follows" in texts and "4 members" in texts
    assert "Engineering" in texts and "none: the usual loads" in texts
    assert operators(layout) == ["plumbline.check_scene", "plumbline.show_tab"]
    assert draw(summary.PLUMBLINE_PT_summary, "draw_header_preset").texts() == ["failed"]
