# SPDX-License-Identifier: GPL-3.0-or-later
"""The neighbourhood of a hostile program: secrets to find, files to spoil, servers that listen.

A :class:`Yard` knows afterwards whether anything of it was touched.
"""

from __future__ import annotations

import contextlib
import glob
import os
import socket
import subprocess
import sysconfig
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: How files are called that programs of the corpus try to leave somewhere.
MARK = "plumbline-hostile-mark"
_MARKED = ("/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr", "/root", "/", str(ROOT))
_PAGE = os.sysconf("SC_PAGE_SIZE")
#: Seconds between two looks at what processes hold.
_SAMPLE = 0.1


class Yard:
    """Everything below ``folder``; the environment gets the secret too, and a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.secret = f"CANARY-VALUE-{os.urandom(12).hex()}"
        self.outside = folder / "outside"
        self.home = folder / "home"
        for place in (self.outside, self.home / ".ssh", self.home / ".aws"):
            place.mkdir(parents=True)
        for place in (
            *(self.outside / "secret.txt", self.outside / "kept.txt", self.home / ".netrc"),
            *(self.home / ".ssh" / "id_ed25519", self.home / ".aws" / "credentials"),
            self.outside / "results.jsonl",
        ):
            place.write_text(f"{self.secret}\n")
        self._keep_environment()
        self._listeners = [
            self._listen(socket.AF_INET, ("127.0.0.1", 0)),
            self._listen(socket.AF_UNIX, str(folder / "socket")),
            self._listen(socket.AF_UNIX, f"\0{folder.name}-{os.getpid()}"),
        ]
        # What a process was started with can be read by others, what it sets later can't.
        self._bystander = subprocess.Popen(["sleep", "3600"], env={"OPENAI_API_KEY": self.secret})
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", 0))
        self._datagrams.setblocking(False)
        self.places = {
            "secret": self.outside / "secret.txt",
            "outside": self.outside,
            "home": self.home,
            "checkout": ROOT,
            "port": self._listeners[0].getsockname()[1],
            "udp": self._datagrams.getsockname()[1],
            "socket": folder / "socket",
            "abstract": f"{folder.name}-{os.getpid()}",
            "parent": os.getpid(),
        }
        self._before: dict[str, object] = {}

    def _keep_environment(self) -> None:
        changes = {
            "PLUMBLINE_CANARY": self.secret,
            "ANTHROPIC_API_KEY": self.secret,
            "HOME": str(self.home),
        }
        self._environment = {name: os.environ.get(name) for name in changes}
        os.environ.update(changes)

    @staticmethod
    def _listen(family: int, address: object) -> socket.socket:
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()
        listener.setblocking(False)
        return listener

    def close(self) -> None:
        """Stop listening and give the environment back."""
        self._bystander.kill()
        self._bystander.wait()
        for listener in (*self._listeners, self._datagrams):
            listener.close()
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def remember(self) -> None:
        """From now on nothing may change."""
        self._before = self._now()

    def changed(self) -> list[str]:
        """What is not as it was, one line each."""
        now = self._now()
        names = sorted(now.keys() | self._before.keys())
        return [name for name in names if now.get(name) != self._before.get(name)]

    def visitors(self) -> list[str]:
        """Who connected or sent something since the last call."""
        found = []
        for listener in self._listeners:
            try:
                visitor, _ = listener.accept()
            except BlockingIOError:
                continue
            visitor.close()
            found.append(str(listener.getsockname()))
        with contextlib.suppress(BlockingIOError):
            found.append(f"datagram {self._datagrams.recv(64)!r}")
        return found

    def _now(self) -> dict[str, object]:
        seen: dict[str, object] = {}
        for top in (self.outside, self.home):
            for path in sorted(top.rglob("*")):
                info = path.lstat()
                content = path.read_bytes() if path.is_file() else b""
                seen[str(path)] = (info.st_mode, info.st_mtime_ns, info.st_nlink, content)
        for path in sorted((ROOT / "checks").rglob("*.py")):
            info = path.lstat()
            seen[str(path)] = (info.st_mode, info.st_size, info.st_mtime_ns)
        libraries = (sysconfig.get_path("purelib"), os.path.dirname(os.__file__))
        for folder in (*_MARKED, *libraries):
            seen.update(dict.fromkeys(glob.glob(f"{glob.escape(folder)}/*{MARK}*"), True))
        return seen


def tree(process: int) -> dict[int, int]:
    """Every descendant of a process with its share of the memory that it holds, bytes."""
    found: dict[int, int] = {}
    todo = [process]
    while todo:
        for child in _children(todo.pop()):
            with contextlib.suppress(OSError):  # it ends while it is looked at
                state = Path("/proc", child, "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    found[int(child)] = _share(child)
            todo.append(int(child))
    return found


def _share(process: str) -> int:
    """What a process holds, pages that forks share divided among them; else all but its files."""
    with contextlib.suppress(OSError):
        for line in Path("/proc", process, "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    memory = Path("/proc", process, "statm").read_text().split()
    return (int(memory[1]) - int(memory[2])) * _PAGE


def _children(process: int) -> list[str]:
    children = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            children += Path(f"/proc/{process}/task/{thread}/children").read_text().split()
    return children


class Scales:
    """Weighs the descendants of this process as long as it is entered; ``most`` in bytes."""

    def __enter__(self) -> Scales:
        self.most = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._weigh, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done.set()
        self._thread.join()

    def _weigh(self) -> None:
        pause = _SAMPLE
        while not self._done.wait(pause):
            begun = time.monotonic()
            self.most = max(self.most, sum(tree(os.getpid()).values()))
            pause = max(_SAMPLE, 4 * (time.monotonic() - begun))


def settled(count: int, patience: float = 10.0) -> set[int]:
    """Descendants of this process once there are no more than ``count``, or after a while."""
    end = time.monotonic() + patience
    while len(now := tree(os.getpid())) > count and time.monotonic() < end:
        time.sleep(0.05)
    return set(now)
