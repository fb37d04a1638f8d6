# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a program may take of the machine, and how a process holds itself to it.

Standard library only; where the system has no such limits (Windows) nothing is set, and the
parent's deadline is what remains.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

MIB = 1 << 20
GIB = 1 << 30

#: Address space that the threads of one core reserve without using it, bytes.
THREAD_SPACE = 128 * MIB
#: Seconds of processor time beyond what a program could use before its deadline.
CPU_SLACK = 10


@dataclass(frozen=True)
class Limits:
    """What one program may use.

    ``memory``: address space of a process (and a little more for each core), and what all its
    processes hold together, bytes; NumPy and Blender alone take up to 3 GiB of address space.
    ``cpu``: processor time, s (``None``: what all cores can give before the deadline).
    ``file_size``: of one file, ``scratch`` and ``shared``: of /tmp and /dev/shm in a box,
    ``result``: of a scene or picture handed over, bytes. ``words``: bytes kept of what is printed
    past Python.
    """

    memory: int = 6 * GIB
    cpu: float | None = None
    file_size: int = 512 * MIB
    open_files: int = 256
    processes: int = 256
    scratch: int = 512 * MIB
    shared: int = 64 * MIB
    result: int = 256 * MIB
    words: int = 64 * 1024

    def to_plain(self) -> dict[str, Any]:
        """As sent to a worker."""
        return asdict(self)


def hold_to(limits: Mapping[str, Any], deadline: float | None) -> None:
    """Put this process and all that it will start under ``limits``; ``deadline`` in s.

    No number of what the kernel enforces here can be raised again by the process itself.
    """
    if sys.platform == "win32":
        return
    import resource

    for name, value in _wanted(limits, deadline).items():
        which = getattr(resource, name, None)
        if which is None or value is None:
            continue
        _, most = resource.getrlimit(which)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        # The processor's limit first sends a signal that can be told apart, then kills.
        hard = value + 1 if name == "RLIMIT_CPU" else value
        if most != resource.RLIM_INFINITY:
            hard = min(hard, most)
        resource.setrlimit(which, (value, hard))


def _wanted(limits: Mapping[str, Any], deadline: float | None) -> dict[str, int | None]:
    """Limit by the kernel's name for it."""
    cores = os.cpu_count() or 1
    cpu = limits["cpu"]
    if cpu is None and deadline is not None:
        cpu = deadline * cores + CPU_SLACK
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": None if cpu is None else max(1, int(cpu)),
        "RLIMIT_FSIZE": limits["file_size"],
        "RLIMIT_NOFILE": limits["open_files"],
    }
    if sys.platform == "linux":  # elsewhere these count something else, or can't be set
        wanted["RLIMIT_AS"] = limits["memory"] + cores * THREAD_SPACE
        wanted["RLIMIT_NPROC"] = limits["processes"]
        wanted["RLIMIT_MSGQUEUE"] = 0
    return wanted


def processes_of_user() -> int:
    """Processes and threads that this user has now: the kernel counts them against the limit."""
    if sys.platform != "linux" or os.getuid() == 0:
        return 0
    count, mine = 0, os.getuid()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            if os.stat(f"/proc/{name}").st_uid == mine:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:  # it ended meanwhile
            continue
    return count
