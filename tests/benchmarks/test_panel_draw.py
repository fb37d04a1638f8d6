# SPDX-License-Identifier: GPL-3.0-or-later
"""What 5,000 findings cost at every redraw of the panel: at most 2 ms of our code.

Blender's own drawing is not in it (a layout exists only in a window; tests/window measures there
too): a layout that does nothing takes its place.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")

FINDINGS = 5_000
ROWS_IN_SIGHT = 20  # more than the list shows at once unless it is dragged larger

pytestmark = pytest.mark.benchmark


class IdleLayout:
    """Takes everything and draws nothing."""

    def operator(self, *_args, **_kwargs):
        return SimpleNamespace()

    def __getattr__(self, _name):
        return self._take

    def _take(self, *_args, **_kwargs):
        return self


@pytest.fixture
def many(registered, frame):
    """A review with 5,000 findings, every fourth of them a root, filtered and sorted."""
    import numpy as np
    from plumbline.addon import properties, review
    from plumbline.checks.result import CheckResult, Finding, Judgement
    from plumbline.checks.timber.structure import TimberStructure

    checks = ("load_path", "bearing", "clear_span", "clash", "spacing")
    findings = [
        Finding(
            checks[i % 5],
            f"Joist_{i}",
            f"Joist_{i} bears {i % 38} mm on TopPlate_{i % 97}; it needs 38 mm.",
            related=(f"TopPlate_{i % 97}",),
            measured=(i % 38) / 1000,
            limit=0.038,
            unit="m",
            margin=(i % 38) / 1000 - 0.038,
            location=(i * 0.4, 0.0, 3.0),
            clause="IRC R502.6",
            follows=None if i % 4 == 0 else f"{checks[(i - i % 4) % 5]}:Joist_{i - i % 4}",
        )
        for i in range(FINDINGS)
    ]
    names = [f"Joist_{i}" for i in range(FINDINGS)] + [f"TopPlate_{i}" for i in range(97)]
    structure = TimberStructure.from_boxes(
        names,
        np.arange(3.0 * len(names)).reshape(-1, 3),
        np.broadcast_to(np.eye(3), (len(names), 3, 3)),
        np.broadcast_to([3.0, 0.235, 0.038], (len(names), 3)),
    )
    results = tuple(
        CheckResult(c, "failed", tuple(f for f in findings if f.check == c)) for c in checks
    )
    found = review.Review(Judgement("timber", "engineering", results), structure, None, 1.0)
    review.keep(bpy.context.scene, found)
    properties.fit_rows(bpy.context.window_manager)
    state = bpy.context.window_manager.plumbline
    state.filter_text, state.sort = "joist needs", "margin"
    found.active = 4711
    return found


def draw_all(found):
    """One redraw of the whole tab: the panels, the list's filter, every row in sight."""
    from plumbline.panels import checks, findings, task

    state = bpy.context.window_manager.plumbline
    shell = SimpleNamespace(layout=IdleLayout(), bitflag_filter_item=1 << 30)
    context = bpy.context
    for panel in (
        task.PLUMBLINE_PT_task,
        checks.PLUMBLINE_PT_checks,
        checks.PLUMBLINE_PT_each_check,
        findings.PLUMBLINE_PT_findings,
    ):
        panel.draw(shell, context)
    widget = findings.PLUMBLINE_UL_findings
    flags, _ = widget.filter_items(shell, context, state, "rows")
    for row in range(ROWS_IN_SIGHT):
        widget.draw_item(shell, context, shell.layout, state, None, 0, state, "active_row", row)
    return flags


def test_redraw_with_filter_and_sort_kept(benchmark, many):
    flags = draw_all(many)
    assert len(flags) == FINDINGS and all(flags)
    benchmark.pedantic(draw_all, args=(many,), rounds=200, warmup_rounds=5)
    benchmark.extra_info["findings"] = FINDINGS


def test_a_new_word_in_the_search(benchmark, many):
    """Once a keystroke, not once a redraw: filter and sort from the start."""
    from plumbline.addon.findings import Query

    words = (Query(text=f"joist {n}", sort="margin") for n in range(10_000))
    benchmark.pedantic(lambda: many.table.view(next(words), FINDINGS, 1), rounds=50)


def test_the_picture_of_a_finding_with_a_thousand_others(benchmark, many):
    """Once a click: the boxes of all members that take part."""
    from dataclasses import replace

    from plumbline.addon.findings import FindingsTable
    from plumbline.panels.overlay import picture_of

    first = many.table.findings[0]
    crowd = replace(first, related=tuple(f"Joist_{i}" for i in range(1, 1001)))
    many.table, many.active = FindingsTable([crowd]), 0
    benchmark.pedantic(picture_of, args=(many, {}), rounds=20)
