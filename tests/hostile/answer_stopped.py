# SPDX-License-Identifier: GPL-3.0-or-later
# title: It stops itself and the process it came from
# route: SIGSTOP
# policy: refused import
# contained: answer
# ends: finished raised crashed timeout
import os
import signal

for process in (os.getppid(), 1, os.getpid()):
    try:
        os.kill(process, signal.SIGSTOP)
    except OSError as error:
        print(error)
