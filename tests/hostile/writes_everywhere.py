# SPDX-License-Identifier: GPL-3.0-or-later
# title: A file into every folder that it can name
# route: open(path, 'w')
# policy: refused name
# contained: writes
# ends: finished raised
import os

for folder in (
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/root",
    "@HOME@",
    "@OUTSIDE@",
    "@CHECKOUT@",
    "/etc",
    "/usr",
):
    try:
        with open(os.path.join(folder, "plumbline-hostile-mark"), "w") as file:
            file.write("written")
    except OSError as error:
        print(folder, error)
