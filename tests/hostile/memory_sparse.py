# SPDX-License-Identifier: GPL-3.0-or-later
# title: A file that claims a terabyte
# route: os.truncate
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout finished
import os

for folder in (os.getcwd(), os.environ.get("TMPDIR", "/tmp")):
    try:
        with open(os.path.join(folder, "result.blend"), "wb") as file:
            os.truncate(file.fileno(), 1 << 40)
    except OSError as error:
        print(error)
