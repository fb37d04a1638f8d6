# SPDX-License-Identifier: GPL-3.0-or-later
# title: Many processes that hold a little each
# route: os.fork and bytearray
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout finished
import os
import time

for _ in range(200):
    if os.fork() == 0:
        held = bytearray(1 << 30)
        held[::4096] = bytes(len(held[::4096]))
        time.sleep(1000)
time.sleep(1000)
