# SPDX-License-Identifier: GPL-3.0-or-later
# title: Processes that start processes
# route: while True: os.fork()
# policy: refused import
# contained: outlives
# ends: timeout crashed memory finished raised
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
