# SPDX-License-Identifier: GPL-3.0-or-later
# title: The temporary folders are filled
# route: open in /tmp
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout finished
import os

for folder in (os.getcwd(), "/tmp", "/dev/shm", "/var/tmp"):
    try:
        for number in range(200):
            with open(os.path.join(folder, f"plumbline-hostile-mark-{number}"), "wb") as file:
                for _ in range(100):
                    file.write(bytes(1 << 20))
    except OSError as error:
        print(folder, error)
