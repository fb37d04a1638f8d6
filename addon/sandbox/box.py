# SPDX-License-Identifier: GPL-3.0-or-later
"""The box: a worker inside bubblewrap, which sees only what it needs and can write nothing of it.

Its own process, user, network, IPC and mount namespaces; nothing of the host is writable; /tmp and
/dev/shm are small and in memory; the environment is made up here. A worker that forks is process 1
of the box: whoever is inside can't stop or kill it, and with it everything inside ends.

Root's box has two walls. What lies below /root no other user may even reach, so an outer bubblewrap
lays out the files as root; then ``setpriv`` makes the process a user that exists nowhere, and only
that user builds the inner wall, which is the one that holds.
"""

from __future__ import annotations

import functools
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .limits import Limits

#: Where temporary files go inside.
SCRATCH = "/tmp"
#: Set inside, so that the worker knows that process 1 is the box's and not a machine's.
VARIABLE = "PLUMBLINE_BOX"

#: How long the trial may take, s.
_TRIAL = 20.0
# Users that no machine hands out: systemd's table of ranges leaves these unused.
_UNUSED_USERS = (1_900_000_000, 2_100_000_000)
_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Libraries' own search list, links to the chosen ones, fonts and drivers' settings.
_SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/drirc",
    "/etc/glvnd",
)
# Of the extension: what judges and reads a scene. The tasks with their answers stay outside.
_PACKAGE = ("__init__.py", "blender_manifest.toml", "addon", "checks")
_WITHHELD = ("tasks", "tests", "docs")
_ROOT = Path(__file__).resolve().parents[2]


class BoxError(RuntimeError):
    """Why there can be no box here; one sentence with the remedy."""


