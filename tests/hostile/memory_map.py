# SPDX-License-Identifier: GPL-3.0-or-later
# title: Memory asked for behind Python's back
# route: mmap
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout
import mmap

held = [mmap.mmap(-1, 1 << 32) for _ in range(12)]
for part in held:
    for place in range(0, len(part), 4096):
        part[place] = 1
