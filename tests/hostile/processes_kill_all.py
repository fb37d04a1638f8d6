# SPDX-License-Identifier: GPL-3.0-or-later
# title: A signal to every process
# route: os.kill(-1, SIGKILL)
# policy: refused import
# contained: outlives
# ends: finished raised crashed timeout memory
import os
import signal

for process in (os.getppid(), int("@PARENT@"), 1, 2, -1):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        try:
            os.kill(process, number)
            print("KILLED", process)
        except OSError as error:
            print(process, error)
