# SPDX-License-Identifier: GPL-3.0-or-later
# ruff: noqa: F821 (the words of inside.py are there already)
"""Sent to the windowed Blender: time in our draw functions while it redraws (``inside.py`` words).

Each function of ours that Blender calls at a redraw is wrapped, and its time summed over one redraw
of the window. The list's own functions run inside the call that the findings panel makes.
"""

import statistics
import time
from collections import defaultdict

_spent = defaultdict(float)


def _note(name, started):
    _spent[name] += time.perf_counter() - started


def _timed_panel(cls):
    plain = cls.draw

    def draw(self, context):
        started = time.perf_counter()
        plain(self, context)
        _note(cls.__name__, started)

    cls.draw = draw
    return lambda: setattr(cls, "draw", plain)


def _timed_list(cls):
    draw, chosen = cls.draw_item, cls.filter_items

    def draw_item(
        self, context, layout, data, item, icon, active_data, active_property, index=0, flag=0
    ):
        started = time.perf_counter()
        draw(self, context, layout, data, item, icon, active_data, active_property, index, flag)
        _note("rows", started)

    def filter_items(self, context, data, property):
        started = time.perf_counter()
        answer = chosen(self, context, data, property)
        _note("filter and sort", started)
        return answer

    cls.draw_item, cls.filter_items = draw_item, filter_items

    def back():
        cls.draw_item, cls.filter_items = draw, chosen

    return back


def _timed_overlay(overlay):
    plain = {name: getattr(overlay, name) for name in ("draw_solids", "draw_label")}

    def timed(name):
        def draw():
            started = time.perf_counter()
            plain[name]()
            _note(name, started)

        return draw

    overlay.detach()
    for name in plain:
        setattr(overlay, name, timed(name))
    overlay.attach()

    def back():
        overlay.detach()
        for name, function in plain.items():
            setattr(overlay, name, function)
        overlay.attach()

    return back


def _fill(count):
    """A review of this scene with so many findings, filtered and sorted, one of them chosen."""
    found, result = review(), part("checks.result")
    names = found.structure.names
    findings = [
        result.Finding(
            ("bearing", "clear_span", "spacing")[i % 3],
            names[i % len(names)],
            f"{names[i % len(names)]} bears {i % 38} mm on its plate; it needs 38 mm.",
            measured=(i % 38) / 1000,
            limit=0.038,
            unit="m",
            margin=(i % 38) / 1000 - 0.038,
            location=tuple(map(float, found.structure.center[i % len(names)])),
            related=tuple(names[:3]),
        )
        for i in range(count)
    ]
    checks = [
        result.CheckResult(c, "failed", tuple(f for f in findings if f.check == c))
        for c in ("bearing", "clear_span", "spacing")
    ]
    judgement = result.Judgement("timber", "engineering", tuple(checks))
    many = part("addon.review").Review(judgement, found.structure, None, 0.5, found.poses)
    part("addon.review").keep(window().scene, many)
    part("addon.properties").fit_rows(bpy.context.window_manager)
    many.active = count // 2
    state().filter_text, state().sort = "plate needs", "margin"


def measure(count, rounds=15):
    """Least and median seconds of each of our functions over many redraws of the window."""
    _fill(count)
    panels = part("panels")
    back = [_timed_panel(c) for c in panels.CLASSES if issubclass(c, bpy.types.Panel)]
    back.append(_timed_list(panels.findings.PLUMBLINE_UL_findings))
    back.append(_timed_overlay(panels.overlay))
    each = defaultdict(list)
    try:
        redraw(2)
        for _ in range(rounds):
            _spent.clear()
            redraw()
            for name, spent in _spent.items():
                each[name].append(spent)
    finally:
        for restore in back:
            restore()
    return {name: [min(spent), statistics.median(spent)] for name, spent in each.items()}
