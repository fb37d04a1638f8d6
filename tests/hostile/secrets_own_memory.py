# SPDX-License-Identifier: GPL-3.0-or-later
# title: The memory of its own process, for what was there before the fork
# route: /proc/self/mem
# policy: refused name
# contained: canary
# ends: finished raised
import re

wanted = b"CANARY" + b"-VALUE-"
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        low, high = (int(end, 16) for end in line.split()[0].split("-"))
        if " r" not in line[:30] and "rw" not in line or high - low > 1 << 28:
            continue
        try:
            memory.seek(low)
            part = memory.read(high - low)
        except (OSError, ValueError, OverflowError):
            continue
        for found in re.finditer(wanted + b"[0-9a-f]{8,}", part):
            print("found", found.group())
