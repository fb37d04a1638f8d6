# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel and menu is drawn in every state that a file may be in, and changes nothing."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

MANY = 5_000


def empty(request):
    """Nothing was built, nothing was checked."""
    request.getfixturevalue("registered")


def checked(request):
    """A small frame with findings of every sort, one of them chosen."""
    request.getfixturevalue("reviewed").active = 0


def sound(request):
    """Checked, and nothing is at fault."""
    from plumbline.addon import review
    from plumbline.checks.result import CheckResult, Judgement

    found = request.getfixturevalue("reviewed")
    judgement = Judgement("timber", "engineering", (CheckResult("clash", "passed"),))
    review.keep(bpy.context.scene, review.Review(judgement, found.structure, None, 0.1))


def stale(request):
    """Checked, then everything was taken away: no member that a finding names is there."""
    found = request.getfixturevalue("reviewed")
    found.active = len(found.table) - 1
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    found.stale = True
    bpy.context.scene.name = "Renamed since"


def editing(request):
    """In the midst of an edit."""
    request.getfixturevalue("reviewed").active = 0
    bpy.context.view_layer.objects.active = bpy.data.objects["Stud_01"]
    bpy.ops.object.mode_set(mode="EDIT")


def huge(request):
    """Thousands of members and findings, with words as long as Blender has room for."""
    from plumbline.addon import properties, review
    from plumbline.checks.result import CheckResult, Finding, Judgement
    from plumbline.checks.timber.structure import TimberStructure

    request.getfixturevalue("registered")
    names = [f"Stud_of_the_{'very_' * 8}long_wall_{i:05d}" for i in range(MANY)]
    centre = np.column_stack([np.arange(MANY) * 0.4, np.zeros(MANY), np.ones(MANY)])
    axes, size = np.tile(np.eye(3), (MANY, 1, 1)), np.tile([2.4, 0.089, 0.038], (MANY, 1))
    structure = TimberStructure.from_boxes(names, centre, axes, size)
    findings = tuple(
        Finding(
            "clash",
            name,
            f"{name} shares 0.3 l with its neighbour. " * 20,
            related=tuple(names[max(0, i - 50) : i]),
            measured=float("inf") if i % 7 == 0 else 1e9 / (i + 1),
            limit=0.003,
            unit="m",
            margin=-1e9 / (i + 1),
            location=(i * 0.4, 0.0, 1.0),
            clause="IRC R502.3.1 " * 10,
            follows=None if i % 10 == 0 else f"clash:{names[i - i % 10]}",
        )
        for i, name in enumerate(names)
    )
    notes = tuple(f"Note {i} about the reading of this scene." for i in range(500))
    judgement = Judgement(
        "timber", "engineering", (CheckResult("clash", "failed", findings),), notes=notes
    )
    found = review.Review(judgement, structure, None, 1e6)
    review.keep(bpy.context.scene, found)
    properties.fit_rows(bpy.context.window_manager)
    found.active = 10


def nonsense(request):
    """Choices that name what is no longer there."""
    request.getfixturevalue("reviewed").active = 1
    manager = bpy.context.window_manager
    manager.plumbline.filter_text = "no such member" * 50
    manager.plumbline.filter_check = "no_such_check"
    manager.plumbline_agent.text = "removed.py"
    manager.plumbline_agent.base_url = "http://" + "x" * 500
    bpy.context.scene["plumbline_task"] = "timber/no_such_house"
    bpy.context.scene["plumbline_variant"] = 7


