# SPDX-License-Identifier: GPL-3.0-or-later
# title: A signal to its own group, with the process it came from
# route: os.killpg
# policy: refused import
# contained: outlives
# ends: finished raised crashed timeout memory
import os
import signal

for call in (os.killpg,):
    for group in (0, os.getppid(), os.getpgid(os.getppid()), 1):
        try:
            call(group, signal.SIGKILL)
        except OSError as error:
            print(group, error)
