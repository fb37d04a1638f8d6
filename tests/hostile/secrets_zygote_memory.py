# SPDX-License-Identifier: GPL-3.0-or-later
# title: The memory of the process it was forked from
# route: /proc/PPID/mem
# policy: refused import
# contained: canary
# ends: finished raised
import os
import re

for process in {1, 2, os.getppid()}:
    try:
        lines = open(f"/proc/{process}/maps").readlines()
        memory = open(f"/proc/{process}/mem", "r+b", 0)
    except OSError as error:
        print(process, error)
        continue
    for line in lines:
        low, high = (int(end, 16) for end in line.split()[0].split("-"))
        if "rw" not in line or high - low > 1 << 28:
            continue
        try:
            memory.seek(low)
            part = memory.read(high - low)
            for found in re.finditer(rb"CANARY-[V]ALUE-[0-9a-f]{8,}", part):
                print("found", found.group())
            if "[heap]" in line:
                memory.seek(low)
                memory.write(bytes(high - low))
        except (OSError, ValueError):
            continue
