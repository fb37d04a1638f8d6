# SPDX-License-Identifier: GPL-3.0-or-later
# ruff: noqa: F821 (the words of inside.py are there already)
"""Sent to the windowed Blender: five posts and a rock, judged as written here, seen from the front.

What is found does not depend on any check, so that colours and places are known beforehand.
"""

import bpy
import numpy as np
from mathutils import Quaternion

# Name, where it stands (x, y), in m; 0.5 m wide and 2 m high.
POSTS = {
    "Post_Fault": (-2.0, 0.0),
    "Post_Follows": (-1.0, 0.0),
    "Post_Part": (0.0, 0.0),
    "Post_Sound": (1.0, 0.0),
    "Post_Behind": (1.0, 1.5),  # hidden by the sound one
}
ROCK = (2.0, 0.0)
WIDE, HIGH = 0.5, 2.0


def box(name, at, unit=1.0):
    """A box object standing at a place."""
    mesh = bpy.data.meshes.new(name)
    corners = [
        (x * WIDE / 2 / unit, y * WIDE / 2 / unit, z * HIGH / unit)
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (0, 1)
    ]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    obj.location = (at[0] / unit, at[1] / unit, 0.0)
    window().scene.collection.objects.link(obj)
    return obj


def stand(unit=1.0):
    """Build the posts, keep the review, aim the view. ``unit``: metres in one unit of the scene."""
    scene = window().scene
    for old in list(scene.objects):
        bpy.data.objects.remove(old)
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = unit
    for name, at in POSTS.items():
        box(name, at, unit)
    box("Rock", ROCK, unit)
    window().view_layer.update()
    with inside():
        graph = bpy.context.evaluated_depsgraph_get()
    structure = part("addon.scene.members").structure_from_scene(scene, graph, only=list(POSTS))
    reviews = part("addon.review")
    poses = reviews.poses_of(scene, graph)
    found = reviews.Review(judged(), structure, None, 0.1, poses)
    reviews.keep(scene, found)
    part("addon.properties").fit_rows(bpy.context.window_manager)
    state().show_highlight = True
    forget_choices()
    look_from_the_front(unit)


def forget_choices():
    """Colours as they are at first."""
    v = bpy.context.window_manager.plumbline_view
    for each in v.bl_rna.properties:
        if each.identifier not in ("rna_type", "name"):
            v.property_unset(each.identifier)


def judged():
    """A judgement in which everything occurs."""
    r = part("checks.result")
    findings = (
        r.Finding(
            "bearing", "Post_Fault", "Post_Fault bears 19 mm; it needs 38 mm.",
            related=("Post_Part",), measured=0.019, limit=0.038, unit="m", margin=-0.019,
            location=(-2.0, 0.0, 1.0),
        ),
        r.Finding(
            "clash", "Post_Behind", "Post_Behind is in the way of Post_Part.",
            location=(1.0, 1.5, 1.0),
        ),
        r.Finding(
            "spacing", "place between Post_Follows and Post_Part", "A post is missing.",
            subject_kind="place", location=(-0.5, 0.0, 2.3),
        ),
    )  # fmt: skip
    follows = r.Finding("load_path", "Post_Follows", "It hangs.", follows="bearing:Post_Fault")
    measures = r.Measures(
        ("Post_Fault", "Post_Part", "Post_Sound"),
        np.array([2.0, 0.5, 0.0]),
        np.array([1.0, 1.0, 1.0]),
        "1",
    )
    checks = (
        r.CheckResult("bearing", "failed", findings[:1], measures=(measures,)),
        r.CheckResult("clash", "failed", findings[1:2]),
        r.CheckResult("spacing", "failed", findings[2:]),
        r.CheckResult("load_path", "failed", (follows,)),
    )
    return r.Judgement("timber", "engineering", checks)


def look_from_the_front(unit=1.0, space=None):
    """Aim a view at the posts, without perspective."""
    space = space or view().spaces.active
    seen = space.region_3d
    seen.view_perspective = "ORTHO"
    seen.view_rotation = Quaternion((1.0, 0.0, 0.0), np.pi / 2)
    seen.view_location = (0.6 / unit, 0.0, 0.9 / unit)
    seen.view_distance = 9.0 / unit
    space.clip_end = 1000.0 / unit
    redraw(2)


def rectangles(unit=1.0):
    """Left, top, right, bottom on the display of every post and the rock, in pixels."""
    made = {}
    for name, at in {**POSTS, "Rock": ROCK}.items():
        low = on_screen((*(np.array([at[0] - WIDE / 2, at[1], 0.0]) / unit),))
        high = on_screen((*(np.array([at[0] + WIDE / 2, at[1], HIGH]) / unit),))
        made[name] = [low[0], high[1], high[0], low[1]]
    return made
