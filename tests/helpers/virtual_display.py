# SPDX-License-Identifier: GPL-3.0-or-later
"""A display that nobody looks at: Xvfb, its mouse and keyboard, and photographs of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

TOOLS = ("Xvfb", "xdotool", "import")

# Blender takes a press for a drag if the pointer still moves; it needs a moment on the button.
SETTLE = 0.6  # s


class VirtualDisplay:
    """An X display of its own; use it as a context manager."""

    def __init__(self, width: int = 1600, height: int = 900) -> None:
        self.width, self.height = width, height
        self.name = ""
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> VirtualDisplay:
        # The server chooses a free number itself and tells it once it listens.
        read, write = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-nolisten", "tcp"]
            + ["-screen", "0", f"{self.width}x{self.height}x24"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(write,),
        )
        os.close(write)
        with os.fdopen(read, "rb") as told:
            number = told.readline().strip().decode()
        if not number:
            raise RuntimeError(f"Xvfb ended with code {self._server.wait()}")
        self.name = f":{number}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait(10)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of this process with this display, drawing in software."""
        return {**os.environ, "DISPLAY": self.name, "LIBGL_ALWAYS_SOFTWARE": "1"}

    def pixels(self) -> Pixels:
        """What is on the display, (height, width, 3)."""
        image = self._run("import", "-window", "root", "-depth", "8", "ppm:-")
        # P6, width height, 255, then the bytes; each header field ends with one white space.
        magic, width, height, _rest = image.split(maxsplit=3)
        assert magic == b"P6", image[:20]
        count = int(width) * int(height) * 3
        return np.frombuffer(image[-count:], np.uint8).reshape(int(height), int(width), 3)

    def photograph(self, path: Path) -> None:
        """Save what is on the display as a small PNG."""
        self._run("import", "-window", "root", "-strip", "-colors", "256", f"png8:{path}")

    def click(self, x: float, y: float, button: int = 1, hold: float = 0.0) -> None:
        """Click where (x, y) is counted in pixels from the upper left corner.

        ``hold`` is how long the button stays down, s: a person's finger takes 0.1 or more.
        """
        self._run("xdotool", "mousemove", str(round(x)), str(round(y)))
        time.sleep(SETTLE)
        if hold:
            self._run("xdotool", "mousedown", str(button))
            time.sleep(hold)
            self._run("xdotool", "mouseup", str(button))
        else:
            self._run("xdotool", "click", str(button))
        time.sleep(SETTLE)

    def move(self, x: float, y: float, settle: float = SETTLE) -> None:
        """Only move the pointer, and wait for ``settle`` s."""
        self._run("xdotool", "mousemove", str(round(x)), str(round(y)))
        time.sleep(settle)

    def key(self, *keys: str) -> None:
        """Press keys, in xdotool's names: ``ctrl+z``."""
        for key in keys:
            self._run("xdotool", "key", key)
            time.sleep(SETTLE)

    def type(self, text: str) -> None:
        """Type letters one after another."""
        self._run("xdotool", "type", "--delay", "60", text)
        time.sleep(SETTLE)

    def _run(self, *command: str) -> bytes:
        done = subprocess.run(command, env=self.environment, capture_output=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")
        return done.stdout


def missing_tools() -> list[str]:
    """Programs that a virtual display needs and this machine lacks."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]
