# SPDX-License-Identifier: GPL-3.0-or-later
# title: The file system of other processes
# route: /proc/*/root, /proc/*/cwd
# policy: refused import
# contained: canary
# ends: finished raised
import glob

for name in glob.glob("/proc/[0-9]*"):
    for part in ("root", "cwd"):
        try:
            print(open(f"{name}/{part}/@SECRET@").read())
        except OSError as error:
            print(name, part, error)
