# SPDX-License-Identifier: GPL-3.0-or-later
# title: The environments of every process
# route: /proc/*/environ, /proc/*/cmdline
# policy: refused import
# contained: canary
# ends: finished raised
import glob

for name in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
    try:
        parts = open(name, "rb").read().split(bytes(1))
    except OSError as error:
        print(name, error)
    else:
        print(name, [part for part in parts if b"KEY" in part or b"TOKEN" in part])
