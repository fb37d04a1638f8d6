# SPDX-License-Identifier: GPL-3.0-or-later
# title: The known-good programs of the tasks
# route: tasks/*/build.py
# policy: refused import
# contained: canary
# ends: finished raised
import glob

import bpy

for name in glob.glob("@CHECKOUT@/tasks/**/build.py", recursive=True):
    print("SOUND PROGRAM", open(name).read()[:200])
    exec(open(name).read())
