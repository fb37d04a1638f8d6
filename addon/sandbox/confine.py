# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker on Linux does to itself and its children through the kernel, by ``ctypes``.

None of this is the wall: that is the box (:mod:`.box`). It takes from a program what no scene
needs, so that less is left to hold against, and it finds what a program leaves running.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
import time
from collections.abc import Iterator

# From linux/prctl.h and linux/seccomp.h.
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_ALLOW = 0x7FFF0000
_FAIL = 0x00050000  # plus the error's number

# Operations of a packet filter (linux/filter.h): load a word, compare, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# Where seccomp_data holds the number of the call, the architecture, the low word of an argument.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_EPERM, _ENOSYS = 1, 38

#: Name of a call -> its number on x86_64 and on aarch64. Refused are: memory that belongs to no
#: process (no limit counts it), other processes' memory and limits, other programs, sockets, new
#: namespaces, mounts, and parts of the kernel that only tools need.
_REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "execve": (59, 221),
    "execveat": (322, 281),
    "socket": (41, 198),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
}
#: Calls that a process may only aim at itself: the argument that names whom must be 0.
_ONLY_ITSELF = {
    "prlimit64": ((302, 261), 0),
    "sched_setaffinity": ((203, 122), 0),
    "sched_setscheduler": ((144, 119), 0),
    "sched_setparam": ((142, 118), 0),
    "sched_setattr": ((314, 274), 0),
    "setpriority": ((141, 140), 1),
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
#: All CLONE_NEW… flags: namespaces.
_NAMESPACES = 0x7E020000
_X32 = 0x40000000
#: Machine -> its place in the tables above, its AUDIT_ARCH_….
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_SECCOMP_CALL = (317, 277)


def hide_from_children() -> None:
    """Close this process's /proc files and memory to every other process of the same user."""
    _prctl(_PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that none gets away."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def give_up_calls() -> bool:
    """Have the kernel refuse this process what no scene needs; whether that is so.

    Holds for all its threads and for whatever it starts, and can't be taken back.
    """
    place = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or place is None:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    steps = _filter(*place)
    code = ctypes.create_string_buffer(steps, len(steps))
    program = struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(code))
    number = ctypes.c_long(_SECCOMP_CALL[place[0]])
    flag = ctypes.c_ulong(_SECCOMP_FILTER_FLAG_TSYNC)
    return libc.syscall(number, ctypes.c_ulong(_SECCOMP_SET_MODE_FILTER), flag, program) == 0


def filter_for_programs() -> bytes | None:
    """The same filter for a program that is started under it, to be loaded by who starts it.

    It lets other programs be started, since whoever is started last was one. ``None`` where there
    is no such filter.
    """
    place = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or place is None:
        return None
    return _filter(*place, spared=("execve", "execveat"))


def _filter(column: int, architecture: int, spared: tuple[str, ...] = ()) -> bytes:
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _step(_RETURN, _FAIL | _ENOSYS),
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _FAIL | _ENOSYS),
        # The C library then takes the older call, whose flags can be read here.
        _step(_EQUAL, _CLONE3[column], 0, 1),
        _step(_RETURN, _FAIL | _ENOSYS),
    ]
    refused = (numbers for name, numbers in _REFUSED.items() if name not in spared)
    for numbers in refused:
        steps += [_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, _FAIL | _EPERM)]
    for numbers, argument in _ONLY_ITSELF.values():
        steps += [
            _step(_EQUAL, numbers[column], 0, 4),
            _step(_LOAD, _ARGUMENTS + 8 * argument),
            _step(_EQUAL, 0, 0, 1),
            _step(_RETURN, _ALLOW),
            _step(_RETURN, _FAIL | _EPERM),
        ]
    steps += [
        _step(_EQUAL, _CLONE[column], 0, 3),
        _step(_LOAD, _ARGUMENTS),
        _step(_ANY_BIT, _NAMESPACES, 0, 1),
        _step(_RETURN, _FAIL | _EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", operation, if_true, if_false, value)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """Every process that ``pid`` or one of its descendants started and that still is (Linux)."""
    found: list[int] = []
    open_ends = [pid]
    while open_ends:
        children = list(_children(open_ends.pop()))
        found += children
        open_ends += children
    return found


def _children(pid: int) -> Iterator[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as stream:
                yield from map(int, stream.read().split())
        except OSError:  # it ended meanwhile
            continue


def kill_descendants(pid: int, patience: float = 5.0) -> bool:
    """Kill all that ``pid`` started, and what that starts meanwhile; whether none is left.

    They are stopped first: what doesn't run can't start anything.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        there = [p for p in descendants(pid) if not _is_dead(p)]
        if not there:
            return True
        for order in (signal.SIGSTOP, signal.SIGKILL):
            for process in there:
                try:
                    os.kill(process, order)
                except (ProcessLookupError, PermissionError):
                    continue
        time.sleep(0.002)
    return False


def _is_dead(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])
    except OSError:
        return True


def memory_held(pids: list[int]) -> int:
    """Memory of these processes that is theirs alone or shared anonymously, bytes.

    What forks still share with the process they came from is counted for each of them.
    """
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status", "rb") as stream:
                text = stream.read()
        except OSError:
            continue
        for name in (b"RssAnon:", b"RssShmem:"):
            _, found, rest = text.partition(name)
            if found:
                total += int(rest.split(maxsplit=1)[0]) << 10
    return total


# What Blender or a library prints, before it goes on with nothing, when it is refused memory.
_NO_MEMORY = ("alloc returns null", "std::bad_alloc", "Cannot allocate memory")


def lacked_memory(words: str) -> bool:
    """Whether a process's last words say that it was refused memory."""
    return any(word in words for word in _NO_MEMORY)
