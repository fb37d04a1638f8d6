# SPDX-License-Identifier: GPL-3.0-or-later
# title: A module that every later Python would load
# route: site-packages/*.pth
# policy: refused import
# contained: writes
# ends: finished raised
import os
import sysconfig

for folder in (sysconfig.get_path("purelib"), os.path.dirname(os.__file__)):
    try:
        with open(os.path.join(folder, "plumbline-hostile-mark.pth"), "w") as file:
            file.write("import os")
    except OSError as error:
        print(folder, error)
