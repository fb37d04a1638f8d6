# SPDX-License-Identifier: GPL-3.0-or-later
# title: It attaches to the process it was forked from
# route: ptrace(PTRACE_ATTACH)
# policy: refused import
# contained: canary
# ends: finished raised
import ctypes
import os

c = ctypes.CDLL(None, use_errno=True)
for process in {1, 2, os.getppid()}:
    if c.ptrace(16, process, 0, 0) == 0:
        print("attached", process)
        c.ptrace(8, process, 0, 0)
    else:
        print(process, os.strerror(ctypes.get_errno()))
