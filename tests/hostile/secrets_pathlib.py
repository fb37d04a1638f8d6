# SPDX-License-Identifier: GPL-3.0-or-later
# title: Files of the person's home
# route: pathlib.Path.home()
# policy: refused import
# contained: canary
# ends: finished raised
from pathlib import Path

for folder in (Path.home(), Path("@HOME@"), Path("/root"), Path("/home")):
    for pattern in ("*", ".*", ".ssh/*", ".aws/*", ".config/*/*"):
        for file in folder.glob(pattern):
            try:
                print(file, file.read_text(errors="replace")[:1000])
            except OSError as error:
                print(file, error)
