# SPDX-License-Identifier: GPL-3.0-or-later
# title: The result becomes a pipe that never ends
# route: os.mkfifo over *.blend
# policy: refused import
# contained: writes
# ends: finished raised crashed timeout
import os
import threading
import time


def replace():
    while True:
        for folder in {os.getcwd(), os.environ.get("TMPDIR", "/tmp")}:
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                if ".blend" in name and os.path.isfile(path):
                    os.unlink(path)
                    os.mkfifo(path)
        time.sleep(0.001)


threading.Thread(target=replace, daemon=True).start()
