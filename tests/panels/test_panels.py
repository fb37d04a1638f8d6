# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels draw, held against Blender's own description of a layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")


@pytest.fixture
def draw(registered):
    """``draw(panel class)``: what its ``draw`` and header ask for."""
    from recording_layout import RecordingLayout

    def drawn(panel, method="draw"):
        layout = RecordingLayout()
        getattr(panel, method)(SimpleNamespace(layout=layout), bpy.context)
        return layout

    return drawn


def panels():
    from plumbline.panels import checks, findings, task

    return checks, findings, task


def test_before_the_first_check(draw):
    checks, findings, task = panels()
    operators = [
        g["operator"] for n, g in draw(checks.PLUMBLINE_PT_checks).items if n == "operator"
    ]
    assert operators == ["plumbline.check_scene"]
    name, button = draw(task.PLUMBLINE_PT_task).items[-1]
    assert (name, button["operator"]) == ("operator", "plumbline.build_task")
    assert not checks.PLUMBLINE_PT_each_check.poll(bpy.context)
    assert draw(findings.PLUMBLINE_PT_findings).texts() == ["Not checked yet"]
    assert draw(findings.PLUMBLINE_PT_findings, "draw_header_preset").texts() == []


def test_the_task_panel_says_what_is_wrong_with_a_twin(draw):
    from plumbline.addon import bundled

    _, _, task = panels()
    state = bpy.context.window_manager.plumbline
    for each in bundled.timber_tasks():
        state.task = each.id
        for variant in bundled.variants(each.id):
            state.variant = variant.id
            said = " ".join(draw(task.PLUMBLINE_PT_task).texts())
            assert " ".join(variant.explanation.split()) in said


def test_unreadable_tasks_are_said_in_the_panel(draw, monkeypatch):
    from plumbline.addon import bundled

    _, _, task = panels()
    monkeypatch.setattr(bundled, "trouble", lambda: "task.json of cabin is cut off")
    said = " ".join(draw(task.PLUMBLINE_PT_task).texts())
    assert "No task: task.json of cabin is cut off" in said
    with pytest.raises(RuntimeError, match="cut off"):
        bpy.ops.plumbline.build_task()


def test_verdict_and_each_check(draw, reviewed):
    checks, _, _ = panels()
    texts = draw(checks.PLUMBLINE_PT_checks).texts()
    assert "Failed: 3 faults" in texts
    assert "4 members in 0.25 s" in texts
    texts = draw(checks.PLUMBLINE_PT_each_check).texts()
    for title in ("Completeness", "Load path", "Both ends connected", "Clash", "Cantilever"):
        assert title in texts
    assert "nothing to check" in texts and "not run" in texts
    assert "needs an instrument that is not here" in " ".join(texts)
    assert "no overhang" not in " ".join(texts), "a neutral blank needs no words"
    assert "3 hidden objects were not read." in " ".join(texts)
    header = draw(checks.PLUMBLINE_PT_each_check, "draw_header_preset").texts()
    assert header == ["1", "4", "1", "1"]  # passed, failed, nothing to check, not run


def test_a_stale_result_says_so(draw, reviewed):
    checks, _, _ = panels()
    reviewed.stale = True
    said = " ".join(draw(checks.PLUMBLINE_PT_checks).texts())
    assert "Edited since this check: check again" in said


def test_findings_list_and_counts(draw, reviewed):
    _, findings, _ = panels()
    layout = draw(findings.PLUMBLINE_PT_findings)
    assert any(name == "template_list" for name, _ in layout.items)
    assert "3 severe, 1 follows" in layout.texts()
    bpy.context.window_manager.plumbline.filter_text = "stud"
    assert "2 of 4 shown" in draw(findings.PLUMBLINE_PT_findings).texts()
    assert draw(findings.PLUMBLINE_PT_findings, "draw_header_preset").texts() == ["3"]


def test_the_chosen_finding_in_full(draw, reviewed):
    _, findings, _ = panels()
    subjects = [f.subject for f in reviewed.table.findings]
    reviewed.active = subjects.index("TopPlate_01")
    said = " ".join(draw(findings.PLUMBLINE_PT_findings).texts())
    assert "TopPlate_01 floats 400 mm above the studs: lower it by 400 mm." in said
    assert "400 > 20 mm" in said and "IRC R301.1" in said and "1 other finding" in said
    reviewed.active = subjects.index("Stud_02")
    layout = draw(findings.PLUMBLINE_PT_findings)
    back = [g for n, g in layout.items if n == "operator" and g.get("text") == "TopPlate_01"]
    assert back[0]["options"].row == subjects.index("TopPlate_01")


