# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian systems in a folder of the cache, and commands that run inside them with our paths.

Other releases of Debian carry the Blenders and the Pythons that this machine may lack. Each is made
once by mmdebstrap, in a folder of its own that is renamed when it is whole, so that an interrupted
run leaves nothing that looks finished; a lock keeps two runs apart. A command inside is a small
script around bubblewrap: the other system's ``/usr`` and ``/etc`` with this machine's home, work
and temporary folders at their usual places, so that any path means the same inside and outside.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import checkout  # noqa: F401  (gives the package)
from plumbline.addon.runs.system import (
    SystemProblem,
    apt_install,
    cache_folder,
    is_root,
    lock,
    require_room,
)

HOST_PACKAGES = {"mmdebstrap": "mmdebstrap", "bwrap": "bubblewrap"}
DEFAULT_MIRROR = "http://deb.debian.org/debian"
ROOM_GB = 3.0  # a system with Blender takes 1.4 GB, its downloads are there for a while as well
BUILD_SECONDS = 1800.0
RECIPE = "1"  # change it to have every folder made anew

_WRAPPER = """#!/bin/sh
# Made by Plumbline: runs {program} inside {root}
set -- {program} "$@"
for folder in /*; do
    case "$folder" in
        /bin|/boot|/dev|/etc|/lib*|/lost+found|/proc|/run|/sbin|/sys|/usr|/var) continue ;;
    esac
    [ -d "$folder" ] && set -- --bind-try "$folder" "$folder" "$@"
done
for file in /etc/hosts /etc/resolv.conf /etc/pip.conf /etc/xdg/pip /etc/ssl/certs; do
    [ -e "$file" ] && set -- --ro-bind-try "$file" "$file" "$@"
done
: "${{LIBGL_ALWAYS_SOFTWARE:=1}}"
export LIBGL_ALWAYS_SOFTWARE
# Blender takes the first python3.x on the path for its own, and must not find this machine's.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
exec bwrap --die-with-parent --bind {root} / --dev-bind /dev /dev --bind /proc /proc \\
    --bind /sys /sys "$@"
"""


class Chroot(NamedTuple):
    """A release of Debian with some packages: what is made, and where."""

    suite: str
    packages: tuple[str, ...]
    #: The package index of a moving release may be past its date on a mirror; its signature counts.
    check_date: bool = True

    @property
    def folder(self) -> Path:
        """Where it lies once it is whole; another recipe gets another folder."""
        recipe = "\n".join([RECIPE, self.suite, *sorted(self.packages)])
        key = hashlib.sha256(recipe.encode("utf-8")).hexdigest()[:10]
        return cache_folder() / "chroots" / f"{self.suite}-{key}"

    def provide(self) -> Path:
        """Make it unless it is there; raises :class:`SystemProblem` if that can't be done."""
        if self.folder.is_dir() and shutil.which("bwrap"):
            return self.folder
        if not is_root():
            raise SystemProblem(f"making a Debian {self.suite} system needs root")
        missing = [package for tool, package in HOST_PACKAGES.items() if not shutil.which(tool)]
        apt_install(missing, f"making a Debian {self.suite} system needs {', '.join(missing)}")
        with lock(self.folder.parent / f"{self.suite}.lock"):
            for left_over in self.folder.parent.glob(f"{self.suite}-*.partial"):
                remove_system(left_over)
            if not self.folder.is_dir():
                self._build()
        return self.folder

    def _build(self) -> None:
        require_room(self.folder.parent, ROOM_GB, f"Debian {self.suite}")
        partial = self.folder.with_name(self.folder.name + ".partial")
        mirror = reachable_mirror(self.suite)
        options = ['APT::Install-Recommends "false"', 'Acquire::Retries "3"', *apt_proxies()]
        if not self.check_date:
            options.append('Acquire::Check-Valid-Until "false"')
        command = ["mmdebstrap", "--variant=minbase", f"--include={','.join(self.packages)}"]
        command += [f"--aptopt={option}" for option in options]
        # Blender asks /etc/mtab for the mounted file systems, and a minimal Debian has none.
        command += ['--customize-hook=ln -sf ../proc/self/mounts "$1/etc/mtab"']
        command += [self.suite, str(partial), mirror]
        log = self.folder.with_suffix(".log")
        with open(log, "wb") as output:
            try:
                done = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=BUILD_SECONDS,
                    env=dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8"),
                )
            except subprocess.TimeoutExpired:
                raise SystemProblem(
                    f"Debian {self.suite} from {mirror} wasn't there after {BUILD_SECONDS:.0f} s"
                ) from None
        if done.returncode != 0:
            errors = re.findall(r"^E: (.+)", log.read_text(errors="replace"), re.MULTILINE)
            remove_system(partial)
            raise SystemProblem(
                f"Debian {self.suite} from {mirror} could not be made: "
                f"{errors[0] if errors else 'see the log'} (log: {log})"
            )
        partial.rename(self.folder)

    def command(self, program: str, name: str) -> Path:
        """A script in the cache's ``bin`` called ``name`` that runs ``program`` inside."""
        script = cache_folder() / "bin" / name
        script.parent.mkdir(parents=True, exist_ok=True)
        text = _WRAPPER.format(program=shlex.quote(program), root=shlex.quote(str(self.folder)))
        if not script.exists() or script.read_text(encoding="utf-8") != text:
            with tempfile.NamedTemporaryFile(
                "w", dir=script.parent, delete=False, encoding="utf-8"
            ) as partial:
                partial.write(text)
            os.chmod(partial.name, 0o755)
            os.replace(partial.name, script)
        return script


