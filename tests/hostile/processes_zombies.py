# SPDX-License-Identifier: GPL-3.0-or-later
# title: Children that nobody waits for
# route: os.fork, os._exit
# policy: refused import
# contained: outlives
# ends: finished raised crashed timeout memory
import os

for _ in range(300):
    if os.fork() == 0:
        os._exit(0)