def test_what_was_in_the_way_is_said_in_the_panel(draw, reviewed):
    _, findings, _ = panels()
    bpy.data.objects["Stud_02"].hide_set(True)
    subjects = [f.subject for f in reviewed.table.findings]
    bpy.ops.plumbline.show_finding(row=subjects.index("Stud_02"))
    assert "Stud_02 is shown again" in " ".join(draw(findings.PLUMBLINE_PT_findings).texts())
    bpy.ops.plumbline.show_finding(row=subjects.index("TopPlate_01"))
    assert "shown again" not in " ".join(draw(findings.PLUMBLINE_PT_findings).texts())


def test_in_edit_mode_the_list_says_what_to_do_and_does_nothing(draw, reviewed):
    _, findings, _ = panels()
    bpy.context.view_layer.objects.active = bpy.data.objects["Stud_01"]
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Leave Edit Mode" in " ".join(draw(findings.PLUMBLINE_PT_findings).texts())
    bpy.context.window_manager.plumbline.active_row = 0
    assert reviewed.active == -1


def test_rows(reviewed):
    from plumbline.panels.findings import PLUMBLINE_UL_findings
    from recording_layout import RecordingLayout

    state = bpy.context.window_manager.plumbline
    for place, row in enumerate(reviewed.table.view(state.query()).shown):
        finding = reviewed.table.findings[row]
        layout = RecordingLayout()
        PLUMBLINE_UL_findings.draw_item(
            None, bpy.context, layout, state, None, 0, state, "active_row", place
        )
        icon = next(g["icon"] for n, g in layout.items if n == "label")
        expected = {"Stud_02": "FORWARD", "roof": "CURSOR"}.get(finding.subject, "CANCEL")
        assert icon == expected and layout.texts()[0] == finding.subject
    layout = RecordingLayout()
    PLUMBLINE_UL_findings.draw_filter(None, bpy.context, layout)
    assert len(layout.texts()) == 4


def test_the_list_widget_gets_one_flag_an_item_and_no_order(reviewed):
    from plumbline.panels.findings import PLUMBLINE_UL_findings

    state = bpy.context.window_manager.plumbline
    widget = SimpleNamespace(bitflag_filter_item=1 << 30)
    flags, order = PLUMBLINE_UL_findings.filter_items(widget, bpy.context, state, "rows")
    assert flags == [1 << 30] * len(state.rows) == [1 << 30] * 4 and order == []


def test_the_menu_of_checks(draw, reviewed):
    from plumbline.panels.findings import PLUMBLINE_MT_filter_check

    assert len(draw(PLUMBLINE_MT_filter_check).texts()) == 4
    bpy.ops.plumbline.filter_check(check="load_path")
    assert draw(PLUMBLINE_MT_filter_check).texts()[0] == "All checks"


def test_nothing_at_fault(draw, reviewed):
    from plumbline.addon import review
    from plumbline.checks.result import CheckResult, Judgement

    sound = Judgement("timber", "engineering", (CheckResult("clash", "passed"),))
    review.keep(bpy.context.scene, review.Review(sound, reviewed.structure, None, 0.1))
    checks, findings, _ = panels()
    assert draw(findings.PLUMBLINE_PT_findings).texts() == ["Nothing at fault"]
    assert "Passed: no fault" in draw(checks.PLUMBLINE_PT_checks).texts()


@pytest.mark.parametrize("width", [60, 120, 200, 400, 4000])
def test_sentences_are_wrapped_to_the_width_and_lose_nothing(width):
    import blf
    from plumbline.panels.text import lines_of

    sentence = "Joist_with_a_very_long_name_indeed_007 spans 4.12 m clear; it may span 2.84 m."
    lines = lines_of(sentence, width, 11)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")
    blf.size(0, 11)
    assert all(blf.dimensions(0, line)[0] <= width for line in lines)
    assert lines_of("", width, 11) == ()
