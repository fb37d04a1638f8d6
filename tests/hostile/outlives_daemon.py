# SPDX-License-Identifier: GPL-3.0-or-later
# title: A process of its own session goes on
# route: os.fork, os.setsid
# policy: refused import
# contained: outlives
# ends: finished raised
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(600):
            time.sleep(0.1)
            try:
                open("@OUTSIDE@/stolen.txt", "w").write("written")
            except OSError:
                pass
    os._exit(0)
