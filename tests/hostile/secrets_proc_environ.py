# SPDX-License-Identifier: GPL-3.0-or-later
# title: The environments of every process
# route: /proc/*/environ, /proc/*/cmdline
# policy: refused import
# contained: canary
# ends: finished raised
import glob

for name in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
    try:
        print(name, open(name, "rb").read())
    except OSError as error:
        print(name, error)