@dataclass(frozen=True)
class Box:
    """What a box is made of: folders and files shown in it read-only, variables, sizes.

    With ``first`` what runs inside is process 1, which signals from inside don't end. What runs a
    program itself must not be: its own crash would go unheard. ``seccomp`` is a descriptor from
    which a filter of calls is read, to be handed over to the command that is started.
    """

    shown: Sequence[Path]
    environment: Mapping[str, str]
    limits: Limits
    first: bool = True
    seccomp: int | None = None

    def command(self, inside: Sequence[str]) -> list[str]:
        """The command that runs ``inside`` in the box; start it with an empty environment."""
        bwrap = _program("bwrap")
        seal = [*self._private(), *self._variables()]
        if os.geteuid() != 0:
            return [bwrap, *self._files(), *seal, "--", *inside]
        user = str(unused_user())
        outer = [bwrap, *self._files(), "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"]
        outer += [*_folder(SCRATCH), "--die-with-parent", "--cap-drop", "ALL"]
        outer += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"]
        other = [_program("setpriv"), "--reuid", user, "--regid", user, "--clear-groups"]
        other += ["--no-new-privs", "--"]
        return [*outer, *other, bwrap, "--ro-bind", "/", "/", *seal, "--", *inside]

    def _files(self) -> list[str]:
        """What is shown, read-only."""
        words = ["--ro-bind", "/usr", "/usr"]
        for name in _SYSTEM_LINKS:
            if os.path.islink(name):
                words += ["--symlink", os.readlink(name), name]
            elif os.path.isdir(name):
                words += ["--ro-bind", name, name]
        made: set[str] = {"/"}
        for place in self._places():
            words += _parents(place, made)
            words += ["--ro-bind", str(place.resolve()), str(place)]
        words += [*_parents(Path("/etc/mtab"), made), "--symlink", "/proc/self/mounts", "/etc/mtab"]
        for name in _WITHHELD:
            if _is_within(_ROOT / name, self.shown) and (_ROOT / name).is_dir():
                words += ["--tmpfs", str(_ROOT / name), "--remount-ro", str(_ROOT / name)]
        return words

    def _private(self) -> list[str]:
        """Namespaces, and what can be written: two small folders in memory."""
        words = ["--unshare-all", "--die-with-parent", "--new-session"]
        words += ["--as-pid-1"] if self.first else []
        words += ["--proc", "/proc", "--dev", "/dev"]
        words += ["--size", str(self.limits.shared), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
        words += ["--size", str(self.limits.scratch), "--tmpfs", SCRATCH, "--chdir", SCRATCH]
        made = {"/", SCRATCH}
        for place in self._places():
            if _is_within(place, [Path(SCRATCH)]):  # it was just covered
                words += [*_parents(place, made), "--ro-bind", str(place.resolve()), str(place)]
        words += [] if self.seccomp is None else ["--seccomp", str(self.seccomp)]
        return [*words, "--cap-drop", "ALL", "--remount-ro", "/"]

    def _places(self) -> list[Path]:
        system = [Path(name) for name in _SYSTEM_FILES if os.path.exists(name)]
        return _outermost([*system, *self.shown, *package_files()])

    def _variables(self) -> list[str]:
        words = ["--clearenv", "--setenv", VARIABLE, "1"]
        for name, value in self.environment.items():
            words += ["--setenv", name, value]
        return words


@functools.lru_cache(maxsize=8)
def why_not(user: int | None = None) -> str | None:
    """Why there can be no box here, as a sentence with the remedy; ``None`` if one was made.

    ``user``: whose answer is meant, by default this process's user.
    """
    if user is None:
        return why_not(os.geteuid() if hasattr(os, "geteuid") else -1)
    if sys.platform != "linux":
        return "bubblewrap exists on Linux only: here programs run in a process of their own"
    try:
        box = Box((), {}, Limits())
        command = box.command([_program("true")])
        said = subprocess.run(
            command,
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRIAL,
            check=False,
        )
    except BoxError as error:
        return str(error)
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap can't be started: {error}"
    if said.returncode == 0:
        return None
    words = said.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
    return _in_words(words[-1].removeprefix("bwrap: "))


def _in_words(reason: str) -> str:
    told = f"bubblewrap is here but can make no box ({reason})"
    if "--size" in reason or "--as-pid-1" in reason:
        return f"{told}: install bubblewrap 0.7 or newer"
    if "namespace" in reason or "not permitted" in reason or "uid map" in reason:
        return f"{told}: this system or container forbids user namespaces; have them allowed"
    return f"{told}: see that `bwrap --unshare-all --ro-bind / / true` works"


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None and name != "bwrap":
        found = shutil.which(name, path="/usr/bin:/bin")
    if found is None:
        line = "apt install bubblewrap" if name == "bwrap" else "apt install util-linux"
        raise BoxError(f"{name} is not here: `{line}` (or what your system calls it) brings it")
    return os.path.realpath(found)


def folders_of(command: Sequence[str], searched: Iterable[str] = ()) -> list[Path]:
    """What a worker's ``command`` needs to be shown: its program with all that lies beside it.

    ``searched``: further folders in which it looks for modules. Raises :class:`BoxError` where that
    can't be told, or would show a person's whole home.
    """
    if command[0] == sys.executable:
        found = [*_of_python(), *(Path(name) for name in searched)]
    else:
        found = [link.parent for link in _links(Path(command[0]))]
        with open(command[0], "rb") as stream:
            if stream.read(4) != b"\x7fELF":
                raise BoxError(f"{command[0]} is no program but a script, which no box can hold")
    home = Path.home().resolve()
    for place in found:
        if home.is_relative_to(place.resolve()) and not Path("/usr").is_relative_to(place):
            raise BoxError(f"{place} can't be shown to a program: move Blender to its own folder")
    return [place for place in found if place.exists() and not _is_within(place, [Path("/usr")])]


def _of_python() -> Iterator[Path]:
    """This Python: every place on the way from its link to itself, and its modules."""
    for link in _links(Path(sys.executable)):
        if link.parent.name in ("bin", "Scripts"):
            yield link.parent.parent
    yield from (Path(name) for name in (sys.prefix, sys.base_prefix, sys.exec_prefix))
    for name in sys.path:
        if os.path.basename(name) in ("site-packages", "dist-packages") and os.path.isdir(name):
            yield Path(name)


def _links(path: Path) -> Iterator[Path]:
    """A path, and each that it leads to, link by link, to the file itself."""
    seen: set[Path] = set()
    while path not in seen:
        seen.add(path)
        yield path
        if path.is_symlink():
            path = Path(os.path.normpath(path.parent / os.readlink(path)))
        else:
            path = path.resolve()


def package_files() -> list[Path]:
    """The extension's own files that a worker needs."""
    return [_ROOT / name for name in _PACKAGE if (_ROOT / name).exists()]


def unused_user() -> int:
    """A number that belongs to no user, no process and, by chance, to no other box."""
    import pwd

    low, high = _range_of_users()
    while True:
        user = random.SystemRandom().randrange(low, high)
        if user in _users_of_processes():
            continue
        try:
            pwd.getpwuid(user)
        except KeyError:
            return user


def _range_of_users() -> tuple[int, int]:
    """Numbers that exist here at all: in a container there may be few."""
    with open("/proc/self/uid_map", encoding="ascii") as stream:
        maps = [tuple(map(int, line.split())) for line in stream]
    start, _, count = max(maps, key=lambda row: row[0] + row[2])
    end = start + count
    if end > _UNUSED_USERS[1]:
        return _UNUSED_USERS
    if count < 2:
        raise BoxError("this container knows no user but root, and a box needs another")
    return max(start + 1, end - 4096), end - 1 if count > 2 else end


def _users_of_processes() -> set[int]:
    users = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                users.add(os.stat(f"/proc/{name}").st_uid)
            except OSError:
                continue
    return users


def _outermost(places: Iterable[Path]) -> list[Path]:
    """Without what lies within another one, or in what every box shows."""
    kept: list[Path] = []
    for place in sorted({Path(os.path.abspath(p)) for p in places}, key=lambda p: len(p.parts)):
        if not _is_within(place, [*kept, Path("/usr")]):
            kept.append(place)
    return kept


def _is_within(place: Path, folders: Iterable[Path]) -> bool:
    return any(place.is_relative_to(folder) for folder in folders)


def _parents(place: Path, made: set[str]) -> list[str]:
    """Words that make the folders above ``place``: made by itself they are closed to others."""
    words: list[str] = []
    for folder in reversed(place.parents):
        if str(folder) not in made:
            made.add(str(folder))
            words += _folder(str(folder))
    return words


def _folder(name: str) -> list[str]:
    return ["--perms", "0755", "--dir", name]
