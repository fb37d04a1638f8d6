# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures: the extension registered in an empty scene, and a small frame to judge."""

from __future__ import annotations

import pytest


@pytest.fixture
def registered(empty_scene):
    """``bpy`` with every class, property and handler of the extension in place."""
    from plumbline.addon import registration

    registration.register()
    yield empty_scene
    # A window manager may outlive the file, and with it what a test has set in our panels.
    for manager in empty_scene.data.window_managers:
        names = [one.identifier for one in manager.bl_rna.properties]
        for name in [one for one in names if one.startswith("plumbline")]:
            manager.property_unset(name)
    registration.unregister()


@pytest.fixture
def add_box(registered):
    """``add_box(name, low, high, collection=None)``: a member as a box object, in metres."""
    bpy = registered

    def add(name, low, high, collection=None):
        size = [b - a for a, b in zip(low, high, strict=True)]
        corners = [
            (low[0] + x * size[0], low[1] + y * size[1], low[2] + z * size[2])
            for x in (0, 1)
            for y in (0, 1)
            for z in (0, 1)
        ]
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], faces)
        obj = bpy.data.objects.new(name, mesh)
        (collection or bpy.context.scene.collection).objects.link(obj)
        return obj

    return add


@pytest.fixture
def frame(add_box, registered):
    """A sill on the ground, two studs, and a plate that floats 0.4 m above them."""
    members = [
        add_box("Sill_01", (0, 0, 0), (3, 0.089, 0.038)),
        add_box("Stud_01", (0, 0, 0.038), (0.038, 0.089, 2.4)),
        add_box("Stud_02", (2.962, 0, 0.038), (3, 0.089, 2.4)),
        add_box("TopPlate_01", (0, 0, 2.8), (3, 0.089, 2.838)),
    ]
    registered.context.view_layer.update()
    return members


@pytest.fixture
def reviewed(frame, registered):
    """The frame with a known list of findings: what the panels show, whatever the checks say."""
    from plumbline.addon import properties, review
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.checks.result import CheckResult, Finding, Judgement

    scene = registered.context.scene
    plate = Finding(
        "load_path",
        "TopPlate_01",
        "TopPlate_01 floats 400 mm above the studs: lower it by 400 mm.",
        related=("Stud_01",),
        measured=0.4,
        limit=0.02,
        unit="m",
        margin=-0.38,
        location=(1.5, 0.0445, 2.819),
        clause="IRC R301.1",
    )
    stud = Finding(
        "dual_end_connection",
        "Stud_02",
        "Nothing touches the top of Stud_02.",
        location=(2.981, 0.0445, 2.4),
        follows="load_path:TopPlate_01",
    )
    roof = Finding(
        "completeness", "roof", "There is no roof.", subject_kind="place", location=(1.5, 0, 3.2)
    )
    gone = Finding("section", "Ghost_01", "Ghost_01 is 40 mm wide.", location=(0, 0, 0))
    judgement = Judgement(
        "timber",
        "engineering",
        (
            CheckResult("completeness", "failed", (roof,)),
            CheckResult("load_path", "failed", (plate,)),
            CheckResult("dual_end_connection", "failed", (stud,)),
            CheckResult("section", "failed", (gone,)),
            CheckResult("clash", "passed"),
            CheckResult("cantilever", "vacuous", reason="no overhang", required=False),
            CheckResult("notching", "not_run", reason="needs an instrument that is not here"),
        ),
        notes=("3 hidden objects were not read.",),
    )
    structure = structure_from_scene(scene)
    poses = review.poses_of(scene, registered.context.evaluated_depsgraph_get())
    found = review.Review(judgement, structure, None, 0.25, poses)
    review.keep(scene, found)
    properties.fit_rows(registered.context.window_manager)
    return found