def remove_system(folder: Path) -> None:
    """Remove a half-made system, but never through something that is still mounted in it."""
    inside = [Path(line.split()[1]) for line in Path("/proc/self/mounts").read_text().splitlines()]
    mounted = [path for path in inside if folder == path or folder in path.parents]
    for path in sorted(mounted, key=lambda path: len(path.parts), reverse=True):
        if subprocess.run(["umount", "-l", str(path)], check=False).returncode != 0:
            raise SystemProblem(f"{path} is still mounted: unmount it and remove {folder}")
    shutil.rmtree(folder, ignore_errors=True)


# --- Where packages come from ---------------------------------------------------------------------


def apt_mirrors(etc: Path = Path("/etc/apt")) -> list[str]:
    """Mirrors of Debian's main archive that apt on this machine uses, in its order."""
    lines = []
    for file in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if file.is_file() and file.suffix in (".list", ".sources"):
            text = file.read_text(encoding="utf-8", errors="replace")
            lines += list(_deb822(text) if file.suffix == ".sources" else _one_line(text))
    found = []
    for uri in lines:
        plain = uri.rstrip("/")
        if plain.startswith("mirror+file:"):
            listed = Path(plain[len("mirror+file:") :])
            plain = listed.read_text().split()[0].rstrip("/") if listed.is_file() else ""
        # Not the security archive, and no third party: theirs hold no whole Debian.
        if re.search(r"/debian$", plain) and plain not in found:
            found.append(plain)
    return found


def _one_line(text: str) -> Iterator[str]:
    """URIs in the old format: ``deb [options] URI suite components``."""
    for match in re.finditer(r"^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+\S+", text, re.MULTILINE):
        yield match[1]


def _deb822(text: str) -> Iterator[str]:
    """URIs in the new format: stanzas of ``Field: values``, continued on indented lines."""
    for stanza in re.split(r"\n\s*\n", text):
        kept = "\n".join(line for line in stanza.splitlines() if not line.startswith("#"))
        fields = {
            name.lower(): value.split()
            for name, value in re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", kept, re.MULTILINE)
        }
        if "deb" in fields.get("types", []) and fields.get("enabled") != ["no"]:
            yield from fields.get("uris", [])


def reachable_mirror(suite: str) -> str:
    """The first mirror that answers for ``suite``; apt itself asks, with its own proxies."""
    candidates = [*apt_mirrors(), DEFAULT_MIRROR]
    # A snapshot holds the Debian of its own day: better than nothing, worse than a living mirror.
    candidates.sort(key=lambda uri: "snapshot" in uri)
    helper = Path("/usr/lib/apt/apt-helper")
    for mirror in candidates:
        with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
            target = f"{mirror}/dists/{suite}/InRelease"
            command = [str(helper), "-o", "Acquire::Retries=1", "download-file", target]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            if subprocess.run([*command, f"{folder}/InRelease"], **quiet).returncode == 0:  # type: ignore[call-overload]
                return mirror
    raise SystemProblem(f"no mirror of Debian {suite} answers ({', '.join(candidates)})")


def apt_proxies() -> list[str]:
    """The proxy and certificate settings of this machine's apt, for the apt of the new system."""
    done = subprocess.run(["apt-config", "dump"], stdout=subprocess.PIPE, check=False)
    wanted = r"^(Acquire::https?::(?:Proxy|CAInfo|Verify-Peer|Verify-Host)\S* \"[^\"]+\");"
    return re.findall(wanted, done.stdout.decode("utf-8", "replace"), re.MULTILINE)
