#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real Blenders with windows: ``python3 tests/tools/provision_blender.py [4.3] [5.2]``.

Prints one path a line, a ``blender`` like any other (see ``chroots.py``), and keeps what it made in
the cache. Needs root and apt on Debian 12 or 13, about two minutes and 1.4 GB for each.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from chroots import Chroot
from plumbline.addon.runs.system import SystemProblem, apt_install, cache_folder

# What Debian's Blender needs to be of use: NumPy and drivers are only recommended by its package.
# The rest is for what runs inside: pytest and its helpers, and bubblewrap for the sandbox.
COMMON = [
    *("ca-certificates", "blender", "python3-numpy", "libegl1", "libgl1", "libgl1-mesa-dri"),
    *("bubblewrap", "python3-pytest", "python3-hypothesis", "python3-jsonschema"),
    # For this system's Python to serve bpy's matrix where the machine's own can't.
    *("python3-venv", "libx11-6", "libxrender1", "libxxf86vm1", "libxfixes3", "libxi6"),
    *("libxkbcommon0", "libsm6", "libice6", "libgomp1"),
]
# Without these Blender's own extension manager fails to register in sid.
EXTENSION_MANAGER = ["python3-cattr", "python3-requests", "python3-zstandard"]
WINDOW_TOOLS = {
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "xwd": "x11-apps",
    "import": "imagemagick",
}


class RealBlender(NamedTuple):
    """A Blender of Debian: its minor version, its system, and the path of its Python."""

    minor: str
    chroot: Chroot

    @property
    def command(self) -> Path:
        """Where the command lies once :meth:`provide` has been called."""
        return cache_folder() / "bin" / f"blender-{self.minor}"

    def provide(self) -> Path:
        """Make it unless it is there; raises :class:`SystemProblem` with the reason."""
        self.chroot.provide()
        command = self.chroot.command("/usr/bin/blender", self.command.name)
        done = subprocess.run([str(command), "--version"], stdout=subprocess.PIPE, timeout=120)
        match = re.search(rb"Blender (\d+\.\d+)", done.stdout)
        if done.returncode != 0 or match is None:
            raise SystemProblem(
                f"the Blender of Debian {self.chroot.suite} doesn't start (code {done.returncode})"
            )
        if match[1].decode() != self.minor:
            raise SystemProblem(
                f"Debian {self.chroot.suite} carries Blender {match[1].decode()} now, not "
                f"{self.minor}: name it in {Path(__file__).name}"
            )
        return command


TRIXIE = Chroot("trixie", tuple(COMMON))
SID = Chroot("sid", tuple(COMMON + EXTENSION_MANAGER), check_date=False)
REAL_BLENDERS = {
    blender.minor: blender for blender in (RealBlender("4.3", TRIXIE), RealBlender("5.2", SID))
}


def provide_window_tools() -> None:
    """Install what draws, types and photographs a virtual display."""
    missing = [package for tool, package in WINDOW_TOOLS.items() if shutil.which(tool) is None]
    apt_install(missing, f"window tests need {', '.join(missing)}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Provide real Blenders for the tests.")
    parser.add_argument("versions", nargs="*", default=list(REAL_BLENDERS), metavar="VERSION")
    parser.add_argument("--windows", action="store_true", help="and what a virtual display needs")
    options = parser.parse_args(arguments)
    unknown = [version for version in options.versions if version not in REAL_BLENDERS]
    if unknown:
        parser.error(f"no such version: {', '.join(unknown)} (there is {', '.join(REAL_BLENDERS)})")
    code = 0
    for version in options.versions:
        started = time.monotonic()
        try:
            if options.windows:
                provide_window_tools()
            print(REAL_BLENDERS[version].provide(), flush=True)
        except SystemProblem as problem:
            print(f"Blender {version}: {problem}", file=sys.stderr, flush=True)
            code = 1
        else:
            seconds = time.monotonic() - started
            print(f"Blender {version}: ready after {seconds:.0f} s", file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
