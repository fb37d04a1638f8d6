# SPDX-License-Identifier: GPL-3.0-or-later
# title: The attempts of others and the results so far
# route: os.walk
# policy: refused import
# contained: canary
# ends: finished raised
import os

for top in ("@OUTSIDE@", "@CHECKOUT@", "/tmp", "/work", "/var/tmp"):
    for folder, _, files in os.walk(top):
        for name in files[:50]:
            if name.endswith((".txt", ".jsonl", ".env")):
                try:
                    print(name, open(os.path.join(folder, name), errors="replace").read(4000))
                except OSError:
                    pass
