# SPDX-License-Identifier: GPL-3.0-or-later
"""The providers' SDKs for the Python of a Blender, in a folder of the cache.

Blender brings no pip along and should not be changed by tests; what a person does instead stands in
docs/window.md. ``python3 tests/tools/sdks.py 3.13`` makes the folder and prints its path.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from checkout import ROOT
from plumbline.addon.runs.system import cache_folder, lock, require_room

PACKAGES = ("anthropic", "openai")
ROOM_GB = 0.3
TIMEOUT = 600  # s


def provide_sdks(python: str) -> Path:
    """The folder with both SDKs for a minor version of Python, such as ``3.13``.

    Raises ``RuntimeError`` with pip's own words if they can't be had.
    """
    pins = _pins()
    key = hashlib.sha256(f"{PACKAGES}{pins}".encode()).hexdigest()[:10]
    folder = cache_folder() / "sdks" / f"{python}-{key}"
    with lock(folder.with_name(folder.name + ".lock")):
        if not folder.is_dir():
            _install(folder, python, pins)
    return folder


def _pins() -> str:
    """The pins of the checkout that hold for every Python."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line and ";" not in line and line[0] != "#")


def _install(folder: Path, python: str, pins: str) -> None:
    require_room(folder.parent, ROOM_GB, "the SDKs")
    draft = folder.with_name(folder.name + ".part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    listed = draft.with_suffix(".txt")
    listed.write_text(pins, encoding="utf-8")
    machine = platform.machine()
    wheels = [f"--platform=manylinux_2_{glibc}_{machine}" for glibc in (17, 28, 34)]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--target", str(draft), "--only-binary=:all:", "--implementation=cp"]
    command += [f"--python-version={python}", *wheels, "--platform=any", "-c", str(listed)]
    done = subprocess.run([*command, *PACKAGES], capture_output=True, text=True, timeout=TIMEOUT)
    listed.unlink()
    if done.returncode:
        shutil.rmtree(draft, ignore_errors=True)
        raise RuntimeError(f"no SDKs for Python {python}: {done.stderr.strip()[-2000:]}")
    draft.rename(folder)


if __name__ == "__main__":
    print(provide_sdks(sys.argv[1]))
