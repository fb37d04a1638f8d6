# SPDX-License-Identifier: GPL-3.0-or-later
"""What every button, field and panel owes to the person in front of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from small_frame import add_box, frame, registered, reviewed

bpy = pytest.importorskip("bpy")
__all__ = ["add_box", "frame", "registered", "reviewed"]

ROOT = Path(__file__).parents[2]

#: A tooltip has at least so many words: less repeats the label.
OPERATOR_WORDS, PANEL_WORDS, FIELD_WORDS = 5, 4, 3

#: Words of programmers, which tell a carpenter or a teacher nothing.
JARGON = re.compile(
    r"\b(?i:bpy|rna|callback|handler|datablock|depsgraph|enum|boolean|poll|instance of|dict|"
    r"tuple|index of|kwargs|window manager|id property|execute[sd]?)\b|\b(?:None|True|False)\b"
)

#: Operators that change what is in the file, or what is selected: each is one step of undo.
CHANGES_DATA = {
    *("build_task", "show_finding", "step_finding", "show_member", "try_code", "show_talk"),
    *("add_member", "repeat_member", "begin_by_hand", "take_up_by_hand", "bring_back_by_hand"),
    *("open_lesson", "leave_lesson", "mend_lesson", "what_if", "start_quiz", "quiz_building"),
    *("quiz_next", "end_quiz", "play_motion", "stop_motion", "remove_run_scenes"),
    *("show_moment", "watch_probes", "play_comparison"),
    *("attempt_code", "attempt_talk", "animate_blocks", "import_blocks", "play_otherwise"),
}
#: Their scenes come in later, from a thread, each as a step of undo of its own.
STEPS_COME_LATER = {
    *("start_agent", "run_in_session", "open_attempt", "step_attempt", "compare_attempts"),
    *("flip_sides", "let_it_fall", "run_probe", "compare_runs"),
}
#: Nothing in the file is different after these.
LEAVES_DATA = {
    *("find_task", "open_tasks", "make_task_pictures", "show_task_picture", "pause_agent"),
    *("stop_agent", "allow_session", "revoke_session", "show_try", "step_try"),
    *("open_checkpoint", "check_scene", "check_one", "clear_review", "show_tab", "copy_finding"),
    "point_at_block",
    *("filter_check", "filter_role", "note_point", "pause_by_hand", "try_by_hand", "hand_in"),
    *("give_up", "show_by_hand", "open_by_hand_folder", "cycle_colours", "isolate_finding"),
    "list_differences",
    *("margin_of", "judge_finding", "next_unjudged", "judge_structure", "rate_structure"),
    *("pick_fault", "mark_fault", "say_more", "withdraw_judgment", "toggle_tag"),
    *("export_annotations", "lesson_step", "answer", "quiz_choose", "quiz_point", "save_quiz"),
    *("stop_probe", "open_run", "recent_runs", "close_run", "run_report", "use_side"),
    *("cancel_job", "dismiss_failure", "copy_failure", "try_isolation", "add_workspace"),
    *("run_probes", "use_selected", "add_change", "remove_change", "forget_comparison"),
    *("export_blocks", "solve_stress", "clear_stress", "play_lesson"),
}


def operators():
    from plumbline import operators

    return operators.CLASSES


def options(cls) -> set[str]:
    """Its ``bl_options``, which a class need not have."""
    return set(getattr(cls, "bl_options", ()))


def rna_of(cls):
    return getattr(bpy.ops.plumbline, cls.bl_idname.partition(".")[2]).get_rna_type()


def fields():
    """(class, its own field) of everything registered."""
    import inspect

    from plumbline.addon import registration

    for cls in registration.classes():
        ours = {name for base in cls.__mro__ for name in inspect.get_annotations(base)}
        rna = rna_of(cls) if issubclass(cls, bpy.types.Operator) else cls.bl_rna
        yield from ((cls, prop) for name, prop in rna.properties.items() if name in ours)


def complaints(text: str, least: int) -> list[str]:
    """What is wrong with a tooltip."""
    found = []
    if len(text.split()) < least:
        found.append(f"fewer than {least} words")
    if text.endswith("."):
        found.append("ends in a dot, which Blender adds")
    if word := JARGON.search(text):
        found.append(f"says {word[0]!r}")
    if "\n" in text:
        found.append("is broken into lines")
    return found


def test_every_operator_explains_itself(registered):
    wrong = {
        cls.bl_idname: found
        for cls in operators()
        if (found := complaints(rna_of(cls).description, OPERATOR_WORDS))
    }
    assert not wrong


def test_every_panel_and_menu_explains_itself(registered):
    from plumbline.addon import registration

    wrong = {
        cls.__name__: found
        for cls in registration.classes()
        if issubclass(cls, (bpy.types.Panel, bpy.types.Menu))
        and (found := complaints(cls.bl_description, PANEL_WORDS))
    }
    assert not wrong


def test_every_field_explains_itself(registered):
    wrong = {
        f"{cls.__name__}.{prop.identifier}": found
        for cls, prop in fields()
        if prop.type != "COLLECTION"
        and not prop.is_hidden
        and (found := complaints(prop.description, FIELD_WORDS))
    }
    assert not wrong


def test_every_choice_of_a_field_explains_itself(registered):
    wrong = {
        f"{cls.__name__}.{prop.identifier}.{item.identifier}"
        for cls, prop in fields()
        if prop.type == "ENUM"
        for item in prop.enum_items_static
        if complaints(item.description, 2)
    }
    assert not wrong


def refusals() -> dict[str, str]:
    """What greyed operators say, by name; empty for those that say nothing."""
    said = {}
    for cls in operators():
        function = getattr(bpy.ops.plumbline, cls.bl_idname.partition(".")[2])
        if function.poll():
            continue
        with pytest.raises(RuntimeError) as refused:
            function()
        message = str(refused.value).partition("poll() ")[2].strip()
        said[cls.bl_idname] = "" if "context is incorrect" in message else message
    return said


def test_greyed_buttons_say_why_in_an_empty_session(registered):
    said = refusals()
    assert len(said) > 5
    assert not [name for name, message in said.items() if len(message.split()) < 3], said


def test_greyed_buttons_say_why_after_a_check(reviewed):
    said = refusals()
    assert not [name for name, message in said.items() if len(message.split()) < 3], said


def test_greyed_buttons_say_why_in_edit_mode(reviewed):
    bpy.context.view_layer.objects.active = bpy.context.scene.objects["Stud_01"]
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        said = refusals()
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    assert "Edit Mode" in said["plumbline.check_scene"]
    assert not [name for name, message in said.items() if len(message.split()) < 3], said


def _icons_in(tree: ast.AST) -> set[str]:
    """Icons in a source: arguments, tables named so, and what functions named so return."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "icon":
            found |= _texts(node.value)
        elif isinstance(node, ast.Assign) and "ICON" in ast.unparse(node.targets[0]).upper():
            found |= _texts(node.value, values_only=True)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            if "ICON" in ast.unparse(node.target).upper():
                found |= _texts(node.value, values_only=True)
        elif isinstance(node, ast.FunctionDef) and "icon" in node.name:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    found |= _texts(inner.value)
    return found


