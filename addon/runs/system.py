# SPDX-License-Identifier: GPL-3.0-or-later
"""What the machine itself must bring: shared libraries, Debian packages, room on the disk.

Standard library only, Python >= 3.8.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

# Shared library -> Debian package, for what every supported bpy needs; from `ldd` on the modules
# 4.2.23 to 5.3.0 in a bare Debian 12 and 13.
PACKAGE_OF_LIBRARY: dict[str, str] = {
    "libX11.so.6": "libx11-6",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXext.so.6": "libxext6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libgomp.so.1": "libgomp1",
}
# Loaded at run time only, so `ldd` is silent about them: pictures need them.
LOADED_LATER = ("libGL.so.1", "libEGL.so.1")
SOFTWARE_GL = "libgl1-mesa-dri"


class SystemProblem(Exception):
    """Something of the machine is missing; the text is one sentence with the remedy."""


def cache_folder() -> Path:
    """Where Blenders, environments and shader caches are kept between runs."""
    own = os.environ.get("PLUMBLINE_CACHE")
    if own:
        return Path(own).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "plumbline"


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the file ``path`` for this process alone; a dead process holds nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b") as handle:
        if os.name == "nt":
            import msvcrt

            handle.seek(0)
            while True:  # gives up with OSError every ten seconds
                try:
                    msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
                    break
                except OSError:
                    continue
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def require_room(folder: Path, gigabytes: float, what: str) -> None:
    """Raise :class:`SystemProblem` unless ``folder`` has that much room left."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free / 1e9
    if free < gigabytes:
        raise SystemProblem(
            f"{what} needs about {gigabytes:.1f} GB and {folder} has {free:.1f} GB left: make room "
            "there, or move the checkout to a larger disk"
        )


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def apt_line(packages: Sequence[str]) -> str:
    """The one line that a person types to get ``packages``."""
    return "sudo apt-get install -y --no-install-recommends " + " ".join(sorted(set(packages)))


def apt_install(packages: Sequence[str], why: str) -> None:
    """Install Debian ``packages`` if we may, else raise :class:`SystemProblem` with the line."""
    if not packages:
        return
    if shutil.which("apt-get") is None:
        raise SystemProblem(
            f"{why}: this system has no apt-get; install what Debian calls {', '.join(packages)}"
        )
    if not is_root():
        raise SystemProblem(f"{why}: {apt_line(packages)}")
    stale = _refresh_apt_lists()
    problem = _apt_get(["install", "-y", "--no-install-recommends", *packages])
    if problem:
        raise SystemProblem(f"{why}, but apt-get could not install it: {stale or problem}")


@lru_cache(maxsize=None)
def _refresh_apt_lists() -> str:
    # A foreign source that can't be reached doesn't stop Debian's own, so `install` decides.
    return _apt_get(["update", "--error-on=any"])


def _apt_get(arguments: list[str]) -> str:
    """Run apt-get; returns its last words if it failed, else nothing."""
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
    options = ["-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"]
    done = subprocess.run(
        ["apt-get", *options, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    said = done.stdout.decode("utf-8", "replace").strip()
    errors = re.findall(r"^(?:E|Err|W)[:\d].*", said, re.MULTILINE) or said.splitlines()
    return "" if done.returncode == 0 else f"`apt-get {arguments[0]}` said {errors[-1].strip()!r}"


def missing_libraries(modules: Sequence[Path]) -> list[str] | None:
    """Shared libraries that ``modules`` need and this machine lacks; ``None`` if unknown here.

    Only Linux has this question: elsewhere the wheels are complete.
    """
    if shutil.which("ldd") is None:
        return None
    missing = []
    for module in modules:
        done = subprocess.run(
            ["ldd", str(module)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
        missing += re.findall(r"^\s*(\S+) => not found", done.stdout.decode(), re.MULTILINE)
    return sorted(set(missing) | {name for name in LOADED_LATER if not _loadable(name)})


def _loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def packages_for(libraries: Sequence[str]) -> list[str]:
    """Debian packages that bring ``libraries``, with a software renderer if they draw."""
    packages = {PACKAGE_OF_LIBRARY[name] for name in libraries if name in PACKAGE_OF_LIBRARY}
    if set(libraries) & set(LOADED_LATER):
        packages.add(SOFTWARE_GL)
    return sorted(packages)
