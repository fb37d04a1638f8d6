# SPDX-License-Identifier: GPL-3.0-or-later
# ruff: noqa: F821 (the words of inside.py are there already)
"""Sent to the windowed Blender: what colouring thousands of members costs a redraw.

Frames with and without the overlay take turns, so that both see the same machine. What the graphics
card is given to draw is timed apart: without one the processor does that work too.
"""

import statistics
import time

import bpy
import numpy as np

COLUMNS = 72


def crowd(count):
    """So many members in rows, every seventh at fault, judged as written here."""
    scene = window().scene
    for old in list(scene.objects):
        bpy.data.objects.remove(old)
    mesh = bpy.data.meshes.new("post")
    corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 1.0)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    for i in range(count):
        obj = bpy.data.objects.new(f"Stud_{i}", mesh)
        obj.location = (i % COLUMNS * 0.4, i // COLUMNS * 0.4, 0.0)
        scene.collection.objects.link(obj)
    window().view_layer.update()
    with inside():
        graph = bpy.context.evaluated_depsgraph_get()
        bpy.ops.view3d.view_all()
    structure = part("addon.scene.members").structure_from_scene(scene, graph)
    found = part("addon.review").Review(
        judged(structure.names), structure, None, 0.1, part("addon.review").poses_of(scene, graph)
    )
    part("addon.review").keep(scene, found)
    part("addon.properties").fit_rows(bpy.context.window_manager)
    redraw(2)


def judged(names):
    """Every seventh bears too little, and every one was measured."""
    r = part("checks.result")
    findings = tuple(
        r.Finding(
            "bearing", name, f"{name} bears too little.", related=(names[i - 1],),
            measured=0.02, limit=0.038, unit="m", margin=-0.018,
            location=(i % COLUMNS * 0.4, i // COLUMNS * 0.4, 0.5),
        )
        for i, name in enumerate(names)
        if i % 7 == 0
    )  # fmt: skip
    measures = r.Measures(names, np.linspace(0.0, 1.3, len(names)), np.ones(len(names)), "1")
    checks = (r.CheckResult("bearing", "failed", findings, measures=(measures,)),)
    return r.Judgement("timber", "engineering", checks)


_spent = {"ours": 0.0, "drawing": 0.0}


def _timed_draws(overlay):
    """Time our two handlers on this thread's clock, and the draw calls within them."""
    plain = {name: getattr(overlay, name) for name in ("draw_solids", "draw_label")}
    batches = part("panels.overlay_batches")
    plain_draw = batches.send

    def timed(name):
        def draw():
            started = time.thread_time()
            plain[name]()
            _spent["ours"] += time.thread_time() - started

        return draw

    def send(batch, shader):
        started = time.thread_time()
        plain_draw(batch, shader)
        _spent["drawing"] += time.thread_time() - started

    overlay.detach()
    for name in plain:
        setattr(overlay, name, timed(name))
    batches.send = send
    overlay.attach()

    def back():
        overlay.detach()
        for name, function in plain.items():
            setattr(overlay, name, function)
        batches.send = plain_draw
        overlay.attach()

    return back


def _frame():
    started = time.perf_counter()
    with bpy.context.temp_override(window=window(), area=view(), region=region("WINDOW")):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)
    return time.perf_counter() - started


def measure(mode, rounds, ghost=True, each=lambda number: None):
    """Medians in seconds: a frame without and with the colours, our code in it, its drawing.

    ``each`` is called before every frame with the colours: an edit.
    """
    v = bpy.context.window_manager.plumbline_view
    v.mode, v.ghost = mode, ghost
    without, with_colours, ours, drawing = [], [], [], []
    restore = _timed_draws(part("panels.overlay"))
    try:
        state().show_highlight = True
        redraw(2)
        for number in range(rounds):
            state().show_highlight = False
            _frame()
            without.append(_frame())
            state().show_highlight = True
            _frame()
            each(number)
            _spent["ours"] = _spent["drawing"] = 0.0
            with_colours.append(_frame())
            ours.append(_spent["ours"] - _spent["drawing"])
            drawing.append(_spent["drawing"])
    finally:
        restore()
    return [statistics.median(values) for values in (without, with_colours, ours, drawing)]


def move_one(number):
    """A member is being dragged."""
    window().scene.objects["Stud_7"].location.z = 0.01 * (number + 1)


def move_all(number):
    """All of them are."""
    for obj in window().scene.objects:
        obj.location.z = 0.01 * (number + 1)
