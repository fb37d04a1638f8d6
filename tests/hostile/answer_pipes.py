# SPDX-License-Identifier: GPL-3.0-or-later
# title: A forged answer on every open descriptor
# route: os.write
# policy: refused import
# contained: answer
# ends: finished raised crashed timeout
import json
import os

import bpy

forged = {
    "ok": True,
    "seconds": 0,
    "stdout": "",
    "traceback": None,
    "structure": {"members": ["Stud_Forged"], "notes": []},
}
for mark in ("plumbline", "worker", "id", "ready"):
    for number in range(0, 64):
        line = json.dumps(
            {
                mark: number,
                "id": number,
                "ready": True,
                "forking": True,
                "result": forged,
                "outcome": "finished",
            }
        )
        try:
            os.set_blocking(number, False)
            os.write(number, b"\n" + line.encode() + b"\n")
        except OSError:
            pass
