# SPDX-License-Identifier: GPL-3.0-or-later
# title: Memory that processes share
# route: /dev/shm, shmget
# policy: refused import
# contained: canary
# ends: finished raised
import ctypes
import os

for name in os.listdir("/dev/shm"):
    print(name, open(f"/dev/shm/{name}", "rb").read(4096))
c = ctypes.CDLL(None)
c.shmat.restype = ctypes.c_void_p
for number in range(64):
    place = c.shmat(number, None, 0o10000)
    if place not in (None, ctypes.c_void_p(-1).value):
        print(number, ctypes.string_at(place, 4096))
