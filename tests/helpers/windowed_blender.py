# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Blender with a window on a virtual display, its extension installed from the zip."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
from virtual_display import SETTLE, Pixels, VirtualDisplay

DRIVE = Path(__file__).parents[1] / "window" / "drive.py"

START_TIMEOUT = 120.0  # s; 10 to 17 are usual on two shared cores
REQUEST_TIMEOUT = 120.0  # s
QUIT_TIMEOUT = 90.0  # s; more than the silence after which it writes down where it is

# A widget that changed, against the building that shimmers through the sidebar while the view is
# smoothed: so much brighter or darker, so many pixels wide and high.
_CLEARLY, _LEAST_WIDE, _LEAST_HIGH = 40, 6, 5
#: How often a change is looked for, the first time without waiting.
_LOOKS = 3

_PREFERENCES = (
    "import bpy; p = bpy.context.preferences; p.view.show_splash = False; "
    "p.system.viewport_aa = {smoothing!r}; bpy.ops.wm.save_userpref()"
)


class WindowedBlender:
    """Start it with :meth:`start`, ask it with :meth:`run`, end it with :meth:`quit`."""

    def __init__(self, binary: Path, home: Path, display: VirtualDisplay) -> None:
        self.binary, self.home, self.display = binary, home, display
        self.box = home / "box"
        self.box.mkdir(parents=True)
        self.log = home / "blender.log"
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """This display, and a user folder of its own.

        Its compiled shaders as well: a cache that other Blenders with another Mesa write to may
        change its size while this one has it mapped, which ends it by SIGBUS.
        """
        return {
            **self.display.environment,
            "MESA_SHADER_CACHE_DIR": str(self.home / "shaders"),
            "BLENDER_USER_RESOURCES": str(self.home / "user"),
            "PLUMBLINE_BOX": str(self.box),
        }

    def install(self, package: Path, smoothing: str = "OFF") -> None:
        """Install and enable the extension as a person would.

        No splash screen; smooth edges, which cost most of a redraw in software, only on request.
        """
        command = ["--command", "extension", "install-file", "-r", "user_default", "--enable"]
        self._call([*command, str(package)])
        self._call(
            [
                "-b",
                "--python-exit-code",
                "3",
                "--python-expr",
                _PREFERENCES.format(smoothing=smoothing),
            ]
        )

    def _call(self, arguments: list[str]) -> None:
        done = subprocess.run(
            [str(self.binary), *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")

    def start(self) -> None:
        """Open the window and wait until it answers."""
        for left in self.box.iterdir():  # of one that was killed
            left.unlink()
        size = ["0", "0", str(self.display.width), str(self.display.height)]
        with open(self.log, "wb") as log:
            self._process = subprocess.Popen(
                [str(self.binary), "-p", *size, "--python", str(DRIVE)],
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.run("redraw()", timeout=START_TIMEOUT)

    def run(self, source: str, timeout: float = REQUEST_TIMEOUT) -> Any:
        """Run source in Blender's event loop; returns what it left in ``result``."""
        assert self._process is not None
        name = f"{next(self._numbers):06d}"
        half = self.box / f"{name}.half"
        half.write_text(source, encoding="utf-8")
        half.rename(self.box / f"{name}.py")
        answer = self.box / f"{name}.json"
        deadline = time.monotonic() + timeout
        while not answer.exists():
            if self._process.poll() is not None:
                raise RuntimeError(
                    f"Blender ended with code {self._process.returncode}:\n"
                    f"{self.stacks()}\n{self.said()}"
                )
            if time.monotonic() > deadline:
                doing = self.stacks()
                self.kill()  # what hangs answers nobody: the next test gets a new one
                raise TimeoutError(
                    f"no answer in {timeout:.0f} s to:\n{source}\n{doing}\n{self.said()}"
                )
            time.sleep(0.01)
        told = json.loads(answer.read_text(encoding="utf-8"))
        answer.unlink()
        if "error" in told:
            raise AssertionError(f"in Blender:\n{told['error']}")
        return told["result"]

    @property
    def alive(self) -> bool:
        """Whether it was started and still runs."""
        return self._process is not None and self._process.poll() is None

    def stacks(self) -> str:
        """Where every Python thread was when Blender died or had not answered for a minute."""
        return (self.box / "stacks.txt").read_text(encoding="utf-8", errors="replace")

    def said(self) -> str:
        """Everything that Blender had printed when it last answered, or ended."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def quit(self) -> int:
        """Quit as File > Quit does; returns the exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            request = self.box / "999999.half"
            request.write_text("bpy.ops.wm.quit_blender()", encoding="utf-8")
            request.rename(self.box / "999999.py")
        try:
            return self._process.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            doing = self.stacks()
            self.kill()
            raise TimeoutError(
                f"it still ran {QUIT_TIMEOUT:.0f} s after File > Quit:\n{doing}\n{self.said()}"
            ) from None

    def kill(self) -> None:
        """End it whatever it does."""
        if self.alive and self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)

    def find_change(self, change: str, back: str, region: str = "UI") -> tuple[float, float]:
        """Where on the display a change shows first (topmost block), in pixels.

        ``change`` and ``back`` are requests; the place is the middle of what they alter. So buttons
        and rows are found by what they do, whatever a theme or a version puts where.
        """
        # The button under the pointer stays as it is until Blender has seen the pointer go. A jump
        # out of the sidebar is not always seen: then it goes over the view, and we look again.
        for look in range(_LOOKS):
            place = self._change_once(change, back, region, patient=look > 0)
            if place is not None:
                return place
            for x in (0.25, 0.3, 0.35):
                self.display.move(self.display.width * x, self.display.height * 0.65)
            time.sleep(1.0)
        raise AssertionError(f"nothing changed on the display by {change!r}")

    def _change_once(
        self, change: str, back: str, region: str, patient: bool
    ) -> tuple[float, float] | None:
        # Away from every button, or a tooltip opens in the one picture and not in the other. What
        # Blender was told of the pointer it has acted upon once it has answered twice.
        wait, times = (SETTLE, 2) if patient else (0.0, 1)
        self.display.move(self.display.width / 2, self.display.height - 4, wait)
        self.run("")
        left, top, right, bottom = (round(v) for v in self.run(f"result = rectangle({region!r})"))
        self.run(f"{change}\nredraw({times})")
        changed = self.display.pixels()[top:bottom, left:right].astype(int)
        self.run(f"{back}\nredraw({times})")
        plain = self.display.pixels()[top:bottom, left:right].astype(int)
        different = np.abs(changed - plain).max(axis=2) > _CLEARLY
        lines = np.flatnonzero(different.sum(axis=1) >= _LEAST_WIDE)
        blocks = np.split(lines, np.flatnonzero(np.diff(lines) > 3) + 1)
        block = next((b for b in blocks if len(b) >= _LEAST_HIGH), None)
        if block is None:
            return None
        columns = np.flatnonzero(different[block].any(axis=0))
        return left + float(columns.mean()), top + float(block.mean())

    def wait_until(self, question: str, timeout: float = 20.0) -> Any:
        """Ask until the answer is true; returns it."""
        deadline = time.monotonic() + timeout
        while not (answer := self.run(f"result = {question}")):
            assert time.monotonic() < deadline, f"not true after {timeout:.0f} s: {question}"
            time.sleep(0.1)
        return answer


def redness(pixels: Pixels, x: float, y: float, reach: int = 1) -> float:
    """By how much red exceeds green and blue at a place, mean over a few pixels, -255 to 255."""
    patch = pixels[
        round(y) - reach : round(y) + reach + 1, round(x) - reach : round(x) + reach + 1
    ].astype(float)
    return float((patch[..., 0] - patch[..., 1:].max(axis=2)).mean())
