# SPDX-License-Identifier: GPL-3.0-or-later
"""Real Blenders without a window, and whole machines with next to nothing on them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from plumbline.addon.runs.extension import CHECKOUT_ONLY, contents
from plumbline.addon.runs.system import SystemProblem
from provision_blender import REAL_BLENDERS

ROOT = Path(__file__).parents[2]
#: What a checkout holds beside the package and what is never part of one.
CHECKOUT_FILES = ("run_suite.py", "pyproject.toml", "constraints.txt", "README.md")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session", params=list(REAL_BLENDERS))
def blender_path(request) -> Path:
    """A Blender of Debian; ``tests/tools/provision_blender.py`` makes it."""
    blender = REAL_BLENDERS[request.param]
    reason = os.environ.get(f"PLUMBLINE_NO_BLENDER_{request.param.replace('.', '_')}")
    if reason or not blender.command.exists():
        command = f"python3 tests/tools/provision_blender.py {request.param}"
        pytest.skip(reason or f"no Blender {request.param} here: `{command}` makes one")
    return blender.command


@pytest.fixture
def blender(blender_path, tmp_path, monkeypatch) -> Run:
    """Run that Blender with a user folder of its own, in an empty folder."""
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path / "user"))
    work = tmp_path / "work"
    work.mkdir()

    def run(*arguments: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        command = [str(blender_path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=work)

    run.folder = work  # type: ignore[attr-defined]
    return run


@pytest.fixture
def suite(blender) -> Run:
    """The command line inside that Blender, from the bare checkout."""

    def run(*arguments: str, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        program = ["-b", "--factory-startup", "--python", str(ROOT / "run_suite.py"), "--"]
        return blender(*program, *arguments, timeout=timeout)

    run.folder = blender.folder  # type: ignore[attr-defined]
    return run


@pytest.fixture(scope="session")
def checkout(tmp_path_factory) -> Path:
    """A copy of the checkout with nothing in it that git doesn't hold."""
    copy = tmp_path_factory.mktemp("a checkout") / "plumbline-1.0"  # a name no package could have
    for name in [*contents(), *CHECKOUT_ONLY, *CHECKOUT_FILES]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


class Machine:
    """A Debian by itself: nothing of this machine but the network and one folder."""

    def __init__(self, root: Path, checkout: Path) -> None:
        self.root = root
        self.checkout = checkout

    def run(
        self,
        *arguments: str,
        hide: tuple[str, ...] = (),
        network: bool = True,
        timeout: float = 900,
    ) -> subprocess.CompletedProcess[str]:
        """Run ``arguments`` in the folder of the checkout; ``hide`` takes programs away."""
        binds = ["--bind", str(self.root), "/", "--dev", "/dev", "--proc", "/proc"]
        binds += ["--perms", "1777", "--tmpfs", "/tmp", "--bind", str(self.checkout), "/plumbline"]
        for name in ("hosts", "resolv.conf", "pip.conf", "xdg/pip", "ssl/certs"):
            binds += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        downloads = Path.home() / ".cache" / "pip"
        binds += ["--bind-try", str(downloads), "/root/.cache/pip"]
        for program in hide:
            binds += ["--ro-bind", "/dev/null", program]
        binds += [] if network else ["--unshare-net"]
        kept = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or "proxy" in k.lower()}
        kept |= {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        return subprocess.run(
            ["bwrap", "--die-with-parent", *binds, "--chdir", "/plumbline", *arguments],
            env={**kept, "PIP_FIND_LINKS": ""},
            capture_output=True,
            text=True,
            timeout=timeout,
        )


@pytest.fixture(scope="session")
def machine_of(tmp_path_factory, checkout):
    """Make a :class:`Machine` from a :class:`Chroot`.

    What will be installed into is a copy, to be thrown away after the tests.
    """
    made = []

    def make(system, throw_away: bool = False) -> Machine:
        try:
            source = system.provide()
        except SystemProblem as problem:
            pytest.skip(str(problem))
        folder = tmp_path_factory.mktemp("machine")
        made.append(folder)
        copy = folder / "plumbline"
        shutil.copytree(checkout, copy)
        if throw_away:
            root = folder / "root"
            subprocess.run(["cp", "-a", "--reflink=auto", str(source), str(root)], check=True)
            source = root
        return Machine(source, copy)

    yield make
    subprocess.run(["rm", "-rf", *map(str, made)], check=False)
