# SPDX-License-Identifier: GPL-3.0-or-later
# title: A file of others: emptied, its rights changed, removed
# route: truncate, chmod, unlink
# policy: refused import
# contained: writes
# ends: finished raised
import os

for change in (
    lambda: os.truncate("@OUTSIDE@/kept.txt", 0),
    lambda: os.chmod("@OUTSIDE@/kept.txt", 0o777),
    lambda: os.utime("@OUTSIDE@/kept.txt", (0, 0)),
    lambda: os.rename("@OUTSIDE@/kept.txt", "@OUTSIDE@/moved.txt"),
    lambda: os.unlink("@OUTSIDE@/kept.txt"),
    lambda: os.link("@SECRET@", "linked"),
    lambda: os.mkdir("@OUTSIDE@/folder"),
):
    try:
        change()
    except OSError as error:
        print(error)