def _texts(node: ast.AST, values_only: bool = False) -> set[str]:
    if values_only and isinstance(node, ast.Dict):
        return {text for value in node.values for text in _texts(value)}
    if isinstance(node, (ast.Compare, ast.Subscript)):
        return set()  # what is compared, or looked up in a table that is read by itself
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.Call):
        return set()
    return {text for child in ast.iter_child_nodes(node) for text in _texts(child)}


def test_every_icon_is_there_in_this_blender(registered):
    known = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    wrong, count = {}, 0
    for room in ("panels", "operators", "addon"):
        for path in (ROOT / room).rglob("*.py"):
            names = {
                name
                for name in _icons_in(ast.parse(path.read_text(encoding="utf-8")))
                if re.fullmatch(r"[A-Z][A-Z0-9_]+", name)
            }
            count += len(names)
            if unknown := sorted(name for name in names if name not in known):
                wrong[path.name] = unknown
    assert count > 40 and not wrong


def test_choices_with_icons_name_some_that_are_there(registered):
    for cls, prop in fields():
        if prop.type == "ENUM":
            for item in prop.enum_items_static:
                assert isinstance(item.icon, str), (cls, prop.identifier, item.identifier)


def test_every_operator_is_known_to_change_data_or_not(registered):
    """A new one goes into one of the three sets: does a person want to undo it?"""
    known = {cls.bl_idname.partition(".")[2] for cls in operators()}
    sets = (CHANGES_DATA, STEPS_COME_LATER, LEAVES_DATA)
    assert sum(map(len, sets)) == len(set.union(*sets)), "one stands in two sets"
    assert known == set.union(*sets)


def test_what_changes_data_can_be_undone(registered):
    with_undo = {cls.bl_idname.partition(".")[2] for cls in operators() if "UNDO" in options(cls)}
    assert with_undo == CHANGES_DATA


def names_of_data() -> dict[str, list[str]]:
    """Everything in the file, by name, and where objects stand."""
    kinds = ("objects", "scenes", "texts", "meshes", "collections", "materials", "images")
    found = {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in kinds}
    found["places"] = sorted(f"{o.name} {o.matrix_world}" for o in bpy.context.scene.objects)
    return found


@pytest.mark.parametrize(
    "name", ["check_scene", "clear_review", "cycle_colours", "isolate_finding", "copy_finding"]
)
def test_what_leaves_data_leaves_it(reviewed, name):
    reviewed.active = 0
    before = names_of_data()
    assert getattr(bpy.ops.plumbline, name)() == {"FINISHED"}
    assert names_of_data() == before


def test_labels_are_unique_and_begin_with_a_capital(registered):
    labels = [cls.bl_label for cls in operators() if "INTERNAL" not in options(cls)]
    assert len(labels) == len(set(labels)), sorted(x for x in labels if labels.count(x) > 1)
    assert all(label[:1].isupper() for label in labels)
    short = [label for label in labels if len(label.split()) < 2]
    assert not short, f"what do these do, read alone in a search? {short}"


def test_the_search_finds_everything_under_plumbline(registered):
    from plumbline.panels import menu
    from recording_layout import RecordingLayout

    layout = RecordingLayout()
    menu._draw_entry(type("Menu", (), {"layout": layout}), bpy.context)
    assert layout.items[-1] == ("menu", {"menu": "PLUMBLINE_MT_main"})
    assert bpy.types.PLUMBLINE_MT_main.bl_label == "Plumbline"
    layout = RecordingLayout()
    menu.PLUMBLINE_MT_main.draw(type("Menu", (), {"layout": layout}), bpy.context)
    shown = {given["operator"] for name, given in layout.items if name == "operator"}
    assert shown == {cls.bl_idname for cls in operators() if "INTERNAL" not in options(cls)}
    assert {"plumbline.check_scene", "plumbline.build_task"} <= shown
