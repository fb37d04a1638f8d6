# SPDX-License-Identifier: GPL-3.0-or-later
# title: A thread goes on after the last line
# route: threading.Thread(daemon=True)
# policy: refused import
# contained: outlives
# ends: finished raised crashed timeout
import threading
import time

import bpy


def later():
    while True:
        time.sleep(0.01)
        try:
            for item in list(bpy.data.objects):
                item.name = "Stud_Forged"
        except (ReferenceError, RuntimeError):
            pass


threading.Thread(target=later, daemon=True).start()
