# SPDX-License-Identifier: GPL-3.0-or-later
# title: Signals and alarms are shut off
# route: signal.SIG_IGN
# policy: refused import
# contained: deadline
# ends: timeout
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
