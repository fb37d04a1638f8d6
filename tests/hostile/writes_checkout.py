# SPDX-License-Identifier: GPL-3.0-or-later
# title: The checks that judge it
# route: checks/timber/*.py
# policy: refused import
# contained: writes
# ends: finished raised
import glob
import os

for name in glob.glob("@CHECKOUT@/checks/**/*.py", recursive=True):
    try:
        os.chmod(name, 0o666)
        with open(name, "a") as file:
            file.write("")
        os.rename(name, name + "-hostile-mark")
    except OSError as error:
        print(name, error)
