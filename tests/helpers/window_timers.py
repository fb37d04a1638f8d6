# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's timers by hand, for jobs that run on beside a window: a module has no event loop."""

from __future__ import annotations

import time

import bpy


class WindowLike:
    """What Blender's event loop does in a window: calls the timers until they want no more."""

    def __init__(self, monkeypatch, jobs):
        self.timers = []
        timers = type(
            "Timers",
            (),
            {
                "register": lambda function, **_: self.timers.append(function),
                "unregister": self.timers.remove,
                "is_registered": lambda function: function in self.timers,
            },
        )
        app = type("App", (), {"background": False, "timers": timers})
        monkeypatch.setattr(jobs, "bpy", type("Bpy", (), {"app": app, "context": bpy.context}))

    def until(self, true, seconds=20.0):
        """Let the event loop turn until something is true."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "it never came true"
            self.timers = [function for function in self.timers if function() is not None]
            time.sleep(0.01)
