# SPDX-License-Identifier: GPL-3.0-or-later
# title: What was left open
# route: /proc/self/fd
# policy: refused import
# contained: canary
# ends: finished raised crashed
import os

for number in range(3, 256):
    try:
        os.set_blocking(number, False)
        print(number, os.readlink(f"/proc/self/fd/{number}"), os.pread(number, 4096, 0))
    except OSError:
        pass
    try:
        print(os.listdir(f"/proc/self/fd/{number}/.."), os.listdir(number))
    except OSError:
        pass
