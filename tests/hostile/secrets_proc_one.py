# SPDX-License-Identifier: GPL-3.0-or-later
# title: The environment of process 1 and of the parent
# route: /proc/1/environ
# policy: refused import
# contained: canary
# ends: finished raised
import os

for process in (1, os.getppid(), "self"):
    try:
        print(open(f"/proc/{process}/environ", "rb").read())
    except OSError as error:
        print(process, error)
