# SPDX-License-Identifier: GPL-3.0-or-later
"""What is at work, how far it is, and the button that calls it off."""

from __future__ import annotations

import bpy

from ..addon.runs.wording import printable
from ..addon.session import jobs
from .text import wrapped

CLASSES: tuple[type, ...] = ()


def draw_jobs(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Everything that is at work, then what went wrong and was not dismissed."""
    for work in jobs.now():
        _draw_work(layout, work)
    for failure in jobs.failures():
        _draw_failure(layout, context, failure)


def _draw_work(layout: bpy.types.UILayout, work: jobs.Work) -> None:
    box = layout.box()
    row = box.row(align=True)
    row.label(text=printable(work.title), icon="SORTTIME")
    stop = row.row(align=True)
    stop.enabled = not work.stopping
    stop.operator("plumbline.cancel_job", text="", icon="CANCEL").serial = work.serial
    share = work.share
    if work.stopping:
        box.label(text="stopping")
        return
    words = [printable(work.words)] if work.words else []
    if work.left is not None:
        words.append(time_left(work.left))
    box.progress(
        factor=share or 0.0,
        text=f"{share:.0%}" if share is not None else f"{work.job.seconds:.0f} s",
        type="BAR" if share is not None else "RING",
    )
    if words:
        line = box.column()
        line.scale_y = 0.8
        line.label(text=", ".join(words))


def time_left(seconds: float) -> str:
    """``about 12 s left``, coarser the longer it is: an estimate is no clock."""
    if seconds < 1.5:
        return "a moment left"
    if seconds < 20:
        return f"about {seconds:.0f} s left"
    if seconds < 90:
        return f"about {5 * round(seconds / 5)} s left"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min left"
    return f"about {seconds / 3600:.1f} h left"


def _draw_failure(
    layout: bpy.types.UILayout, context: bpy.types.Context, failure: jobs.Failure
) -> None:
    box = layout.box()
    row = box.row(align=True)
    title = row.row()
    title.alert = True
    title.label(text=printable(failure.title), icon="ERROR")
    row.operator("plumbline.copy_failure", text="", icon="COPYDOWN").serial = failure.serial
    row.operator("plumbline.dismiss_failure", text="", icon="X").serial = failure.serial
    wrapped(box, context, printable(failure.sentence))
    if failure.trace:
        wrapped(box, context, "Details are in the console, and in what the copy button copies.")
