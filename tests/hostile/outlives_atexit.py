# SPDX-License-Identifier: GPL-3.0-or-later
# title: Functions run when Python ends
# route: atexit, threading._register_atexit
# policy: refused import
# contained: outlives
# ends: finished raised
import atexit
import signal


def later(*_):
    open("@OUTSIDE@/stolen.txt", "w").write("written")
    while True:
        pass


atexit.register(later)
signal.signal(signal.SIGTERM, later)
signal.signal(signal.SIGALRM, later)
