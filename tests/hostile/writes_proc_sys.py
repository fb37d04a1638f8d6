# SPDX-License-Identifier: GPL-3.0-or-later
# title: Settings of the kernel
# route: /proc/sys, /sys
# policy: refused name
# contained: writes
# ends: finished raised
import os

for name in (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/overcommit_memory",
    "/proc/self/oom_score_adj",
    "/proc/1/oom_score_adj",
    "/sys/fs/cgroup/cgroup.procs",
):
    try:
        with open(name) as file:
            before = file.read()
        with open(name, "w") as file:
            file.write(before)
        print("WRITABLE", name)
    except OSError as error:
        print(name, error)
