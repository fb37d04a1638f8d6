# SPDX-License-Identifier: GPL-3.0-or-later
# title: Descriptors are swapped for a file that never ends
# route: os.dup2
# policy: refused import
# contained: answer
# ends: finished raised crashed timeout memory
import os

endless = os.open("/dev/zero", os.O_RDWR)
for number in range(64):
    try:
        os.dup2(endless, number)
    except OSError:
        pass
