# SPDX-License-Identifier: GPL-3.0-or-later
# title: Files that lie in memory and in no folder
# route: os.memfd_create
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout finished
import os

held = []
for _ in range(64):
    number = os.memfd_create("m")
    held.append(number)
    for _ in range(512):
        os.write(number, bytes(1 << 20))