def moving(request):
    """A simulation: bodies, frames, a rubric that is half resolved, a finding with its interval."""
    import falling_bodies as fb
    import moving_scene
    from plumbline.addon import properties, review
    from plumbline.addon.pictures.reconstruction.book import PICTURES
    from plumbline.checks.reconstruction import ReconstructionBrief
    from plumbline.checks.reconstruction.simulation import Simulation, judge_simulation

    request.getfixturevalue("registered")
    scene = moving_scene.fill(bpy)
    run = fb.recorded(fb.floor(), (fb.box("crate"), (0, 0, 0.3)), (fb.box("token"), (3, 0, 0.5)))
    rubric = {"criteria": [{"id": name, "probes": [name]} for name in ("interpenetration", "wind")]}
    brief = ReconstructionBrief.from_mapping(rubric)
    judgement = judge_simulation(Simulation(run), brief)
    explained = PICTURES.explain(Simulation(run), brief, judgement)
    found = review.Review(judgement, Simulation(run), None, 2.5, explained=explained)
    review.keep(scene, found)
    properties.fit_rows(bpy.context.window_manager)
    found.active = 0


STATES = (empty, checked, sound, stale, editing, huge, nonsense, moving)


@pytest.fixture(params=STATES, ids=lambda state: state.__name__)
def state(request, registered):
    request.param(request)
    yield request.param.__name__
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def drawable():
    """Panels and menus, in the order in which they are registered."""
    from plumbline.addon import registration

    kinds = (bpy.types.Panel, bpy.types.Menu)
    return [cls for cls in registration.classes() if issubclass(cls, kinds)]


def page_of(cls, layout):
    """What ``draw`` gets as ``self``: Blender makes panels itself, and only while it draws."""
    own = {name: thing for name, thing in vars(cls).items() if inspect.isroutine(thing)}
    return type(cls.__name__, (), {**own, "layout": layout, "is_popover": False})()


def fingerprint():
    """What of the file and of our choices a panel could have changed."""
    manager = bpy.context.window_manager
    choices = [name for name in dir(manager) if name.startswith("plumbline")]
    return (
        [(name, len(getattr(bpy.data, name))) for name in ("objects", "scenes", "texts", "meshes")],
        sorted(bpy.context.scene.keys()),
        {
            name: {
                prop.identifier: str(getattr(getattr(manager, name), prop.identifier))
                for prop in getattr(manager, name).bl_rna.properties
                if prop.type in ("STRING", "INT", "FLOAT", "BOOLEAN", "ENUM")
            }
            for name in choices
        },
    )


def test_every_panel_is_drawn_and_changes_nothing(state):
    from recording_layout import RecordingLayout

    before = fingerprint()
    drawn = []
    for cls in drawable():
        if hasattr(cls, "poll") and not cls.poll(bpy.context):
            continue
        for method in ("draw_header", "draw_header_preset", "draw"):
            function = cls.__dict__.get(method)
            if function is None:
                continue
            layout = RecordingLayout()
            function(page_of(cls, layout), bpy.context)
            if method == "draw":
                drawn.append(cls.__name__)
                assert layout.items or issubclass(cls, bpy.types.Menu), f"{cls} is blank"
    assert {"PLUMBLINE_PT_task", "PLUMBLINE_PT_checks", "PLUMBLINE_PT_findings"} <= set(drawn)
    assert fingerprint() == before


def test_panels_of_the_sidebar_stand_under_one_tab_in_order(registered):
    roots = [
        cls
        for cls in drawable()
        if issubclass(cls, bpy.types.Panel)
        and cls.bl_region_type == "UI"
        and not getattr(cls, "bl_parent_id", "")
    ]
    assert {cls.bl_category for cls in roots} == {"Plumbline"}
    orders = [getattr(cls, "bl_order", None) for cls in roots]
    assert None not in orders and len(orders) == len(set(orders)), orders
    titles = [cls.bl_label for cls in sorted(roots, key=lambda cls: cls.bl_order)]
    assert titles == [
        "Task", "Agent", "Checks", "Findings", "Annotate", "Learn", "Physics", "Run Folder",
        "Blocks", "Stress",
    ]  # fmt: skip
    first = ("Task", "Checks", "Findings")
    closed = [cls for cls in roots if "DEFAULT_CLOSED" in getattr(cls, "bl_options", ())]
    assert {cls.bl_label for cls in closed} == set(titles) - set(first)
